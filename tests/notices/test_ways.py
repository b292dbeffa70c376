"""Devices and webhooks: who adds, tries and removes them, and when they go by themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games import clocks
from lobby import leaving, tasks
from lobby.models import PushSubscription, User, Webhook
from lobby.notices import push, ways, webhook
from lobby.notices.message import Message
from tests.lobby.people import PASSWORD, sign_in, sign_up, who
from tests.notices.listening import Browser, StandIn

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db]

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()


def person(browser: Client) -> User:
    found = who(browser)
    assert found is not None
    return found


@pytest.fixture
def alices(client: Client) -> Client:
    """Alice's browser."""
    sign_up(client)
    return client


def agree(browser: Client, said: object) -> Any:
    return browser.post("/account/push/", said, "application/json", headers={"User-Agent": FIREFOX})


def devices_of(browser: Client) -> list[str]:
    return list(PushSubscription.objects.filter(person=person(browser)).values_list("endpoint", flat=True))


# Devices


def test_a_browser_that_agrees_is_a_device_of_its_person(alices: Client, stand_in: StandIn) -> None:
    answer = agree(alices, Browser().said(stand_in.address("/1")))
    assert answer.status_code == 201
    device = PushSubscription.objects.get()
    assert (device.person, device.device) == (person(alices), "Firefox on Linux")
    page = alices.get("/account/push/").content.decode()
    assert "Firefox on Linux" in page
    assert "this one" in page
    assert stand_in.address("/1") not in page, "who knows it can send there"


def test_agreeing_twice_is_agreeing_once(alices: Client, stand_in: StandIn) -> None:
    for _ in range(2):
        assert agree(alices, Browser().said(stand_in.address("/1"))).status_code == 201
    assert devices_of(alices) == [stand_in.address("/1")]


def test_nobody_has_more_devices_than_ten(alices: Client, stand_in: StandIn) -> None:
    for number in range(ways.MOST_DEVICES):
        assert agree(alices, Browser().said(stand_in.address(f"/{number}"))).status_code == 201
    refused = agree(alices, Browser().said(stand_in.address("/more")))
    assert refused.status_code == 409
    assert "remove one" in refused.json()["sentence"]
    assert agree(alices, Browser().said(stand_in.address("/3"))).status_code == 201, "one that is there already"
    assert len(devices_of(alices)) == ways.MOST_DEVICES


def test_a_browser_tells_whoever_is_signed_in_there_now(alices: Client, stand_in: StandIn) -> None:
    browser, bobs = Browser(), Client()
    agree(alices, browser.said(stand_in.address("/1")))
    sign_up(bobs, "Bob")
    agree(bobs, browser.said(stand_in.address("/1")))
    assert devices_of(alices) == []
    assert devices_of(bobs) == [stand_in.address("/1")]


SAID = Browser().said("https://push.example/1")
NONSENSE: list[Any] = [
    "{",
    "[" * 10_000,
    [],
    {},
    {"endpoint": "https://push.example/1"},
    SAID | {"endpoint": 7},
    SAID | {"endpoint": ""},
    SAID | {"endpoint": "http://push.example/1"},
    SAID | {"endpoint": "https://127.0.0.1/1"},
    SAID | {"endpoint": "https://169.254.169.254/latest/meta-data/"},
    SAID | {"endpoint": "https://localhost/1"},
    SAID | {"endpoint": "https://push.example/" + "a" * 500},
    SAID | {"keys": {}},
    SAID | {"keys": []},
    SAID | {"keys": SAID["keys"] | {"auth": "short"}},
    SAID | {"keys": SAID["keys"] | {"p256dh": "A" * 87}},
    SAID | {"keys": SAID["keys"] | {"p256dh": None}},
]


@pytest.mark.parametrize("said", NONSENSE)
def test_what_no_browser_says_is_refused_in_a_sentence(alices: Client, said: Any) -> None:
    answer = agree(alices, said)
    assert answer.status_code == 400
    assert answer.json()["sentence"].endswith((".", "?"))
    assert not PushSubscription.objects.exists()


def test_whoever_is_signed_out_is_told_so(client: Client, stand_in: StandIn) -> None:
    answer = agree(client, Browser().said(stand_in.address("/1")))
    assert answer.status_code == 403
    assert "sign in" in answer.json()["sentence"]


def test_a_page_elsewhere_cannot_add_a_device(stand_in: StandIn) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_user("alice"))
    assert agree(strict, Browser().said(stand_in.address("/1"))).status_code == 403
    assert not PushSubscription.objects.exists()


def test_a_site_without_a_key_offers_no_push_and_says_so(alices: Client, settings: LazySettings) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    page = alices.get("/account/push/").content.decode()
    assert "Push notifications aren’t set up on this site. Whoever runs it can create the keys" in page
    assert "Notify me on this device" not in page
    refused = agree(alices, Browser().said("https://push.example/1"))
    assert refused.status_code == 409
    assert "aren’t set up on this site" in refused.json()["sentence"]


def test_a_device_is_removed_by_its_person_alone(alices: Client, stand_in: StandIn) -> None:
    agree(alices, Browser().said(stand_in.address("/1")))
    device = PushSubscription.objects.get().pk
    bobs = Client()
    sign_up(bobs, "Bob")
    for said in (device, "", "one", -1, 10**30):
        bobs.post("/account/push/remove/", {"device": said})
    assert len(devices_of(alices)) == 1
    alices.post("/account/push/remove/", {"device": device})
    assert devices_of(alices) == []


def test_whoever_signs_out_is_told_nothing_on_that_device(alices: Client, stand_in: StandIn) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    agree(alices, Browser().said(stand_in.address("/here")))
    agree(elsewhere, Browser().said(stand_in.address("/elsewhere")))
    alices.post("/sign-out/")
    assert devices_of(elsewhere) == [stand_in.address("/elsewhere")]


def test_a_session_that_is_ended_from_elsewhere_takes_its_device_along(alices: Client, stand_in: StandIn) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    agree(alices, Browser().said(stand_in.address("/here")))
    agree(elsewhere, Browser().said(stand_in.address("/elsewhere")))
    alices.post("/account/sessions/")
    assert devices_of(alices) == [stand_in.address("/here")]


def test_a_new_password_leaves_the_device_it_was_typed_on(alices: Client, stand_in: StandIn) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    agree(alices, Browser().said(stand_in.address("/here")))
    agree(elsewhere, Browser().said(stand_in.address("/elsewhere")))
    new = "two bricks for a sheep"
    alices.post("/account/password/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert devices_of(alices) == [stand_in.address("/here")]


def test_a_guest_is_told_nothing_anywhere_and_learns_how_to_be(client: Client, stand_in: StandIn) -> None:
    client.post("/play-now/")
    refused = agree(client, Browser().said(stand_in.address("/1")))
    assert refused.status_code == 403
    assert "sign up first" in refused.json()["sentence"]
    assert client.get("/account/push/renewal/").status_code == 403
    for address in ("/account/push/", "/account/webhook/"):
        assert "<h2>Sign up</h2>" in client.get(address, follow=True).content.decode()
    for address in ("/account/webhook/", "/account/webhook/test/", "/account/push/test/"):
        assert client.post(address, {"url": stand_in.address("/hook")})["Location"] == "/account/"
    assert not PushSubscription.objects.exists()
    assert not Webhook.objects.exists()


def test_a_deleted_account_is_told_nothing(alices: Client, stand_in: StandIn) -> None:
    agree(alices, Browser().said(stand_in.address("/1")))
    ways.keep_webhook(person(alices), stand_in.address("/hook"), "", now=timezone.now())
    leaving.delete(person(alices), timezone.now())
    assert not PushSubscription.objects.exists()
    assert not Webhook.objects.exists()


# The webhook


def keep(browser: Client, url: str, **said: str) -> Any:
    return browser.post("/account/webhook/", {"url": url} | said)


def test_a_webhook_is_kept_and_never_shown_whole(alices: Client, stand_in: StandIn) -> None:
    secret = stand_in.address("/services/a-secret-of-many-letters")
    assert keep(alices, secret).status_code == 302
    kept = Webhook.objects.get()
    assert (kept.person, kept.url, kept.form) == (person(alices), secret, "slack")
    page = alices.get("/account/webhook/").content.decode()
    assert "localhost/…ters" in page
    assert "a-secret" not in page
    assert "a-secret" not in json.dumps(leaving.kept_of(person(alices)), default=str)
    assert "a-secret" not in f"{kept} {kept!r}"


def test_another_webhook_takes_the_place_of_the_first(alices: Client, stand_in: StandIn) -> None:
    keep(alices, stand_in.address("/1"))
    keep(alices, stand_in.address("/2"), form="discord")
    assert Webhook.objects.values_list("url", "form").get() == (stand_in.address("/2"), "discord")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"url": ""}, "Please paste the address"),
        ({"url": "https://" + "a" * 600}, "too long"),
        ({"url": "http://hooks.example/"}, "must begin with https://"),
        ({"url": "https://127.0.0.1/"}, "must have the name of a host"),
        ({"url": "https://10.0.0.1:8443/"}, "must have the name of a host"),
        ({"url": "https://me:secret@hooks.example/"}, "name or a password"),
        ({"url": "https://hooks.example:22/"}, "port 443"),
        ({"url": "https://hooks.example/\x00"}, "Null characters"),
        ({"url": "https://hooks.example/", "form": "teams"}, "choose one from the list"),
    ],
)
def test_a_bad_address_is_refused_beside_its_field(alices: Client, said: dict[str, str], sentence: str) -> None:
    answer = keep(alices, **said)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_refused_address_leads_back_to_where_it_was_typed(alices: Client, stand_in: StandIn) -> None:
    refused = keep(alices, "https://127.0.0.1/", next="/account/").content.decode()
    assert 'name="next" value="/account/"' in refused
    assert keep(alices, stand_in.address("/1"), next="/account/")["Location"] == "/account/"
    assert keep(alices, stand_in.address("/1"), next="https://evil.example/")["Location"] == "/account/webhook/"


@pytest.mark.parametrize("elsewhere", ["254", "push", "//evil.example/", "/\\evil.example/", "\x00"])
def test_who_says_that_they_came_from_nowhere_is_led_to_the_page(alices: Client, elsewhere: str) -> None:
    for done, page in (("webhook/remove", "webhook"), ("push/remove", "push")):
        assert alices.post(f"/account/{done}/", {"next": elsewhere})["Location"] == f"/account/{page}/"


def test_what_is_tried_too_often_has_to_wait(alices: Client, stand_in: StandIn, settings: LazySettings) -> None:
    settings.WAYS_AN_HOUR = 2
    for number in range(2):
        assert keep(alices, stand_in.address(f"/{number}")).status_code == 302
    refused = keep(alices, stand_in.address("/3"))
    assert refused.status_code == 429
    assert "too often" in refused.content.decode()
    assert agree(alices, Browser().said(stand_in.address("/1"))).status_code == 429


def test_a_webhook_is_removed(alices: Client, stand_in: StandIn) -> None:
    keep(alices, stand_in.address("/1"))
    alices.post("/account/webhook/remove/")
    assert not Webhook.objects.exists()


def test_a_new_password_keeps_the_webhook_and_asks_whose_it_is(alices: Client, stand_in: StandIn) -> None:
    """Whoever knew the old password may have set it, and goes on reading there."""
    keep(alices, stand_in.address("/a-secret-of-many-letters"))
    new = "two bricks for a sheep"
    said = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    page = alices.post("/account/password/", said, follow=True).content.decode()
    assert "Your webhook, localhost/…ters, still gets messages. If it isn’t yours, remove it under Notices." in page
    assert Webhook.objects.exists()
    alices.post("/account/webhook/remove/")
    newer = "a city for two ores"
    said = {"oldpassword": new, "password1": newer, "password2": newer}
    assert "Your webhook" not in alices.post("/account/password/", said, follow=True).content.decode()


# Tests, which a worker sends


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the worker is asked to do, and how."""
    asked: list[dict[str, Any]] = []

    def note(name: str, args: list[Any], **how: Any) -> None:
        assert name == "lobby.tasks.send_test"
        asked.append({"args": args, **how})

    monkeypatch.setattr("celery.current_app.send_task", note)
    return asked


def do(asked: list[dict[str, Any]]) -> None:
    """The worker's part, in this very process: what it has been asked so far."""
    todo, asked[:] = asked[:], []
    for each in todo:
        tasks.send_test(*each["args"])


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.current_app.send_task", lambda _, args, **__: tasks.send_test(*args))


@pytest.mark.usefixtures("at_once")
def test_a_test_reaches_every_device(alices: Client, stand_in: StandIn) -> None:
    browsers = [Browser(), Browser()]
    for number, browser in enumerate(browsers):
        agree(alices, browser.said(stand_in.address(f"/{number}")))
    alices.post("/account/push/test/")
    assert sorted(sent.path for sent in stand_in.sent) == ["/0", "/1"]
    for sent in stand_in.sent:
        told = browsers[int(sent.path[1:])].read(sent)
        assert told["title"] == "A test from Online Catan"
        assert told["url"] == "http://testserver/"


@pytest.mark.parametrize("way", ["push", "webhook"])
@pytest.mark.parametrize(
    ("status", "why"), [(503, "status 503"), (404, "nothing at this address any more"), (410, "status 410")]
)
@pytest.mark.usefixtures("at_once")
def test_why_a_test_did_not_arrive_is_told_to_its_owner(
    alices: Client, stand_in: StandIn, way: str, status: int, why: str
) -> None:
    """A test forgets nothing, so that whoever mistyped an address reads that nobody is there."""
    agree(alices, Browser().said(stand_in.address("/device")))
    keep(alices, stand_in.address("/a-secret-of-many-letters"))
    stand_in.status = status
    alices.post(f"/account/{way}/test/")
    page = alices.get(f"/account/{way}/").content.decode()
    assert "did not arrive" in page
    assert why in page
    assert (len(devices_of(alices)), Webhook.objects.count()) == (1, 1)
    stand_in.status = 201
    alices.post(f"/account/{way}/test/")
    assert "did not arrive" not in alices.get(f"/account/{way}/").content.decode()


@pytest.mark.usefixtures("at_once")
def test_a_test_tells_in_the_form_of_its_webhook(alices: Client, stand_in: StandIn) -> None:
    keep(alices, stand_in.address("/hook"))
    alices.post("/account/webhook/test/")
    assert stand_in.sent[-1].json["text"].startswith("A test from Online Catan")


def test_what_went_wrong_at_an_address_is_not_said_of_the_next_one(
    alices: Client, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(alices, stand_in.address("/old"))
    old = Webhook.objects.get()
    keep(alices, stand_in.address("/new"))
    old.note_trouble("The host refused it (status 500).")
    assert Webhook.objects.get().trouble == ""


def test_a_press_is_one_task_that_waits_for_every_game(
    alices: Client, stand_in: StandIn, asked: list[dict[str, Any]]
) -> None:
    for number in range(ways.MOST_DEVICES):
        agree(alices, Browser().said(stand_in.address(f"/{number}")))
    alices.post("/account/push/test/")
    [test] = asked
    assert test["priority"] == clocks.LATER
    do(asked)
    assert len(stand_in.sent) == ways.MOST_DEVICES


def test_a_person_has_one_test_at_a_time(alices: Client, stand_in: StandIn, asked: list[dict[str, Any]]) -> None:
    agree(alices, Browser().said(stand_in.address("/1")))
    keep(alices, stand_in.address("/hook"))
    alices.post("/account/push/test/")
    refused = alices.post("/account/webhook/test/", follow=True).content.decode()
    assert "Your last test is still on its way" in refused
    do(asked)
    assert [sent.path for sent in stand_in.sent] == ["/1"]
    alices.post("/account/webhook/test/")
    do(asked)
    assert [sent.path for sent in stand_in.sent] == ["/1", "/hook"]


def test_one_test_is_sent_at_a_time_and_the_others_come_again(
    alices: Client, stand_in: StandIn, asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the first of them is under way, a worker that takes the second is free again at once."""
    bobs = Client()
    sign_up(bobs, "Bob")
    for browser, path in ((alices, "/alice"), (bobs, "/bob")):
        keep(browser, stand_in.address(path))
        browser.post("/account/webhook/test/")
    first, second = asked[:]
    asked.clear()
    deliver = webhook.deliver

    def deliver_slowly(kept: Webhook, message: Message) -> None:
        if not stand_in.sent:
            tasks.send_test(*second["args"])
        deliver(kept, message)

    monkeypatch.setattr(webhook, "deliver", deliver_slowly)
    tasks.send_test(*first["args"])
    assert [sent.path for sent in stand_in.sent] == ["/alice"]
    [again] = asked
    assert (again["args"], again["priority"]) == (second["args"], clocks.LATER)
    assert again["countdown"] > 0
    do(asked)
    assert [sent.path for sent in stand_in.sent] == ["/alice", "/bob"]


def test_a_test_that_waited_too_long_is_sent_no_more(
    alices: Client, stand_in: StandIn, asked: list[dict[str, Any]]
) -> None:
    keep(alices, stand_in.address("/hook"))
    alices.post("/account/webhook/test/")
    cache.clear()
    do(asked)
    assert stand_in.sent == []
    assert asked == []


# Names


def test_a_name_server_that_never_answers_keeps_no_page_waiting(
    alices: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner reads afterwards that nothing could be reached."""
    asked: list[str] = []
    monkeypatch.setattr("socket.getaddrinfo", lambda host, *_, **__: asked.append(host))
    assert agree(alices, Browser().said("https://push.evil.example/1")).status_code == 201
    assert keep(alices, "https://hooks.evil.example/1").status_code == 302
    assert asked == []


@pytest.mark.parametrize("host", ["xn--0.example", "xn--a.example"])
def test_a_name_that_nobody_can_read_is_refused_in_a_sentence(alices: Client, host: str) -> None:
    refused = keep(alices, f"https://{host}/a-secret")
    assert refused.status_code == 400
    assert "This is not an address" in refused.content.decode()
    answer = agree(alices, Browser().said(f"https://{host}/a-secret"))
    assert answer.status_code == 400
    assert "This is not an address" in answer.json()["sentence"]


# A browser that is given another address


def renew(browser: Client, said: dict[str, Any]) -> Any:
    return browser.post("/account/push/renewal/", said, "application/json")


def test_a_browser_with_another_address_is_told_there(alices: Client, stand_in: StandIn) -> None:
    agree(alices, Browser().said(stand_in.address("/old")))
    renewed = Browser()
    assert renew(alices, renewed.said(stand_in.address("/new"))).status_code == 201
    assert devices_of(alices) == [stand_in.address("/new")]
    device = PushSubscription.objects.get()
    assert (device.device, device.p256dh) == ("Firefox on Linux", renewed.p256dh)
    assert "notifications on this device" in alices.get("/account/push/").content.decode(), "said once, for the press"
    renew(alices, Browser().said(stand_in.address("/newer")))
    assert "notifications on this device" not in alices.get("/account/push/").content.decode(), "nobody pressed"


def test_it_is_known_by_its_old_address_in_a_session_that_knows_nothing(alices: Client, stand_in: StandIn) -> None:
    agree(alices, Browser().said(stand_in.address("/old")))
    later = Client()
    sign_in(later)
    said = Browser().said(stand_in.address("/new"))
    assert renew(later, said).status_code == 409
    assert renew(later, said | {"instead_of": stand_in.address("/old")}).status_code == 201
    assert devices_of(alices) == [stand_in.address("/new")]


def test_nobody_renews_what_is_anothers_or_was_removed(alices: Client, stand_in: StandIn) -> None:
    agree(alices, Browser().said(stand_in.address("/alice")))
    bobs = Client()
    sign_up(bobs, "Bob")
    said = Browser().said(stand_in.address("/new")) | {"instead_of": stand_in.address("/alice")}
    assert renew(bobs, said).status_code == 409
    assert devices_of(alices) == [stand_in.address("/alice")]
    alices.post("/account/push/remove/", {"device": PushSubscription.objects.get().pk})
    assert renew(alices, said).status_code == 409
    assert renew(Client(), said).status_code == 403
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("said", [{}, SAID | {"endpoint": "https://127.0.0.1/1"}, SAID | {"keys": []}])
def test_what_no_browser_says_renews_nothing(alices: Client, stand_in: StandIn, said: Any) -> None:
    agree(alices, Browser().said(stand_in.address("/old")))
    assert renew(alices, said).status_code == 400
    assert devices_of(alices) == [stand_in.address("/old")]


@pytest.mark.parametrize("instead_of", ["\0", "\ud800", "https://push.example/\0", "x" * 10_000, None, 7, {}])
def test_an_old_address_that_is_none_renews_nothing(alices: Client, stand_in: StandIn, instead_of: Any) -> None:
    agree(alices, Browser().said(stand_in.address("/old")))
    with_another_session = Client()
    sign_in(with_another_session)
    said = Browser().said(stand_in.address("/new")) | {"instead_of": instead_of}
    assert renew(with_another_session, said).status_code == 409
    assert devices_of(alices) == [stand_in.address("/old")]


def test_a_page_elsewhere_renews_nothing(stand_in: StandIn) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_user("alice"))
    assert renew(strict, Browser().said(stand_in.address("/1"))).status_code == 403
    told = strict.get("/account/push/renewal/").json()
    assert told["key"] == push.public_key()
    answer = strict.post(
        "/account/push/renewal/",
        Browser().said(stand_in.address("/1")),
        "application/json",
        headers={"X-CSRFToken": told["token"]},
    )
    assert answer.status_code == 409, "with the token it is read, and this browser is no device of hers"
