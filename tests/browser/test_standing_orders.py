"""Standing orders: given on a page of plain forms, and carried out once that page is closed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import Mouse, until_drawn
from tests.browser.making import make_games
from tests.browser.watching import Watch
from tests.sites import Site

pytestmark = pytest.mark.browser

#: Somebody with two of each card in the middle of their turn; bots play the others. Nobody needs to see to a robber.
TURN: dict[str, Any] = {
    "rules": "standard robber=false",
    "seed": 14,
    "until": "end_turn",
    "after": 30,
    "every_card": True,
    "hand": 2,
    "alone": True,
    "pace": "1 day",
}
#: Milliseconds in which three bots have had their turns.
A_ROUND = 150_000
SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}


@pytest.fixture
def site(embedded_site: Site) -> Site:
    return embedded_site


@pytest.fixture
def data(embedded_site: Site) -> Path:
    return embedded_site.data


def press(page: Page, button: str, given: str) -> None:
    """Give an order, and wait until it stands in the list."""
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator(".orders-given ol")).to_contain_text(given)


@pytest.mark.timeout(400)
def test_a_road_is_built_by_order_while_its_owner_is_away(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, TURN)
    owner = Mouse(browser, site.address).sit_down(made, made.seat)
    name = owner.page.locator(f"#seat-{made.seat} .seat-name").inner_text()
    owner.make({"kind": "end_turn"})
    expect(owner.page.locator("#orders-near a")).to_have_text("Standing orders")
    owner.page.locator("#orders-near a").click()
    press(owner.page, "Roll for me", "Roll the dice for me")
    press(owner.page, "Decline for me", "Decline every offer.")
    owner.page.get_by_label("First").select_option("brick")
    owner.page.get_by_label("then").first.select_option("lumber")
    press(owner.page, "Keep these first", "On a seven, keep brick, then lumber.")
    road = owner.page.locator("select[name=plan] option[value^=road]").first
    owner.page.get_by_label("Where").select_option(road.get_attribute("value"))
    press(owner.page, "Build for me", "Build a road when I can pay for it")
    assert owner.watch.complaints == []
    owner.context.close()

    watcher = browser.new_page()
    watcher.goto(f"{site.address}/games/{made.game}/")
    log = watcher.locator("#log")
    expect(log.locator(".log-by_order + .log-rolled")).not_to_have_count(0, timeout=A_ROUND)
    expect(log.locator(".log-by_order + .log-built_road")).not_to_have_count(0, timeout=A_ROUND)
    expect(log).to_contain_text(f"{name} played by standing order.")
    watcher.close()

    back = Mouse(browser, site.address).sit_down(made, made.seat)
    expect(back.page.locator("#log")).to_contain_text("You played by standing order.")
    back.page.goto(f"{back.url}orders/")
    expect(back.page.locator(".orders-given")).to_contain_text(re.compile("Done: .Build a road"))
    back.page.get_by_role("button", name="I have read this").click()
    expect(back.page.locator(".orders-given")).not_to_contain_text("Done:")
    back.page.get_by_role("listitem").filter(has_text="Roll the dice").get_by_role("button").click()
    expect(back.page.locator(".orders-given ol")).not_to_contain_text("Roll the dice")
    back.context.close()


@pytest.mark.parametrize(
    ("size", "scheme", "scripts"),
    [("desk", "light", True), ("desk", "dark", False), ("phone", "light", False), ("phone", "dark", True)],
)
def test_the_page_of_orders_fits_can_be_used_by_everybody_and_needs_no_script(
    browser: Browser, site: Site, data: Path, size: str, scheme: Any, scripts: bool
) -> None:
    (made,) = make_games(data, TURN | {"alone": False})
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme, java_script_enabled=scripts)
    context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    watch = Watch(site.address).over(page)
    page.goto(f"{site.address}/games/{made.game}/orders/")
    press(page, "End my turn for me", "End my turn when there’s nothing I can do")
    page.get_by_label("I give up to").fill("2")
    press(page, "Accept for me", "at most 2 brick")
    page.get_by_label("Say no").select_option("brick")
    page.get_by_role("button", name="Decline for me").click()
    expect(page.get_by_role("alert")).to_contain_text("These two contradict each other")
    if scripts:
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
        assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
        page.goto(f"{site.address}/games/{made.game}/")
        until_drawn(page)
        expect(page.locator(".orders-open")).to_have_text("2 standing orders")
    # Chromium itself remarks on the answer 409, which is what the last order was for.
    assert [complaint for complaint in watch.complaints if "409" not in complaint] == []
    context.close()
