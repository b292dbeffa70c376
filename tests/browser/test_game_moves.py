"""Every kind of move can be made on the page; the four kinds of hands take turns at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from games.rules.moves import KINDS
from tests.browser.hands import WAYS
from tests.browser.making import Made, make_games
from tests.sites import Site, embedded

pytestmark = pytest.mark.browser

#: With these rules and this seed every kind of move but one becomes possible within 250 moves of the bots.
RULES, SEED = "online", 14
OTHER_RULES = {"play_victory_point": "definition-of-done"}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, Made]]]:
    """A site with a game for each kind of move, waiting for somebody who can make it."""
    data = tmp_path_factory.mktemp("moves")
    wishes = [{"rules": OTHER_RULES.get(kind, RULES), "until": kind, "seed": SEED} for kind in KINDS]
    with embedded(data) as site:
        yield site, dict(zip(KINDS, make_games(data, *wishes), strict=True))


@pytest.mark.parametrize(("kind", "way"), [(kind, list(WAYS)[place % 4]) for place, kind in enumerate(KINDS)])
def test_a_move_is_made_by_hand(browser: Browser, tables: tuple[Site, dict[str, Made]], kind: str, way: str) -> None:
    site, made = tables[0], tables[1][kind]
    hands = WAYS[way](browser, made.cookie(made.seat, site.address), site.address, made.game)
    seen = hands.look()
    move = {"kind": kind, **arguments(seen["view"], kind)}
    hands.wait_for(seen["version"])
    hands.make(move)
    after = hands.look_until(seen["version"] + 1)
    answer = hands.context.request.get(f"{hands.api}moves/?after={seen['version']}").json()
    assert [played["seat"] for played in answer["moves"]] == [made.seat]
    assert after["log"][-1]["version"] == seen["version"] + 1
    assert hands.watch.complaints == []
    hands.context.close()


def arguments(view: dict[str, Any], kind: str) -> dict[str, Any]:
    """One way to make the move, of those that the page lists."""
    ways = view["moves"][kind]
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
