"""The ways by which somebody is told: the devices they said yes on, and a webhook of their own."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from django.contrib.sessions.backends.base import SessionBase
from django.core.cache import cache
from django.db import transaction
from django.db.models import Q

from games.rules import Forbidden, Malformed, Refusal
from lobby import limits
from lobby.models import PushSubscription, User, Webhook
from lobby.notice_models import Way
from lobby.notices import outside, push, webhook
from lobby.notices.message import Gone, Message, TryLater

MOST_DEVICES: Final = 10

#: Seconds for which a test may wait until those of others are through.
TEST_WAITS: Final = 120

#: Where a session keeps which of its person's devices it is on.
_DEVICE: Final = "push"


# Devices


def add_device(person: User, said: object, name: str, session: SessionBase, *, now: datetime) -> None:
    """What a browser said when its owner agreed. A browser tells one person: whoever is signed in there now."""
    require_push(person)
    endpoint, keys = _read(said)
    limits.count_way(person, now)
    outside.require_address(endpoint)
    with transaction.atomic():
        limits.lock(person)
        if PushSubscription.objects.filter(person=person).exclude(endpoint=endpoint).count() >= MOST_DEVICES:
            raise Refusal(f"You already get notifications on {MOST_DEVICES} devices: remove one of them first.")
        device, _ = PushSubscription.objects.update_or_create(
            endpoint=endpoint, defaults={"person": person, "device": name, "added_at": now, "trouble": "", **keys}
        )
    session[_DEVICE] = device.pk


def renew_device(person: User, said: object, session: SessionBase, *, now: datetime) -> None:
    """A browser's push service gave it another address. Its owner agreed to the first one; nothing is added here."""
    require_push(person)
    endpoint, keys = _read(said)
    is_known = Q(pk=device_of(session) or 0) | Q(endpoint=_address_before(said))
    device = PushSubscription.objects.filter(is_known, person=person).first()
    if device is None:
        raise Refusal("This browser gets no notifications from this site.")
    limits.count_way(person, now)
    outside.require_address(endpoint)
    with transaction.atomic():
        limits.lock(person)
        PushSubscription.objects.filter(endpoint=endpoint).exclude(pk=device.pk).delete()
        PushSubscription.objects.filter(pk=device.pk).update(endpoint=endpoint, trouble="", **keys)
    session[_DEVICE] = device.pk


def require_push(person: User) -> None:
    if person.is_guest:
        raise Forbidden("Notifications are for players with an account: please sign up first.")
    if not push.is_offered():
        raise Refusal("Push notifications aren’t set up on this site.")


def _read(said: object) -> tuple[str, dict[str, str]]:
    match said:
        case {"endpoint": str(endpoint), "keys": {"p256dh": str(p256dh), "auth": str(auth)}}:
            if push.is_key(p256dh) and push.is_secret(auth):
                return endpoint, {"p256dh": p256dh, "auth": auth}
    raise Malformed("That is not a valid push subscription.")


def _address_before(said: object) -> str:
    match said:
        # No address has anything else in it, and not everything can be asked of the database.
        case {"instead_of": str(endpoint)} if endpoint.isascii() and endpoint.isprintable():
            return endpoint
    return ""


def device_of(session: SessionBase) -> int | None:
    """Which of the person's devices a session is on, if it is one."""
    return session.get(_DEVICE)


def remove_device(person: User, device: int | None) -> bool:
    removed, _ = PushSubscription.objects.filter(person=person, pk=device or 0).delete()
    return removed > 0


def remove_other_devices(person: User, device: int | None) -> None:
    """For when a password is changed: whoever knew the old one is told no more."""
    PushSubscription.objects.filter(person=person).exclude(pk=device or 0).delete()


# The webhook


def keep_webhook(person: User, address: str, form: str, *, now: datetime) -> None:
    """In place of the one before. An empty form is found out from the address."""
    limits.count_way(person, now)
    outside.require_address(address)
    told = {"url": address, "form": form or webhook.form_of(address), "added_at": now, "trouble": ""}
    Webhook.objects.update_or_create(person=person, defaults=told)


def webhook_of(person: User) -> str:
    """By which its owner knows it; empty if there is none."""
    kept = Webhook.objects.filter(person=person).first()
    return webhook.shortened(kept.url) if kept else ""


def remove_webhook(person: User) -> None:
    Webhook.objects.filter(person=person).delete()


# Whether they work


def test_of(url: str, now: datetime) -> Message:
    return Message(
        key=f"test-{now.timestamp():.0f}",
        title="A test from Online Catan",
        lines=("It arrived, so your notifications will, too.",),
        url=url,
    )


def begin_test(person: User) -> None:
    """One at a time for each person."""
    if not cache.add(_test_of(person.pk), True, timeout=TEST_WAITS):
        raise Refusal("Your last test is still on its way: please wait for it.")


def is_tested(person_id: int) -> bool:
    """Whether somebody still waits for a test."""
    return cache.get(_test_of(person_id)) is not None


def end_test(person_id: int) -> None:
    cache.delete(_test_of(person_id))


def _test_of(person_id: int) -> str:
    return f"test-of-{person_id}"


def _try_devices(person_id: int, message: Message) -> None:
    if push.is_offered():
        push.deliver_to_all(list(PushSubscription.objects.filter(person=person_id)), message)


def _try_webhook(person_id: int, message: Message) -> None:
    for kept in Webhook.objects.filter(person=person_id):
        with suppress(Gone, TryLater):
            webhook.deliver(kept, message)


#: What became of it stands on the pages of the ways. A test forgets no address, not even one where nobody is any more:
#: its owner, who looks at it right now, reads why it does not work.
TESTS: Final[Mapping[Way, Callable[[int, Message], None]]] = {Way.PUSH: _try_devices, Way.WEBHOOK: _try_webhook}


# What the site keeps of it


def kept_of(person: User) -> dict[str, Any]:
    """Addresses are left out: who has one can send there."""
    hook = Webhook.objects.filter(person=person).first()
    return {
        "devices": list(PushSubscription.objects.filter(person=person).values("device", "added_at")),
        "webhook": hook and {"address": webhook.shortened(hook.url), "form": hook.form, "added_at": hook.added_at},
    }
