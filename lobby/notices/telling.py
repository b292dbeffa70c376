"""From the outbox to deliveries, once it is time to: what is due becomes messages, is put off, or is left out.

Notices become deliveries in one transaction, under a lock on the person's wishes, so none is lost and none told twice.
A move writes its notices while it has its game locked, and must not wait for us. So what is decided is decided by a
look, and then those notices alone are taken that are as they were at that look, and that nobody else has.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import structlog
from celery import current_app
from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet
from django.db.models.functions import Coalesce

from games.paces import LIVE
from lobby.models import Delivery, Notice, NoticeWishes, User
from lobby.notice_models import Kind, PaceKind, Way, wish
from lobby.notices import wishing, words
from lobby.notices.deciding import Hearer, Past, Thing, Verdict, decide
from lobby.notices.words import Item
from lobby.notices.writing import ASKS

log = structlog.get_logger(__name__)

#: So many people are told in one round of beat's, and so much is looked at for each; the next goes on.
PEOPLE_AT_A_TIME: Final = 100
NOTICES_AT_A_TIME: Final = 100
#: More is left out at once, since no game is read for it.
LEFT_OUT_AT_A_TIME: Final = 1000

#: Whoever cannot be told anything may have an account, or an address, while the question still waits.
HOPELESS_FOR: Final = timedelta(hours=1)

#: After the first failure, then twice as long each time.
FIRST_PAUSE: Final = timedelta(seconds=15)
LONGEST_PAUSE: Final = timedelta(hours=1)

#: Nobody is left at a table, a bot plays the seat, or the account was closed.
_OF_NOBODY: Final = Q(person=None, seat__user=None) | Q(seat__user__is_active=False) | Q(person__is_active=False)
_OF_GUESTS: Final = Q(seat__user__is_guest=True) | Q(person__is_guest=True)
_OF_LIVE_GAMES: Final = Q(seat__game__pace__name__in=LIVE)
#: What waits for however long it takes.
_WAITS: Final = Q(kind=Kind.INVITED, table__game=None) | (Q(kind__in=(*ASKS, Kind.REMINDER)) & ~Q(seat__asked=""))


def pause_after(failures: int) -> timedelta:
    doubled: timedelta = FIRST_PAUSE * 2 ** min(failures - 1, 20)
    return min(doubled, LONGEST_PAUSE)


def tell_due(now: datetime, keep_place: Callable[[], object] = lambda: None) -> None:
    """A round: everybody for whom something is due, those first for whom it has been for longest."""
    try:
        _leave_out(now)
    except Exception:
        # Then it is left out person by person.
        log.exception("not_left_out")
    due = Notice.objects.filter(due_at__lte=now).exclude(_OF_NOBODY).exclude(_OF_GUESTS)
    people = due.values(whom=Coalesce("person", "seat__user")).annotate(first=Min("due_at")).order_by("first", "whom")
    for person in list(people.values_list("whom", flat=True)[:PEOPLE_AT_A_TIME]):
        keep_place()
        try:
            tell(person, now)
        except Exception:
            # Something is wrong with one person's notices, or with a game of theirs; the others are told.
            log.exception("not_told", person=person)
            _try_again(person, now)


@transaction.atomic
def tell(person: int, now: datetime) -> None:
    """Tell somebody what is due, if it is still so and this is the time for it. Of two workers at once, one does."""
    wishes = wishing.taken(person)
    if wishes is None:
        return
    hearer = Hearer.by(wishes)
    if not hearer.ways:
        _keep_what_waits(_of(person).filter(due_at__lte=now), now)
        return
    due = list(_of(person).filter(due_at__lte=now).order_by("due_at", "pk")[:NOTICES_AT_A_TIME])
    of_same_seats = Notice.objects.filter(seat__in={notice.seat_id for notice in due if notice.seat_id})
    known = [*due, *of_same_seats.exclude(pk__in=[notice.pk for notice in due])]
    verdicts = decide(hearer, [Thing.noted(notice) for notice in due], now, told_at=wishes.told_at)
    ours = _as_they_were(known)
    looked_at = [(notice, verdict) for notice, verdict in zip(due, verdicts, strict=True) if notice.pk in ours]
    items = [verdict.answer for _, verdict in looked_at if isinstance(verdict.answer, dict)]
    _settle([notice for notice in known if notice.pk in ours], looked_at, now)
    _send(hearer, items, now)


def _of(person: int) -> QuerySet[Notice]:
    return Notice.objects.filter(Q(person=person) | Q(seat__user=person))


def _unlocked(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    return notices.select_for_update(skip_locked=True, of=("self",))


def _as_they_were(notices: Iterable[Notice]) -> set[int]:
    """Those that are ours from now on: nobody has asked anew since we looked, nor is about to."""
    seen = {notice.pk: notice.due_at for notice in notices}
    now = _unlocked(Notice.objects.filter(pk__in=seen)).values_list("pk", "due_at")
    return {pk for pk, due_at in now if seen[pk] == due_at}


# What becomes of notices


def _settle(ours: list[Notice], looked_at: list[tuple[Notice, Verdict]], now: datetime) -> None:
    """Away with what was told or is over; the rest is put off, and whoever knows of a question has a reminder of it."""
    answers = {notice.pk: verdict.answer for notice, verdict in looked_at}
    told = {notice.seat_id for notice in ours if isinstance(answers.get(notice.pk), dict)}
    # With what was told of a seat, whatever else was to be told of it is told.
    over = [notice.pk for notice in ours if _is_done_with(notice, answers.get(notice.pk), told)]
    due_at: dict[int, datetime | None] = {pk: answer for pk, answer in answers.items() if isinstance(answer, datetime)}
    reminders = {
        notice.seat_id: _reminder_at(verdict, now)
        for notice, verdict in looked_at
        if notice.seat_id and notice.kind != Kind.ENDED and verdict.answer is not Past.OVER
        if not isinstance(verdict.answer, datetime)
    }
    kept = {notice.seat_id: notice.pk for notice in ours if notice.kind == Kind.REMINDER}
    due_at |= {kept[seat]: moment for seat, moment in reminders.items() if seat in kept}
    Notice.objects.filter(pk__in=over).delete()
    Notice.objects.bulk_update(
        [Notice(pk=pk, due_at=moment) for pk, moment in due_at.items() if pk not in over], ["due_at", "failures"]
    )
    # One that was there and is not ours has just been given the moment of another clock.
    Notice.objects.bulk_create(
        (
            Notice(kind=Kind.REMINDER, seat_id=seat, due_at=moment)
            for seat, moment in reminders.items()
            if seat not in kept
        ),
        ignore_conflicts=True,
    )


def _is_done_with(notice: Notice, answer: object, told: set[int | None]) -> bool:
    if notice.kind == Kind.REMINDER:
        return answer is Past.OVER
    return isinstance(answer, Past | dict) or (notice.kind in ASKS and notice.seat_id in told)


def _reminder_at(verdict: Verdict, now: datetime) -> datetime | None:
    """By a clock that is short already, whoever has just heard of it, or looks, needs no reminder."""
    moment = verdict.reminded_at
    is_known = verdict.answer is not Past.UNWANTED
    return None if moment and moment <= now and is_known else moment


def _keep_what_waits(notices: QuerySet[Notice], now: datetime) -> None:
    """Of those who cannot be told anything now."""
    ours = Notice.objects.filter(pk__in=[*_unlocked(notices).values_list("pk", flat=True)[:LEFT_OUT_AT_A_TIME]])
    waiting = [*ours.filter(_WAITS).exclude(_OF_LIVE_GAMES).values_list("pk", flat=True)]
    ours.exclude(pk__in=waiting).delete()
    Notice.objects.filter(pk__in=waiting).update(due_at=now + HOPELESS_FOR)


def _leave_out(now: datetime) -> None:
    """What nobody hears, for which no game has to be read: most games are live ones, and most people want to hear
    nothing of those."""
    due = Notice.objects.filter(due_at__lte=now)
    with transaction.atomic():
        of_nobody = [*_unlocked(due.filter(_OF_NOBODY)).values_list("pk", flat=True)[:LEFT_OUT_AT_A_TIME]]
        unwanted = [*_unlocked(due.filter(pk__in=_unwanted(due))).values_list("pk", flat=True)]
        older = _unlocked(_reminders_beside(unwanted)).values_list("pk", flat=True) if unwanted else []
        Notice.objects.filter(pk__in=[*of_nobody, *unwanted, *older]).delete()
        _keep_what_waits(due.filter(_OF_GUESTS), now)


def _reminders_beside(left_out: list[int]) -> QuerySet[Notice]:
    """Of what was asked before, while the game was one over days. By them somebody would seem to have heard of this."""
    seats = Notice.objects.filter(pk__in=left_out, kind__in=ASKS).values("seat")
    return Notice.objects.filter(kind=Kind.REMINDER, seat__in=seats)


def _unwanted(due: QuerySet[Notice]) -> list[int]:
    of_live_games = list(due.filter(_OF_LIVE_GAMES).values_list("pk", "kind", "seat__user")[:LEFT_OUT_AT_A_TIME])
    people = {person for _, _, person in of_live_games}
    wishes = dict(NoticeWishes.objects.filter(person__in=people).values_list("person", "wishes"))
    return [pk for pk, kind, person in of_live_games if not _is_heard_live(kind, wishes.get(person, ()))]


def _is_heard_live(kind: str, wishes: Iterable[str]) -> bool:
    kinds = {kind} if kind == Kind.ENDED else {kind, Kind.REMINDER}
    return not {wish(way, PaceKind.LIVE, each) for way in Way for each in kinds}.isdisjoint(wishes)


@transaction.atomic
def _try_again(person: int, now: datetime) -> None:
    """Later and later: what is wrong with one must not keep the others waiting in every round."""
    due = _of(person).filter(due_at__lte=now)
    failures = (due.aggregate(most=Max("failures"))["most"] or 0) + 1
    ours = [*_unlocked(due).values_list("pk", flat=True)]
    Notice.objects.filter(pk__in=ours).update(failures=failures, due_at=now + pause_after(failures))


# What becomes of them then


def _send(hearer: Hearer, items: list[Item], now: datetime) -> None:
    if not items:
        return
    deliveries = [
        Delivery(
            person=hearer.person,
            way=way,
            subscription=address.subscription,
            lane=address.lane,
            items=told,
            made_at=now,
            try_at=now,
        )
        for way, addresses in hearer.ways.items()
        if (told := words.one_each(item for item in items if hearer.hears_by(way, item["kind"], item["pace"])))
        for address in addresses
    ]
    Delivery.objects.bulk_create(deliveries)
    if any(item["pace"] == PaceKind.DAYS for item in items):
        NoticeWishes.objects.filter(person=hearer.person).update(told_at=now)
    for way in {delivery.way for delivery in deliveries}:
        # By its name, since the task is above us. Should it be lost, beat's round finds them.
        send = partial(current_app.send_task, "lobby.tasks.deliver", [way], retry=False)
        transaction.on_commit(send, robust=True)


def forget_unused() -> None:
    """Reminders that were given, of seats of which nothing is asked any more."""
    Notice.objects.filter(kind=Kind.REMINDER, due_at=None, seat__asked="").delete()


# Whose it is


def move(guest: User, account: User) -> None:
    """A guest turns out to be somebody with an account: invitations come along, and what the account wishes counts."""
    of_account = Notice.objects.filter(person=account).values("table")
    Notice.objects.filter(person=guest).exclude(table__in=of_account).update(person=account)
    Notice.objects.filter(person=guest).delete()
    NoticeWishes.objects.filter(person=guest).delete()


def kept_of(person: User) -> dict[str, Any]:
    """What the site keeps of it."""
    wishes = NoticeWishes.objects.filter(person=person)
    deliveries = Delivery.objects.filter(person=person).order_by("pk").values("way", "items", "made_at", "outcome")
    return {
        "wishes": wishes.values("wishes", "zone", "quiet_from", "quiet_until", "even_when_looking", "told_at").first(),
        "messages": [
            each | {"items": [{"title": words.plain(item["title"])} for item in each["items"]]} for each in deliveries
        ],
    }
