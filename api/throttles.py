"""How much one program, and one address, may ask for: so many requests a minute, in whatever rhythm.

Each kind of request has a bucket a person, or a token, and one an address, which may be a school's. A bucket is one
number, when it would be full again; it lies in the process's memory, so that asking costs nothing, and each web
process has its own. Of a game, one process answers all (deploy/README.md).
"""

import math
import threading
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.rules.refusals import TooFast
from lobby.guests import address_of
from lobby.limits import household

#: So many people may share an address, all of them busy.
OF_AN_ADDRESS: Final = 10
#: Buckets that are kept at most before the full ones, of which nothing need be known, are thrown away.
MOST_KEPT: Final = 20_000
MINUTE: Final = 60.0


@dataclass
class Buckets:
    """All buckets of one kind of request."""

    too_much: str
    setting: str
    full_at: dict[str, float] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, whose: dict[str, int], now: float) -> float:
        """Take one from each of these, by how much more than usual they hold; or else for how long to wait."""
        with self.lock:
            self._forget_full(now)
            wait = max((self._wait(key, factor, now) for key, factor in whose.items()), default=0.0)
            if wait <= 0:
                for key, factor in whose.items():
                    self.full_at[key] = max(self.full_at.get(key, now), now) + self._pause(factor)
            return max(wait, 0.0)

    def _wait(self, key: str, factor: int, now: float) -> float:
        return max(self.full_at.get(key, now), now) + self._pause(factor) - MINUTE - now

    def _pause(self, factor: int) -> float:
        """After which a bucket has one more."""
        a_minute: int = getattr(settings, self.setting)
        return MINUTE / (a_minute * factor)

    def _forget_full(self, now: float) -> None:
        if len(self.full_at) > MOST_KEPT:
            self.full_at = {key: full_at for key, full_at in self.full_at.items() if full_at > now}


READING: Final = Buckets("too many requests", "API_READS_A_MINUTE")
MOVING: Final = Buckets("too many moves and other changes", "API_MOVES_A_MINUTE")
OFFERING: Final = Buckets("too many offers", "API_OFFERS_A_MINUTE")
ALL: Final = (READING, MOVING, OFFERING)


class Throttle(BaseThrottle):
    """What everybody is asked: reading changes nothing, everything else is as a move."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        self.seconds = _take(kind_of(request), request)
        return self.seconds <= 0

    def wait(self) -> float:
        return self.seconds


def kind_of(request: Request) -> Buckets:
    return READING if request.method in ("GET", "HEAD") else MOVING


def count_offer(request: Request) -> None:
    """Every offer asks others at the table for an answer."""
    if wait := _take(OFFERING, request):
        raise TooFast(sentence(OFFERING, wait), math.ceil(wait))


def is_stream_too_much(token_id: int | None, user_id: int | None, address: str) -> bool:
    """A stream that opens reads a page; what it is sent from then on is for the site to say."""
    return READING.take(_whose(token_id, user_id, address), timezone.now().timestamp()) > 0


def sentence(buckets: Buckets, wait: float) -> str:
    return f"Slow down: {buckets.too_much} in a minute. Try again in {math.ceil(wait)} s."


def _take(buckets: Buckets, request: Request) -> float:
    token_id = None if request.auth is None else request.auth.pk
    whose = _whose(token_id, request.user.pk, address_of(request._request))
    return buckets.take(whose, timezone.now().timestamp())


def _whose(token_id: int | None, user_id: int | None, address: str) -> dict[str, int]:
    at = household(address)
    if token_id is not None:
        own = f"token {token_id}"
    elif user_id is not None:
        own = f"person {user_id}"
    else:
        # Somebody without a name is one of many at their address.
        own = f"nobody at {at}"
    return {f"address {at}": OF_AN_ADDRESS, own: 1}
