"""A ban as the banned and those who play with them meet it: pages that are open turn by themselves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.banning import ban, lift
from tests.browser.making import Made, make_games
from tests.browser.test_game_access import complaints_of_axe
from tests.sites import Site

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
REASON = "You wrote “get lost” to three people at the table."


def seated(browser: Browser, site: Site, made: Made, seat: int, size: dict[str, int], scheme: str) -> BrowserContext:
    context = browser.new_context(
        base_url=site.address,
        viewport=size,  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    context.add_cookies([made.cookie(seat, site.address)])  # type: ignore[list-item]
    return context


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_whoever_is_banned_at_an_open_game_reads_why_and_comes_back_after_it(
    browser: Browser, embedded_site: Site, size: dict[str, int], scheme: str
) -> None:
    [made] = make_games(embedded_site.data, {"rules": "standard turn_order=seat_order", "seats": 3, "pace": "1 day"})
    alice = seated(browser, embedded_site, made, 0, size, scheme)
    bob = seated(browser, embedded_site, made, 1, size, scheme)
    game = f"/games/{made.game}/"
    hers, his = opened(alice, game), opened(bob, game)
    for page in (hers, his):
        expect(page.locator("body.at-play")).to_be_visible()
    her_state = his.locator("#seat-0 .seat-state")
    expect(her_state).not_to_have_text("stand-in")

    ban(embedded_site.data, made.sessions[0], REASON)
    expect(hers.locator("h1")).to_have_text(re.compile(r"^You’re banned until \d+ \w+ \d{4}, \d\d:\d\d UTC$"))
    expect(hers.locator("main")).to_contain_text(REASON)
    assert complaints_of_axe(hers) == []
    assert hers.evaluate("document.documentElement.scrollWidth") <= size["width"]
    # As soon as it has moved for her.
    expect(her_state).to_have_text("stand-in")
    # It stays as it is, and asks for nothing more.
    asked: list[str] = []
    hers.on("request", lambda request: asked.append(request.url))
    hers.on("websocket", lambda socket: asked.append(socket.url))
    page = opened(alice, "/")
    expect(page.locator("h1")).to_have_text(re.compile("^You’re banned"))
    assert asked == []

    lift(embedded_site.data, made.sessions[0])
    hers.reload()
    hers.locator("#take-back button").click()
    expect(hers.locator("#take-back")).to_be_hidden()
    expect(her_state).not_to_have_text("stand-in")
    for context in (alice, bob):
        context.close()
