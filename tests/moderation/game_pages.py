"""Games in every phase and status, and moderators who press what their pages have."""

from __future__ import annotations

from random import Random
from typing import Any

from django.contrib.auth.models import Group
from django.contrib.messages import get_messages
from django.test import Client
from django.utils import timezone

from games import services, snapshots
from games.models import Game
from games.rules import Phase, legal_moves
from lobby.models import User
from moderation.models import AuditLine
from tests.games.playing import new_game, play_on, some_move
from tests.staff import browser_of, make_staff

WHY = "They asked for it."
#: Of this seed every phase but the last comes up within sixty moves.
SEED = ("phases", 0)


def moderator_of(person: User) -> Client:
    """Dana is staff already, and has a second factor."""
    if not person.is_staff:
        make_staff(person)
    person.groups.add(Group.objects.get(name="moderator"))
    return browser_of(person)


def game_in(phase: Phase, *, pace: str = "1 day", **how: Any) -> Game:
    """A game that was played to a phase."""
    if phase is Phase.OVER:
        return finished(pace=pace, **how)
    game = new_game(seed=SEED, pace=pace, **how)
    source = Random(0)
    while (state := snapshots.read(game.pk)[1].state).phase is not phase:
        moves = [move for seat in state.seats for move in legal_moves(state, seat)]
        liked = [move for move in moves if move.kind in ("buy_card", "play_road_building")]
        move = source.choice(liked) if liked else some_move(state, source)
        version = snapshots.read(game.pk)[1].version
        services.play_move(game.pk, move, version=version, now=timezone.now())
    return Game.objects.get(pk=game.pk)


def finished(**how: Any) -> Game:
    game = new_game("standard points_to_win=8", seed="finished", **how)
    play_on(game.pk, Random(2), 3_000)
    return Game.objects.get(pk=game.pk, status=Game.Status.OVER)


def with_status(game: Game, status: Game.Status) -> None:
    """By the way on which games come to it."""
    now = timezone.now()
    match status:
        case Game.Status.PAUSED:
            services.pause(game.pk, now=now)
        case Game.Status.ABORTED:
            services.abort(game.pk, now=now)
        case Game.Status.NEEDS_ATTENTION:
            services.set_aside(game.pk, "somebody looks", now=now)
        case Game.Status.RESTING:
            # Everybody has left; there is no short way to that for a game over days.
            services.pause(game.pk, now=now)
            Game.objects.filter(pk=game.pk).update(status=Game.Status.RESTING)
    snapshots.drop(game.pk)


def address(game: Game, end: str = "change") -> str:
    return f"/admin/games/game/{game.pk}/{end}/"


def press(browser: Client, game: Game, end: str, why: str = WHY, **form: object) -> Any:
    """What the page's form sends, which says what its page showed."""
    version = Game.objects.values_list("version", flat=True).get(pk=game.pk)
    return browser.post(address(game, end), {"why": why, "version": version, "by": "1h", "confirmed": "yes"} | form)


def told(answer: Any) -> list[str]:
    return [message.message for message in get_messages(answer.wsgi_request)]


def audited() -> list[tuple[str, str, dict[str, Any]]]:
    return [(line.act, line.why, line.details) for line in AuditLine.objects.order_by("pk")]


def page_of(browser: Client, game: Game) -> str:
    answer = browser.get(address(game))
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text
