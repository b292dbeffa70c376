"""What people decide together, as each of them sees it: another pace, a stop, a removal, and a game that rests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.hands import Finger, Mouse, open_menu
from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

LONG = 900
UNHURRIED = dict.fromkeys(["placing", "rolling", "discarding", "robber", "free_roads", "turn", "answer"], LONG)
#: Somebody has to roll, and one more person plays with them.
TWO: dict[str, Any] = {"rules": "online", "seed": 14, "until": "roll", "after": 20, "people": 2}
LIVE = TWO | {"pace": "relaxed", "clocks": UNHURRIED}
OVER_DAYS = TWO | {"pace": "1 day"}

SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def site(embedded_site: Site) -> Site:
    return embedded_site


@pytest.fixture
def data(embedded_site: Site) -> Path:
    return embedded_site.data


def sit_down(browser: Browser, site: Site, made: Made, seat: int, hands: type[Mouse] = Mouse) -> Mouse:
    return hands(browser, site.address).sit_down(made, seat % 4)


def propose(page: Page, summary: str, button: str) -> None:
    """By the menu of the game."""
    open_menu(page)
    page.locator("#settings > summary").click()
    page.locator(".together > summary", has_text=summary).click()
    page.get_by_role("button", name=button).click()


def press(page: Page, name: str) -> None:
    page.locator(".proposal").get_by_role("button", name=name).click()


def close(*all_hands: Mouse) -> None:
    for hands in all_hands:
        assert hands.watch.complaints == []
        hands.context.close()


def test_two_people_agree_to_carry_on_over_days(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, LIVE)
    one = sit_down(browser, site, made, made.seat)
    other = sit_down(browser, site, made, made.seat + 1, Finger)
    propose(one.page, "Carry on at another pace", "Propose it")
    expect(one.page.locator("#menu")).to_be_hidden()
    for hands in (one, other):
        expect(hands.page.locator(".proposal-words")).to_contain_text(
            "to carry on over days, with 1 day for each move."
        )
        expect(hands.page.locator(".proposal .answer")).to_have_count(2)
    expect(one.page.locator(".proposal").get_by_role("button")).to_have_text(["Take it back"])
    expect(other.page.locator(".proposal").get_by_role("button")).to_have_text(["Agree", "Decline"])
    expect(other.page.locator("#pace-title")).to_contain_text("Relaxed")
    press(other.page, "Agree")
    for hands in (one, other):
        expect(hands.page.locator(".proposal")).to_have_count(0)
        expect(hands.page.locator(".log-change_pace")).to_contain_text("Everybody agreed: the game goes on over days")
        expect(hands.page.locator("#pace-title")).to_contain_text("Daily")
        expect(hands.page.locator("#if-absent input[value=wait]")).to_be_checked()
    expect(one.page.locator("#clock")).to_contain_text("23 h")
    # The game goes on, by the same pages.
    one.page.locator("#turn").click()
    expect(other.page.locator(".log-rolled").last).to_be_attached()
    # What was chosen in the form is the pace by now: another one takes its place there.
    propose(other.page, "Carry on at another pace", "Propose it")
    expect(one.page.locator(".proposal-words")).to_contain_text("to carry on live, at a fast pace.")
    close(one, other)


def test_a_stop_that_is_declined_leaves_the_game_as_it_was_and_cannot_be_asked_for_at_once(
    browser: Browser, site: Site, data: Path
) -> None:
    (made,) = make_games(data, LIVE)
    one, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(2))
    propose(one.page, "Stop this game", "Propose to stop")
    press(other.page, "Decline")
    for hands in (one, other):
        expect(hands.page.locator(".proposal")).to_have_count(0)
        expect(hands.page.locator(".log-decline")).to_contain_text("declined to stop this game without a winner.")
        assert hands.look()["status"] == "running"
    expect(other.page.locator("#prompt")).to_be_focused()
    propose(one.page, "Stop this game", "Propose to stop")
    expect(one.page.locator("#refusal")).to_contain_text("was not agreed to")
    one.watch.complaints[:] = [said for said in one.watch.complaints if "429" not in said]
    close(one, other)


def test_a_stop_waits_for_the_objection_of_somebody_who_is_away(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, OVER_DAYS | {"people": 3, "away": True})
    away, one, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(3))
    name = away.look()["seats"][made.seat]["name"]
    propose(one.page, "Stop this game", "Propose to stop")
    for hands in (away, one, other):
        expect(hands.page.locator(".proposal .clock")).to_contain_text("2 d 23 h")
    expect(other.page.locator(".proposal-objections")).to_contain_text(f"{name} is away: if the others agree")
    press(other.page, "Agree")
    expect(one.page.locator(".log-await_objections")).to_contain_text(f"unless {name} comes back and objects.")
    expect(one.page.locator(".proposal-objections")).to_contain_text("The others agree. It happens when the time is up")
    press(away.page, "Decline")
    for hands in (away, one, other):
        expect(hands.page.locator(".proposal")).to_have_count(0)
        assert hands.look()["status"] == "running"
    close(away, one, other)


def test_all_who_play_agree_to_stop(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, LIVE)
    one, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(2))
    propose(other.page, "Stop this game", "Propose to stop")
    press(one.page, "Agree")
    for hands in (one, other):
        expect(hands.page.locator("#prompt")).to_have_text("The game was ended without a winner.")
        expect(hands.page.locator(".log-stop")).to_contain_text("Everybody agreed to stop")
    close(one, other)


def test_somebody_who_is_away_is_removed_and_watches_from_then_on(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, OVER_DAYS | {"people": 3, "away": True})
    away, one, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(3))
    name = away.look()["seats"][made.seat]["name"]
    propose(one.page, f"Remove {name}", f"Propose to remove {name}")
    expect(away.page.locator(".proposal-words")).to_contain_text("proposes to remove you")
    expect(away.page.locator(".proposal").get_by_role("button")).to_have_text(["I’m here"])
    press(other.page, "Agree")
    expect(away.page.locator("#actions")).to_have_count(0)
    for hands in (one, other):
        expect(hands.page.locator(".log-remove")).to_contain_text(f"{name} was removed by vote; a bot plays on.")
        expect(hands.page.locator(f"#seat-{made.seat} .seat-state")).to_have_text("medium bot")
    close(away, one, other)


def test_whoever_is_to_be_removed_says_that_they_are_there(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, OVER_DAYS | {"people": 3, "away": True})
    away, one = (sit_down(browser, site, made, made.seat + seat) for seat in range(2))
    name = away.look()["seats"][made.seat]["name"]
    propose(one.page, f"Remove {name}", f"Propose to remove {name}")
    press(away.page, "I’m here")
    for hands in (away, one):
        expect(hands.page.locator(".proposal")).to_have_count(0)
    expect(one.page.locator(".log-void")).to_contain_text(f"The proposal to remove {name} is off.")
    expect(one.page.locator("[data-remove]:not([hidden])")).to_have_count(0)
    close(away, one)


def test_whoever_comes_back_to_a_game_that_rests_goes_on(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, LIVE | {"resting": True})
    one = sit_down(browser, site, made, made.seat)
    expect(one.page.locator("#prompt")).to_contain_text("Everybody had left, so the game rests.")
    one.page.get_by_role("button", name="Go on now").click()
    expect(one.page.locator("#go-on")).to_be_hidden()
    expect(one.page.locator("#prompt")).to_contain_text("roll the dice")
    close(one)


def test_whoever_answers_in_a_game_that_rests_is_led_back_to_what_it_waits_for(
    browser: Browser, site: Site, data: Path
) -> None:
    (made,) = make_games(data, LIVE | {"resting": True})
    one, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(2))
    one.page.get_by_role("button", name="Carry on over days").click()
    press(other.page, "Decline")
    expect(other.page.locator(".proposal")).to_have_count(0)
    expect(other.page.locator("#go-on")).to_be_visible()
    expect(other.page.locator("#prompt")).to_be_focused()
    close(one, other)


def test_without_scripts_all_of_it_is_done_by_plain_forms(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, LIVE | {"resting": True})
    pages = []
    for seat in range(2):
        context = browser.new_context(java_script_enabled=False)
        context.add_cookies([made.cookie((made.seat + seat) % 4, site.address)])  # type: ignore[list-item]
        page = context.new_page()
        page.goto(f"{site.address}/games/{made.game}/")
        pages.append(page)
    pages[0].get_by_role("button", name="Carry on over days").click()
    expect(pages[0].locator(".proposal").get_by_role("button")).to_have_text(["Take it back"])
    pages[1].reload()
    press(pages[1], "Agree")
    expect(pages[1].locator(".log-change_pace")).to_be_visible()
    expect(pages[1].locator("#go-on")).to_be_hidden()
    pages[1].locator("#settings > summary").click()
    pages[1].locator(".together > summary", has_text="Stop this game").click()
    pages[1].get_by_role("button", name="Propose to stop").click()
    expect(pages[1].locator(".proposal-words")).to_contain_text("You propose to stop this game")
    for page in pages:
        page.context.close()


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("phone", "dark")])
def test_a_proposal_covers_neither_board_nor_hand_and_is_accessible(
    browser: Browser, site: Site, data: Path, size: str, scheme: str
) -> None:
    (made,) = make_games(data, OVER_DAYS | {"people": 4, "away": True})
    one = sit_down(browser, site, made, made.seat + 1)
    propose(one.page, "Stop this game", "Propose to stop")
    expect(one.page.locator(".proposal-objections")).not_to_be_empty()
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme)  # type: ignore[arg-type]
    context.add_cookies([made.cookie((made.seat + 2) % 4, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(f"{site.address}/games/{made.game}/")
    expect(page.locator(".proposal").get_by_role("button", name="Agree")).to_be_visible()
    card = page.locator(".proposal").bounding_box()
    assert card
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= SIZES[size]["width"]
    for other in ("#island-view", ".hand", ".actions", "#prompt"):
        assert not overlap(card, page.locator(other).bounding_box()), other
    assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
    context.close()
    close(one)


def overlap(one: Any, other: Any) -> bool:
    return bool(
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )
