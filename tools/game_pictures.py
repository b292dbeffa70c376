"""The pictures of a game: setup, main turn, trade, discard and end, by day, by night and on a phone."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.making import Made, make_games
from tests.sites import Site

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 640}, "color_scheme": "light"},
}

#: One and the same game at its turning points, and a shorter one at its end.
MOMENTS: dict[str, dict[str, Any]] = {
    "setup": {"rules": "standard", "seed": 2, "until": "build_settlement", "after": 10},
    "main": {"rules": "standard", "seed": 2, "until": "build_city", "pace": "relaxed"},
    "trade": {"rules": "standard", "seed": 2, "until": "confirm_trade"},
    "discard": {"rules": "standard", "seed": 2, "until": "discard"},
    "end": {"rules": "standard points_to_win=8", "seed": 53, "until": "never"},
}


def take(browser: Browser, site: Site, data: Path, pictures: Path) -> None:
    games = dict(zip(MOMENTS, make_games(data, *MOMENTS.values()), strict=True))
    company = _sit_down(browser, site, games["main"])
    for look, options in LOOKS.items():
        for moment, made in games.items():
            context = browser.new_context(reduced_motion="reduce", **options)
            context.add_cookies([made.cookie(made.seat, site.address)])  # type: ignore[list-item]
            page = _open(context.new_page(), site, made)
            if moment == "trade":
                page.locator(".hand-card:not(.is-none) > button").last.click()
                page.locator(".bank-card").first.click()
            page.screenshot(path=pictures / f"game-{moment}-{look}.png")
            context.close()
    for context in company:
        context.close()


def _sit_down(browser: Browser, site: Site, made: Made) -> list[BrowserContext]:
    """The others are at the table too, and talk."""
    said = iter(("Anybody for sheep?", "Not at that price.", "Good luck, all!"))
    contexts = []
    for seat in range(len(made.sessions)):
        if seat != made.seat:
            contexts.append(browser.new_context())
            contexts[-1].add_cookies([made.cookie(seat, site.address)])  # type: ignore[list-item]
            page = _open(contexts[-1].new_page(), site, made)
            page.locator("#chat-text").fill(next(said))
            page.keyboard.press("Enter")
            page.locator("#chat-text[value=''], #chat-text:placeholder-shown").wait_for()
    return contexts


def _open(page: Page, site: Site, made: Made) -> Page:
    page.goto(f"{site.address}/games/{made.game}/", wait_until="networkidle")
    return page
