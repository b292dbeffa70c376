"""What games tell, handed on to front pages and ratings. No query is made for a move."""

from typing import Any

from celery import current_app
from django.dispatch import receiver

from games import broadcast
from games.models import Seat
from games.rules.moves import MOST_SEATS
from games.signals import awaited_changed, game_ended, game_started
from lobby.news import GamesChanged, GameWaits, person_group, players_group
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
