"""`python -m tools.icons`: the site's icons and the preview of its links as PNG files, drawn from its own SVG.

Home screens and preview robots read no SVG. The files are committed; run this after a change of what they show.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import django
from django.template.loader import render_to_string
from playwright.sync_api import Browser, sync_playwright

from tests.chromium import launch_options
from tests.sites import ROOT

ADDRESS = "http://catan.example/"
SITE = ROOT / "static/site"

#: By the file's name, how many pixels it has, and how much of them the icon: what a home screen may cut off, in a
#: circle, is left to the sea.
ICONS = {"icon-192": (192, 1.0), "icon-512": (512, 1.0), "icon-180": (180, 0.86), "icon-maskable-512": (512, 0.66)}
PREVIEW = {"width": 800, "height": 420}

ICON = """<style>
body {{ margin: 0; display: grid; place-items: center; block-size: 100vh; background: {background}; }}
svg {{ inline-size: {share}%; }}
</style>{svg}"""
LINK = """<style>{styles}
body {{ margin: 0; display: flex; align-items: center; gap: 24px; block-size: 100vh; background: #fbf7ec; }}
svg.board {{ inline-size: auto; block-size: 420px; flex: none; border-radius: 0; }}
b {{ font: 700 50px/1.1 "DejaVu Serif", serif; color: #241f18; }}
</style>{svg}<b>Online<br>Catan</b>"""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")
    django.setup()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        emblem = (SITE / "favicon.svg").read_text()
        for name, (size, share) in ICONS.items():
            # Where nothing is cut off, the hexagon stands alone.
            background = "transparent" if share == 1 else "#3b86b0"
            html = ICON.format(background=background, share=round(100 * share), svg=emblem)
            _draw(browser, name, {"width": size, "height": size}, html)
        styles = "".join((SITE / name).read_text() for name in ("tokens.css", "site.css", "board.css"))
        _draw(browser, "preview", PREVIEW, LINK.format(styles=styles, svg=render_to_string("lobby/_board.svg")))
        browser.close()


def _draw(browser: Browser, name: str, size: dict[str, int], html: str) -> None:
    page = browser.new_page(viewport=size, color_scheme="light")  # type: ignore[arg-type]
    # At an address, so that what is drawn can name parts of our files.
    page.route("**/static/**", lambda route: route.fulfill(path=ROOT / urlsplit(route.request.url).path.lstrip("/")))
    page.route(ADDRESS, lambda route: route.fulfill(body=f"<!doctype html>{html}", content_type="text/html"))
    page.goto(ADDRESS)
    page.screenshot(path=SITE / f"{name}.png", omit_background=True)
    page.close()


if __name__ == "__main__":
    main()
