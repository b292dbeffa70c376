"""The log of a game, read into a record that the rules play again: to prove its rows, or to see an earlier version."""

from collections.abc import Iterator
from typing import Final

from games.models import Game, GameSecret, Move, Seat
from games.rules import Record, RuleSet, commitment
from games.rules import moves as rules_moves
from games.rules.records import RecordedMove, deal_from

#: What the rules do for a seat that does not act, whoever found that it was time.
PLAYED_BY_RULE: Final = (Move.By.TIMEOUT, Move.By.MODERATOR)


class LogDiffers(Exception):
    """The log of a game cannot be replayed to what it says."""


def record_of(game: Game) -> Record:
    """All that a game was played by and the moves that were made, its seed too: for the server alone until the end."""
    secret = GameSecret.objects.filter(game=game).first()
    if secret is None:
        raise LogDiffers("The seed is missing.")
    seed = bytes(secret.seed)
    if commitment(seed) != game.commitment:
        raise LogDiffers("The seed is not the one that was committed to.")
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    rules, nonces = RuleSet.from_json(game.rules), tuple(secret.nonces)
    board_seed = None if game.board_seed is None else bytes(game.board_seed)
    dealt = deal_from(rules, len(seats), game.layout, seed, nonces, board_seed)
    if dealt.order != tuple(seat.number for seat in sorted(seats, key=lambda seat: seat.place)):
        raise LogDiffers("The order of play is not the one that was dealt.")
    if dealt.to_json()["rolls"] != game.rolls:
        raise LogDiffers("The rolls for the first turn are not those that were dealt.")
    record = Record(rules, len(seats), game.layout, dealt, seed, nonces, board_seed=board_seed)
    record.rules_version = game.rules_version
    if any(seat.strength for seat in seats):
        record.bots = tuple(seat.strength for seat in seats)
    record.moves = list(_moves(game))
    if len(record.moves) != game.version:
        raise LogDiffers(f"The game is at version {game.version}, its log has {len(record.moves)} moves.")
    return record


def _moves(game: Game) -> Iterator[RecordedMove]:
    for number, row in enumerate(Move.objects.filter(game=game).order_by("number"), start=1):
        if row.number != number:
            raise LogDiffers(f"Move {number} is missing from the log.")
        if Seat.game_of(row.seat_id) != row.game_id:
            raise LogDiffers(f"Move {number} is of a seat in another game.")
        yield RecordedMove(rules_moves.from_json(row.to_json()), tuple(row.draws), row.by in PLAYED_BY_RULE)
