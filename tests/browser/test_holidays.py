"""Alice goes on holiday on her account's page; Bob sees until when, and her clock stand still."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import dateformat, timezone
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.making import make_games
from tests.browser.test_game_access import complaints_of_axe
from tests.sites import Site

pytestmark = pytest.mark.browser

SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
PASSWORD = "three sheep for a brick"


@pytest.mark.parametrize(("kind", "scheme"), [("desk", "light"), ("phone", "dark")])
def test_bob_sees_until_when_alice_is_on_holiday_and_when_she_is_back(
    browser: Browser, embedded_site: Site, kind: str, scheme: str
) -> None:
    [made] = make_games(
        embedded_site.data, {"rules": "online", "seed": 14, "until": "roll", "after": 20, "pace": "3 days"}
    )
    asked, other = made.seat, (made.seat + 1) % 4

    def context_of(seat: int) -> BrowserContext:
        context = browser.new_context(viewport=SIZES[kind], color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        context.add_cookies([made.cookie(seat, embedded_site.address)])  # type: ignore[list-item]
        return context

    alice, bob = context_of(asked).new_page(), context_of(other).new_page()
    bob.goto(f"{embedded_site.address}/games/{made.game}/")
    card = bob.locator(f"#seat-{asked}")
    expect(card.locator(".clock")).to_be_visible()
    expect(card.locator(".clock")).not_to_have_class("stands-still")

    # A guest is shown the way to an account first.
    alice.goto(f"{embedded_site.address}/account/holidays/")
    expect(alice.locator("h1")).to_have_text("You are a guest")
    alice.goto(f"{embedded_site.address}/sign-up/")
    alice.fill("input[name=username]", f"Wanderer {kind}")
    alice.fill("input[name=password1]", PASSWORD)
    alice.fill("input[name=password2]", PASSWORD)
    alice.locator("main form button").click()
    expect(alice.locator(".signed-in")).to_be_attached()

    alice.goto(f"{embedded_site.address}/account/")
    alice.get_by_role("link", name="Plan your holidays").click()
    last = timezone.now() + timedelta(days=4)
    alice.get_by_label("Last day").fill(f"{last:%Y-%m-%d}")
    alice.get_by_role("button", name="Take a holiday").click()
    expect(alice.get_by_role("button", name="End my holiday now")).to_be_visible()
    assert complaints_of_axe(alice) == []
    assert alice.evaluate("document.documentElement.scrollWidth") <= SIZES[kind]["width"]

    expect(card.locator(".clock.stands-still")).to_be_visible()
    expect(card.locator(".seat-state")).to_have_text(f"on holiday until the end of {dateformat.format(last, 'j M')}")
    expect(bob.locator("#log")).to_contain_text("is on holiday")
    assert complaints_of_axe(bob) == []

    alice.get_by_role("button", name="End my holiday now").click()
    expect(alice.locator("main, .messages").first).to_contain_text("Welcome back")
    expect(card.locator(".clock.stands-still")).to_have_count(0)
    expect(card.locator(".seat-state")).not_to_contain_text("holiday")
    alice.context.close()
    bob.context.close()
