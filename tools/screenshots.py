"""`make screenshots`: pictures of the real site, started for it in a throwaway folder."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.chromium import launch_options, sign_in
from tests.sites import ROOT, embedded, make_dana_staff
from tools import game_pictures, lobby_pictures

PICTURES = ROOT / "docs/screenshots"


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, embedded(Path(folder)) as site, sync_playwright() as playwright:
        make_dana_staff(Path(folder))
        browser = playwright.chromium.launch(**launch_options())
        desk = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        desk.goto(site.address)
        desk.screenshot(path=PICTURES / "front-desk.png")
        sign_in(desk, site)
        desk.goto(f"{site.address}/status/")
        desk.click("#round-trip-button")
        desk.get_by_text("came back in").wait_for()
        desk.screenshot(path=PICTURES / "status-desk.png")
        phone = browser.new_page(viewport={"width": 360, "height": 640}, color_scheme="dark", reduced_motion="reduce")
        phone.goto(site.address)
        phone.screenshot(path=PICTURES / "front-phone.png")
        lobby_pictures.take(browser, site, Path(folder), PICTURES)
        game_pictures.take(browser, site, Path(folder), PICTURES)
        browser.close()


if __name__ == "__main__":
    main()
