"""Proof that a game's rows are what its log says: replay the log, compare every row."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Model

from games import rows, selectors
from games.history import LogDiffers, record_of
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
    TradeOffer,
    Vertex,
)
from games.rules import RULES_VERSION, Phase, Record, State, start
from games.rules.records import result_of
from games.rules.replay import CannotReplay, replay
from games.rules.state import Offer


def differences(game: Game) -> list[str]:
    """Everything in which a game's rows differ from its log; empty when all is well."""
    if game.rules_version != RULES_VERSION:
        return [
            f"The game was started under version {game.rules_version} of the rules, this is version {RULES_VERSION}."
        ]
    try:
        state, offers = _replay(record_of(game), game)
    except LogDiffers as difference:
        return [str(difference)]
    except (ValueError, TypeError, LookupError) as error:
        return [f"The moves in the log cannot be read: {error}"]
    return [*_game_differences(game, state), *_row_differences(game.pk, state, offers)]


def _replay(record: Record, game: Game) -> tuple[State, dict[int, Offer]]:
    """The state that the log leads to, and every offer made on the way as it last lay open."""
    state = start(record.rules, record.deal)
    offers: dict[int, Offer] = {}
    written = Move.objects.filter(game=game).order_by("number").values_list("events", flat=True)
    try:
        for step, events in zip(replay(record, record.chance), written, strict=True):
            if tuple(step.chance.drawn) != step.recorded.draws:
                raise LogDiffers(f"Move {step.number} draws other numbers than the log says.")
            if [event.to_json() for event in step.events] != events:
                raise LogDiffers(f"Move {step.number} has other events than the log says.")
            state = step.state
            offers |= {offer.number: offer for offer in state.offers}
    except CannotReplay as stop:
        raise LogDiffers(str(stop)) from stop
    return state, offers


def _game_differences(game: Game, state: State) -> Iterator[str]:
    expected = rows.game_columns(game.pk, state)
    for column, value in expected.items():
        if getattr(game, column) != value:
            yield f"game: {column} is {getattr(game, column)!r}, by the log {value!r}."
    if (game.status == Game.Status.OVER) != (state.phase is Phase.OVER):
        yield f"game: status is {game.status}, by the log the phase is {state.phase.value}."


def _row_differences(game_id: int, state: State, offers: dict[int, Offer]) -> Iterator[str]:
    expected: dict[type[Model], dict[tuple[Any, ...], dict[str, object]]] = {}
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


def _values(row: Model) -> dict[str, object]:
    """A row's columns, but for a number that the database gave it, what it computes itself, and moments:
    clocks follow from no rule."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.generated and field.get_internal_type() not in ("BigAutoField", "DateTimeField")
    }


def _identity(row: Model) -> tuple[Any, ...]:
    """What a row is known by: its key where we made it, else all it says."""
    if row._meta.pk is not None and row._meta.pk.get_internal_type() != "BigAutoField":
        return (row.pk,)
    if isinstance(row, OfferAnswer):
        return row.offer_id, row.seat_id
    return tuple(_values(row).values())


def verified(game_id: int) -> tuple[Game, list[str]]:
    """The same for a game that may be played meanwhile: if it moves while we look, it is looked at again."""
    while True:
        game = Game.objects.get(pk=game_id)
        found = differences(game)
        if not found or Game.objects.filter(pk=game_id, version=game.version, revision=game.revision).exists():
            return game, found


def is_broken(game: Game, found: list[str]) -> bool:
    """Whether that is reason to set it aside. A game begun under other rules has nothing wrong with it: the code that
    it began under can play it on."""
    return bool(found) and game.rules_version == RULES_VERSION


# Records


def exported(game: Game) -> Mapping[str, Any]:
    """The record of a finished game, which `games.rules.verify` checks; of any other, what a spectator may have."""
    return whole_record(game).to_json() if game.status == Game.Status.OVER else selectors.spectator_record(game)


def whole_record(game: Game) -> Record:
    """The record of a game whose log leads to an end, and that end."""
    record = record_of(game)
    state, _ = _replay(record, game)
    record.result = result_of(state)
    return record
