"""The pictures of where people meet: the front page of somebody who plays, a table, a profile and the leaderboard."""

from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from tests.browser.people import play_season
from tests.sites import Site
from tools.game_pictures import LOOKS

#: Who waits for company, at which pace.
HOSTS = {"Marlene": "normal", "Old Tom": "relaxed", "Yuki": "1 day"}


def take(browser: Browser, site: Site, data: Path, pictures: Path) -> None:
    season = play_season(data)
    hosts = [_open_table(browser, site, name, pace) for name, pace in HOSTS.items()]
    with browser.new_context() as own:
        own.add_cookies([season.cookie(site.address)])  # type: ignore[list-item]
        page = own.new_page()
        page.goto(f"{site.address}/")
        page.locator("[formaction='/play-now/'], form[action='/play-now/'] button").first.click()
        page.wait_for_url("**/games/*/")
        page.goto(hosts[0].pages[0].url)
        page.locator("#sit-down button").first.click()
        page.locator("#chat-text").fill("Hello, good luck to us all!")
        page.keyboard.press("Enter")
        page.get_by_text("good luck to us all").wait_for()
    places = {"home": "/", "table": hosts[0].pages[0].url, "profile": f"/players/{season.code}/"}
    for look, options in LOOKS.items():
        context = browser.new_context(reduced_motion="reduce", base_url=site.address, **options)
        context.add_cookies([season.cookie(site.address)])  # type: ignore[list-item]
        page = context.new_page()
        for name, address in (places | {"leaderboard": "/leaderboard/", "account": "/account/"}).items():
            page.goto(address, wait_until="networkidle")
            page.screenshot(path=pictures / f"{name}-{look}.png")
        context.close()
    for context in hosts:
        context.close()


def _open_table(browser: Browser, site: Site, name: str, pace: str) -> BrowserContext:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site.address}/t/new/")
    page.fill("input[name=name]", name)
    page.locator(f"label:has(input[name=pace][value='{pace}'])").click()
    page.locator("#more > summary").click()
    page.locator("label:has(input[name=visibility][value=public])").click()
    page.locator("main form button.button-primary").last.click()
    page.locator("#table").wait_for()
    return context
