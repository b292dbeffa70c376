"""Four people in four browsers play whole games: by mouse, by keys alone, on phones, on desks, and without scripts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from games.bots import builder
from games.rules.moves import KINDS
from games.rules.views import SeatView
from tests.browser.hands import WAYS, Across, Finger, Hands, Mouse, Wide
from tests.browser.making import Made, make_games
from tests.browser.test_game_moves import arguments
from tests.sites import Site

pytestmark = pytest.mark.browser

#: A game of 122 moves, with trades and counter-offers in it.
SEED = 617


#: A game in which every kind of move is possible for somebody at some time.
EVERY_KIND, OTHER_SEED = "online victory_point_cards=when_played points_to_win=8", 537

#: How often a regular's moves are pressed: an offer to everybody for one card each way, a trade with the bank, the
#: robber who finds one victim, and a knight with it.
MOST_PRESSES = {"offer_trade": 3, "trade_with_bank": 3, "robber and steal": 2, "knight": 3}

View = dict[str, Any]
Chooser = Callable[[View], dict[str, Any] | None]


@pytest.fixture
def sit_down(browser: Browser, embedded_site: Site) -> Iterator[Callable[[Made, list[type[Hands]]], list[Hands]]]:
    with ExitStack() as at_the_end:

        def sit_down(made: Made, ways: list[type[Hands]]) -> list[Hands]:
            everybody = [way(browser, embedded_site.address) for way in ways]
            for seat, hands in enumerate(everybody):
                at_the_end.callback(hands.context.close)
                hands.sit_down(made, seat)
            return everybody

        yield sit_down


@pytest.mark.timeout(600)
def test_four_browsers_play_one_game_from_the_first_settlement_to_the_winner(
    sit_down: Callable[..., list[Hands]], embedded_site: Site
) -> None:
    (made,) = make_games(embedded_site.data, {"rules": "standard points_to_win=8", "seed": SEED})
    hands = sit_down(made, [*WAYS.values()])
    source = Random(SEED)
    moves = play(hands, lambda seen: bots_move(seen, source))
    assert {"counter_offer", "confirm_trade", "accept_offer", "reject_offer", "offer_trade"} <= moves.keys()
    assert_all_see_the_same_end(hands)
    assert_nothing_leaked(hands, SEED)
    # The end came while this page was open: its button is one that the script has put there.
    hands[0].press("#end .rematch button")
    expect(hands[0].page.locator(".chair-own")).to_contain_text("Alice")


@pytest.mark.timeout(600)
def test_two_phones_and_two_desks_make_every_kind_of_move_in_one_game(
    sit_down: Callable[..., list[Hands]], embedded_site: Site, record_property: Callable[[str, object], None]
) -> None:
    (made,) = make_games(embedded_site.data, {"rules": EVERY_KIND, "seed": OTHER_SEED})
    hands = sit_down(made, [Finger, Mouse, Across, Wide])
    source, presses = Random(OTHER_SEED), dict[str, int]()
    moves = play(hands, lambda seen: new_move(seen, presses) or bots_move(seen, source), presses)
    assert moves.keys() == KINDS.keys()
    assert_all_see_the_same_end(hands)
    assert_nothing_leaked(hands, OTHER_SEED)
    presses["robber and steal"] = presses["move_robber"]
    presses["knight"] = presses["play_knight"] + presses["move_robber"]
    record_property("presses", presses)
    assert {kind: presses[kind] for kind in MOST_PRESSES if presses[kind] > MOST_PRESSES[kind]} == {}


def play(hands: list[Hands], choose: Chooser, presses: dict[str, int] | None = None) -> Counter[str]:
    """Whoever is asked looks at what their page was told, chooses, and does it with their own hands."""
    moves: Counter[str] = Counter()
    seen = hands[0].look()
    while seen["phase"] != "over":
        seat, seen, move = next_move(hands, seen, choose)
        hands[seat].wait_for(seen["version"])
        before = hands[seat].presses
        hands[seat].make(move)
        hands[seat].wait_for(seen["version"] + 1)
        hands[seat].watch.note()
        moves[move["kind"]] += 1
        if presses is not None:
            needed = hands[seat].presses - before
            presses[move["kind"]] = min(needed, presses.get(move["kind"], needed))
        seen = hands[seat].look()
    return moves


def next_move(hands: list[Hands], last: View, choose: Chooser) -> tuple[int, View, dict[str, Any]]:
    """Open offers are answered before the player to move goes on. What was seen last is not fetched again."""
    everybody = range(len(hands))
    others = [seat for seat in everybody if seat != last["active"]]
    for seat in [*others, last["active"]] if last["offers"] else [*last["to_act"], *everybody]:
        seen = last if seat == last["viewer"] else hands[seat].look()
        if move := choose(seen):
            return seat, seen, move
    raise AssertionError("The game waits for nobody.")


def bots_move(seen: View, source: Random) -> dict[str, Any] | None:
    move = builder.choose(seen, source)
    return move and {key: value for key, value in move.to_json().items() if key != "seat"}


def new_move(seen: View, made: dict[str, int]) -> dict[str, Any] | None:
    """A kind of move that nobody has made yet, where it is possible; but not to end a turn before anything else."""
    kinds = [kind for kind in KINDS if kind in seen["choices"] and kind not in made and kind != "end_turn"]
    for kind in kinds:
        move = {"kind": kind, **arguments(seen, kind)}
        if kind == "offer_trade":
            move["to"] = [seat for seat in seen["order"] if seat != seen["viewer"]]
        return move
    return None


def assert_nothing_leaked(hands: list[Hands], seed: int) -> None:
    for seat, watch in enumerate(hand.watch for hand in hands):
        watch.note()
        assert watch.foreign == []
        assert watch.complaints == []
        assert len(watch.heard) > 20
        assert watch.secrets_seen(seat, hashlib.sha256(f"{seed}".encode()).digest()) == []


#: What is told from nobody's side.
SEEN_BY_ALL = ("phase", "turn", "order", "winner", "board", "robber", "bank", "deck", "longest_road", "largest_army")


def hands_of(seat: dict[str, Any]) -> dict[str, Any]:
    return {key: seat[key] for key in SeatView.__annotations__}


def assert_all_see_the_same_end(hands: list[Hands]) -> None:
    views = [hand.look() for hand in hands]
    for hand, seen in zip(hands, views, strict=True):
        hand.wait_for(seen["version"])
        expect(hand.page.locator("#end-title")).to_have_text(seen["prompt"])
        assert {key: seen[key] for key in SEEN_BY_ALL} == {key: views[0][key] for key in SEEN_BY_ALL}
        assert [hands_of(seat) for seat in seen["seats"]] == [hands_of(seat) for seat in views[0]["seats"]]
        standing = hand.page.locator("#buildings > g").count() + hand.page.locator("#roads > g").count()
        assert standing == sum(
            len(seat[pieces]) for seat in seen["seats"] for pieces in ("roads", "settlements", "cities")
        )
