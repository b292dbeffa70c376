"""What the lobby does outside of requests: ratings, once a game has ended, notices, and what beat asks of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Final

import structlog
from celery import current_app, shared_task
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from games.clocks import LATER
from lobby import banning, clearing, holidays, meeting, ratings
from lobby.notice_models import Way
from lobby.notices import sending, telling, ways

log = structlog.get_logger(__name__)

#: Seconds for which a round, of notices or of the deliveries of a way, has its place to itself. One that died in the
#: middle loses it after them; one that takes longer for a single step gets company, which does no harm: each claims
#: what it does.
ROUND_KEPT: Final = 30

#: Under which all tests have their way to themselves, and seconds after which one that found it taken comes again.
_TESTING: Final = "testing"
_TEST_RESTS: Final = 1


@shared_task
def clear_old_guests() -> None:
    last_day = timezone.localdate() - timedelta(days=settings.GUESTS_KEPT)
    forgotten = clearing.forget_guests(last_day, timezone.now())
    if forgotten:
        log.info("guests_forgotten", guests=forgotten)


@shared_task
def free_chairs_of_those_gone() -> None:
    meeting.free_chairs_of_those_gone(timezone.now())


@shared_task
def rate_game(game_id: int) -> None:
    ratings.rate_game(game_id)


@shared_task
def rate_missed_games() -> None:
    """Beat's round: games whose task was lost with the broker or the worker."""
    ratings.rate_missed()


@shared_task
def tell_whom_it_is_time_to_tell() -> None:
    """Beat's round: whom something waits for; and deliveries that are due, be it again or since a task was lost."""
    with _place("telling") as keep_place:
        if keep_place is not None:
            telling.tell_due(timezone.now(), keep_place)
    for way in sending.ways_due(timezone.now()):
        current_app.send_task(deliver.name, [way], retry=False)


@shared_task
def deliver(way: str) -> None:
    """One thread a way: a mail server that is slow takes no more of the workers than that."""
    with _place(f"delivering-{way}") as keep_place:
        if keep_place is not None:
            sending.deliver(Way(way), keep_place)


@contextmanager
def _place(name: str) -> Iterator[Callable[[], object] | None]:
    """For one round at a time: what keeps it until the next call; nothing if another has it."""
    if not cache.add(name, True, timeout=ROUND_KEPT):
        yield None
        return
    try:
        yield partial(cache.touch, name, timeout=ROUND_KEPT)
    finally:
        cache.delete(name)


@shared_task
def clear_old_notices() -> None:
    now = timezone.now()
    sending.clear(now - timedelta(days=settings.NOTICES_KEPT), now)
    telling.forget_unused()


def ask_for_test(person: int, way: str, url: str, *, in_seconds: int = 0) -> None:
    """Games go first: nobody waits for a test but whoever pressed."""
    current_app.send_task(send_test.name, [person, way, url], countdown=in_seconds, priority=LATER, retry=False)


@shared_task
def send_test(person: int, way: str, url: str) -> None:
    """One thread for all tests: hosts that never answer take no more of the workers than that. Those that wait
    meanwhile take none."""
    if not ways.is_tested(person):
        return
    if not cache.add(_TESTING, True, timeout=ROUND_KEPT):
        ask_for_test(person, way, url, in_seconds=_TEST_RESTS)
        return
    try:
        ways.TESTS[Way(way)](person, ways.test_of(url, timezone.now()))
    finally:
        cache.delete(_TESTING)
        ways.end_test(person)


@shared_task
def keep_the_banned_out() -> None:
    """Beat's round: bans that a game, a table or a socket has not heard of."""
    banning.sweep(timezone.now())


@shared_task
def begin_and_end_holidays() -> None:
    """Beat's round: those that were planned, and those that a game has not heard of."""
    holidays.sweep(timezone.now())
