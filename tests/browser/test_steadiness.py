"""Nothing moves on a page while it comes to life: what only scripts can do has its room from the first paint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import until_drawn
from tests.browser.making import Made, make_games
from tests.browser.test_tables import open_table
from tests.sites import Site

pytestmark = pytest.mark.browser

SIZES = [(360, 640), (1280, 800)]
#: What browsers call the layout's cumulative shift; good is below 0.1, and this is a tenth of what anybody notices.
MOST = 0.02

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    const moved = shift.sources.map(({ node, previousRect, currentRect }) => {
      const name = node?.id || node?.className || node?.nodeName;
      return `${name} ${JSON.stringify(previousRect)} -> ${JSON.stringify(currentRect)}`;
    });
    window.shifts.push([shift.value, moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A slow machine on a slow line: it paints what it has long before the scripts are there."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000},
    )
    line.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.add_init_script(SHIFTS)
    yield page
    context.close()


def assert_nothing_moved(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    assert page.evaluate("performance.getEntriesByName('first-contentful-paint').length") == 1
    shifts: list[tuple[float, list[str]]] = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= MOST, shifts


def test_the_front_page_stays_where_it_was_painted(page: Page, embedded_site: Site) -> None:
    page.goto(embedded_site.address)
    expect(page.get_by_role("button", name="Dark theme")).to_be_visible()
    assert_nothing_moved(page)


@pytest.mark.parametrize("is_host", [True, False])
def test_a_tables_page_stays_where_it_was_painted(
    page: Page, browser: Browser, embedded_site: Site, is_host: bool
) -> None:
    host = browser.new_page()
    link = open_table(host, embedded_site, "Alice")
    if is_host:
        page.context.add_cookies(host.context.cookies())  # type: ignore[arg-type]
    page.goto(link)
    expect(page.locator("#copy-link")).to_be_visible()
    assert_nothing_moved(page)
    host.close()


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    """Nobody moves in them."""
    moments = ("roll", "build_city", "never")
    wishes = ({"rules": "standard points_to_win=8", "seed": 14, "until": until, "after": 40} for until in moments)
    return dict(zip(moments, make_games(embedded_site.data, *wishes), strict=True))


@pytest.mark.parametrize(
    ("until", "is_player"), [("roll", True), ("build_city", True), ("never", True), ("roll", False)]
)
def test_a_games_page_stays_where_it_was_painted(
    page: Page, embedded_site: Site, games: dict[str, Made], until: str, is_player: bool
) -> None:
    made = games[until]
    if is_player:
        page.context.add_cookies([made.cookie(made.seat, embedded_site.address)])  # type: ignore[list-item]
    page.goto(f"{embedded_site.address}/games/{made.game}/")
    until_drawn(page)
    assert_nothing_moved(page)


def test_a_page_whose_scripts_cannot_start_goes_back_to_its_forms(browser: Browser, embedded_site: Site) -> None:
    (made,) = make_games(embedded_site.data, {"seed": 14, "until": "roll", "after": 40})
    page = browser.new_page()
    page.context.add_cookies([made.cookie(made.seat, embedded_site.address)])  # type: ignore[list-item]
    page.route("**/games/board.js", lambda route: route.abort())
    page.goto(f"{embedded_site.address}/games/{made.game}/")
    expect(page.locator(".plain").get_by_role("button", name="Roll")).to_be_visible()
    expect(page.locator("#actions")).to_be_hidden()
    page.close()


def test_who_has_no_scripts_sees_no_switch_that_needs_them(browser: Browser, embedded_site: Site) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(embedded_site.address)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.locator("#theme-switch")).to_be_hidden()
    page.goto(f"{embedded_site.address}/offline/")
    expect(page.locator("#theme-switch")).to_have_count(0)
    page.close()
