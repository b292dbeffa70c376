"""Four people in four browsers play a whole game: by mouse, by keys alone, on a phone, and without scripts."""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from games.bots import BOTS
from games.rules.views import SeatView
from tests.browser.hands import WAYS, Hands
from tests.browser.making import make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

#: A game of about 220 moves, with trades and counter-offers in it.
SEED = 89


@pytest.mark.timeout(600)
def test_four_browsers_play_one_game_from_the_first_settlement_to_the_winner(
    browser: Browser, embedded_site: Site
) -> None:
    (made,) = make_games(embedded_site.data, {"rules": "standard points_to_win=8", "seed": SEED})
    with ExitStack() as at_the_end:
        hands = []
        for seat, way in enumerate(WAYS.values()):
            hands.append(way(browser, embedded_site.address))
            at_the_end.callback(hands[-1].context.close)
            hands[-1].sit_down(made, seat)
        moves = play(hands, Random(SEED))
        assert {"counter_offer", "confirm_trade", "accept_offer", "reject_offer", "offer_trade"} <= moves.keys()
        assert_all_see_the_same_end(hands)
        for seat, watch in enumerate(hand.watch for hand in hands):
            watch.note()
            assert watch.foreign == []
            assert watch.complaints == []
            assert len(watch.heard) > 20
            assert watch.secrets_seen(seat, hashlib.sha256(f"{SEED}".encode()).digest()) == []
        # The end came while this page was open: its button is one that the script has put there.
        hands[0].press("#end .rematch button")
        expect(hands[0].page.locator(".chair-own")).to_contain_text("Alice")


def play(hands: list[Hands], source: Random) -> Counter[str]:
    """Whoever is asked looks at what their page was told, chooses, and does it with their own hands."""
    moves: Counter[str] = Counter()
    seen = hands[0].look()
    while seen["phase"] != "over":
        seat, seen, move = next_move(hands, seen, source)
        hands[seat].wait_for(seen["version"])
        hands[seat].make(move)
        hands[seat].wait_for(seen["version"] + 1)
        hands[seat].watch.note()
        moves[move["kind"]] += 1
        seen = hands[seat].look()
    return moves


def next_move(hands: list[Hands], last: dict[str, Any], source: Random) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Open offers are answered before the player to move goes on. What was seen last is not fetched again."""
    everybody = range(len(hands))
    others = [seat for seat in everybody if seat != last["active"]]
    for seat in [*others, last["active"]] if last["offers"] else [*last["to_act"], *everybody]:
        seen = last if seat == last["viewer"] else hands[seat].look()
        move = BOTS["builder"](seen, source)
        if move is not None:
            data = move.to_json()
            del data["seat"]
            return seat, seen, data
    raise AssertionError("The game waits for nobody.")


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
