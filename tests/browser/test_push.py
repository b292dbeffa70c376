"""A device says yes, is told something, shows it, and leaves.

Chromium's own push service is far away, so the browser's part of a subscription is the test's: what the site sends is
taken by a stand-in, and what is pushed is handed to the real service worker.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, Worker, expect

from tests.browser.test_accounts import sign_up
from tests.browser.test_game_access import complaints_of_axe
from tests.chromium import PATIENCE
from tests.notices import listening
from tests.sites import Site, embedded

pytestmark = pytest.mark.browser

#: Nobody signs up under a name that somebody has.
NUMBERS = count(1)

#: The browser agrees under these keys; that it was asked with the site's own key is kept.
AGREES = """(said) => {
  let agreed = localStorage.agreed ? said : null;
  const unsubscribe = async () => {
    agreed = null;
    delete localStorage.agreed;
  };
  const subscription = () => agreed && { toJSON: () => agreed, unsubscribe };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async (wanted) => {
    agreed = said;
    localStorage.agreed = wanted.applicationServerKey;
    return subscription();
  };
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with embedded(tmp_path_factory.mktemp("push"), NOTICES_TO_LOOPBACK="1") as found:
        yield found


def visit(browser: Browser, site: Site, said: object, permission: str = "granted", **options: object) -> Page:
    """Somebody with an account, who looks at how they are told."""
    context = browser.new_context(base_url=site.address, **options)  # type: ignore[arg-type]
    context.add_init_script(f"({AGREES})({json.dumps(said)})")
    # Headless Chromium asks nobody: it answers as it was told to.
    context.add_init_script(f"""
        Object.defineProperty(Notification, "permission", {{ get: () => {json.dumps(permission)} }});
        Notification.requestPermission = async () => {json.dumps(permission)};
    """)
    page = context.new_page()
    sign_up(page, f"Alice {next(NUMBERS)}")
    page.goto("/account/push/")
    return page


@pytest.mark.parametrize("width", [390, 1280])
def test_a_device_agrees_is_told_shows_it_and_leaves(browser: Browser, site: Site, width: int) -> None:
    own = listening.Browser()
    with listening.listening() as service:
        said = own.said(service.address(f"/{width}"))
        page = visit(browser, site, said, viewport={"width": width, "height": 844})
        page.get_by_role("button", name="Notify me on this device").click()
        expect(page.get_by_text("You’ll get notifications on this device from now on.")).to_be_visible()
        expect(page.get_by_text("this one")).to_be_visible()
        expect(page.get_by_role("button", name="Notify me on this device")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert complaints_of_axe(page) == []

        page.get_by_role("button", name="Send me a test").click()
        expect(page.get_by_text("A test is on its way.")).to_be_visible()
        assert service.arrived.wait(PATIENCE / 1000)
        told = own.read(service.sent[0])
        assert listening.signed_claims(service.sent[0])[1] == page.evaluate("localStorage.agreed")
        assert (told["title"], told["url"]) == ("A test from Online Catan", f"{site.address}/")

        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_text("That device won’t get notifications any more.")).to_be_visible()
        expect(page.get_by_role("button", name="Notify me on this device")).to_be_visible()
        assert page.evaluate("localStorage.agreed") is None, "the browser has left, too"
        page.context.close()


#: Chromium shows no notifications in windows that forget everything, and lets only a person's own press open one: what
#: the worker asks of it is written down instead.
WRITES_DOWN = """() => {
  self.shown = [];
  self.asked = new Promise((resolve) => {
    Clients.prototype.openWindow = async (address) => resolve(`open ${address}`);
    WindowClient.prototype.focus = async function () { resolve(`focus ${new URL(this.url).pathname}`); };
  });
  const registration = ServiceWorkerRegistration.prototype;
  registration.getNotifications = async ({ tag }) => self.shown.filter((one) => one.tag === tag);
  registration.showNotification = async (title, options) => { self.shown.push({ title, ...options }); };
}"""


def worker_of(page: Page) -> Worker:
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    (worker,) = page.context.service_workers
    worker.evaluate(WRITES_DOWN)
    return worker


def test_what_is_pushed_is_shown_and_what_comes_twice_disturbs_nobody(browser: Browser, site: Site) -> None:
    page = visit(browser, site, None)
    worker = worker_of(page)
    for key in ("turn-1", "turn-1", "discard-2"):
        told = {"title": key, "body": "Bob waits.", "url": f"{site.address}/games/17/", "tag": "game-17", "key": key}
        worker.evaluate(
            """async (told) => {
                const before = self.shown.length;
                self.dispatchEvent(new PushEvent("push", { data: JSON.stringify(told) }));
                while (self.shown.length === before) await new Promise((resolve) => setTimeout(resolve, 10));
            }""",
            told,
        )
    shown = worker.evaluate("self.shown")
    assert [(one["title"], one["tag"], one["renotify"]) for one in shown] == [
        ("turn-1", "game-17", True),
        ("turn-1", "game-17", False),
        ("discard-2", "game-17", True),
    ]
    assert shown[0]["body"] == "Bob waits."
    assert page.request.get(site.address + shown[0]["icon"]).status == 200
    page.context.close()


#: What Chromium does once its push service has forgotten it.
IS_GIVEN_ANOTHER_ADDRESS = """(said) => {
  PushManager.prototype.subscribe = async (wanted) => {
    self.wanted = wanted.applicationServerKey;
    return { toJSON: () => said };
  };
  const { fetch } = self;
  return new Promise((resolve) => {
    self.fetch = async (address, how) => {
      const answer = await fetch(address, how);
      if (how) resolve(answer.status);
      return answer;
    };
    const event = new ExtendableEvent("pushsubscriptionchange");
    self.dispatchEvent(Object.assign(event, { oldSubscription: null, newSubscription: null }));
  });
}"""


def test_a_browser_that_is_given_another_address_is_told_there(browser: Browser, site: Site) -> None:
    renewed = listening.Browser()
    with listening.listening() as service:
        page = visit(browser, site, listening.Browser().said(service.address("/old")))
        page.get_by_role("button", name="Notify me on this device").click()
        expect(page.get_by_text("this one")).to_be_visible()
        worker = worker_of(page)
        assert worker.evaluate(IS_GIVEN_ANOTHER_ADDRESS, renewed.said(service.address("/new"))) == 201
        assert worker.evaluate("self.wanted") == page.evaluate("localStorage.agreed"), "the site's own key"
        page.get_by_role("button", name="Send me a test").click()
        expect(page.get_by_text("A test is on its way.")).to_be_visible()
        assert service.arrived.wait(PATIENCE / 1000)
        assert [sent.path for sent in service.sent] == ["/new"]
        assert renewed.read(service.sent[0])["title"] == "A test from Online Catan"
        page.context.close()


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("{site}/account/push/", "focus /account/push/"),
        ("{site}/games/17/?from=push", "open {site}/games/17/?from=push"),
        ("https://evil.example/games/17/", "open {site}/games/17/"),
    ],
)
def test_a_press_leads_to_a_page_of_this_site_alone(browser: Browser, site: Site, url: str, opened: str) -> None:
    page = visit(browser, site, None)
    asked = worker_of(page).evaluate(
        """(url) => {
            const event = new ExtendableEvent("notificationclick");
            event.notification = { data: { url }, close() {} };
            self.dispatchEvent(event);
            return self.asked;
        }""",
        url.format(site=site.address),
    )
    assert asked == opened.format(site=site.address)
    page.context.close()


def test_whoever_said_no_once_is_told_how_to_change_that(browser: Browser, site: Site) -> None:
    page = visit(browser, site, None, permission="denied")
    expect(page.get_by_text("Notifications from this site are blocked in this browser.")).to_be_visible()
    expect(page.get_by_role("button", name="Notify me on this device")).to_be_hidden()
    page.context.close()


def test_a_refusal_is_said_beside_the_button(browser: Browser, site: Site) -> None:
    said = listening.Browser().said("http://10.0.0.1/push")
    page = visit(browser, site, said)
    page.get_by_role("button", name="Notify me on this device").click()
    expect(page.get_by_role("alert")).to_contain_text("must have the name of a host")
    page.context.close()
