"""The ways to a person, one entry each: where they can be reached by it, and how a message is handed over there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.db.models import F
from django.urls import reverse

from lobby.models import Delivery, PushSubscription, User, Webhook
from lobby.notice_models import Way
from lobby.notices import links, mail, push, webhook, words
from lobby.notices.message import Gone, Message, NoAnswer, Silence, TryLater, Unheard
from lobby.notices.words import Item

#: A device whose push service has not answered so often in a row is forgotten: nobody waits for what is not there.
MOST_TIME_OUTS: Final = 20


@dataclass(frozen=True, slots=True)
class Address:
    """Where one message goes. All of a lane are down together, so when one cannot be delivered, the others wait."""

    lane: str
    subscription: PushSubscription | None = None

    @property
    def subscription_id(self) -> int | None:
        return None if self.subscription is None else self.subscription.pk


@dataclass(frozen=True, slots=True)
class Reached:
    addresses: Callable[[User], list[Address]]
    #: Hands a delivery over, with what of it is still so, or raises what became of it (lobby/notices/message.py). Where
    #: a message that arrives twice would be read twice, it calls what it is given right before the point of no return.
    #: An address where nobody is any more is forgotten, unless it was replaced meanwhile.
    hand_over: Callable[[Delivery, list[Item], Callable[[], None]], None]


def _mail_addresses(person: User) -> list[Address]:
    return [Address("mail")] if mail.address_of(person) else []


def _devices(person: User) -> list[Address]:
    subscriptions = PushSubscription.objects.filter(person=person) if push.is_offered() else []
    return [Address(f"push to {urlsplit(each.endpoint).hostname}", each) for each in subscriptions]


def _to_device(delivery: Delivery, items: list[Item], about_to: Callable[[], None]) -> None:
    device = delivery.subscription
    if device is None:
        raise Gone("The device was removed.")
    own = PushSubscription.objects.filter(pk=device.pk, person=delivery.person_id, endpoint=device.endpoint)
    try:
        push.deliver(device, _message(delivery, items))
    except Gone:
        own.delete()
        raise
    except NoAnswer as reason:
        own.update(time_outs=F("time_outs") + 1)
        if own.filter(time_outs__gte=MOST_TIME_OUTS).delete()[0]:
            raise Gone(str(reason)) from reason
        raise
    if device.time_outs:
        own.update(time_outs=0)


def _webhooks(person: User) -> list[Address]:
    return [Address(f"webhook at {urlsplit(each.url).hostname}") for each in Webhook.objects.filter(person=person)]


def _to_webhook(delivery: Delivery, items: list[Item], about_to: Callable[[], None]) -> None:
    kept = Webhook.objects.filter(person=delivery.person_id).first()
    if kept is None:
        raise Gone("The webhook was removed.")
    own = Webhook.objects.filter(person=delivery.person_id, url=kept.url)
    about_to()
    try:
        webhook.deliver(kept, _message(delivery, items))
    except Gone:
        own.delete()
        raise
    except Silence as reason:
        raise Unheard(str(reason)) from reason
    except TryLater as reason:
        own.update(trouble=str(reason)[:200])
        raise
    if kept.trouble:
        own.update(trouble="")


def _message(delivery: Delivery, items: list[Item]) -> Message:
    """Whoever else reads a webhook's channel gets no signed link."""
    path = items[0]["path"] if len(items) == 1 else reverse("front")
    lines = (items[0]["sentence"],) if len(items) == 1 else tuple(item["title"] for item in items)
    until = f"You have until {items[0]['until']}." if len(items) == 1 and items[0]["until"] else ""
    return Message(
        key=str(delivery.key),
        title=words.title(items),
        lines=tuple(words.plain(line) for line in (*lines, until) if line),
        url=links.absolute(path),
    )


WAYS: Final[Mapping[Way, Reached]] = {
    Way.MAIL: Reached(_mail_addresses, mail.hand_over),
    Way.PUSH: Reached(_devices, _to_device),
    Way.WEBHOOK: Reached(_webhooks, _to_webhook),
}
