"""Everything that changes a game. Whoever asks, a page, the API, a clock or a bot, asks here.

One lock: the game's row. A service opens a transaction, locks that row, looks whether the request
still fits, lets the rules decide, saves, and commits; only then are the players told. On SQLite the
transaction begins IMMEDIATE, which locks the whole database and so that row too.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import broadcast, clocks, rows, store, tables
from games.models import Game, Intervention, Move, Seat
from games.rules import (
    RULES_VERSION,
    Event,
    IllegalMove,
    Phase,
    RuleSet,
    SeededChance,
    State,
    commitment,
    deal,
    default_move,
    play,
    start,
)
from games.rules import Move as RulesMove
from games.rules.chance import stream_key
from games.store import Table

log = structlog.get_logger(__name__)
Status = Game.Status


# Why a request is refused, beside what the rules refuse


class Refused(Exception):
    """A request that does not fit the game as it stands; nothing was changed."""

    code = "refused"

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


class StaleVersion(Refused):
    """The move was made on a picture of the game that is out of date."""

    code = "stale_version"

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__("The game has moved on: look at what happened, then choose again.")


class NotRunning(Refused):
    code = "not_running"


class SetAside(Refused):
    code = "needs_attention"


SET_ASIDE: Final = "This game has been set aside for a look: nothing is lost, please wait."


class ClientIdTaken(Refused):
    code = "client_id_taken"


class NothingToDo(Refused):
    code = "nothing_to_do"


# Starting


@dataclass(frozen=True, slots=True)
class Player:
    """Who takes a seat: a person, known by a user, or a bot."""

    name: str
    user_id: int | None = None
    bot: bool = False
    #: What the player mixes into the game's chance; drawn for them if they have none.
    nonce: str = ""


def start_game(
    rules: RuleSet,
    layout: str,
    players: Sequence[Player],
    *,
    seconds_a_move: int | None = None,
    seed: bytes | None = None,
) -> Game:
    """Deal a game for these players, in the order of their seats."""
    seed = seed or secrets.token_bytes(32)
    nonces = [player.nonce or secrets.token_hex(16) for player in players]
    dealt = deal(rules, len(players), layout, SeededChance(stream_key(seed, nonces), 0))
    state = start(rules, dealt)
    with transaction.atomic():
        game = Game.objects.create(
            rules=rules.to_json(),
            rules_version=RULES_VERSION,
            layout=layout,
            seed=seed,
            commitment=commitment(seed),
            seconds_a_move=seconds_a_move,
            phase=state.phase.value,
        )
        Seat.objects.bulk_create(
            Seat.in_game(
                game.pk,
                number,
                place=state.order.index(number),
                user_id=player.user_id,
                name=player.name,
                nonce=nonces[number],
                player=Seat.Player.BOT if player.bot else Seat.Player.PERSON,
            )
            for number, player in enumerate(players)
        )
        store.create(game.pk, state)
        _write_game(game, rows.game_columns(game.pk, state))
        _set_clocks(game, state, frozenset(seat for seat, player in enumerate(players) if player.bot))
    return game


# Playing


@dataclass(frozen=True, slots=True)
class Played:
    """A move that is now part of the game."""

    version: int
    events: list[Event]
    state: State


def play_move(game_id: int, move: RulesMove, *, version: int, client_id: str | None = None) -> Played:
    """Play a seat's move on the version of the game that its player saw.

    A client that does not hear back sends the same move with the same client id again: the move
    counts once, and the answer is the one that was lost.
    """
    with _trusted_rows(game_id):
        try:
            with _locked(game_id) as game:
                _require_version(game, version)
                _require_running(game)
                table = tables.of(game)
                return _play(game, table, move, _chance(table), client_id=client_id)
        except (IllegalMove, Refused, IntegrityError):
            # What is refused now may have been played before, and the answer lost on its way.
            with _locked(game_id) as game:
                repeated = _find_played(game, move, client_id)
            if repeated:
                return repeated
            raise


def play_timeout(game_id: int, seat: int, *, version: int) -> Played:
    """Play what the rules do for a seat whose time is up, if the game still waits for it."""
    with _trusted_rows(game_id), _locked(game_id) as game:
        _require_version(game, version)
        _require_running(game)
        table = tables.of(game)
        chance = _chance(table)
        move = default_move(table.state, seat, chance)
        if move is None:
            raise NothingToDo("The game does not wait for this seat.")
        return _play(game, table, move, chance, timeout=True)


def _play(
    game: Game,
    table: Table,
    move: RulesMove,
    chance: SeededChance,
    *,
    client_id: str | None = None,
    timeout: bool = False,
) -> Played:
    """The one path of a move, under the game's lock: rules, rows, log, and after commit the news."""
    after = table.state.copy()
    events = play(after, move, chance)
    version = game.version + 1
    changes = store.save(game.pk, table.state, after)
    changes |= {
        "version": version,
        "deadline": clocks.deadline(game, table.state, after, move),
        "bots_due": clocks.bots_due(after, table.bots),
    }
    if after.phase is Phase.OVER:
        changes |= {"status": Status.OVER, "ended_at": timezone.now()}
    _write_game(game, changes)
    payload = move.to_json()
    del payload["kind"], payload["seat"]
    Move.objects.create(
        game=game,
        number=version,
        seat_id=Seat.key(game.pk, move.seat),
        kind=move.kind,
        payload=payload,
        draws=chance.drawn,
        events=[event.to_json() for event in events],
        timeout=timeout,
        client_id=client_id,
    )
    played = replace(table, version=version, state=after)
    transaction.on_commit(lambda: tables.put(game.pk, played))
    _announce(game)
    _wake(game)
    return Played(version, events, after)


def _chance(table: Table) -> SeededChance:
    """The stream of the next move."""
    return SeededChance(table.key, table.version + 1)


def _find_played(game: Game, move: RulesMove, client_id: str | None) -> Played | None:
    """The move that this client id stands for, with the answer it had."""
    if client_id is None:
        return None
    found = Move.objects.filter(game=game, client_id=client_id).first()
    if found is None:
        return None
    if found.to_json() != move.to_json():
        raise ClientIdTaken("This id was used for another move: give each move an id of its own.")
    events = [Event.from_json(event) for event in found.events]
    return Played(found.number, events, tables.of(game).state)


# Hands on the table: what is done to a game beside its moves


def pause(game_id: int, *, why: str = "") -> None:
    """Stop all clocks; nobody can move until the game is resumed."""
    with _locked(game_id) as game:
        _require_running(game)
        _write_game(game, {"status": Status.PAUSED, **STOPPED})
        _intervene(game, "pause", why=why)


def resume(game_id: int, *, why: str = "") -> None:
    """Go on with a paused game, or with one that needed attention and has had it."""
    with _trusted_rows(game_id), _locked(game_id) as game:
        if game.status not in (Status.PAUSED, Status.NEEDS_ATTENTION):
            raise NotRunning("Only a paused game can be resumed.")
        table = tables.of(game)
        _write_game(game, {"status": Status.RUNNING, "attention": ""})
        _intervene(game, "resume", why=why)
        _set_clocks(game, table.state, table.bots)


def abort(game_id: int, *, why: str = "") -> None:
    """End a game without a winner."""
    with _locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended already.")
        _write_game(game, {"status": Status.ABORTED, "ended_at": timezone.now(), **STOPPED})
        _intervene(game, "abort", why=why)


def set_aside(game_id: int, why: str) -> None:
    """Keep a game that is not as it should be from being played on, until somebody looks at it."""
    with _locked(game_id) as game:
        if game.status in (Status.RUNNING, Status.PAUSED):
            _write_game(game, {"status": Status.NEEDS_ATTENTION, "attention": why, **STOPPED})
            _intervene(game, "set_aside", why=why)
            log.error("game_set_aside", game=game_id, why=why)
    tables.drop(game_id)


def replace_by_bot(game_id: int, seat: int) -> None:
    """Let a bot stand in for an absent person, who can take the seat back at any time."""
    _hand_over(game_id, seat, {Seat.Player.PERSON}, Seat.Player.STAND_IN, "replace_by_bot")


def give_back(game_id: int, seat: int) -> None:
    """The person is back: the stand-in leaves."""
    _hand_over(game_id, seat, {Seat.Player.STAND_IN}, Seat.Player.PERSON, "give_back")


def withdraw(game_id: int, seat: int) -> None:
    """A person leaves for good; a bot plays the seat to the end."""
    _hand_over(game_id, seat, {Seat.Player.PERSON, Seat.Player.STAND_IN}, Seat.Player.BOT, "withdraw")


def _hand_over(game_id: int, seat: int, held_by: set[Seat.Player], goes_to: Seat.Player, what: str) -> None:
    with _trusted_rows(game_id), _locked(game_id) as game:
        if game.status in (Status.OVER, Status.ABORTED):
            raise NotRunning("The game has ended.")
        row = _seat(game, seat)
        if row.player not in held_by:
            raise NothingToDo(f"This seat is held by {row.get_player_display()}.")
        Seat.objects.filter(pk=row.pk).update(player=goes_to)
        table = tables.of(game)
        _intervene(game, what, seat=row)
        if game.status == Status.RUNNING:
            bots = table.bots - {seat} if goes_to == Seat.Player.PERSON else table.bots | {seat}
            _set_clocks(game, table.state, bots)


def _seat(game: Game, seat: int) -> Seat:
    row = Seat.objects.filter(pk=Seat.key(game.pk, seat), game=game).first()
    if row is None:
        raise NothingToDo(f"There is no seat {seat} in this game.")
    return row


def _intervene(game: Game, what: str, *, seat: Seat | None = None, why: str = "") -> None:
    """Write down what was done beside the moves, and let every process and player know."""
    Intervention.objects.create(game=game, after_move=game.version, what=what, seat=seat, why=why)
    _write_game(game, {"revision": game.revision + 1})
    _announce(game)


# The lock and the clock


@contextmanager
def _locked(game_id: int) -> Iterator[Game]:
    """The game's row, ours alone until the transaction ends; ``Game.DoesNotExist`` if it is not there."""
    with transaction.atomic():
        yield Game.objects.select_for_update().get(pk=game_id)


@contextmanager
def _trusted_rows(game_id: int) -> Iterator[None]:
    """A game whose rows make no sense, or refuse what the rules allow, is set aside, not played on."""
    try:
        yield
    except (store.BrokenRows, IntegrityError) as error:
        set_aside(game_id, f"The rows do not fit the game: {error}")
        raise SetAside(SET_ASIDE) from error


def _require_version(game: Game, version: int) -> None:
    if version != game.version:
        raise StaleVersion(game.version)


def _require_running(game: Game) -> None:
    if game.status == Status.NEEDS_ATTENTION:
        raise SetAside(SET_ASIDE)
    if game.status == Status.PAUSED:
        raise NotRunning("The game is paused.")
    if game.status == Status.ABORTED:
        raise NotRunning("The game was ended without a winner.")
    if game.status == Status.OVER:
        raise NotRunning("The game is over.")


def _write_game(game: Game, changes: dict[str, Any]) -> None:
    Game.objects.filter(pk=game.pk).update(**changes)
    for column, value in changes.items():
        setattr(game, column, value)


#: The clocks of a game that nobody can move in.
STOPPED: Final = {"deadline": None, "bots_due": None}


def _set_clocks(game: Game, state: State, bots: frozenset[int]) -> None:
    """Start the clocks afresh: everybody has the full time."""
    _write_game(
        game,
        {"deadline": clocks.deadline(game, None, state, None), "bots_due": clocks.bots_due(state, bots)},
    )
    _wake(game)


# After the commit. Should any of it fail, the move stands: players catch up from the database, and
# beat's sweep finds what is due.


def _announce(game: Game) -> None:
    message = {"type": "game.changed", "version": game.version, "revision": game.revision}
    group = broadcast.game_group(game.pk)
    transaction.on_commit(lambda: broadcast.send(group, message), robust=True)


def _wake(game: Game) -> None:
    game_id, moments = game.pk, (game.deadline, game.bots_due)
    transaction.on_commit(lambda: clocks.wake(game_id, *moments), robust=True)
