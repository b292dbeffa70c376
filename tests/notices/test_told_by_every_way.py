"""A notice from the outbox to a device, a webhook and a mail: each arrives once; what is down delays its own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from threading import Event

import pytest
from django.conf import LazySettings
from django.core import mail

from games.models import Game
from lobby.models import Delivery, PushSubscription, User, Webhook
from lobby.notice_models import Way
from lobby.notices import sending, telling
from lobby.notices.reaching import MOST_TIME_OUTS
from tests.clock import Clock
from tests.lobby.noticing import A_MINUTE, confirmed, days_game, deliver_due
from tests.notices.listening import Browser, StandIn, listening, signed_claims

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

BROWSER = Browser()


@pytest.fixture
def channel() -> Iterator[StandIn]:
    """Where Alice's webhook leads to."""
    with listening() as found:
        yield found


@pytest.fixture
def game(clock: Clock, alice: User, bob: User, stand_in: StandIn, channel: StandIn) -> Game:
    """Alice has been asked for long enough, and can be told by every way there is."""
    BROWSER.subscription(stand_in.address("/push/1"), person=alice, device="Firefox", added_at=clock.now).save()
    Webhook.objects.create(person=alice, url=channel.address("/hook"), form=Webhook.Form.SLACK, added_at=clock.now)
    game = days_game(confirmed(alice), bob)
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    assert sorted(Delivery.objects.values_list("way", flat=True)) == ["mail", "push", "webhook"]
    return game


def outcomes() -> dict[str, str]:
    return dict(Delivery.objects.values_list("way", "outcome"))


def test_each_way_brings_it_once(game: Game, stand_in: StandIn, channel: StandIn) -> None:
    for _ in range(3):
        deliver_due()
    [pushed], [posted] = stand_in.sent, channel.sent
    signed_claims(pushed)
    read = BROWSER.read(pushed)
    assert read["title"] == mail.outbox[0].subject == "Your turn in a game with Bob and Charlie"
    assert read["url"].endswith(f"/games/{game.pk}/")
    assert "Place your settlement." in read["body"]
    assert "Place your settlement." in posted.json["text"]
    assert "/account/link/" not in f"{read}{posted.json}", "others may read a channel: no signed link goes there"
    assert len(mail.outbox) == 1
    assert set(outcomes().values()) == {"sent"}


def test_a_push_service_that_is_down_delays_only_its_own(
    clock: Clock, game: Game, stand_in: StandIn, channel: StandIn
) -> None:
    stand_in.status = 503
    deliver_due()
    assert outcomes() == {"mail": "sent", "webhook": "sent", "push": ""}
    stand_in.status = 201
    clock.move(A_MINUTE)
    deliver_due()
    assert outcomes()["push"] == "sent"
    first, second = (BROWSER.read(sent)["key"] for sent in stand_in.sent)
    assert first == second, "what comes again has the same key, and a browser shows it once"
    assert (len(channel.sent), len(mail.outbox)) == (1, 1)


def test_one_that_never_answers_costs_a_time_limit(
    game: Game, stand_in: StandIn, channel: StandIn, settings: LazySettings
) -> None:
    settings.NOTICE_SECONDS = 0.5
    channel.is_silent = True
    deliver_due()
    assert outcomes() == {"mail": "sent", "webhook": "unheard", "push": "sent"}
    assert Webhook.objects.get().trouble == "There was no answer within 0.5 seconds."


def test_a_webhook_that_has_a_message_and_does_not_say_so_does_not_get_it_again(
    clock: Clock, game: Game, channel: StandIn, settings: LazySettings
) -> None:
    """Many post it first and answer then: somebody would read it every few minutes."""
    settings.NOTICE_SECONDS = 0.5
    channel.is_silent = True
    deliver_due()
    channel.is_silent = False
    for _ in range(3):
        clock.move(A_MINUTE)
        deliver_due()
    assert (len(channel.sent), outcomes()["webhook"]) == (1, "unheard")


def test_a_webhook_to_which_nothing_has_left_is_tried_again(
    clock: Clock, game: Game, channel: StandIn, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name server says nothing: the time is over before there is a connection."""
    answers = Event()
    here = socket.getaddrinfo
    with monkeypatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", lambda *said, **more: answers.wait(60) and here(*said, **more))
        settings.NOTICE_SECONDS = 0.2
        deliver_due()
        answers.set()
    assert (channel.sent, outcomes()["webhook"]) == ([], "")
    settings.NOTICE_SECONDS = 5
    clock.move(A_MINUTE)
    deliver_due()
    assert (len(channel.sent), outcomes()["webhook"]) == (1, "sent")


@pytest.mark.parametrize("status", [404, 410])
def test_an_address_where_nobody_is_any_more_is_forgotten(
    game: Game, stand_in: StandIn, channel: StandIn, status: int
) -> None:
    stand_in.status = channel.status = status
    deliver_due()
    assert not PushSubscription.objects.exists()
    assert not Webhook.objects.exists()
    assert outcomes()["mail"] == "sent"


# An address that is another's by now


def test_a_device_that_changed_hands_shows_nothing_of_whose_it_was(
    clock: Clock, game: Game, bob: User, stand_in: StandIn
) -> None:
    PushSubscription.objects.update(person=bob)
    deliver_due()
    assert (stand_in.sent, outcomes()["push"]) == ([], "over")


def test_a_device_that_changes_hands_meanwhile_is_not_forgotten(
    game: Game, bob: User, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has its subscription anew, for somebody else, while its push service says that the old one is gone."""
    stand_in.status = 410
    stand_in.on_post = lambda: PushSubscription.objects.update(person=bob)
    deliver_due()
    assert PushSubscription.objects.get().person == bob
    assert outcomes()["push"] == "refused"


def test_a_webhook_that_replaces_one_that_is_gone_is_kept(game: Game, channel: StandIn) -> None:
    channel.status = 410
    channel.on_post = lambda: Webhook.objects.update(url=channel.address("/new"))
    deliver_due()
    assert Webhook.objects.get().url == channel.address("/new")


# A worker that dies


class Killed(BaseException):
    """The process is gone: nothing after it runs, no handler either."""


def test_a_worker_killed_while_a_webhook_answers_posts_nothing_twice(
    clock: Clock, game: Game, channel: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(sending, "_settle", die)
        with pytest.raises(Killed):
            sending.deliver(Way.WEBHOOK, keep_place=lambda: None)
    clock.move(sending.LEASE.total_seconds())
    deliver_due()
    assert (len(channel.sent), outcomes()["webhook"]) == (1, "unheard")


# Hosts of several people


@pytest.fixture
def hooks(clock: Clock, alice: User, bob: User, channel: StandIn, stand_in: StandIn) -> None:
    """Alice's and Bob's webhooks are at the same host, and there is something to tell both, first to Alice."""
    for person in (alice, bob):
        Webhook.objects.create(
            person=person, url=channel.address(f"/{person}"), form=Webhook.Form.SLACK, added_at=clock.now
        )
        days_game(person)
        clock.move(A_MINUTE)
        telling.tell_due(clock.now)


@pytest.mark.parametrize("status", [301, 400, 401, 403])
def test_whom_a_host_turns_away_keeps_no_other_from_being_told(hooks: None, channel: StandIn, status: int) -> None:
    channel.status = status
    deliver_due()
    assert [sent.path for sent in channel.sent] == ["/alice", "/bob"]


def test_a_host_that_is_silent_costs_one_time_limit_a_round(
    hooks: None, channel: StandIn, settings: LazySettings
) -> None:
    settings.NOTICE_SECONDS = 0.5
    channel.is_silent = True
    deliver_due()
    assert [sent.path for sent in channel.sent] == ["/alice"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_host_that_has_no_time_is_asked_once_a_round(hooks: None, channel: StandIn, status: int) -> None:
    channel.status = status
    deliver_due()
    assert [sent.path for sent in channel.sent] == ["/alice"]


def test_a_host_that_wants_fewer_messages_has_none_for_a_while(clock: Clock, hooks: None, channel: StandIn) -> None:
    channel.status = 429
    deliver_due()
    channel.status = 201
    clock.move(sending.LANE_RESTS.total_seconds() - 1)
    deliver_due()
    assert len(channel.sent) == 1
    clock.move(1)
    deliver_due()
    assert sorted(sent.path for sent in channel.sent) == ["/alice", "/alice", "/bob"]


# Hosts that never answer


def test_one_with_many_dead_devices_keeps_others_waiting_for_one_time_limit(
    clock: Clock, alice: User, bob: User, stand_in: StandIn, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.NOTICE_SECONDS = 0.5
    here = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest, **more: here("localhost", *rest, **more))
    with listening() as dead:
        dead.is_silent = True
        for number in range(5):
            endpoint = dead.address("/push", f"host-{number}.example")
            BROWSER.subscription(endpoint, person=alice, device="Firefox", added_at=clock.now).save()
        BROWSER.subscription(stand_in.address("/push"), person=bob, device="Firefox", added_at=clock.now).save()
        for person in (alice, bob):
            days_game(person)
        clock.move(A_MINUTE)
        telling.tell_due(clock.now)
        deliver_due()
        assert (len(dead.sent), len(stand_in.sent)) == (1, 1)
        # What was silent before comes last.
        clock.move(A_MINUTE)
        deliver_due()
        assert len({sent.headers["host"] for sent in dead.sent}) == 2


def test_a_device_whose_service_was_silent_too_often_in_a_row_is_forgotten(
    clock: Clock, game: Game, stand_in: StandIn, settings: LazySettings
) -> None:
    settings.NOTICE_SECONDS = 0.2
    stand_in.is_silent = True
    PushSubscription.objects.update(time_outs=MOST_TIME_OUTS - 2)
    deliver_due()
    assert PushSubscription.objects.get().time_outs == MOST_TIME_OUTS - 1
    clock.move(A_MINUTE)
    deliver_due()
    assert not PushSubscription.objects.exists()


def test_a_service_that_answers_again_has_never_been_silent(game: Game, stand_in: StandIn) -> None:
    PushSubscription.objects.update(time_outs=MOST_TIME_OUTS - 1)
    deliver_due()
    assert (PushSubscription.objects.get().time_outs, outcomes()["push"]) == (0, "sent")


def test_the_longest_name_that_a_host_can_have_fits(clock: Clock, alice: User, stand_in: StandIn) -> None:
    host = ".".join(["a" * 60] * 4) + ".example"
    BROWSER.subscription(f"https://{host}/x", person=alice, device="Firefox", added_at=clock.now).save()
    Webhook.objects.create(person=alice, url=f"https://{host}/x", form=Webhook.Form.SLACK, added_at=clock.now)
    days_game(alice)
    clock.move(A_MINUTE)
    telling.tell_due(clock.now)
    assert sorted(Delivery.objects.values_list("way", flat=True)) == ["push", "webhook"]
