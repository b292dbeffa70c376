"""The API’s documentation as people read it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser, expect

from tests.sites import Site

from .test_game_access import complaints_of_axe

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_in_the_documentation_fits_a_phone_and_can_be_read(
    browser: Browser, embedded_site: Site, scheme: str
) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 640}, color_scheme=scheme)
    page.goto(f"{embedded_site.address}/api/docs/")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    expect(page.get_by_text("Somebody accepted an offer.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert complaints_of_axe(page) == []
    page.close()


def test_a_problem_leads_to_the_place_where_its_code_is_explained(browser: Browser, embedded_site: Site) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{embedded_site.address}/api/v1/games/1/", timeout=10)
    with refused.value as answer:
        problem = json.loads(answer.read())
    page = browser.new_page()
    page.goto(embedded_site.address + problem["type"])
    expect(page.locator(":target")).to_contain_text(problem["code"])
    expect(page.locator(":target")).to_be_in_viewport()
    page.close()


def test_every_link_of_the_documentation_leads_somewhere(browser: Browser, embedded_site: Site) -> None:
    page = browser.new_page()
    page.goto(f"{embedded_site.address}/api/docs/")
    lost = page.evaluate(
        "[...document.querySelectorAll('main a[href^=\"#\"]')].map(each => each.getAttribute('href').slice(1))"
        ".filter(name => !document.getElementById(name))"
    )
    assert lost == []
    page.close()
