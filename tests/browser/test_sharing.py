"""A browser without a line to the site, a game on paper, and the browser's own frame."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import until_drawn
from tests.browser.making import make_games
from tests.sites import Site, embedded

pytestmark = pytest.mark.browser


def until_kept(page: Page) -> None:
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def kept_addresses(page: Page) -> list[str]:
    addresses: list[str] = page.evaluate("""async () => {
        const found = [];
        for (const name of await caches.keys()) {
            for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
        }
        return found.sort();
    }""")
    return addresses


def background(page: Page, selector: str) -> str:
    return str(page.locator(selector).evaluate("(part) => getComputedStyle(part).backgroundColor"))


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_whoever_has_no_line_is_told_so_in_our_look_and_comes_back_by_a_press(
    browser: Browser, embedded_site: Site, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(embedded_site.address)
    until_kept(page)
    page.get_by_role("button", name="Play now against bots").click()
    until_drawn(page)
    game = page.url
    only = ["/offline/", *(f"/static/site/{name}" for name in ("board.css", "favicon.svg", "site.css", "tokens.css"))]
    assert kept_addresses(page) == only, "neither the game nor what the API says of it"

    context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert background(page, ".button-primary") == "rgb(11, 107, 98)", "not without its styles"
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    until_drawn(page)
    assert page.url == game
    context.close()


def test_a_site_that_is_down_is_told_of_in_the_same_way(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    with embedded(tmp_path) as site:
        page.goto(site.address)
        until_kept(page)
        page.reload()
    page.goto(f"{site.address}/sign-in/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    context.close()


@pytest.mark.parametrize("until", ["build_city", "never"])
def test_a_game_on_paper_is_the_board_and_the_scores(browser: Browser, embedded_site: Site, until: str) -> None:
    (made,) = make_games(embedded_site.data, {"rules": "standard points_to_win=8", "seed": 53, "until": until})
    context = browser.new_context(viewport={"width": 794, "height": 1123})
    context.add_cookies([made.cookie(made.seat, embedded_site.address)])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(f"{embedded_site.address}/games/{made.game}/")
    until_drawn(page)
    page.emulate_media(media="print")
    expect(page.locator("#board")).to_be_visible()
    for name in ("Alice", "Bob", "Charlie", "Dana"):
        expect(page.locator("#players").get_by_text(name)).to_be_visible()
    shown = page.locator("body :is(button, a, form, input, summary, ol.log li, .chat-line, .site-footer p)")
    assert [each.inner_text() for each in shown.all() if each.is_visible()] == []
    if until == "never":
        expect(page.locator(".end-table")).to_be_visible()
    context.close()


def test_the_browsers_frame_goes_with_the_theme(browser: Browser, embedded_site: Site) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(embedded_site.address)
    tint = page.locator("meta[name='theme-color'][media='all']")
    expect(tint).to_have_attribute("content", "#ffffff")
    page.get_by_role("button", name="Dark theme").click()
    expect(tint).to_have_attribute("content", "#1f242a")
    assert background(page, ".site-header") == "rgb(31, 36, 42)"
    page.reload()
    expect(tint).to_have_attribute("content", "#1f242a")
    context.close()
