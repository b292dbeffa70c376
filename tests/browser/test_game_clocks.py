"""Clocks, lost connections and stand-ins, as everybody at the table sees them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, expect

from tests.browser.hands import Finger, Mouse, open_menu
from tests.browser.making import Made, make_games
from tests.sites import Site

pytestmark = pytest.mark.browser

#: A quarter of an hour, the longest that a live clock may be: nothing else runs out while a test looks.
LONG = 900
UNHURRIED = dict.fromkeys(["placing", "rolling", "discarding", "robber", "free_roads", "turn", "answer"], LONG)
#: Somebody has to roll.
ROLL: dict[str, Any] = {"rules": "online", "seed": 14, "until": "roll", "after": 20}
CALM = ROLL | {"pace": "relaxed", "clocks": UNHURRIED}
QUICK_ROLL = ROLL | {"pace": "fast", "clocks": UNHURRIED | {"rolling": 5}}
OFFER = {"rules": "online", "seed": 14, "until": "accept_offer"}

#: Milliseconds in which the server must have noticed that a time is up, or that somebody is gone.
NOTICED = 45_000
SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}


@pytest.fixture
def site(embedded_site: Site) -> Site:
    return embedded_site


@pytest.fixture
def data(embedded_site: Site) -> Path:
    return embedded_site.data


class WrongClock(Mouse):
    """A computer that is three hours late."""

    def open(self) -> None:
        self.context.add_init_script("const now = Date.now; Date.now = () => now() - 3 * 3600 * 1000;")
        super().open()


class TimeTraveller(Finger):
    """A phone whose time a test can put forward, and which counts the tones that it is asked to play."""

    def open(self) -> None:
        self.page.clock.install()
        self.context.add_init_script(
            """window.tones = 0;
            const { start } = AudioScheduledSourceNode.prototype;
            AudioScheduledSourceNode.prototype.start = function (...when) {
                window.tones += 1;
                return start.apply(this, when);
            };"""
        )
        super().open()
        # Until it is greeted, the page looks by itself every few seconds, and would know the real time again.
        while not any("greeting" in frame for frame in self.watch.heard):
            self.page.wait_for_timeout(20)


def sit_down(browser: Browser, site: Site, made: Made, seat: int, hands: type[Mouse] = Mouse) -> Mouse:
    return hands(browser, site.address).sit_down(made, seat % 4)


def seat_card(hands: Any, seat: int) -> Locator:
    card: Locator = hands.page.locator(f"#seat-{seat % 4}")
    return card


def name_of(hands: Any, seat: int) -> str:
    return seat_card(hands, seat).locator(".seat-name").inner_text()


def log_of(hands: Any) -> list[str]:
    return [line.strip() for line in hands.page.locator("#log > li").all_inner_texts()]


def seconds_shown(clock: Locator) -> int:
    minutes, seconds = clock.locator("b").inner_text().split(":")
    return 60 * int(minutes) + int(seconds)


# Clocks


def test_everybody_sees_the_same_time_left_whatever_their_own_clock_says(
    browser: Browser, site: Site, data: Path
) -> None:
    (made,) = make_games(data, CALM)
    mover = sit_down(browser, site, made, made.seat)
    other = sit_down(browser, site, made, made.seat + 1, WrongClock)
    own, seen = mover.page.locator("#clock"), seat_card(other, made.seat).locator(".clock")
    expect(own).to_be_visible()
    expect(other.page.locator("#clock")).to_be_hidden()
    earlier, shown, later = seconds_shown(own), seconds_shown(seen), seconds_shown(own)
    # An answer may be a few seconds on its way, where much else is going on.
    assert earlier + 5 >= shown >= later - 5
    for digits in (own.locator("b"), seen.locator("b")):
        expect(digits).not_to_have_text(digits.inner_text())
    for hands in (mover, other):
        assert hands.watch.complaints == []
        hands.context.close()


def test_whoever_does_not_roll_in_time_is_rolled_for_and_the_log_says_so_once(
    browser: Browser, site: Site, data: Path
) -> None:
    (made,) = make_games(data, QUICK_ROLL)
    mover, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(2))
    name = name_of(other, made.seat)
    expect(mover.page.locator("#log")).to_contain_text("Time was up for you.", timeout=NOTICED)
    expect(other.page.locator("#log")).to_contain_text(f"Time was up for {name}.", timeout=NOTICED)
    for hands in (mover, other):
        expect(hands.page.locator(".log-time_was_up")).to_have_count(1)
        expect(hands.page.locator(".log-time_was_up + .log-rolled")).to_have_count(1)
        lines = log_of(hands)
        hands.page.reload()
        assert log_of(hands) == lines
        hands.context.close()


def test_a_clock_that_runs_short_is_told_in_words_in_the_title_and_by_sound(
    browser: Browser, site: Site, data: Path
) -> None:
    (made,) = make_games(data, CALM)
    hands = TimeTraveller(browser, site.address).sit_down(made, made.seat)
    page, version = hands.page, hands.look()["version"]
    last_call, board = page.locator("#last-call"), page.locator("#island-view")
    expect(page).to_have_title(re.compile(r"^\(1\) Your move · Game"))
    expect(last_call).to_be_hidden()
    place = board.bounding_box()
    # A browser lets a page sound once something was pressed.
    page.locator("#prompt").tap()
    page.clock.fast_forward(1000 * (LONG - 100))
    expect(last_call).to_have_text("Time is running out: roll the dice.")
    expect(page).to_have_title(re.compile(r"^(\(1\) )?⏱ [01]:\d\d · Your move"))
    expect(page.locator("#clock")).to_have_class(re.compile("is-short"))
    said = page.locator("#announcer").inner_text()
    assert said == "Time is running out: roll the dice."
    assert page.evaluate("window.tones") == 4
    # The clock counts on; what was said and played is not repeated, and nothing moves.
    expect(page.locator("#clock b")).not_to_have_text(page.locator("#clock b").inner_text())
    assert page.locator("#announcer").inner_text() == said
    assert page.evaluate("window.tones") == 4
    assert board.bounding_box() == place
    hands.make({"kind": "roll"})
    hands.wait_for(version + 1)
    expect(page).to_have_title(re.compile(r"^(\(1\) )?(Your move · )?Game"))
    expect(last_call).to_be_hidden()
    hands.context.close()


def test_a_trade_that_was_not_sent_in_time_is_put_away_with_the_turn(browser: Browser, site: Site, data: Path) -> None:
    wish = ROLL | {"until": "offer_trade", "pace": "fast", "clocks": UNHURRIED | {"turn": 25}}
    (made,) = make_games(data, wish)
    hands = sit_down(browser, site, made, made.seat)
    hands.press(".action[data-kind=trade]")
    expect(hands.page.locator("#tray-send")).to_be_visible()
    expect(hands.page.locator("#tray-send")).to_be_hidden(timeout=NOTICED)
    expect(hands.page.locator("#log")).to_contain_text("Time was up for you.")
    hands.context.close()


def test_an_offer_a_knight_and_nobody_answering_do_not_stop_a_fast_game(
    browser: Browser, site: Site, data: Path
) -> None:
    short = UNHURRIED | {"answer": 10, "robber": 15, "turn": 20}
    wish = {"rules": "standard", "seed": 14, "until": "play_knight offer_trade", "pace": "fast", "clocks": short}
    (made,) = make_games(data, wish)
    maker, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(2))
    rejections, robberies = (other.page.locator(f".log-{kind}") for kind in ("rejected", "moved_robber"))
    before = rejections.count(), robberies.count()
    seen = maker.look()
    held = seen["seats"][made.seat]["hand"]
    given = max(held, key=held.__getitem__)
    asked = next(name for name in held if name != given)
    others = [seat for seat in range(4) if seat != made.seat]
    maker.make({"kind": "offer_trade", "to": others, "gives": {given: 1}, "gets": {asked: 1}})
    maker.look_until(seen["version"] + 1)
    maker.make({"kind": "play_knight"})
    expect(maker.page.locator("#prompt")).to_have_text("Move the robber: choose another hex.")
    # The answer's time is over while the robber is still to be moved: that is a no of everybody.
    expect(rejections).to_have_count(before[0] + 3, timeout=NOTICED)
    expect(other.page.locator("[data-offer]")).to_have_count(0)
    expect(robberies).to_have_count(before[1] + 1, timeout=NOTICED)
    # And when the turn's time is over, the next player's begins.
    expect(seat_card(other, made.seat)).not_to_have_class(re.compile("is-active"), timeout=NOTICED)
    for hands in (maker, other):
        assert hands.watch.complaints == []
        hands.context.close()


def test_an_offer_shows_how_long_one_has_to_answer_it(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, OFFER | {"pace": "relaxed", "clocks": UNHURRIED})
    asked = sit_down(browser, site, made, made.seat)
    offer = asked.look()["offers"][0]
    clock = asked.page.locator(f"[data-answers='{offer['number']}']")
    assert LONG - 300 < seconds_shown(clock) <= LONG
    expect(asked.page).to_have_title(re.compile(r"^\(1\) An offer for you · Game"))
    asked.make({"kind": "reject_offer", "offer": offer["number"]})
    expect(clock).to_have_count(0)
    expect(asked.page).to_have_title(re.compile(r"^(\(1\) )?Game"))
    asked.context.close()


@pytest.mark.parametrize(("size", "scheme"), [("desk", "light"), ("phone", "dark")])
def test_axe_finds_nothing_wrong_with_clocks_and_empty_seats(
    browser: Browser, site: Site, data: Path, size: str, scheme: str
) -> None:
    over_days = ROLL | {"pace": "7 days"}
    for made in make_games(data, over_days | {"left": 24 * 3600}, over_days | {"replaced": True}):
        context = browser.new_context(reduced_motion="reduce", viewport=SIZES[size], color_scheme=scheme)
        context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
        page = context.new_page()
        page.goto(f"{site.address}/games/{made.game}/")
        expect(page.locator("#last-call, #take-back").filter(visible=True)).to_have_count(1)
        open_menu(page)
        page.locator("#settings > summary").click()
        page.locator(".resign > summary").click()
        assert [violation["help"] for violation in Axe().run(page).response["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
        context.close()


# Stand-ins


def test_a_stand_in_plays_for_whoever_is_late_and_leaves_at_one_press(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, QUICK_ROLL | {"if_absent": "at_once"})
    late, other = (sit_down(browser, site, made, made.seat + seat) for seat in range(2))
    name, state = name_of(other, made.seat), seat_card(other, made.seat).locator(".seat-state")
    back = late.page.get_by_role("button", name="I’m back")
    expect(back).to_be_hidden()
    expect(back).to_be_visible(timeout=NOTICED)
    expect(late.page.locator("#prompt")).to_have_text("A stand-in is playing your seat. Are you back?")
    expect(state).to_have_text("stand-in")
    back.click()
    expect(late.page.locator("#log")).to_contain_text("You are back: the stand-in has left.")
    expect(other.page.locator("#log")).to_contain_text(f"{name} is back: the stand-in has left.")
    expect(back).to_be_hidden()
    expect(state).to_be_hidden()
    for hands in (late, other):
        for kind in ("replace_by_bot", "give_back"):
            expect(hands.page.locator(f".log-{kind}")).to_have_count(1)
        assert hands.watch.complaints == []
        hands.context.close()


def test_without_scripts_the_seat_is_taken_back_by_a_plain_form(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, CALM | {"replaced": True})
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(f"{site.address}/games/{made.game}/")
    page.get_by_role("button", name="I’m back").click()
    expect(page.locator(".log-give_back")).to_have_text(re.compile("You are back: the stand-in has left."))
    expect(page.get_by_role("button", name="I’m back")).to_be_hidden()
    context.close()


def test_what_shall_happen_when_one_is_away_is_kept(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, CALM)
    one, tab = (sit_down(browser, site, made, made.seat) for _ in range(2))
    wait = "#if-absent input[value=wait]"
    open_menu(one.page)
    one.page.locator("#settings > summary").click()
    expect(one.page.locator("#if-absent input[value=stand_in]")).to_be_checked()
    expect(one.page.get_by_role("button", name="Save")).to_be_hidden()
    one.page.locator(wait).check()
    expect(one.page.locator("#if-absent-saved")).to_have_text("Saved.")
    expect(tab.page.locator(wait)).to_be_checked()
    one.page.reload()
    expect(one.page.locator(wait)).to_be_checked()
    for hands in (one, tab):
        assert hands.watch.complaints == []
        hands.context.close()
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(f"{site.address}/games/{made.game}/")
    page.locator("#settings > summary").click()
    expect(page.locator(wait)).to_be_checked()
    page.locator("#if-absent input[value=resign]").check()
    page.get_by_role("button", name="Save").click()
    page.locator("#settings > summary").click()
    expect(page.locator("#if-absent input[value=resign]")).to_be_checked()
    context.close()


def test_after_resigning_one_watches_on_every_tab_and_a_bot_plays_on(browser: Browser, site: Site, data: Path) -> None:
    (made,) = make_games(data, CALM)
    one, tab = (sit_down(browser, site, made, made.seat) for _ in range(2))
    other = sit_down(browser, site, made, made.seat + 1)
    version, name = other.look()["version"], name_of(other, made.seat)
    open_menu(one.page)
    one.page.locator("#settings > summary").click()
    expect(one.page.get_by_role("button", name="Resign for good")).to_be_hidden()
    one.page.locator(".resign > summary").click()
    one.page.get_by_role("button", name="Resign for good").click()
    for hands in (one, tab):
        expect(hands.page.locator("#actions")).to_have_count(0)
    for hands in (one, tab, other):
        expect(hands.page.locator(".log-withdraw")).to_have_text(re.compile(f"{name} resigned; a bot plays on."))
        expect(seat_card(hands, made.seat).locator(".seat-state")).to_have_text("medium bot")
    expect(other.page.locator("#game")).not_to_have_attribute("data-version", f"{version}", timeout=NOTICED)
    for hands in (one, tab, other):
        hands.context.close()


# Presence


def test_whoever_loses_the_connection_is_marked_and_their_offer_withdrawn_until_they_are_back(
    browser: Browser, site: Site, data: Path
) -> None:
    (made,) = make_games(data, OFFER)
    other = sit_down(browser, site, made, made.seat)
    maker_seat = other.look()["offers"][0]["maker"]
    state = seat_card(other, maker_seat).locator(".seat-state")
    expect(state).to_have_text("away")
    maker = sit_down(browser, site, made, maker_seat)
    expect(state).to_be_hidden()
    expect(other.page.locator(".offer")).to_have_count(1)
    name = name_of(other, maker_seat)
    maker.context.set_offline(True)
    expect(other.page.locator(".offer")).to_have_count(0, timeout=NOTICED)
    expect(other.page.locator(".log-connection_was_lost")).to_have_text(re.compile(f"{name} lost the connection."))
    expect(state).to_have_text("offline")
    maker.context.set_offline(False)
    expect(state).to_be_hidden(timeout=NOTICED)
    expect(maker.page.locator(".log-connection_was_lost")).to_have_count(1)
    maker.page.close()
    expect(state).to_have_text("offline", timeout=NOTICED)
    for hands in (maker, other):
        hands.context.close()
