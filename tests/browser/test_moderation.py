"""A report from the press to the answer: a player, the one who is reported, a moderator on a phone, and an appeal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.making import make_games
from tests.browser.test_reporting import GAME, PHONE, Places, check, say
from tests.sites import Site

pytestmark = pytest.mark.browser


@pytest.fixture
def places(browser: Browser, embedded_site: Site) -> Iterator[Places]:
    """Alice and Dana are in the first game, with a moderator beside it; an administrator is beside the second."""
    made = make_games(embedded_site.data, *({**GAME, "staff": group} for group in ("moderator", "administrator")))
    places = Places(browser, embedded_site, iter(made))
    yield places
    for context in browser.contexts:
        context.close()


def report_line(alice: Page, text: str) -> None:
    alice.locator(".chat-line", has_text=text).get_by_text("Dana").click()
    alice.get_by_role("link", name="Report this line of Dana").click()
    alice.get_by_role("button", name="Send the report").click()
    expect(alice.get_by_role("heading", name="Thank you for your report")).to_be_visible()


def test_a_report_is_decided_the_ban_acts_at_once_and_the_appeal_is_heard(places: Places) -> None:
    game, other = next(places.games), next(places.games)
    alice, dana = places.visit(game, 0), places.visit(game, 3)
    say(dana, "You are all cheats and liars")
    say(alice, "Hello to you too")
    report_line(alice, "cheats and liars")
    alice.get_by_role("link", name="Back to the game").click()
    expect(alice.locator(".chat-line", has_text="cheats and liars")).to_be_visible()

    # The moderator, on a phone.
    moderator = places.visit(game, -1, PHONE, has_touch=True, is_mobile=True)
    moderator.goto(places.site.address)
    moderator.get_by_role("link", name="Moderation").tap()
    moderator.get_by_role("link", name="Queue").tap()
    moderator.get_by_role("link", name="Dana").first.tap()
    expect(moderator.get_by_role("heading", name="Reports about Dana").first).to_be_visible()
    evidence = moderator.locator(".evidence")
    expect(evidence.locator("li.is-meant")).to_contain_text("You are all cheats and liars")
    expect(evidence).to_contain_text("Hello to you too")
    check(moderator, PHONE["width"])
    moderator.get_by_role("button", name="Take it").tap()
    moderator.get_by_label("“You are all cheats and liars”").check()
    moderator.get_by_label("Ban: no access").select_option("1 day")
    moderator.get_by_label("Reason").fill("Nobody is called a cheat here.")
    check(moderator, PHONE["width"])
    moderator.get_by_role("button", name="Decide and close").tap()
    expect(moderator.get_by_text("Decided. Everybody concerned is told.")).to_be_visible()

    # Both open pages know at once: nobody presses anything there.
    expect(dana.get_by_text("Nobody is called a cheat here.")).to_be_visible()
    expect(alice.locator(".chat-line", has_text="(removed by a moderator)")).to_be_visible()
    expect(alice.locator("#log")).to_contain_text("A stand-in is playing for Dana now.")
    check(dana, 1280)

    # Whoever reported it reads what came of it.
    alice.goto(f"{places.site.address}/account/reports/")
    expect(alice.locator(".reports > li")).to_contain_text("The moderators have acted on it.")

    # And whoever is banned can appeal, which somebody else answers.
    dana.get_by_role("link", name="appeal").first.click()
    dana.get_by_role("textbox").fill("I meant the dice.")
    dana.get_by_role("button", name="Appeal").click()
    expect(dana.get_by_text("I meant the dice.")).to_be_visible()
    dana.goto(f"{places.site.address}/games/{game.game}/")
    expect(dana.get_by_text("Nobody is called a cheat here.")).to_be_visible()

    administrator = places.visit(other, -1)
    administrator.goto(f"{places.site.address}/admin/moderation/appeal/")
    administrator.get_by_role("link", name="Dana").first.click()
    expect(administrator.get_by_text("I meant the dice.")).to_be_visible()
    administrator.get_by_label("Answer").fill("So it was. We are sorry.")
    check(administrator, 1280)
    administrator.get_by_role("button", name="Take the decision back").click()
    expect(administrator.get_by_text("Taken back. The person is told.")).to_be_visible()

    dana.goto(f"{places.site.address}/games/{game.game}/")
    dana.get_by_role("button", name="I’m back").click()
    expect(dana.locator("#log")).to_contain_text("You are back: the stand-in has left.")
    dana.goto(f"{places.site.address}/account/moderators/")
    expect(dana.get_by_text("So it was. We are sorry.")).to_be_visible()
