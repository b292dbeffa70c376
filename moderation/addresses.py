"""Who came from the same address, without keeping any address.

Of each there is a hash, under a key that is drawn anew every month. Hashes of one key can be compared, so two people
of one household are seen; those of different keys say nothing of each other. A key is deleted when the next one
begins, and from then on nobody can find out by trying all addresses which one a hash was made of, whoever has the
database.
"""

from __future__ import annotations

import hmac
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import date, datetime
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from itertools import combinations
from typing import Final

from django.utils import timezone

from lobby.limits import household
from moderation.models import ADDRESSES_KEPT, KEY_CHANGES, AddressKey, SeenAddress

KEY_LENGTH: Final = 32

#: An address that more people have in common is a school's or a carrier's, and tells nothing of any two of them.
MOST_PEOPLE: Final = 12


def note(person: int, address: str, now: datetime) -> None:
    """Somebody came from this address; what cannot be one of theirs is passed over."""
    if not _is_a_visitors(address):
        return
    today = timezone.localdate(now)
    key = _current_key(today)
    digest = hmac.new(bytes(key.key), household(address).encode(), sha256).hexdigest()
    SeenAddress.objects.bulk_create(
        [SeenAddress(person_id=person, key_of=key.begins, digest=digest, seen_on=today)],
        update_conflicts=True,
        unique_fields=["person", "key_of", "digest"],
        update_fields=["seen_on"],
    )


def _is_a_visitors(address: str) -> bool:
    """Not so behind a proxy on one's own machine, where everybody seems to be this machine."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    return not found.is_loopback


def _current_key(today: date) -> AddressKey:
    """That of this month. With the first hash after it, the next one begins and it is gone."""
    key = AddressKey.objects.filter(begins__gt=today - KEY_CHANGES).order_by("-begins").first()
    if key is None:
        drawn = secrets.token_bytes(KEY_LENGTH)
        # Of two processes, one draws it.
        key, _ = AddressKey.objects.get_or_create(begins=today, defaults={"key": drawn})
        _forget_keys(today)
    return key


def forget(now: datetime) -> int:
    """Away with keys that are over and what was seen too long ago; how many addresses that were."""
    today = timezone.localdate(now)
    _forget_keys(today)
    forgotten, _ = SeenAddress.objects.filter(seen_on__lt=today - ADDRESSES_KEPT).delete()
    return forgotten


def _forget_keys(today: date) -> None:
    AddressKey.objects.filter(begins__lte=today - KEY_CHANGES).delete()


def shared_by(pairs: Collection[tuple[int, int]]) -> Counter[tuple[int, int]]:
    """How many addresses the two of each pair have in common, under whichever key that is most."""
    wanted = set(pairs)
    known = {person for pair in wanted for person in pair}
    people: dict[tuple[date, str], list[int]] = defaultdict(list)
    crowd: Counter[tuple[date, str]] = Counter()
    rows = SeenAddress.objects.values_list("person_id", "key_of", "digest").iterator()
    for person, begins, digest in rows:
        crowd[begins, digest] += 1
        if person in known:
            people[begins, digest].append(person)
    under_key: Counter[tuple[date, tuple[int, int]]] = Counter()
    for place, found in people.items():
        if crowd[place] <= MOST_PEOPLE:
            under_key.update((place[0], pair) for pair in combinations(sorted(found), 2) if pair in wanted)
    most: Counter[tuple[int, int]] = Counter()
    for (_, pair), count in under_key.items():
        most[pair] = max(most[pair], count)
    return most
