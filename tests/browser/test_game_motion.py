"""What happens is seen to move, and heard by those who want to; whoever wants a still page has one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import open_menu, until_drawn
from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

#: Notes what is set in motion, and every tone.
NOTING = """
window.noted = [];
const { animate } = Element.prototype;
Element.prototype.animate = function (...motion) {
  window.noted.push(this.getAttribute("class"));
  return animate.apply(this, motion);
};
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (...when) {
  window.noted.push("tone");
  return start.apply(this, when);
};
"""


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> Iterator[Made]:
    return iter(make_games(embedded_site.data, *[{"rules": "online", "seed": 14, "until": "roll"}] * 2))


def noted_after_a_roll(browser: Browser, site: Site, made: Made, motion: str) -> list[str]:
    context = browser.new_context(reduced_motion=motion)  # type: ignore[arg-type]
    context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(f"{error}"))
    page.add_init_script(NOTING)
    page.goto(f"{site.address}/games/{made.game}/")
    until_drawn(page)
    switch_on_sounds(page)
    version = page.locator("#game").get_attribute("data-version")
    page.locator("[data-kind=roll]").click()
    expect(page.locator("#game")).not_to_have_attribute("data-version", f"{version}")
    page.wait_for_function("window.noted.includes('tone')")
    noted: list[str] = page.evaluate("window.noted")
    context.close()
    assert complaints == []
    return noted


def switch_on_sounds(page: Page) -> None:
    open_menu(page)
    page.get_by_text("Settings and help", exact=True).click()
    page.get_by_label("Sounds").check()
    page.locator("#menu-close").click()


def test_dice_are_seen_and_heard_to_roll(browser: Browser, embedded_site: Site, games: Iterator[Made]) -> None:
    noted = noted_after_a_roll(browser, embedded_site, next(games), "no-preference")
    assert len([each for each in noted if "die" in f"{each}".split()]) == 2
    assert noted.count("tone") >= 3


def test_nothing_moves_for_whoever_wants_a_still_page(
    browser: Browser, embedded_site: Site, games: Iterator[Made]
) -> None:
    noted = noted_after_a_roll(browser, embedded_site, next(games), "reduce")
    assert set(noted) == {"tone"}
