"""What may be read of a game. Whatever is secret is left out by the rules' `player_view`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any, Final

from django.db.models import Q

from games import clocks, tables, words, words_trades
from games.models import Game, Intervention, Move, Seat
from games.rules import Event, player_view, why_not
from games.store import Table
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


def page(
    game_id: int, viewer: int | None, *, now: datetime, after: int = 0, after_revision: int | None = None
) -> dict[str, Any]:
    """All that a game's page shows one viewer, with what happened after a version and revision."""
    game, table = tables.read(game_id)
    shown = player_view(table.state, viewer)
    seats = list(Seat.objects.filter(game=game_id).select_related("presence").order_by("number"))
    own = None if viewer is None else seats[viewer]
    is_replaced = own is not None and own.player == Seat.Player.STAND_IN
    if is_replaced:
        shown["choices"] = {}
    teller = words.Teller([seat.name for seat in seats], viewer, place_names(shown["board"]))
    reasons = {} if viewer is None or is_replaced else why_not(table.state, viewer)
    return {
        "game": game.pk,
        "status": game.status,
        "pace": game.pace,
        "version": table.version,
        "revision": table.revision,
        "now": now.isoformat(),
        "you": viewer,
        "is_replaced": is_replaced,
        "if_absent": own and own.if_absent,
        "seats": [
            {
                "seat": seat.number,
                "name": seat.name,
                "player": seat.player,
                **seat.presence.shown,
                # A bot moves at once: its clock would only flicker.
                "clock": clocks.shown(game, table, seat.number) if seat.player == Seat.Player.PERSON else None,
                "colour": COLOURS[seat.number],
                "emblem": EMBLEMS[seat.number],
            }
            for seat in seats
        ],
        "view": shown,
        "prompt": words.prompt(teller, shown, game.status, is_replaced=is_replaced),
        "why_not": {kind: sentence for kind, (_code, sentence) in reasons.items()},
        "bank_notes": words_trades.bank_notes(shown) if "trade_with_bank" in shown["choices"] else None,
        "offers": {offer["number"]: teller.offer(offer) for offer in shown["offers"]},
        "answer_clocks": clocks.answer_clocks(game, table),
        "log": _log(game, table, teller, max(after, table.version - LOG_MOVES), after_revision),
    }


def _log(
    game: Game, table: Table, teller: words.Teller, after: int, after_revision: int | None
) -> list[dict[str, Any]]:
    """What happened after a version, and what was done to the game beside its moves after a revision."""
    moves = [move for move in events_since(game.pk, after, teller.viewer) if move["version"] <= table.version]
    happened = [(move["version"], event) for move in moves for event in _told(move)]
    # Whoever names a revision has seen the beginning.
    if after == 0 and after_revision is None:
        happened = [(0, event) for event in _opening(game, table.state.order)] + happened
    since = Q(after_move__gte=after) if after_revision is None else Q(revision__gt=after_revision)
    done = Intervention.objects.filter(since, game=game, revision__lte=table.revision).order_by("revision")
    happened += [(intervention.after_move, intervention.event) for intervention in done]
    return [
        {
            "version": version,
            "seat": event["seat"],
            "text": text,
            "places": words.places_of(event),
            "event": event,
        }
        for version, event in sorted(happened, key=lambda at: at[0])
        if (text := teller.tell(event))
    ]


def _opening(game: Game, order: Sequence[int]) -> list[dict[str, Any]]:
    """Who rolled what for the first turn, and who begins."""
    rounds = [{int(seat): roll for seat, roll in sorted(rolls.items())} for rolls in game.rolls]
    return [
        *(
            {"kind": "rolled_for_first_turn", "seat": -1, "rolls": rolls, "again": list(again)}
            for rolls, again in zip_longest(rounds, rounds[1:], fillvalue=())
        ),
        {"kind": "begins", "seat": order[0], "order": list(order)},
    ]


def _told(move: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a move; first, where nobody chose it, why it was made."""
    causes = {Move.By.TIMEOUT: "time_was_up", Move.By.CONNECTION: "connection_was_lost"}
    cause = [{"kind": causes[move["by"]], "seat": move["seat"]}] if move["by"] in causes else []
    return [*cause, *move["events"]]


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
            "seat": Seat.number_of(move.seat_id),
            "by": move.by,
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
