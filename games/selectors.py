"""What may be read of a game. Whatever is secret is left out by the rules' `player_view`."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils import timezone

from games import tables, words
from games.models import Game, Move, Seat
from games.rules import Event, player_view, why_not
from games.words_places import place_names

#: The look of each seat, by its number.
COLOURS: Final = ("red", "blue", "white", "black")
EMBLEMS: Final = ("▲", "■", "●", "◆")

#: How far back the log of a page goes.
LOG_MOVES: Final = 60


def seat_of(game_id: int, user_id: int | None) -> int | None:
    """The number of a user's seat in a game; ``None`` for spectators and those who have left it."""
    if user_id is None:
        return None
    held = Seat.objects.filter(game=game_id, user=user_id).exclude(player=Seat.Player.BOT)
    return held.values_list("number", flat=True).first()


def page(game_id: int, viewer: int | None, *, after: int = 0) -> dict[str, Any]:
    """All that a game's page shows one viewer, with what happened after a version."""
    game, table = tables.read(game_id)
    shown = player_view(table.state, viewer)
    seats = list(Seat.objects.filter(game=game_id).order_by("number"))
    teller = words.Teller([seat.name for seat in seats], viewer, place_names(shown["board"]))
    reasons = {} if viewer is None else why_not(table.state, viewer)
    return {
        "game": game.pk,
        "status": game.status,
        "version": table.version,
        "revision": table.revision,
        "now": timezone.now().isoformat(),
        "deadline": game.deadline and game.deadline.isoformat(),
        "you": viewer,
        "seats": [
            {
                "seat": seat.number,
                "name": seat.name,
                "player": seat.player,
                "colour": COLOURS[seat.number],
                "emblem": EMBLEMS[seat.number],
            }
            for seat in seats
        ],
        "view": shown,
        "prompt": words.prompt(teller, shown, game.status),
        "why_not": {kind: sentence for kind, (_code, sentence) in reasons.items()},
        "offers": {offer["number"]: teller.offer(offer) for offer in shown["offers"]},
        "log": _log(game_id, teller, max(after, table.version - LOG_MOVES), table.version),
    }


def _log(game_id: int, teller: words.Teller, after: int, until: int) -> list[dict[str, Any]]:
    return [
        {
            "version": move["version"],
            "seat": event["seat"],
            "text": text,
            "places": words.places_of(event),
            "event": event,
        }
        for move in events_since(game_id, after, teller.viewer)
        if move["version"] <= until
        for event in move["events"]
        if (text := teller.tell(event))
    ]


def marks(game_id: int) -> Mapping[str, Any]:
    """By what a client tells whether it has seen everything; ``Game.DoesNotExist`` if there is no such game."""
    return Game.objects.values("version", "revision").get(pk=game_id)


def version(game_id: int) -> int:
    """How many moves have been played; ``Game.DoesNotExist`` if there is no such game."""
    return Game.objects.values_list("version", flat=True).get(pk=game_id)


def events_since(game_id: int, version: int, viewer: int | None) -> list[dict[str, Any]]:
    """What happened after a version, move by move, as the viewer may know it."""
    moves = Move.objects.filter(game=game_id, number__gt=version).order_by("number")
    return [
        {
            "version": move.number,
            "seat": move.seat_id % Seat.ROOM,
            "timeout": move.timeout,
            "events": [Event.from_json(event).seen_by(viewer) for event in move.events],
        }
        for move in moves
    ]


def spectator_record(game: Game) -> dict[str, Any]:
    """A running game for somebody outside: everything laid open on the table, nothing else."""
    seats = Seat.objects.filter(game=game).order_by("number")
    return {
        "format": "catan-spectator-1",
        "rules": game.rules,
        "rules_version": game.rules_version,
        "layout": game.layout,
        "commitment": game.commitment,
        "nonces": [seat.nonce for seat in seats],
        "view": player_view(tables.read(game.pk)[1].state, None),
        "moves": events_since(game.pk, 0, None),
    }
