"""How much one visitor may ask for. Two requests at once cannot pass a limit together.

What a person has is counted in their rows, under a lock on the person's own: of two requests, the second counts what
the first has made. Somebody new has no row yet and is counted by address, in the cache, where counting is one step.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_network
from typing import Final

import redis
from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, OuterRef

from games.models import Game, Seat
from games.rules.refusals import TooFast
from lobby.models import Table, User

HOUR: Final = timedelta(hours=1)
SIGN_IN_RESTS: Final = timedelta(minutes=15)
#: Seconds after which it may be worth asking again, where that is in the visitor's own hands.
A_WHILE: Final = 60


# Somebody new


@contextmanager
def room_for_guest(address: str, now: datetime) -> Iterator[None]:
    """Count a guest who is about to be made; one who is not, after all, does not count."""
    sentence = "Too many new guests have come from your address this hour. Wait until the next hour, or sign in."
    with _room("guests", settings.GUESTS_AN_HOUR, sentence, address, now):
        yield


@contextmanager
def room_for_account(address: str, now: datetime) -> Iterator[None]:
    """The same for an account."""
    sentence = "Too many accounts were made from your address this hour. Wait until the next hour, or play as a guest."
    with _room("sign-ups", settings.SIGN_UPS_AN_HOUR, sentence, address, now):
        yield


@contextmanager
def _room(what: str, most: int, sentence: str, address: str, now: datetime) -> Iterator[None]:
    key, left = _span(what, address, now, HOUR)
    try:
        if _count(key, 1) > most:
            raise TooFast(sentence, left)
        yield
    except Exception:
        _count(key, -1)
        raise


def count_sign_in(address: str, now: datetime) -> None:
    """Before the password is looked at: of many guesses at once, none is free. Axes counts those at one name."""
    key, left = _span("sign-ins", address, now, SIGN_IN_RESTS)
    if _count(key, 1) > settings.MOST_GUESSES:
        raise TooFast("Too many sign-ins from your address have failed.", left)


def forgive_sign_in(address: str, now: datetime) -> None:
    """The password was right."""
    _count(_span("sign-ins", address, now, SIGN_IN_RESTS)[0], -1)


def _span(what: str, whose: str, now: datetime, length: timedelta) -> tuple[str, int]:
    """The key under which an address or a person is counted now, and for how many seconds more."""
    number, passed = divmod(int(now.timestamp()), length.seconds)
    return f"{what}.{household(whose)}.{number}", length.seconds - passed


def household(address: str) -> str:
    """Whoever has an address of the new kind has all that begin like it; an old one that is written so is itself."""
    if ":" not in address:
        return address
    mapped = IPv6Address(address).ipv4_mapped
    return str(mapped or ip_network((address, 64), strict=False))


def _count(key: str, change: int) -> int:
    # The key lives longer than it is used: it must not end between the two steps.
    try:
        cache.add(key, 0, timeout=2 * HOUR.seconds)
        return cache.incr(key, change)
    except redis.RedisError:
        # People can play while the cache is away; then nobody is counted.
        return 0


# Somebody with a session


def count_invitation(person: User, now: datetime) -> None:
    """Whoever guesses at names, or keeps asking somebody who declines, has a limited number of tries."""
    key, left = _span("invitations", f"person-{person.pk}", now, HOUR)
    if _count(key, 1) > settings.INVITATIONS_AN_HOUR:
        raise TooFast(
            f"You have sent {settings.INVITATIONS_AN_HOUR} invitations this hour: send the link instead.", left
        )


def count_shuffle(person: User, now: datetime) -> None:
    """Every shuffle is drawn on the page of everybody at the table."""
    key, left = _span("shuffles", f"person-{person.pk}", now, HOUR)
    if _count(key, 1) > settings.SHUFFLES_AN_HOUR:
        raise TooFast(
            f"You have shuffled {settings.SHUFFLES_AN_HOUR} boards this hour: please play on the one you have.", left
        )


def count_way(person: User, now: datetime) -> None:
    """Addresses that are entered, and tests: each makes our server knock somewhere."""
    key, left = _span("ways", f"person-{person.pk}", now, HOUR)
    if _count(key, 1) > settings.WAYS_AN_HOUR:
        raise TooFast("You have changed or tested your notifications too often: please try again later.", left)


def count_token(person: User, now: datetime) -> None:
    """Whoever has got into an account is not to flood it with ways to come back."""
    key, left = _span("tokens", f"person-{person.pk}", now, HOUR)
    if _count(key, 1) > settings.TOKENS_AN_HOUR:
        raise TooFast(f"You have made {settings.TOKENS_AN_HOUR} tokens this hour: please try again later.", left)


def require_room_for_table(person: User, now: datetime) -> None:
    """Every game needs a table, so this limits both."""
    if not person.pk:
        return
    lock(person)
    tables = Table.objects.filter(host=person)
    if tables.filter(game=None).count() >= settings.MOST_OPEN_TABLES:
        raise TooFast(f"You already have {settings.MOST_OPEN_TABLES} open tables: start one of them first.", A_WHILE)
    sentence = (
        f"You have opened {settings.TABLES_AN_HOUR} tables within an hour: please play one before you open another."
    )
    key, left = _tables_given_up(person.pk, now)
    room = settings.TABLES_AN_HOUR - _count(key, 0)
    if room <= 0:
        raise TooFast(sentence, left)
    newest_first = tables.order_by("-opened_at").values_list("opened_at", flat=True)
    earliest = newest_first[room - 1 : room].first()
    if earliest is not None and now - earliest < HOUR:
        raise TooFast(sentence, (earliest + HOUR - now).seconds + 1)


def count_table_given_up(host_id: int, now: datetime) -> None:
    """A table that all have left is no row any more, and one that another hosts is theirs; but it was opened."""
    _count(_tables_given_up(host_id, now)[0], 1)


def _tables_given_up(host_id: int, now: datetime) -> tuple[str, int]:
    return _span("tables-given-up", f"person-{host_id}", now, HOUR)


def require_room_for_game_against_bots(person: User) -> None:
    if not person.pk:
        return
    lock(person)
    people = Seat.objects.filter(user__isnull=False).exclude(player=Seat.Player.BOT)
    others = people.filter(game=OuterRef("game")).exclude(user=person)
    unfinished = people.filter(user=person).exclude(game__status__in=(Game.Status.OVER, Game.Status.ABORTED))
    if unfinished.exclude(Exists(others)).count() >= settings.MOST_GAMES_AGAINST_BOTS:
        raise TooFast(
            f"You have {settings.MOST_GAMES_AGAINST_BOTS} unfinished games against bots: "
            "finish one of them, or resign there, before you start another.",
            A_WHILE,
        )


def lock(person: User) -> User:
    """The person's row as it is now, until the transaction ends. Not its key: chairs and seats may refer to it
    meanwhile."""
    return User.objects.select_for_update(no_key=True).get(pk=person.pk)
