"""Chance: the public recipe, written here a second time, and the draws that tests and records use."""

import hashlib
import hmac
import json
from random import Random

import pytest

from games.rules import PRESETS, RandomChance, RecordedChance, SeededChance, commitment, deal
from games.rules.boards import LAYOUTS, lay
from games.rules.chance import DrawsDiffer, of_board, shuffled, stream_key
from games.rules.records import begin

SEED = bytes(range(32))
NONCES = ("alice", "bób", "", '"quoted"')


def words_of(seed, nonces, move_number):
    """The recipe as the documentation tells it, for anybody to repeat."""
    listed = "[" + ",".join(json.dumps(nonce) for nonce in nonces) + "]"
    key = hmac.new(seed, listed.encode("ascii"), hashlib.sha256).digest()
    block_number = 0
    while True:
        block = hmac.new(key, b"%d/%d" % (move_number, block_number), hashlib.sha256).digest()
        for place in range(8):
            yield int(block[4 * place : 4 * place + 4].hex(), 16)
        block_number += 1


def draws_of(words, bounds):
    draws = []
    for bound in bounds:
        word = next(words)
        while word >= 2**32 // bound * bound:
            word = next(words)
        draws.append(word % bound)
    return draws


def test_the_commitment_is_the_sha_256_of_the_seed():
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


@pytest.mark.parametrize("move_number", [0, 1, 12, 4321])
def test_the_draws_of_a_move_follow_the_recipe(move_number):
    bounds = [6, 6, 19, 2, 36, 25, 1, 7, 6, 6, 6, 3, 100]
    chance = SeededChance(stream_key(SEED, NONCES), move_number)
    drawn = [chance.below(bound) for bound in bounds]
    assert drawn == draws_of(words_of(SEED, NONCES, move_number), bounds)
    assert chance.drawn == drawn


def test_words_beyond_the_last_whole_multiple_are_thrown_away():
    # Just above half of all words: every second word or so is of no use.
    bound = 2**31 + 1
    words = words_of(SEED, NONCES, 5)
    first = [next(words) for _ in range(64)]
    assert sum(word >= bound for word in first) > 10
    chance = SeededChance(stream_key(SEED, NONCES), 5)
    kept = [word for word in first if word < bound]
    assert [chance.below(bound) for _ in kept] == kept


def test_the_deal_of_a_game_follows_the_recipe():
    record, state = begin(PRESETS["standard"], 4, "beginner", SEED, NONCES)
    words = words_of(SEED, NONCES, 0)
    rolls = {}
    tied = [0, 1, 2, 3]
    while len(tied) > 1:
        rolls = {seat: sum(draws_of(words, [6, 6])) + 2 for seat in tied}
        tied = [seat for seat in tied if rolls[seat] == max(rolls.values())]
    assert state.order[0] == tied[0]
    deck = [0] * 14 + [1] * 2 + [2] * 2 + [3] * 2 + [4] * 5
    for last in range(24, 0, -1):
        (place,) = draws_of(words, [last + 1])
        deck[last], deck[place] = deck[place], deck[last]
    assert list(record.deal.deck) == deck


@pytest.mark.parametrize(
    ("seed", "nonces"),
    [(bytes(32), NONCES), (SEED, ("alice", "bob", "", '"quoted"')), (SEED, NONCES[::-1]), (SEED, NONCES[:3])],
    ids=["another seed", "another nonce", "another order", "a nonce less"],
)
def test_the_seed_and_every_nonce_in_its_place_change_the_draws(seed, nonces):
    draws = [SeededChance(key, 0).below(2**32) for key in (stream_key(SEED, NONCES), stream_key(seed, nonces))]
    assert draws[0] != draws[1]


def test_every_move_has_a_stream_of_its_own():
    key = stream_key(SEED, NONCES)
    assert len({SeededChance(key, number).below(2**32) for number in range(100)}) == 100


def test_a_shuffle_keeps_all_and_follows_its_draws():
    assert shuffled("abcd", RecordedChance([0, 2, 0])) == ["b", "d", "c", "a"]
    assert sorted(shuffled(range(25), RandomChance(Random(3)))) == list(range(25))


def test_the_same_seed_deals_the_same_game():
    games = [begin(PRESETS["online"], 4, "balanced", SEED, NONCES)[0].deal for _ in range(2)]
    assert games[0] == games[1]
    assert games[0] == deal(PRESETS["online"], 4, "balanced", SeededChance(stream_key(SEED, NONCES), 0))


# A board that was seen before the game


BOARD_SEED = bytes(range(100, 132))


def test_the_draws_of_a_board_that_was_seen_follow_the_recipe():
    words = (
        int(block[4 * place : 4 * place + 4].hex(), 16)
        for number in range(100)
        for block in [hmac.new(BOARD_SEED, b"0/%d" % number, hashlib.sha256).digest()]
        for place in range(8)
    )
    bounds = [19, 6, 2, 36, 7] * 20
    chance = of_board(BOARD_SEED)
    assert [chance.below(bound) for bound in bounds] == draws_of(words, bounds)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_board_seed_gives_one_board_to_games_with_different_cards(layout):
    seeds = [bytes([number]) * 32 for number in range(12)]
    games = [begin(PRESETS["standard"], 4, layout, seed, NONCES, BOARD_SEED)[0].deal for seed in seeds]
    assert {game.board for game in games} == {lay(layout, of_board(BOARD_SEED))}
    assert len({game.deck for game in games}) == len(seeds)
    assert len({game.order for game in games}) > 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cards_and_turn_order_know_nothing_of_the_board_seed(layout):
    games = [begin(PRESETS["standard"], 4, layout, SEED, NONCES, bytes([number]) * 32)[0].deal for number in range(12)]
    assert len({(game.deck, game.order) for game in games}) == 1
    assert len({game.board for game in games}) == (1 if layout == "beginner" else len(games))


# Written draws


def test_written_draws_come_back_in_order_and_are_all_used():
    chance = RecordedChance([3, 0])
    assert [chance.below(6), chance.below(1)] == [3, 0]
    chance.finish()


def test_draws_that_do_not_fit_the_move_are_told():
    with pytest.raises(DrawsDiffer, match="more numbers than were written down"):
        RecordedChance([]).below(6)
    with pytest.raises(DrawsDiffer, match="below 6 is drawn, 6 was written down"):
        RecordedChance([6]).below(6)
    with pytest.raises(DrawsDiffer, match="draws 0 numbers, 1 were written down"):
        RecordedChance([1]).finish()


def test_simulated_chance_stays_below_its_bound():
    chance = RandomChance(Random(1))
    assert {chance.below(6) for _ in range(500)} == set(range(6))
