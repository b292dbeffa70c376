"""Each act of a moderator on a game in each phase and each status: it is done, or refused and nothing changed.

Generated, so that no meeting of the three is left out; which of them must go through is said in one place.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games import clocks, services, snapshots
from games.models import Game, Hand, Seat
from games.rules import Phase, Refusal, to_act
from games.verification import differences
from lobby.models import User
from moderation import games
from moderation.audit import Act
from moderation.models import AuditLine
from tests.games.playing import stored_state
from tests.games.waiting import check_kept_sitters

from .game_pages import WHY, game_in, with_status

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

Status = Game.Status
RUNNING, PAUSED, RESTING, ASIDE, OVER, ABORTED = (
    *(Status.RUNNING, Status.PAUSED, Status.RESTING, Status.NEEDS_ATTENTION),
    *(Status.OVER, Status.ABORTED),
)
SEAT = 1


def _version(game: Game) -> int:
    return Game.objects.values_list("version", flat=True).get(pk=game.pk)


Does = Callable[[User, Game], Any]
#: What each does, and where it must go through.
ACTS: dict[str, tuple[Does, tuple[Status, ...]]] = {
    "pause": (lambda staff, game: games.pause(staff, game.pk, why=WHY, now=timezone.now()), (RUNNING,)),
    "resume": (
        lambda staff, game: games.resume(staff, game.pk, why=WHY, now=timezone.now()),
        (PAUSED, RESTING, ASIDE),
    ),
    "extend": (lambda staff, game: games.extend(staff, game.pk, by="1d", why=WHY, now=timezone.now()), (RUNNING,)),
    "play_timeout_now": (
        lambda staff, game: games.play_timeout_now(staff, game.pk, version=_version(game), why=WHY, now=timezone.now()),
        (RUNNING,),
    ),
    "stand_in": (
        lambda staff, game: games.stand_in(staff, game.pk, seat=SEAT, why=WHY, now=timezone.now()),
        (RUNNING, PAUSED, RESTING, ASIDE),
    ),
    "abort": (
        lambda staff, game: games.abort(staff, game.pk, confirmed=True, why=WHY, now=timezone.now()),
        (RUNNING, PAUSED, RESTING, ASIDE),
    ),
    "verify": (lambda staff, game: games.verify(staff, game.pk, why=WHY, now=timezone.now()), tuple(Status)),
    "whole": (lambda staff, game: games.look_at_whole(staff, game.pk, why=WHY, now=timezone.now()), tuple(Status)),
    "export": (lambda staff, game: games.export(staff, game.pk, why=WHY, now=timezone.now()), tuple(Status)),
}
#: What leaves a game as it was.
LOOKS = ("verify", "whole", "export")
#: To which status a game comes by what is done to it; every other act leaves it.
LEADS_TO = {"pause": PAUSED, "resume": RUNNING, "abort": ABORTED}


def rows_of(game: Game) -> tuple[Any, ...]:
    return (
        Game.objects.filter(pk=game.pk).values().get(),
        list(Seat.objects.filter(game=game).order_by("pk").values()),
        list(game.interventions.order_by("pk").values()),
        list(game.moves.order_by("pk").values()),
        stored_state(game.pk),
    )


@contextmanager
def undone(game: Game) -> Iterator[None]:
    """What is done within is undone after it, so that the next act meets the same game."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    snapshots.drop(game.pk)


@pytest.mark.slow
@pytest.mark.parametrize("pace", ["1 day", ""])
@pytest.mark.parametrize("phase", list(Phase), ids=lambda phase: phase.value)
def test_each_act_in_each_phase_and_status_is_done_or_refused(phase: Phase, pace: str, dana: User) -> None:
    played = game_in(phase, pace=pace)
    statuses = [OVER] if phase is Phase.OVER else [RUNNING, PAUSED, RESTING, ASIDE, ABORTED]
    met = set()
    for status in statuses:
        for act in ACTS:
            with undone(played):
                with_status(played, status)
                assert Game.objects.get(pk=played.pk).status == status
                met.add((status, check(act, played, status, dana)))
    assert {done for _, done in met} == {True, False}, "nothing was done, or nothing refused"


def check(act: str, game: Game, status: Status, staff: User) -> bool:
    where = f"{act} of a game that is {status}"
    do, goes_through = ACTS[act]
    before = rows_of(game)
    # Where nobody is hurried there is no deadline to extend.
    expected = status in goes_through and not (act == "extend" and game.pace is None)
    sentence = ""
    try:
        do(staff, game)
    except Refusal as refusal:
        sentence = refusal.sentence
    done = not sentence
    assert done or (sentence[0].isupper() and sentence.endswith(".")), where
    assert done == expected, where
    written = list(AuditLine.objects.values_list("act", "why", "staff", "game"))
    if done:
        kind = {"whole": Act.LOOKED_AT_GAME, "export": Act.EXPORTED_GAME}.get(act, Act.ACTED_ON_GAME)
        assert written == [(kind, WHY, staff.pk, game.pk)], where
    else:
        # The edge writes that it was refused.
        assert written == [], where
    if not done or act in LOOKS:
        assert rows_of(game) == before, where
    snapshots.drop(game.pk)
    after = Game.objects.get(pk=game.pk)
    assert differences(after) == [], where
    assert after.status == (LEADS_TO.get(act, status) if done else status), where
    if after.status == RUNNING:
        check_goes_on(after, where)
    return done


def check_goes_on(game: Game, where: str) -> None:
    """Somebody is waited for, by a clock if there is one, and the game can be played on."""
    check_kept_sitters(game)
    state = stored_state(game.pk)
    assert to_act(state), where
    if game.pace is not None:
        assert game.deadline, where
        assert clocks.moments(game), where
    services.play_timeout(game.pk, to_act(state)[0], version=game.version, now=timezone.now())
    snapshots.drop(game.pk)
    assert differences(Game.objects.get(pk=game.pk)) == [], where


def test_two_moderators_who_end_a_game_at_once_end_it_once(dana: User, charlie: User) -> None:
    """The second finds it ended, and is told so; a line in the audit log stands for each that was done."""
    game = game_in(Phase.ROLLING)
    refused, start = [], threading.Barrier(2)

    def end(staff: User) -> None:
        try:
            start.wait()
            games.abort(staff, game.pk, confirmed=True, why=WHY, now=timezone.now())
        except Refusal as refusal:
            refused.append(refusal.sentence)
        finally:
            connection.close()

    threads = [threading.Thread(target=end, args=(staff,)) for staff in (dana, charlie)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["The game has ended already."]
    assert AuditLine.objects.filter(act=Act.ACTED_ON_GAME).count() == 1
    assert game.interventions.filter(what="abort").count() == 1


def test_what_breaks_down_under_way_leaves_neither_a_change_nor_a_line(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_in(Phase.ROLLING)
    before = rows_of(game)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("moderation.audit.record", fail)
    with pytest.raises(RuntimeError):
        games.pause(dana, game.pk, why=WHY, now=timezone.now())
    assert rows_of(game) == before


def test_a_game_whose_rows_are_broken_stays_set_aside_though_the_act_is_refused(dana: User) -> None:
    game = game_in(Phase.ROLLING)
    Hand.objects.filter(seat__game=game).delete()
    snapshots.drop(game.pk)
    with pytest.raises(services.SetAside):
        games.extend(dana, game.pk, by="1h", why=WHY, now=timezone.now())
    assert Game.objects.get(pk=game.pk).status == ASIDE
    assert AuditLine.objects.count() == 0


def test_a_bot_gets_no_more_time(dana: User) -> None:
    game = game_in(Phase.ROLLING)
    services.replace_by_bot(game.pk, stored_state(game.pk).active, timezone.now())
    with pytest.raises(services.NothingToDo, match="waits for a bot"):
        games.extend(dana, game.pk, by="1h", why=WHY, now=timezone.now())


def test_more_time_is_for_those_to_act_and_for_no_offer(dana: User) -> None:
    """On a seven all who still have to discard get it, in one sentence."""
    game = game_in(Phase.DISCARDING)
    before = Game.objects.get(pk=game.pk)
    games.extend(dana, game.pk, by="3d", why=WHY, now=timezone.now())
    after = Game.objects.get(pk=game.pk)
    assert before.deadline
    assert after.deadline == before.deadline + timedelta(days=3)
    assert after.answers_due == before.answers_due
    assert game.interventions.get().told == {"to": list(to_act(stored_state(game.pk))), "seconds": 259_200}
