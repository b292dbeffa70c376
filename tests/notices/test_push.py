"""Messages to browsers, taken by a push service that checks who sent them, and read by the browser alone."""

from __future__ import annotations

import time

import pytest
from django.conf import LazySettings

from lobby.notices import push
from lobby.notices.message import Gone, Message, TryLater
from tests.notices.listening import Browser, StandIn, signed_claims

# What went wrong is noted in the row of the browser.
pytestmark = pytest.mark.django_db

MESSAGE = Message(
    key="turn-17",
    title="Your turn in a game with Bob and Zoë",
    lines=("Roll the dice.", "Bob waits."),
    url="https://catan.example/games/17/?from=push",
)


def test_the_browser_reads_what_it_was_sent(stand_in: StandIn) -> None:
    browser = Browser()
    push.deliver(browser.subscription(stand_in.address("/push/1")), MESSAGE)
    [sent] = stand_in.sent
    assert sent.path == "/push/1"
    assert browser.read(sent) == {
        "title": MESSAGE.title,
        "body": "Roll the dice.\nBob waits.",
        "url": MESSAGE.url,
        "tag": sent.headers["topic"],
        "key": "turn-17",
    }
    assert b"Roll" not in sent.body


def test_the_service_can_tell_who_sent_it(stand_in: StandIn, settings: LazySettings) -> None:
    push.deliver(Browser().subscription(stand_in.address("/push/1")), MESSAGE)
    [sent] = stand_in.sent
    claims, key = signed_claims(sent)
    assert claims["aud"] == f"http://localhost:{stand_in.port}"
    assert claims["sub"] == settings.VAPID_CONTACT
    assert key == push.public_key()
    assert int(sent.headers["ttl"]) == push.KEPT


def test_a_newer_message_takes_the_place_of_an_older_one_of_the_same_game(stand_in: StandIn) -> None:
    subscription = Browser().subscription(stand_in.address())
    for url in ("https://c.example/games/17/?a=1", "https://c.example/games/17/?a=2", "https://c.example/games/18/"):
        push.deliver(subscription, Message(key=url, title="Your turn", lines=(), url=url))
    first, second, other = (sent.headers["topic"] for sent in stand_in.sent)
    assert first == second != other
    assert len(first) == 32, "a push service takes no longer ones"


@pytest.mark.parametrize("letter", ["x", "é", "🐑", '"'])
def test_the_longest_message_fits_whatever_it_is_written_in(stand_in: StandIn, letter: str) -> None:
    long = Message(key="k" * 100, title=letter * 5000, lines=(letter * 5000,) * 9, url="https://c.example/" + "a" * 400)
    browser = Browser()
    push.deliver(browser.subscription(stand_in.address()), long)
    [sent] = stand_in.sent
    assert len(sent.body) <= 4096
    assert browser.read(sent)["title"].endswith("…")


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_left_is_gone(stand_in: StandIn, status: int) -> None:
    stand_in.status = status
    with pytest.raises(Gone):
        push.deliver(Browser().subscription(stand_in.address()), MESSAGE)


@pytest.mark.parametrize("status", [400, 403, 413, 429, 500, 503])
def test_a_service_in_trouble_is_tried_later(stand_in: StandIn, status: int) -> None:
    stand_in.status = status
    with pytest.raises(TryLater, match=str(status)):
        push.deliver(Browser().subscription(stand_in.address()), MESSAGE)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["is_silent", "drips"])
def test_a_service_that_does_not_come_to_an_end_costs_the_limit_of_time(
    stand_in: StandIn, settings: LazySettings, way: str
) -> None:
    settings.NOTICE_SECONDS = 0.5
    setattr(stand_in, way, True)
    begun = time.monotonic()
    with pytest.raises(TryLater, match="no answer within"):
        push.deliver(Browser().subscription(stand_in.address()), MESSAGE)
    assert time.monotonic() - begun < 5


def test_nothing_is_pushed_into_our_own_network(settings: LazySettings) -> None:
    with pytest.raises(TryLater, match="must have the name of a host"):
        push.deliver(Browser().subscription("https://127.0.0.1/push"), MESSAGE)


def test_a_message_for_one_browser_is_read_by_no_other(stand_in: StandIn) -> None:
    push.deliver(Browser().subscription(stand_in.address()), MESSAGE)
    with pytest.raises(Exception, match="Decryption error"):
        Browser().read(stand_in.sent[0])


def test_only_keys_that_a_message_can_be_written_for_are_keys() -> None:
    browser = Browser()
    assert push.is_key(browser.p256dh)
    assert not any(push.is_key(key) for key in ("", "A", "A" * 87, browser.p256dh[:-2], "é" * 87, "*" * 87))
    assert push.is_secret("A" * 22)
    assert not any(push.is_secret(secret) for secret in ("", "A", "A" * 21, "A" * 24, "é" * 22, "!" * 22))
