"""Deliveries on their way out: each arrives once, whatever dies meanwhile.

A delivery is a row, and whoever tries it claims it under a lock, for as long as `LEASE`: should they die, somebody else
finds it due after that. What they were doing when they died decides whether it is tried again.

* Before the point of no return, nothing has left: it is tried again.
* After it, the other side may have it, and it is not. For mail, that point lies between the server's word that it takes
  the text and the handing of the text to the system, which sends it on even if we die then; for a webhook, it is the
  request. Killed within those moments, a notice would be lost; the reminder still comes. The other choice would be to
  send every mail twice whose worker is killed while the server thinks about it, which takes seconds.
* A server that has the text and says nothing for long has it too: many send on first and answer then. So it is with the
  host of a webhook. One that hangs up has not said that it took the mail: it is tried again, under the same Message-ID.
* Push has no such point: it is tried again, and a browser shows a message with the same key once.

Whether there is still something to tell is decided at each try (lobby/notices/deciding.py), and whatever waits for the
same person on the same way goes with it.

Each way has a round of its own, in one thread, so that none of them keeps the others, or the games, from a worker. In a
round, the first failure of a lane is the last try for that lane, and the first silence of a host the last for its
person: what never answers costs one time limit a round.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import uuid4

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from lobby.models import Delivery, NoticeWishes, RestingLane
from lobby.notice_models import Way
from lobby.notices import words
from lobby.notices.deciding import Hearer, Thing, decide
from lobby.notices.message import Gone, NoAnswer, TooMany, TryLater, TurnedAway, Unheard
from lobby.notices.reaching import WAYS
from lobby.notices.telling import pause_after
from lobby.notices.words import Item

log = structlog.get_logger(__name__)

#: Who tries a delivery has it for so long; a worker that takes longer has lost it and hands nothing over.
LEASE: Final = timedelta(seconds=60)
GIVEN_UP_AFTER: Final = timedelta(days=2)
#: A host that wants fewer messages has none for so long.
LANE_RESTS: Final = timedelta(minutes=5)
#: A round ends after so long; beat's next goes on.
ROUND: Final = timedelta(seconds=50)

Outcome = Delivery.Outcome


class Lost(Exception):
    """The lease was over before the delivery could be handed over: it may be somebody else's now."""


@dataclass(slots=True)
class Troubles:
    """What is tried no more in this round."""

    lanes: set[str] = field(default_factory=set)
    people: set[int] = field(default_factory=set)


def ways_due(now: datetime) -> list[str]:
    return list(Delivery.objects.filter(try_at__lte=now).values_list("way", flat=True).distinct())


def deliver(way: Way, keep_place: Callable[[], object]) -> None:
    """A round: everything of a way that is to be tried now."""
    started = timezone.now()
    troubles = Troubles()
    while (now := timezone.now()) - started < ROUND:
        keep_place()
        delivery = claim(way, troubles, now)
        if delivery is None:
            return
        attempt(delivery, troubles)


@transaction.atomic
def claim(way: Way, troubles: Troubles, now: datetime) -> Delivery | None:
    """The next delivery to try, ours until its lease is over. Two who look at once get different ones."""
    due = _unlocked().filter(way=way, try_at__lte=now)
    resting = RestingLane.objects.filter(until__gt=now).values("lane")
    due = due.exclude(lane__in=troubles.lanes).exclude(lane__in=resting).exclude(person__in=troubles.people)
    # What never answers does not keep what does from being tried.
    silences = Coalesce("subscription__time_outs", 0)
    delivery = due.order_by(silences, "tries", "try_at", "pk").first()
    if delivery is None:
        return None
    if delivery.handing_over_at is None:
        _take_along(delivery, now)
    # What has trouble waits for its next try; what has none and is not due is being tried.
    delivery.tries, delivery.try_at, delivery.trouble = delivery.tries + 1, now + LEASE, ""
    delivery.save(update_fields=["key", "items", "made_at", "tries", "try_at", "trouble"])
    return delivery


def _unlocked() -> QuerySet[Delivery]:
    return Delivery.objects.select_for_update(skip_locked=True, of=("self",))


def _take_along(delivery: Delivery, now: datetime) -> None:
    """What waits for the same person at the same address becomes one message, which nobody has seen yet."""
    same = _unlocked().filter(person=delivery.person_id, way=delivery.way, subscription=delivery.subscription_id)
    is_waiting = Q(try_at__lte=now) | (Q(try_at__gt=now) & ~Q(trouble=""))
    others = list(same.filter(is_waiting, handing_over_at=None).exclude(pk=delivery.pk))
    if not others:
        return
    in_order = sorted([delivery, *others], key=lambda each: (each.made_at, each.pk))
    delivery.items = [item for each in in_order for item in each.items]
    delivery.key, delivery.made_at = uuid4(), in_order[-1].made_at
    Delivery.objects.filter(pk__in=[other.pk for other in others]).delete()


def attempt(delivery: Delivery, troubles: Troubles) -> None:
    """Try a delivery that was claimed."""
    now = timezone.now()
    if delivery.handing_over_at is not None:
        _settle(delivery, Outcome.UNHEARD, now)
        return
    if now - delivery.made_at > GIVEN_UP_AFTER:
        _settle(delivery, Outcome.GIVEN_UP, now)
        return
    try:
        items = _still_to_tell(delivery, now)
        if isinstance(items, datetime):
            _own(delivery).update(try_at=items)
        elif not items:
            _settle(delivery, Outcome.OVER, now)
        else:
            delivery.items = items
            WAYS[Way(delivery.way)].hand_over(delivery, items, partial(_pass_point_of_no_return, delivery))
            _settle(delivery, Outcome.SENT, timezone.now())
    except Gone as error:
        _settle(delivery, Outcome.REFUSED, timezone.now(), str(error))
    except Unheard as error:
        _note_silence(delivery, troubles)
        _settle(delivery, Outcome.UNHEARD, timezone.now(), str(error))
    except TryLater as error:
        _note_trouble(delivery, error, troubles, timezone.now())
        _try_later(delivery, str(error), timezone.now())
    except Lost:
        _try_later(delivery, "It took too long.", timezone.now())
    except Exception as error:
        # A mistake of ours, with this one; the others of its lane are not to wait for it.
        log.exception("delivery_failed", way=delivery.way)
        _try_later(delivery, type(error).__name__, timezone.now())


def _still_to_tell(delivery: Delivery, now: datetime) -> list[Item] | datetime:
    """What of it is to be told now; if that is nothing, and something has to wait, until when."""
    way = Way(delivery.way)
    wishes = NoticeWishes.objects.select_related("person").filter(person=delivery.person_id).first()
    hearer = Hearer.by(wishes or NoticeWishes(person=delivery.person), [way])
    # An address may have been removed since, and a device may be somebody else's.
    if delivery.subscription_id not in {address.subscription_id for address in hearer.ways.get(way, ())}:
        return []
    answers = [verdict.answer for verdict in decide(hearer, [Thing.told(item) for item in delivery.items], now)]
    items = words.one_each(answer for answer in answers if isinstance(answer, dict))
    waits = [answer for answer in answers if isinstance(answer, datetime)]
    return min(waits) if waits and not items else items


def _pass_point_of_no_return(delivery: Delivery) -> None:
    """Only whoever still has the lease may go on, and has it anew for as long as the answer takes."""
    now = timezone.now()
    own = _own(delivery).filter(try_at__gt=now, handing_over_at=None)
    if not own.update(handing_over_at=now, try_at=now + LEASE):
        raise Lost


def _note_trouble(delivery: Delivery, error: TryLater, troubles: Troubles, now: datetime) -> None:
    """Whom it concerns beside this delivery."""
    if isinstance(error, TurnedAway):
        return
    troubles.lanes.add(delivery.lane)
    if isinstance(error, NoAnswer):
        _note_silence(delivery, troubles)
    if isinstance(error, TooMany):
        RestingLane.objects.update_or_create(lane=delivery.lane, defaults={"until": now + LANE_RESTS})


def _note_silence(delivery: Delivery, troubles: Troubles) -> None:
    troubles.lanes.add(delivery.lane)
    troubles.people.add(delivery.person_id)


def _try_later(delivery: Delivery, why: str, now: datetime) -> None:
    log.warning("delivery_put_off", way=delivery.way, why=why, tries=delivery.tries)
    until = now + pause_after(delivery.tries)
    _own(delivery).update(try_at=until, handing_over_at=None, trouble=why[:200] or "?")


def _settle(delivery: Delivery, outcome: Delivery.Outcome, now: datetime, why: str = "") -> None:
    """Nothing is left to settle of one whose device was forgotten."""
    _own(delivery).update(outcome=outcome, settled_at=now, try_at=None, trouble=why[:200], items=delivery.items)


def _own(delivery: Delivery) -> QuerySet[Delivery]:
    """As long as nobody else has claimed it since."""
    return Delivery.objects.filter(pk=delivery.pk, tries=delivery.tries)


def clear(before: datetime, now: datetime) -> int:
    """Forget what was settled, or lies there unsettled, for longer than anybody asks for it."""
    RestingLane.objects.filter(until__lte=now).delete()
    deleted, _ = Delivery.objects.filter(made_at__lt=before).delete()
    return deleted
