"""Those who think for bots: real processes, which die, hang and are left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from django.conf import LazySettings

from deploy.children import wait_until
from games import bots, thinking
from games.rules import player_view
from games.thinking import NoAnswer, Thinkers
from tests.rules.strategies import Table
from tests.sites import ROOT

from . import brooding

pytestmark = pytest.mark.slow


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    one = Thinkers(1)
    yield one
    one.close()


def has_ended(process: int) -> bool:
    """One that nobody has waited for has ended too."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_thinker_chooses_what_the_bot_would_choose_here(thinkers: Thinkers) -> None:
    state, _ = Table("standard", 4, "random", 1).new_game()
    view, memory = player_view(state, state.active), bots.Memory(state.active, 4)
    for name in bots.BOTS:
        chosen = thinkers.ask(bots.choose, name, view, memory, 7)
        assert chosen is not None
        assert chosen == bots.BOTS[name](view, memory, Random(7))


def test_it_is_another_process_and_everybody_else_goes_first(thinkers: Thinkers) -> None:
    process = thinkers.ask(brooding.who)
    assert process != os.getpid()
    assert thinkers.ask(brooding.who) == process, "it is started once"
    assert thinkers.ask(brooding.priority) >= 10
    assert os.getpgid(process) == process, "Ctrl-C goes to the group of whoever asks"


def test_it_knows_nothing_of_the_site() -> None:
    # The last is what multiprocessing calls the program itself.
    allowed = {"games", "games.rules", "games.bots", "typing_extensions", "__mp_main__"}
    program = (
        "import sys; before = set(sys.modules); import games.bots.thinker\n"
        "print(*(name for name in sys.modules if name not in before))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    foreign = {
        name
        for name in loaded.stdout.split()
        if name.partition(".")[0] not in sys.stdlib_module_names and ".".join(name.split(".")[:2]) not in allowed
    }
    assert foreign == set()


def test_one_that_takes_too_long_is_stopped_and_the_next_question_is_answered(
    thinkers: Thinkers, tmp_path: Path
) -> None:
    note = tmp_path / "who"
    first = thinkers.ask(brooding.who)
    with pytest.raises(NoAnswer, match="thought for too long"):
        thinkers.ask(brooding.brood, 60, str(note), seconds=0.2)
    assert note.read_text() == f"{first}\n"
    assert has_ended(first)
    assert thinkers.ask(brooding.who) != first


def test_one_of_which_nothing_is_heard_is_stopped_too(thinkers: Thinkers) -> None:
    first = thinkers.ask(brooding.who)
    with pytest.raises(NoAnswer, match="not through"):
        thinkers.ask(brooding.doze, 60, patience=0.2)
    assert has_ended(first)
    assert thinkers.ask(brooding.who) != first


def test_the_time_that_one_question_took_does_not_count_for_the_next(thinkers: Thinkers) -> None:
    first = thinkers.ask(brooding.brood, 0.3, seconds=0.5)
    assert thinkers.ask(brooding.brood, 0.3, seconds=0.5) == first


def test_one_that_was_killed_is_replaced(thinkers: Thinkers) -> None:
    first = thinkers.ask(brooding.who)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: has_ended(first), "it survived")
    assert thinkers.ask(brooding.who) != first


@pytest.mark.parametrize("times", [1, 2])
def test_a_question_that_kills_is_asked_once_again_and_no_more(thinkers: Thinkers, tmp_path: Path, times: int) -> None:
    note = str(tmp_path / "deaths")
    if times == 1:
        assert thinkers.ask(brooding.die, note, times) == 2
    else:
        with pytest.raises(NoAnswer, match="twice"):
            thinkers.ask(brooding.die, note, times)
    assert thinkers.ask(brooding.who)


def test_what_fails_there_is_told_here_and_costs_no_process(thinkers: Thinkers) -> None:
    first = thinkers.ask(brooding.who)
    with pytest.raises(NoAnswer, match="ValueError: no sheep"):
        thinkers.ask(brooding.fail, "no sheep")
    assert thinkers.ask(brooding.who) == first


def test_what_a_bot_prints_is_no_answer(thinkers: Thinkers) -> None:
    assert thinkers.ask(brooding.talk, "baa") == "baa"
    assert thinkers.ask(brooding.talk, "again") == "again"


def test_several_threads_share_one_and_each_hears_its_own_answer(thinkers: Thinkers) -> None:
    heard: dict[int, str] = {}

    def ask(number: int) -> None:
        heard[number] = thinkers.ask(brooding.talk, str(number))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == {number: str(number) for number in range(8)}


def test_whoever_finds_all_of_them_thinking_waits_no_longer_than_they_said(thinkers: Thinkers, tmp_path: Path) -> None:
    note = tmp_path / "who"
    broods = threading.Thread(target=thinkers.ask, args=(brooding.brood, 2, str(note)))
    broods.start()
    wait_until(note.exists, "nobody thinks")
    with pytest.raises(NoAnswer, match="Nobody was free"):
        thinkers.ask(brooding.who, patience=0.1)
    broods.join()
    assert thinkers.ask(brooding.who) == int(note.read_text())


def test_two_think_at_the_same_time_and_a_second_is_started_only_then() -> None:
    two = Thinkers(2)
    try:
        assert two.ask(brooding.who) == two.ask(brooding.who)
        meet = threading.Barrier(2)
        seen: set[int] = set()

        def ask() -> None:
            meet.wait()
            seen.add(two.ask(brooding.brood, 0.5))

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 2
    finally:
        two.close()


def test_closing_ends_the_process() -> None:
    one = Thinkers(1)
    process = one.ask(brooding.who)
    one.close()
    assert has_ended(process)
    with pytest.raises(NoAnswer):
        one.ask(brooding.who, patience=0.01)


ASKING = """
import os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "catan_site.settings"
django.setup()
from games import thinking
from tests.games import brooding
thinking.ask(brooding.brood, {seconds}, sys.argv[1], seconds=60)
print("idle", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("seconds", [0, 60], ids=["idle", "in the midst of thinking"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"])
def test_it_does_not_outlive_whoever_asks(tmp_path: Path, seconds: int, number: signal.Signals) -> None:
    note = tmp_path / "who"
    parent = subprocess.Popen(
        [sys.executable, "-c", ASKING.format(seconds=seconds), str(note)],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(tmp_path), "THINKERS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with parent:
        try:
            wait_until(lambda: note.exists() and note.read_text().endswith("\n"), "nobody thinks")
            if not seconds:
                assert parent.stdout
                assert parent.stdout.readline() == b"idle\n"
            thinker = int(note.read_text())
            assert not has_ended(thinker)
            parent.send_signal(number)
            wait_until(lambda: has_ended(thinker), "the thinker outlived its parent", limit=20)
        finally:
            parent.kill()


def test_systemd_stops_whoever_asks_and_the_thinker_only_with_it(thinkers: Thinkers, tmp_path: Path) -> None:
    note = tmp_path / "who"
    answers: list[int] = []
    broods = threading.Thread(target=lambda: answers.append(thinkers.ask(brooding.brood, 1, str(note))))
    broods.start()
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"), "nobody thinks")
    os.kill(int(note.read_text()), signal.SIGTERM)
    broods.join()
    assert answers == [int(note.read_text())]


def test_the_processes_that_a_site_wants_are_those_of_its_setting(settings: LazySettings) -> None:
    settings.THINKERS = 1
    assert thinking.ask(brooding.who) != os.getpid()


def test_without_thinkers_it_is_done_here(settings: LazySettings) -> None:
    settings.THINKERS = 0
    assert thinking.ask(brooding.who) == os.getpid()
    with pytest.raises(NoAnswer):
        thinking.ask(brooding.fail, "no sheep")
