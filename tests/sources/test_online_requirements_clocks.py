"""The product requirements: what happens by itself, when time is up or somebody is gone."""

import pytest
from django.utils import timezone

from games import services, snapshots, tasks
from games.models import Move, Seat
from games.paces import PACES
from games.rules import IllegalMove, Phase
from games.rules.cards import KNIGHT, ROAD_BUILDING
from games.rules.moves import AcceptOffer, ConfirmTrade, CounterOffer, Discard, OfferTrade, PlayKnight, PlayRoadBuilding
from games.services import presence
from games.services.presence import LOST_AFTER
from tests.games.playing import lay_out, new_game, stored_state
from tests.rules.table import ALICE, BOB, CHARLIE, bundle, settle

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

PRESET = "online"
NORMAL = PACES["normal"]
OFFER = OfferTrade(ALICE, (BOB, CHARLIE), bundle(ore=1), bundle(wool=1))


def live_game(prepare, *, seed="requirements", users=()):
    """A game with clocks, Alice's turn in the second round, as the test wants it; its clocks start now."""
    game = new_game(f"{PRESET} turn_order=seat_order", seed=seed, pace="normal", users=users)
    state = stored_state(game.pk)
    for seat, vertex in ((ALICE, 17), (BOB, 8), (CHARLIE, 18)):
        settle(state, seat, vertex)
    state.placements, state.turn = 2 * len(state.seats), 1 + len(state.seats)
    prepare(state)
    lay_out(game.pk, state)
    services.pause(game.pk, now=timezone.now())
    services.resume(game.pk, now=timezone.now())
    return game


def about_to_roll(state):
    """Alice holds a knight, Road Building and what lay above them in the deck, and enough to build with."""
    hands(state, [1, 1, 1, 1, 1])
    state.phase = Phase.ROLLING
    state.dealt = 1 + max(state.deck.index(kind) for kind in (KNIGHT, ROAD_BUILDING))
    state.cards[ALICE] = list(range(state.dealt))
    state.bought_on[: state.dealt] = [1] * state.dealt


def after_the_roll(state):
    about_to_roll(state)
    state.phase, state.rolled = Phase.MAIN, True


def hands(state, cards):
    """Everybody holds these resources, and the bank the rest."""
    state.hands = [cards[:] for _ in state.seats]
    state.bank = [19 - len(state.seats) * count for count in cards]


def move(game, *moves):
    for one in moves:
        services.play_move(game.pk, one, version=snapshots.read(game.pk)[0].version, now=timezone.now())
    return stored_state(game.pk)


def wait(clock, game, seconds):
    """So much time passes, and the site looks at the game once."""
    clock.move(seconds)
    tasks.act_when_due(game.pk)
    return stored_state(game.pk)


def last_move(game):
    return Move.objects.filter(game=game).latest("number")


# The dice


def test_the_dice_are_rolled_when_their_time_is_up(clock):
    game = live_game(about_to_roll)
    assert wait(clock, game, NORMAL.rolling - 1).phase is Phase.ROLLING
    state = wait(clock, game, 1)
    assert (last_move(game).kind, last_move(game).by) == ("roll", Move.By.TIMEOUT)
    assert state.rolled
    assert 2 <= sum(state.dice) <= 12
    assert state.cards[ALICE] == list(range(state.dealt))


# Discarding


def a_seven_was_rolled(state):
    """Bob holds nine cards and Charlie eight; Alice waits to move the robber."""
    hands(state, [0, 0, 0, 0, 0])
    state.hands[BOB], state.hands[CHARLIE] = [3, 3, 3, 0, 0], [0, 0, 0, 4, 4]
    state.bank = [16, 16, 16, 15, 15]
    state.discards = [0, 4, 4]
    state.phase, state.rolled, state.dice = Phase.DISCARDING, True, (3, 4)


def test_whoever_does_not_discard_in_time_loses_random_cards_and_the_others_what_they_chose(clock):
    lost = set()
    for seed in range(6):
        game = live_game(a_seven_was_rolled, seed=seed)
        move(game, Discard(CHARLIE, (0, 0, 0, 4, 0)))
        waiting = wait(clock, game, NORMAL.discarding - 1)
        assert (waiting.phase, waiting.hands[BOB]) == (Phase.DISCARDING, [3, 3, 3, 0, 0])
        state = wait(clock, game, 1)
        assert (last_move(game).kind, last_move(game).by) == ("discard", Move.By.TIMEOUT)
        assert state.phase is Phase.MOVING_ROBBER
        assert sum(state.hands[BOB]) == 5
        assert state.hands[CHARLIE] == [0, 0, 0, 0, 4]
        assert [sum(cards) for cards in zip(state.bank, *state.hands, strict=True)] == [19] * 5
        lost.add(tuple(state.hands[BOB]))
    assert len(lost) > 2


# The turn


def test_the_turn_ends_when_its_time_is_up(clock):
    game = live_game(after_the_roll)
    hands_before = stored_state(game.pk).hands
    waiting = wait(clock, game, NORMAL.turn - 1)
    assert (waiting.active, waiting.phase) == (ALICE, Phase.MAIN)
    state = wait(clock, game, 1)
    assert (last_move(game).kind, last_move(game).by) == ("end_turn", Move.By.TIMEOUT)
    assert (state.active, state.phase, state.hands) == (BOB, Phase.ROLLING, hands_before)


@pytest.mark.parametrize("card", [PlayKnight(ALICE), PlayRoadBuilding(ALICE)])
def test_the_turn_ends_too_when_a_card_was_played_and_nobody_answers_an_offer(clock, card):
    game = live_game(after_the_roll)
    move(game, OFFER, card)
    for _ in range(0, NORMAL.turn + 10 * NORMAL.robber, 5):
        if wait(clock, game, 5).active == BOB:
            break
    state = stored_state(game.pk)
    assert (state.active, state.phase, state.offers) == (BOB, Phase.ROLLING, ())
    assert (last_move(game).kind, last_move(game).by) == ("end_turn", Move.By.TIMEOUT)


def test_the_turn_ends_too_while_an_agreed_trade_waits_to_be_confirmed(clock):
    game = live_game(after_the_roll)
    move(game, OFFER, AcceptOffer(BOB, 0), AcceptOffer(CHARLIE, 0))
    waiting = wait(clock, game, NORMAL.turn - 1)
    assert (waiting.active, len(waiting.offers)) == (ALICE, 1)
    state = wait(clock, game, 1)
    assert (state.active, state.phase, state.offers) == (BOB, Phase.ROLLING, ())
    assert (last_move(game).kind, last_move(game).by) == ("end_turn", Move.By.TIMEOUT)


# A lost connection


def lose_connection(clock, game, user, seat):
    presence.arrive(game.pk, user.pk, "a tab", clock.now)
    presence.leave("a tab", clock.now)
    clock.move(LOST_AFTER.total_seconds())
    tasks.note_lost(Seat.key(game.pk, seat))
    return stored_state(game.pk)


COUNTER = CounterOffer(BOB, 0, bundle(grain=1), bundle(ore=1))


@pytest.mark.parametrize("card", [None, PlayKnight(ALICE), PlayRoadBuilding(ALICE)])
@pytest.mark.parametrize(("who", "left_open"), [(ALICE, [1]), (BOB, [0])])
def test_whoever_loses_the_connection_has_no_offer_open_any_more(clock, alice, bob, who, left_open, card):
    users = [alice, bob]
    game = live_game(after_the_roll, users=users)
    move(game, OFFER, COUNTER, *([card] if card else []))
    state = lose_connection(clock, game, users[who], who)
    assert [offer.number for offer in state.offers] == left_open


@pytest.mark.parametrize("card", [None, PlayKnight(ALICE), PlayRoadBuilding(ALICE)])
def test_whoever_loses_the_connection_has_accepted_nothing_any_more(clock, alice, bob, card):
    game = live_game(after_the_roll, users=[alice, bob])
    move(game, OFFER, AcceptOffer(BOB, 0), AcceptOffer(CHARLIE, 0), *([card] if card else []))
    state = lose_connection(clock, game, bob, BOB)
    assert [(offer.number, offer.accepted) for offer in state.offers] == [(0, (CHARLIE,))]
    if card is None:
        with pytest.raises(IllegalMove, match="not_accepted"):
            move(game, ConfirmTrade(ALICE, 0, BOB))
