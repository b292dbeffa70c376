"""`examples/bot.py` as it is: a program beside a site, which it knows by its address and a token."""

import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import get_type_hints

import pytest
from django.conf import settings

from api.answers import Who
from catan_site import doorway
from deploy.children import free_port, wait_until
from games.web import problem
from tests.sites import ROOT, Site, embedded, manage

BOT = ROOT / "examples" / "bot.py"
CAST = ("Alice", "Bob", "Charlie", "Dana")
#: Games that four bots play at once.
AT_ONCE = 10
#: The site counts by token and by address, and all of this comes from one.
UNHURRIED = dict.fromkeys(("API_READS_A_MINUTE", "API_MOVES_A_MINUTE"), "1000000")

MAKE_TOKENS = """
from django.utils import timezone
from api import tokens
from lobby import bot_accounts
from lobby.models import User

for name in {names}:
    person = User.objects.create_user(name)
    bot_accounts.declare(person)
    print(tokens.make(person, "example", "play", now=timezone.now())[1])
"""


def tokens_of(names: Sequence[str], data: Path) -> list[str]:
    """Of new bot accounts."""
    made = manage("shell", "-v", "0", "-c", MAKE_TOKENS.format(names=list(names)), DATA_DIR=str(data))
    made.check_returncode()
    return made.stdout.split()


@contextmanager
def playing(site: Site, token: str, *wishes: str) -> Iterator["subprocess.Popen[str]"]:
    """Only what stands in the file may be needed: not the site's own code, and no package beside Python's."""
    command = [sys.executable, "-I", "-S", str(BOT), "--site", site.address, "--token", token, *wishes]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **streams, text=True, env={}) as bot:
        try:
            yield bot
        finally:
            bot.kill()


def results(bot: "subprocess.Popen[str]", limit: float) -> list[str]:
    """What a bot says of each game that it has played to the end; it has nothing to complain of."""
    said, complaints = bot.communicate(timeout=limit)
    assert (bot.returncode, complaints) == (0, ""), said
    return re.findall(r"^Game \d+: .* won .*$", said, re.MULTILINE)


def answers(site: Site) -> Counter[str]:
    """The status of all that was asked of the site but streams, which its log doesn't tell of."""
    return Counter(site.find(r" code=(\d+)"))


def test_the_guide_quotes_the_example_and_the_limits_as_they_are() -> None:
    guide, example = (ROOT / "docs" / "write-a-bot.md").read_text(), BOT.read_text()
    quoted = "".join(re.findall(r"```python\n(.*?)```", guide, re.DOTALL)).splitlines()
    assert quoted
    assert [line for line in quoted if line not in example] == []
    limits = re.findall(r"^\| [^|]+ \| (\d+) \|$", guide, re.MULTILINE)
    usual = (settings.API_READS_A_MINUTE, settings.API_MOVES_A_MINUTE, settings.API_OFFERS_A_MINUTE)
    assert [int(number) for number in limits] == [*usual, doorway.OF_A_SESSION]
    (who,) = re.findall(r"/api/v1/me/\n(.*)", guide)
    assert [*json.loads(who)] == [*get_type_hints(Who)]
    (told,) = re.findall(r'^({"type".*?})\n```', guide, re.MULTILINE | re.DOTALL)
    refused = json.loads(told)
    assert refused.items() >= problem(400, "malformed_move", "edge is a whole number from 0 to 71.").items()
    wishes = set(re.findall(r"--[a-z]+", "".join(re.findall(r"examples/bot\.py(.*)", guide))))
    assert wishes
    assert [wish for wish in wishes if f'"{wish}"' not in example] == []


@pytest.mark.slow
def test_the_example_plays_a_whole_game_against_the_sites_bots(tmp_path: Path) -> None:
    with embedded(tmp_path, **UNHURRIED) as site:
        (token,) = tokens_of(["Alice"], tmp_path)
        with playing(site, token, "--open", "1", "--fill") as bot:
            (result,) = results(bot, limit=100)
        assert re.search(r" won \(.*\b1\d\b", result)
        # Whatever it does late is refused, and nothing else is.
        assert answers(site).keys() <= {"200", "201", "409"}


@pytest.mark.soak
def test_the_example_goes_on_where_it_was_when_the_site_restarts(tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as first_start:
        site = first_start.enter_context(embedded(tmp_path, port, **UNHURRIED))
        (token,) = tokens_of(["Alice"], tmp_path)
        with playing(site, token, "--open", "1", "--fill") as bot:
            wait_until(lambda: answers(site)["201"] > 20, "The bot doesn’t play")
            first_start.close()
            with embedded(tmp_path, port, **UNHURRIED):
                said, complaints = bot.communicate(timeout=100)
        assert bot.returncode == 0, complaints
        assert " won (" in said
        assert all("Trying again in" in line for line in complaints.splitlines())
    assert manage("verify_games", DATA_DIR=str(tmp_path)).returncode == 0


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_four_examples_play_ten_games_at_once_to_the_end(tmp_path: Path) -> None:
    with embedded(tmp_path, **UNHURRIED) as site:
        first, *others = tokens_of(CAST, tmp_path)
        began = time.monotonic()
        with ExitStack() as all_of_them:
            starting = [playing(site, first, "--open", str(AT_ONCE))]
            starting += [playing(site, token, "--games", str(AT_ONCE)) for token in others]
            bots = [all_of_them.enter_context(bot) for bot in starting]
            told = [results(bot, limit=800) for bot in bots]
        seconds = time.monotonic() - began
        assert [len(each) for each in told] == [AT_ONCE] * len(CAST)
        # Each of them is told of every game how it ended; one says that it won.
        assert sum(" we won " in result for each in told for result in each) == AT_ONCE
        found = answers(site)
        assert found.keys() <= {"200", "201", "409"}
        assert not site.find(r"Traceback")
    moves = len(site.find(r"code=201 request='POST /api/v1/games/\d+/moves/'"))
    late = len(site.find(r"code=409 request='POST /api/v1/games/\d+/moves/'"))
    verified = manage("verify_games", DATA_DIR=str(tmp_path))
    assert verified.returncode == 0, verified.stdout
    print(f"\n{AT_ONCE} games in {seconds:.0f} s: {moves} moves, {late} late; {verified.stdout.strip()}")
