"""What games tell, handed on to front pages, ratings and notices. After the commit, no query is made for a move."""

from datetime import datetime
from typing import Any

from celery import current_app
from django.dispatch import receiver
from django.utils import timezone

from games import broadcast
from games.models import Game, Seat
from games.rules.moves import MOST_SEATS
from games.services import NoAdvice
from games.signals import (
    advice_asked,
    awaited_changed,
    awaited_changing,
    clocks_changing,
    game_ended,
    game_ending,
    game_started,
    offer_opening,
    seat_returning,
    time_running_out,
)
from games.words_advice import NOT_WHEN_RATED
from lobby import banning, holidays, restrictions
from lobby.models import Table
from lobby.news import GamesChanged, GameWaits, person_group, players_group
from lobby.notices import writing
from lobby.tasks import rate_game


@receiver(game_started)
def tell_players(game_id: int, **_: Any) -> None:
    message: GamesChanged = {"type": "games.changed"}
    for user_id in Seat.objects.filter(game=game_id, user__isnull=False).values_list("user_id", flat=True):
        broadcast.send(person_group(user_id), message)


@receiver(awaited_changed)
def tell_awaited(game_id: int, asked: dict[int, str], **_: Any) -> None:
    message: GameWaits = {"type": "game.waits", "game": game_id, "seats": list(asked)}
    broadcast.send(players_group(game_id), message)


@receiver(game_ended)
def queue_rating(game_id: int, **_: Any) -> None:
    """Whoever made the last move waits for nothing but the queue."""
    current_app.send_task(rate_game.name, [game_id], retry=False)


@receiver(game_ended)
def tell_of_end(game_id: int, **_: Any) -> None:
    message: GameWaits = {"type": "game.waits", "game": game_id, "seats": list(range(MOST_SEATS))}
    broadcast.send(players_group(game_id), message)


@receiver(restrictions.person_banned)
def empty_places(person: int, now: datetime, **_: Any) -> None:
    banning.empty_places(person, now)


@receiver(advice_asked)
def keep_advice_from_rated_games(game: Game, **_: Any) -> None:
    """Those who have a rating are people; but all of them but one may have left."""
    if Table.objects.filter(game=game, rated=True).exists():
        raise NoAdvice(NOT_WHEN_RATED)


# Within the transaction


@receiver(awaited_changing)
def note_asked(game: Game, asked: dict[int, str], **_: Any) -> None:
    if any(asked.values()):
        writing.note_asked(game, asked, timezone.now())


@receiver(offer_opening)
def note_offers(game: Game, seats: list[int], **_: Any) -> None:
    writing.note_offers(game, seats, timezone.now())


@receiver(clocks_changing)
def note_clocks(game: Game, asked: dict[int, str], short_from: dict[int, datetime], afresh: bool, **_: Any) -> None:
    writing.note_clocks(game, asked, short_from, timezone.now(), is_afresh=afresh)


@receiver(time_running_out)
def hold_clocks(game: Game, seats: list[int], due: datetime, now: datetime, **_: Any) -> None:
    holidays.hold_clocks(game, seats, due, now)


@receiver(seat_returning)
def keep_seat_from_the_banned(seat: Seat, now: datetime, **_: Any) -> None:
    restrictions.require_admitted(seat.user_id or 0, now)


@receiver(game_ending)
def note_end(game: Game, **_: Any) -> None:
    writing.note_end(game, timezone.now())
