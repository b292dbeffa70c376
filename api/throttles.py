"""How much one program, and one address, may ask for: so many requests a minute, in whatever rhythm.

Each kind of request has a bucket for a person's pages, one for all their programs, and one for an address, which may be
a school's. A bucket is one number, when it would be full again; it lies in the process's memory, so that asking costs
nothing, and each web process has its own. Of a game, one process answers all (deploy/README.md).
"""

import math
import threading
from dataclasses import dataclass, field
from datetime import datetime
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
            wait = self._wait(whose, now)
            if wait <= 0:
                for key, factor in whose.items():
                    self.full_at[key] = max(self.full_at.get(key, now), now) + self._pause(factor)
            return wait

    def wait(self, whose: dict[str, int], now: float) -> float:
        """For how long, without taking any."""
        with self.lock:
            return self._wait(whose, now)

    def _wait(self, whose: dict[str, int], now: float) -> float:
        return max(
            0.0, *(self._full_at(key, now) + self._pause(factor) - MINUTE - now for key, factor in whose.items())
        )

    def _full_at(self, key: str, now: float) -> float:
        """No bucket is more than empty, even if the clock was put back."""
        if self.full_at.get(key, now) > now + MINUTE:
            self.full_at[key] = now + MINUTE
        return max(self.full_at.get(key, now), now)

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


def is_stream_too_much(user_id: int | None, address: str, *, is_programs: bool) -> bool:
    """A stream that opens reads a page; what it is sent from then on is for the site to say."""
    return READING.take(_whose(user_id, address, is_programs=is_programs), timezone.now().timestamp()) > 0


def require_good_tokens_from(address: str, now: datetime) -> None:
    """Whoever keeps sending tokens that let nobody in is not to have each of them looked up."""
    if wait := READING.wait(_in_vain(address), now.timestamp()):
        raise TooFast(
            "Too many tokens that let nobody in have come from your address. "
            f"Check yours, and try again in {math.ceil(wait)} s.",
            math.ceil(wait),
        )


def count_in_vain(address: str, now: datetime) -> None:
    READING.take(_in_vain(address), now.timestamp())


def sentence(buckets: Buckets, wait: float) -> str:
    return f"Slow down: {buckets.too_much} in a minute. Try again in {math.ceil(wait)} s."


def _take(buckets: Buckets, request: Request) -> float:
    whose = _whose(request.user.pk, address_of(request._request), is_programs=request.auth is not None)
    return buckets.take(whose, timezone.now().timestamp())


def _whose(user_id: int | None, address: str, *, is_programs: bool) -> dict[str, int]:
    """A person has as many tokens as they like, and no more for that. What their programs ask for is not taken from
    what their own pages may."""
    at = household(address)
    if user_id is None:
        # Somebody without a name is one of many at their address.
        own = f"nobody at {at}"
    else:
        own = f"programs of person {user_id}" if is_programs else f"person {user_id}"
    return {f"address {at}": OF_AN_ADDRESS, own: 1}


def _in_vain(address: str) -> dict[str, int]:
    return {f"in vain at {household(address)}": 1}
