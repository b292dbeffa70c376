"""Every kind of move can be made on the page; the four kinds of hands take turns at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from games.rules.moves import KINDS
from tests.browser.hands import WAYS, Hands
from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

#: With these rules and this seed every kind of move but one becomes possible within 250 moves of the bots.
RULES, SEED = "online", 14
OTHER_RULES = {"play_victory_point": "definition-of-done"}


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    """A game for each kind of move, waiting for somebody who can make it."""
    wishes = [{"rules": OTHER_RULES.get(kind, RULES), "until": kind, "seed": SEED} for kind in KINDS]
    return dict(zip(KINDS, make_games(embedded_site.data, *wishes), strict=True))


@pytest.fixture(scope="module")
def all_hands(browser: Browser, embedded_site: Site) -> Iterator[dict[str, Hands]]:
    """One pair of each kind for all games: a page in a new window takes three times as long."""
    pairs = {name: way(browser, embedded_site.address) for name, way in WAYS.items()}
    yield pairs
    for hands in pairs.values():
        hands.context.close()


@pytest.mark.parametrize(("kind", "way"), [(kind, list(WAYS)[place % 4]) for place, kind in enumerate(KINDS)])
def test_a_move_is_made_by_hand(all_hands: dict[str, Hands], games: dict[str, Made], kind: str, way: str) -> None:
    made = games[kind]
    hands = all_hands[way].sit_down(made, made.seat)
    seen = hands.look()
    move = {"kind": kind, **arguments(seen, kind)}
    hands.wait_for(seen["version"])
    hands.make(move)
    after = hands.look_until(seen["version"] + 1)
    answer = hands.ask(f"moves/?after={seen['version']}")
    assert [played["seat"] for played in answer["moves"]] == [made.seat]
    assert after["log"][-1]["version"] == seen["version"] + 1
    assert hands.watch.complaints == []


def arguments(view: dict[str, Any], kind: str) -> dict[str, Any]:
    """One way to make the move, of those that the page lists."""
    ways = view["choices"][kind]
    hand = view["seats"][view["viewer"]]["hand"]
    if kind == "discard":
        return {"resources": some_of(hand, ways["count"])}
    terms = {}
    if kind in ("offer_trade", "counter_offer"):
        given = max(hand, key=hand.__getitem__)
        terms = {"gives": {given: 1}, "gets": {next(name for name in hand if name != given): 1}}
    if kind == "offer_trade":
        return {"to": [seat for seat in view["order"] if seat != view["viewer"]][:1], **terms}
    return {**ways[-1], **terms}


def some_of(hand: dict[str, int], count: int) -> dict[str, int]:
    taken = {}
    for name, held in hand.items():
        taken[name] = min(held, count)
        count -= taken[name]
    return {name: number for name, number in taken.items() if number}
