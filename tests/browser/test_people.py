"""Profiles and leaderboards as people meet them: on a desk and on a phone, by day and by night, without a script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Season, play_season
from tests.browser.test_game_access import complaints_of_axe
from tests.sites import Site

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def season(embedded_site: Site) -> Season:
    return play_season(embedded_site.data)


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "dark"), (PHONE, "light")], ids=["desk", "phone"])
def test_ada_walks_from_the_end_of_a_game_to_her_page_and_finds_her_place(
    browser: Browser, embedded_site: Site, season: Season, size: dict[str, int], scheme: str
) -> None:
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    context.add_cookies([season.cookie(embedded_site.address)])  # type: ignore[list-item]
    page = context.new_page()

    def look() -> None:
        assert complaints_of_axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]

    page.goto(f"{embedded_site.address}/games/{season.game}/")
    expect(page.locator(".rated-end li")).to_have_count(4)
    look()
    page.locator(f".rated-end a[href='/players/{season.code}/']").click()
    expect(page.locator("h1")).to_have_text("Ada of the Long Road")
    expect(page.locator(".rating-chart svg")).to_be_visible()
    look()
    page.locator(".ratings").get_by_role("link", name="Leaderboard").click()
    expect(page.locator("tfoot .own-row")).to_contain_text("Ada of the Long Road")
    look()
    page.get_by_role("link", name="Next").click()
    expect(page.locator("tbody .own-row")).to_contain_text("you")
    expect(page.locator("tfoot")).to_have_count(0)
    page.get_by_role("link", name="Games over days").click()
    expect(page.locator("main")).to_contain_text("Nobody’s rating has settled yet.")
    context.close()
