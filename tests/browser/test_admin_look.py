"""The pages of the staff: a part of this site, on a phone and on a desk, by day and by night, and in order by axe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.staffing import Staff, make_staff
from tests.sites import Site

pytestmark = pytest.mark.browser

SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}
SMALL_PHONE = {"width": 320, "height": 568}
#: What axe is shown: a page of figures, lists with filters and actions, and pages of one row.
SEEN = ("index", "queue", "lines", "game", "case", "person")
PAPER, NIGHT = "rgb(251, 247, 236)", "rgb(22, 25, 29)"


@pytest.fixture(scope="module")
def staff(embedded_site: Site) -> Staff:
    return make_staff(embedded_site.data)


@pytest.fixture(scope="module")
def pages(staff: Staff) -> dict[str, str]:
    return {
        "index": "/admin/",
        "index of a day": "/admin/?span=day",
        "games": "/admin/games/game/",
        "games filtered": "/admin/games/game/?status__exact=needs_attention",
        "game": f"/admin/games/game/{staff.game}/change/",
        "game set aside": f"/admin/games/game/{staff.stuck}/change/",
        "queue": "/admin/moderation/case/",
        "case": f"/admin/moderation/case/{staff.case}/change/",
        "appeals": "/admin/moderation/appeal/",
        "people": "/admin/lobby/user/",
        "person": f"/admin/lobby/user/{staff.person}/change/",
        "pairs": "/admin/moderation/pair/",
        "lines": "/admin/lobby/chatline/",
        "no lines": "/admin/lobby/chatline/?q=nobody-said-this",
        "tables": "/admin/lobby/table/",
    }


@pytest.fixture(scope="module")
def signed_in(browser: Browser, embedded_site: Site, staff: Staff) -> dict[str, Any]:
    """What a browser keeps of somebody who has signed in: a code counts once."""
    page = browser.new_page()
    staff.sign_in(page, embedded_site)
    state = page.context.storage_state()
    page.context.close()
    return dict(state)


Open = Callable[..., BrowserContext]


@pytest.fixture
def window(browser: Browser, embedded_site: Site, signed_in: dict[str, Any]) -> Iterator[Open]:
    windows = []

    def opened(**options: Any) -> BrowserContext:
        windows.append(
            browser.new_context(
                storage_state=signed_in,  # type: ignore[arg-type]
                base_url=embedded_site.address,
                reduced_motion="reduce",
                **options,
            )
        )
        return windows[-1]

    yield opened
    for each in windows:
        each.close()


def visit(page: Page, address: str) -> None:
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 200, address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [*SIZES.values(), SMALL_PHONE], ids=[*SIZES, "small phone"])
def test_no_page_scrolls_sideways_or_breaks_our_policy(
    window: Open, pages: dict[str, str], embedded_site: Site, size: dict[str, int], scheme: str
) -> None:
    page = window(viewport=size, color_scheme=scheme).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{page.url}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith((embedded_site.address, "data:")) else complaints.append(request.url)
        ),
    )
    for name, address in pages.items():
        visit(page, address)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
    assert complaints == []


@pytest.mark.parametrize(
    ("size", "scheme"), [("desk", "light"), ("desk", "dark"), ("phone", "light"), ("phone", "dark")]
)
def test_axe_finds_nothing_wrong(window: Open, pages: dict[str, str], size: str, scheme: str) -> None:
    page = window(viewport=SIZES[size], color_scheme=scheme).new_page()
    for name in SEEN:
        visit(page, pages[name])
        if name == "lines":
            page.locator(".filter > summary").first.click()
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(violation["help"], violation["nodes"][0]["html"]) for violation in found] == [], name


def test_what_is_pressed_is_large_enough_for_a_finger(window: Open, pages: dict[str, str]) -> None:
    page = window(viewport=SIZES["phone"], has_touch=True).new_page()
    visit(page, pages["lines"])
    pressed = (
        ".staff-nav a, .filter > summary, .actions :is(select, button), #changelist-search :is(#searchbar, button)"
    )
    for each in page.locator(pressed).all():
        box = each.bounding_box()
        assert box is not None
        assert box["height"] >= 43.9, each.evaluate("element => element.outerHTML")


@pytest.mark.parametrize(("theme", "colour"), [("light", PAPER), ("dark", NIGHT)])
def test_the_sites_choice_of_theme_counts_here_too(
    window: Open, pages: dict[str, str], embedded_site: Site, theme: str, colour: str
) -> None:
    """Against what the system says, and without Django's own switch."""
    context = window(viewport=SIZES["desk"], color_scheme="dark" if theme == "light" else "light")
    context.add_cookies([{"name": "theme", "value": theme, "url": embedded_site.address}])
    page = context.new_page()
    for address in pages.values():
        visit(page, address)
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == colour
    expect(page.locator(".theme-toggle")).to_have_count(0)
    page.locator("#theme-switch").click()
    other = NIGHT if theme == "light" else PAPER
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == other
    visit(page, "/")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == other


def test_on_a_phone_a_row_is_a_card_that_names_its_columns(window: Open, pages: dict[str, str]) -> None:
    page = window(viewport=SIZES["phone"]).new_page()
    visit(page, pages["lines"])
    row = page.locator("#result_list tbody tr").first
    cell = row.locator("td[data-label=Name]")
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") == '"Name"'
    tops = [box["y"] for each in row.locator("[data-label]").all() if (box := each.bounding_box())]
    assert tops == sorted(tops)
    assert len({*tops}) == len(tops) > 3


def test_a_filter_is_two_presses_away_without_scripts(window: Open, pages: dict[str, str]) -> None:
    page = window(viewport=SIZES["phone"], java_script_enabled=False).new_page()
    visit(page, pages["lines"])
    before = page.locator("#result_list tbody tr").count()
    page.get_by_text("Hidden", exact=True).first.click()
    page.locator(".filter[open] a", has_text="Yes").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    assert before > 1
    expect(page.locator(".filter-on .filter-choice")).to_have_text("Yes")
    page.get_by_text("Clear all filters").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(before)


@pytest.mark.parametrize("size", [*SIZES])
def test_moderation_is_found_from_every_page_and_leads_back(window: Open, size: str) -> None:
    page = window(viewport=SIZES[size]).new_page()
    visit(page, "/leaderboard/")
    link = page.get_by_role("navigation", name="Site").get_by_role("link", name="Moderation")
    expect(link).to_contain_text("1 open")
    link.click()
    page.wait_for_url("**/admin/")
    expect(page.locator("h1")).to_have_text("How the site is doing")
    page.get_by_role("navigation", name="Moderation").get_by_role("link", name="Games").click()
    page.wait_for_url("**/admin/games/game/")
    page.locator(".brand").click()
    page.wait_for_url(lambda url: url.rstrip("/").count("/") == 2)


def test_a_chart_is_read_out_and_can_be_read_as_a_table(window: Open, pages: dict[str, str]) -> None:
    page = window(viewport=SIZES["desk"]).new_page()
    visit(page, pages["index"])
    expect(page.get_by_role("img", name="Games running, last hour: at first")).to_be_visible()
    page.get_by_text("The charts as a table").click()
    expect(page.get_by_role("columnheader", name="Moves a minute")).to_be_visible()
    page.get_by_role("link", name="Last week").click()
    expect(page.get_by_role("heading", name="Last week")).to_be_visible()
