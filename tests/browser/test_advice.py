"""Whoever plays against bots asks what a hard one would do, sees where, and makes the move themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, Route, expect

from tests.browser.hands import Finger, Plain, open_game, until_drawn
from tests.browser.making import Made, make_games
from tests.browser.test_game_access import complaints_of_axe
from tests.browser.test_game_layout import box_of, each_size, is_within, size_of_document
from tests.sites import Site

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 800}
ONLINE: dict[str, Any] = {"rules": "online", "seed": 14, "alone": True}
SETTLE: dict[str, Any] = {"seed": 14, "until": "build_settlement", "alone": True}
WISHES: dict[str, dict[str, Any]] = {
    "mouse": SETTLE,
    "keys": SETTLE,
    "finger": SETTLE,
    "plain": SETTLE,
    "looked at": SETTLE,
    "among people": SETTLE | {"alone": False},
    "discard": ONLINE | {"until": "discard"},
    "discard, looked at": ONLINE | {"until": "discard"},
    "robber": ONLINE | {"until": "move_robber"},
    "roll": ONLINE | {"until": "roll"},
}


@pytest.fixture(scope="module")
def games(embedded_site: Site) -> dict[str, Made]:
    return dict(zip(WISHES, make_games(embedded_site.data, *WISHES.values()), strict=True))


@pytest.fixture
def sit_down(browser: Browser, embedded_site: Site, games: dict[str, Made]) -> Iterator[Callable[..., Page]]:
    """Opens a game's page for whom it waits, in a browser that wants no hints any more."""
    contexts: list[BrowserContext] = []

    def sit_down(which: str, **options: Any) -> Page:
        contexts.append(browser.new_context(reduced_motion="reduce", **{"viewport": DESK, **options}))
        contexts[-1].add_init_script("localStorage.setItem('catan-hints', 'off')")
        page = contexts[-1].new_page()
        open_game(page, games[which], embedded_site.address)
        return page

    yield sit_down
    for context in contexts:
        context.close()


def opener_of(page: Page) -> Locator:
    return page.get_by_role("button", name="Advice", exact=True)


def moves_of(page: Page) -> Locator:
    return page.locator("#advice-moves button")


def version_of(page: Page) -> int:
    return int(page.locator("#game").get_attribute("data-version") or "")


def until_version(page: Page, version: int) -> None:
    page.locator(f"#game[data-version='{version}']").wait_for()


def test_one_press_shows_moves_with_their_places_and_nothing_is_played(sit_down: Callable[..., Page]) -> None:
    page = sit_down("mouse")
    version = version_of(page)
    expect(page.locator("#advice")).to_be_hidden()
    opener_of(page).click()
    expect(moves_of(page)).to_have_count(3)
    expect(moves_of(page).first).to_contain_text("Settle on the corner of ")
    # What is pointed at lies on the board.
    moves_of(page).nth(1).hover()
    expect(page.locator(".place.lit")).to_have_count(1)
    second = page.locator(".place.lit").get_attribute("id")
    moves_of(page).first.hover()
    expect(page.locator(".place.lit")).to_have_count(1)
    best = page.locator(".place.lit").get_attribute("id")
    assert best != second
    # One press chooses it, the second one is for the player.
    moves_of(page).first.click()
    expect(page.locator(f"#{best}.selected")).to_be_visible()
    expect(page.locator("#confirm-yes")).to_be_focused()
    assert version_of(page) == version
    moves_of(page).nth(1).click()
    expect(page.locator(f"#{second}.selected")).to_be_visible()
    page.locator("#confirm-yes").click()
    until_version(page, version + 1)
    expect(page.locator("#buildings > *")).to_have_count(1)
    # What was advised is past, and with it what was lit.
    expect(page.locator("#advice")).to_be_hidden()
    expect(page.locator(".place.lit")).to_have_count(0)
    expect(opener_of(page)).to_have_attribute("aria-expanded", "false")


def test_it_is_asked_shown_and_played_by_keys(sit_down: Callable[..., Page]) -> None:
    page = sit_down("keys")
    version = version_of(page)
    page.keyboard.press("a")
    expect(moves_of(page)).to_have_count(3)
    opener_of(page).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#advice")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#advice-title")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Close the advice")).to_be_focused()
    page.keyboard.press("Tab")
    expect(moves_of(page).first).to_be_focused()
    expect(page.locator(".place.lit")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#confirm-yes")).to_be_focused()
    page.keyboard.press("Enter")
    until_version(page, version + 1)
    expect(page.locator("#advice")).to_be_hidden()


def test_closing_it_leaves_the_keys_at_its_button(sit_down: Callable[..., Page]) -> None:
    page = sit_down("looked at")
    opener_of(page).press("Enter")
    expect(moves_of(page)).to_have_count(3)
    page.get_by_role("button", name="Close the advice").press("Enter")
    expect(page.locator("#advice")).to_be_hidden()
    expect(opener_of(page)).to_be_focused()


def test_a_thumb_asks_and_plays_on_a_phone(sit_down: Callable[..., Page]) -> None:
    page = sit_down("finger", **Finger.options)
    version = version_of(page)
    opener_of(page).tap()
    expect(moves_of(page)).to_have_count(3)
    assert is_within(box_of(moves_of(page).first), 360, 640)
    moves_of(page).first.tap()
    expect(page.locator(".place.selected")).to_be_visible()
    page.locator("#confirm-yes").tap()
    until_version(page, version + 1)
    expect(page.locator("#buildings > *")).to_have_count(1)


def test_a_discard_is_laid_out_for_the_player_to_send(sit_down: Callable[..., Page]) -> None:
    page = sit_down("discard", **Finger.options)
    version = version_of(page)
    opener_of(page).tap()
    moves_of(page).first.tap()
    send = page.locator("#tray-send[aria-disabled=false]")
    expect(send).to_be_focused()
    assert version_of(page) == version
    send.tap()
    until_version(page, version + 1)


def test_the_robber_is_chosen_before_it_is_moved(sit_down: Callable[..., Page]) -> None:
    page = sit_down("robber")
    version = version_of(page)
    opener_of(page).click()
    moves_of(page).first.click()
    expect(page.locator("#prompt")).to_contain_text("Press again to move the robber: ")
    expect(page.locator(".place.hex.selected")).to_be_visible()
    assert version_of(page) == version
    page.locator("#confirm-yes").click()
    until_version(page, version + 1)


def test_what_one_press_does_is_pointed_at_and_not_done(sit_down: Callable[..., Page]) -> None:
    page = sit_down("roll")
    version = version_of(page)
    opener_of(page).click()
    expect(moves_of(page).first).to_contain_text("Roll the dice")
    moves_of(page).first.hover()
    expect(page.locator("#turn.is-advised")).to_be_visible()
    moves_of(page).first.click()
    expect(page.locator("#turn")).to_be_focused()
    assert version_of(page) == version


def test_among_people_nobody_is_advised(sit_down: Callable[..., Page]) -> None:
    page = sit_down("among people")
    expect(page.locator("#prompt")).to_contain_text("Choose a corner")
    expect(opener_of(page)).to_be_hidden()


def test_what_cannot_be_answered_says_why(sit_down: Callable[..., Page]) -> None:
    page = sit_down("looked at")
    problem = (
        '{"status": 409, "code": "no_advice", "detail": "The bot found no answer in time: ask again in a moment."}'
    )
    page.route("**/advice/", lambda route: route.fulfill(status=409, body=problem, content_type="application/json"))
    opener_of(page).click()
    expect(page.locator("#advice-note")).to_have_text("The bot found no answer in time: ask again in a moment.")
    page.unroute("**/advice/")
    page.locator("#advice-close").click()
    opener_of(page).click()
    expect(moves_of(page)).to_have_count(3)


@pytest.mark.parametrize("which", ["looked at", "discard, looked at"])
def test_at_every_size_it_lies_beside_the_island(sit_down: Callable[..., Page], which: str) -> None:
    page = sit_down(which)
    for width, height in each_size(page):
        if page.locator("#advice").is_hidden():
            assert all(are_apart(box_of(opener_of(page)), land) for land in lands_of(page)), (width, height)
            opener_of(page).click()
        expect(moves_of(page).first).to_be_visible()
        said = box_of(moves_of(page).first)
        assert is_within(said, width, height), (width, height)
        for other in (
            "#island-view",
            "#prompt:visible",
            ".hand-card >> nth=0",
            "#tray:visible .tray-terms",
            "#turn:visible",
        ):
            for part in page.locator(other).all():
                assert are_apart(said, box_of(part)), (width, height, other)
        assert size_of_document(page) == (width, height)
        page.locator("#advice-close").click()


def are_apart(one: FloatRect, other: FloatRect) -> bool:
    return any(
        first[axis] + first[size] <= second[axis] + 0.5
        for axis, size in (("x", "width"), ("y", "height"))
        for first, second in ((one, other), (other, one))
    )


def lands_of(page: Page) -> list[FloatRect]:
    """The hexes, without the corners of the boxes around them."""
    boxes = [box_of(land) for land in page.locator(".land").all()]
    return [
        {
            "x": box["x"] + box["width"] / 8,
            "y": box["y"] + box["height"] / 8,
            "width": box["width"] * 3 / 4,
            "height": box["height"] * 3 / 4,
        }
        for box in boxes
    ]


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (DESK, "dark"), ({"width": 360, "height": 640}, "dark")])
def test_axe_finds_nothing_wrong_with_it(sit_down: Callable[..., Page], size: dict[str, int], scheme: str) -> None:
    page = sit_down("looked at", viewport=size, color_scheme=scheme)
    opener_of(page).click()
    expect(moves_of(page)).to_have_count(3)
    assert complaints_of_axe(page) == []


def test_without_scripts_it_has_a_page_of_its_own(
    browser: Browser, embedded_site: Site, games: dict[str, Made]
) -> None:
    plain = Plain(browser, embedded_site.address)
    made = games["plain"]
    page = plain.sit_down(made, made.seat).page
    opener_of(page).click()
    expect(page.get_by_role("heading", name="What a hard bot would do")).to_be_visible()
    expect(page.locator(".advice-list > li")).to_have_count(3)
    # The board draws its places in an order of its own.
    expect(page.locator(".place.legal text")).to_have_count(3)
    assert sorted(page.locator(".place.legal text").all_text_contents()) == ["1", "2", "3"]
    corner = page.locator(".advice-list > li b").first.inner_text().removeprefix("Settle on the ")
    page.get_by_role("link", name="Back to the game").click()
    form = page.locator(".plain-form").filter(has_text="Build a settlement")
    option = form.locator("option").filter(has_text=corner).first
    form.locator("select").select_option(option.get_attribute("value"))
    form.get_by_role("button").click()
    expect(page.locator("#buildings > *")).to_have_count(1)
    plain.context.close()


def test_an_answer_that_comes_too_late_is_not_shown(sit_down: Callable[..., Page]) -> None:
    """Somebody asks, does not wait, and the answer arrives."""
    page = sit_down("looked at")
    held: list[Route] = []
    page.route("**/advice/", lambda route: held.append(route))
    opener_of(page).click()
    expect(page.locator("#advice-note")).to_have_text("Thinking…")
    page.locator("#advice-close").click()
    with page.expect_response("**/advice/"):
        held[0].continue_()
    until_drawn(page)
    expect(page.locator("#advice")).to_be_hidden()
    expect(moves_of(page)).to_have_count(0)
