"""Games that wait, as somebody sees it who plays several: before the title, and by the way from one to the next."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import Across, Finger, Hands, Mouse, Plain, until_drawn
from tests.browser.making import make_games
from tests.browser.test_game_access import complaints_of_axe
from tests.sites import Site

pytestmark = pytest.mark.browser

GAMES: dict[str, Any] = {"rules": "standard turn_order=seat_order", "seats": 3}


def settle(hands: Hands) -> None:
    """The first settlement and its road: then the game waits for the next seat."""
    for kind in ("build_settlement", "build_road"):
        seen = hands.look()
        hands.make({"kind": kind, **seen["choices"][kind][0]})
        hands.wait_for(seen["version"] + 1)


def play_first(page: Page) -> None:
    """The same, on a page that no hands hold."""
    for place in ("vertex", "edge"):
        version = page.locator("#game").get_attribute("data-version")
        page.locator(f"#board .{place}.legal").first.press("Enter")
        expect(page.locator("#game")).not_to_have_attribute("data-version", str(version))


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).bounding_box()
    assert found is not None, selector
    return dict(found)


def covers(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


@pytest.mark.parametrize("kind", [Mouse, Finger, Across])
def test_after_each_move_the_page_leads_to_the_next_game_that_waits(
    browser: Browser, embedded_site: Site, kind: type[Hands]
) -> None:
    made = make_games(embedded_site.data, *({**GAMES, "seed": seed, "same": kind.__name__} for seed in range(3)))
    hands = kind(browser, embedded_site.address).sit_down(made[0], 0)
    page = hands.page
    link = page.locator("#next-game")
    for number, game in enumerate(made):
        left = len(made) - number - 1
        hands.url = f"{embedded_site.address}/games/{game.game}/"
        hands.api = f"{embedded_site.address}/api/v1/games/{game.game}/"
        expect(page).to_have_url(hands.url)
        until_drawn(page)
        expect(page).to_have_title(re.compile(rf"^\({left + 1}\) Your move · Game {game.game}"))
        expect(link).to_be_hidden()
        settle(hands)
        if left == 0:
            break
        expect(link).to_be_visible()
        wait = "1 waits" if left == 1 else f"{left} wait"
        expect(page.get_by_role("link", name=f"Next game ({wait} for you)")).to_be_visible()
        expect(page).to_have_title(re.compile(rf"^\({left}\) Game {game.game}"))
        assert page.evaluate("document.activeElement.id") != "next-game", "whoever plays on is not interrupted"
        assert not covers(box(page, ".now"), box(page, "#board")), "the board is not covered"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert complaints_of_axe(page) == []
        link.click()
    expect(page).to_have_title(re.compile(r"^Game "))
    expect(link).to_be_hidden()
    hands.context.close()


def test_without_scripts_the_same_link_leads_on(browser: Browser, embedded_site: Site) -> None:
    first, second = make_games(embedded_site.data, *({**GAMES, "seed": seed, "same": "Plain"} for seed in range(2)))
    hands = Plain(browser, embedded_site.address).sit_down(first, 0)
    settle(hands)
    hands.open()
    hands.page.get_by_role("link", name="Next game (1 waits for you)").click()
    expect(hands.page).to_have_url(f"{embedded_site.address}/games/{second.game}/")
    hands.context.close()


def test_an_open_front_page_counts_games_up_and_down(browser: Browser, embedded_site: Site) -> None:
    """In one tab somebody plays, in another the front page lies open."""
    context = browser.new_context(reduced_motion="reduce")
    (made,) = make_games(embedded_site.data, {**GAMES, "same": "Watcher"})
    context.add_cookies([made.cookie(0, embedded_site.address)])  # type: ignore[list-item]
    front, play, other = context.new_page(), context.new_page(), context.new_page()
    badges = "navigator.setAppBadge = async (count) => { window.badge = count; };"
    front.add_init_script(f"{badges} navigator.clearAppBadge = async () => {{ window.badge = 0; }};")
    front.goto(embedded_site.address)
    expect(front).to_have_title("(1) Online Catan")
    assert front.evaluate("window.badge") == 1
    other.goto(f"{embedded_site.address}/games/{made.game}/")
    until_drawn(other)

    play.goto(embedded_site.address)
    play.get_by_role("button", name="Play now against bots").click()
    until_drawn(play)
    expect(play).to_have_title(re.compile(r"^\(2\) Your move"))
    expect(front).to_have_title("(2) Online Catan")
    expect(other).to_have_title(re.compile(r"^\(2\) Your move"))
    assert front.evaluate("window.badge") == 2

    play_first(other)
    expect(other).to_have_title(re.compile(r"^\(1\) Game"))
    expect(other.get_by_role("link", name="Next game (1 waits for you)")).to_be_visible()
    expect(front).to_have_title("(1) Online Catan")
    expect(play).to_have_title(re.compile(r"^\(1\) Your move"))
    context.close()


def test_a_page_that_is_asked_again_takes_the_link_back(browser: Browser, embedded_site: Site) -> None:
    """It never stands beside what is asked here; whoever has reached it by keys goes on from the prompt."""
    made, _ = make_games(embedded_site.data, *({**GAMES, "seed": seed, "same": "Asked"} for seed in range(2)))
    hands = Mouse(browser, embedded_site.address).sit_down(made, 0)
    settle(hands)
    link, page = hands.page.locator("#next-game"), hands.page
    expect(link).to_be_visible()
    link.focus()
    expect(link).to_be_focused()

    # All others place what they begin with, and it is the first one's turn again.
    others = Plain(browser, embedded_site.address)
    for seat in (1, 2, 2, 1):
        settle(others.sit_down(made, seat))
    expect(page.locator("#prompt")).to_be_focused()
    expect(link).to_be_hidden()
    expect(page).to_have_title(re.compile(r"^\(2\) Your move"))
    others.context.close()
    hands.context.close()
