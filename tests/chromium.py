"""Debian's Chromium for tests and pictures, and how Dana signs in with it."""

import shutil

from playwright.sync_api import Page

from tests.sites import STAFF, Site

#: Milliseconds after which a page that is still not right counts as wrong, however busy the machine is.
PATIENCE = 15_000

# Chromium's own traffic has no place in a test. Nor have the two pages that it loads into the address bar of every
# window, though nobody sees it: they take more time than ours.
FEATURES = [
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    # Playwright's own list, which ours replaces.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    f"--disable-features={','.join(FEATURES)}",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
]


#: As people have it.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: The same without windows of its own, which take a sixth of the time of a test.
SHELL = ("chromium-headless-shell", *BROWSERS)


def launch_options(programs: tuple[str, ...] = SHELL) -> dict[str, object]:
    return {"executable_path": next(filter(None, map(shutil.which, programs))), "args": FLAGS}


def sign_in(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/sign-in/")
    page.fill("input[name=username]", STAFF)
    page.fill("input[name=password]", site.password)
    page.click("main button[type=submit], main form button")
    page.wait_for_url(f"{site.address}/")
