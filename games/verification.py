"""Proof that a game's rows are what its log says: replay the log, compare every row."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Model

from games import rows
from games.models import (
    Building,
    DevelopmentCard,
    Edge,
    Game,
    Hand,
    Harbor,
    Hex,
    Move,
    OfferAnswer,
    Road,
    Seat,
    TradeOffer,
    Vertex,
)
from games.rules import (
    RULES_VERSION,
    IllegalMove,
    Phase,
    Record,
    RuleSet,
    SeededChance,
    State,
    commitment,
    deal,
    is_default_move,
    play,
    start,
)
from games.rules import moves as rules_moves
from games.rules.chance import stream_key
from games.rules.records import RecordedMove, result_of
from games.rules.state import Offer


class LogDiffers(Exception):
    """The log of a game cannot be replayed to what it says."""


def differences(game: Game) -> list[str]:
    """Everything in which a game's rows differ from its log; empty when all is well."""
    if game.rules_version != RULES_VERSION:
        return [
            f"The game was started under version {game.rules_version} of the rules, this is version {RULES_VERSION}."
        ]
    try:
        state, offers = _replay(game)
    except LogDiffers as difference:
        return [str(difference)]
    except (ValueError, TypeError, LookupError) as error:
        return [f"The moves in the log cannot be read: {error}"]
    return [*_game_differences(game, state), *_row_differences(game.pk, state, offers)]


def _replay(game: Game) -> tuple[State, dict[int, Offer]]:
    """The state that the log leads to, and every offer made on the way as it last lay open."""
    seed = bytes(game.seed)
    if commitment(seed) != game.commitment:
        raise LogDiffers("The seed is not the one that was committed to.")
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    rules = RuleSet.from_json(game.rules)
    key = stream_key(seed, [seat.nonce for seat in seats])
    dealt = deal(rules, len(seats), game.layout, SeededChance(key, 0))
    if dealt.order != tuple(s.number for s in sorted(seats, key=lambda seat: seat.place)):
        raise LogDiffers("The order of play is not the one that was dealt.")
    if dealt.to_json()["rolls"] != game.rolls:
        raise LogDiffers("The rolls for the first turn are not those that were dealt.")
    state = start(rules, dealt)
    offers: dict[int, Offer] = {}
    number = 0
    for number, row in enumerate(Move.objects.filter(game=game).order_by("number"), start=1):
        _replay_move(state, row, number, SeededChance(key, number))
        offers |= {offer.number: offer for offer in state.offers}
    if number != game.version:
        raise LogDiffers(f"The game is at version {game.version}, its log has {number} moves.")
    return state, offers


def _replay_move(state: State, row: Move, number: int, chance: SeededChance) -> None:
    if row.number != number:
        raise LogDiffers(f"Move {number} is missing from the log.")
    if Seat.game_of(row.seat_id) != row.game_id:
        raise LogDiffers(f"Move {number} is of a seat in another game.")
    move = rules_moves.from_json(row.to_json())
    if row.by == Move.By.TIMEOUT and not is_default_move(state, move, chance):
        raise LogDiffers(f"Move {number} is not what a timeout does.")
    try:
        events = play(state, move, chance)
    except IllegalMove as refusal:
        raise LogDiffers(f"Move {number} is illegal: {refusal.sentence}") from refusal
    if chance.drawn != row.draws:
        raise LogDiffers(f"Move {number} draws other numbers than the log says.")
    if [event.to_json() for event in events] != row.events:
        raise LogDiffers(f"Move {number} has other events than the log says.")


def _game_differences(game: Game, state: State) -> Iterator[str]:
    expected = rows.game_columns(game.pk, state)
    for column, value in expected.items():
        if getattr(game, column) != value:
            yield f"game: {column} is {getattr(game, column)!r}, by the log {value!r}."
    if (game.status == Game.Status.OVER) != (state.phase is Phase.OVER):
        yield f"game: status is {game.status}, by the log the phase is {state.phase.value}."


def _row_differences(game_id: int, state: State, offers: dict[int, Offer]) -> Iterator[str]:
    expected: dict[type[Model], dict[Any, dict[str, Any]]] = {}
    for row in (*rows.all_rows(game_id, state), *_closed_offer_rows(game_id, state, offers)):
        expected.setdefault(type(row), {})[_identity(row)] = _values(row)
    for model, stored in _stored(game_id).items():
        name = model._meta.model_name
        wanted = expected.get(model, {})
        found = {_identity(row): _values(row) for row in stored}
        for key in sorted(wanted.keys() | found.keys()):
            if key not in found:
                yield f"{name} {key}: the row is missing."
            elif key not in wanted:
                yield f"{name} {key}: there should be no such row."
            else:
                for column, value in wanted[key].items():
                    if found[key][column] != value:
                        yield f"{name} {key}: {column} is {found[key][column]!r}, not {value!r}."


def _closed_offer_rows(game_id: int, state: State, offers: dict[int, Offer]) -> Iterator[Model]:
    """A closed offer stays as it was while it was open, but for being closed."""
    for offer in offers.values():
        if offer not in state.offers:
            row = rows.offer_row(game_id, offer)
            row.is_open = False
            yield row
            yield from rows.answer_rows(game_id, offer)


def _stored(game_id: int) -> dict[type[Model], Iterable[Model]]:
    meetings = Vertex.hexes.through
    return {
        Hex: Hex.objects.filter(game=game_id),
        Vertex: Vertex.objects.filter(game=game_id),
        meetings: meetings._default_manager.filter(vertex__game=game_id),
        Edge: Edge.objects.filter(game=game_id),
        Harbor: Harbor.objects.filter(edge__game=game_id),
        Building: Building.objects.filter(vertex__game=game_id),
        Road: Road.objects.filter(edge__game=game_id),
        Hand: Hand.objects.filter(seat__game=game_id),
        DevelopmentCard: DevelopmentCard.objects.filter(game=game_id),
        TradeOffer: TradeOffer.objects.filter(game=game_id),
        OfferAnswer: OfferAnswer.objects.filter(offer__game=game_id),
    }


def _values(row: Model) -> dict[str, Any]:
    """A row's columns, but for a number that the database gave it, what it computes itself, and moments:
    clocks follow from no rule."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.generated and field.get_internal_type() not in ("BigAutoField", "DateTimeField")
    }


def _identity(row: Model) -> Any:
    """What a row is known by: its key where we made it, else all it says."""
    if row._meta.pk is not None and row._meta.pk.get_internal_type() != "BigAutoField":
        return (row.pk,)
    if isinstance(row, OfferAnswer):
        return row.offer_id, row.seat_id
    return tuple(_values(row).values())


# Records


def record_of(game: Game) -> Record:
    """The whole record of a game, its seed too: for a finished one, or for the server alone."""
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    nonces = tuple(seat.nonce for seat in seats)
    rules, seed = RuleSet.from_json(game.rules), bytes(game.seed)
    dealt = deal(rules, len(seats), game.layout, SeededChance(stream_key(seed, nonces), 0))
    record = Record(rules, len(seats), game.layout, dealt, seed, nonces)
    record.rules_version = game.rules_version
    record.moves = [
        RecordedMove(rules_moves.from_json(row.to_json()), tuple(row.draws), row.by == Move.By.TIMEOUT)
        for row in Move.objects.filter(game=game).order_by("number")
    ]
    state, _ = _replay(game)
    record.result = result_of(state)
    return record
