"""Requests to addresses that people gave us: the one way out of the site.

Whoever gives an address chooses where our server knocks, and our server stands where others cannot go: beside its
database, and on networks that trust it. So an address must be a name, the name is looked up by us, every address that
it has must be one of the open internet, and the connection goes to what was checked: there is no second look-up that
could be answered differently. Redirects are not followed, nothing but the status of an answer is read, and all of it
together, from the look-up on, has a limit of time.

Names are looked up by workers alone: whoever gives an address also chooses the name server that answers for it, or
that never does.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from functools import cache
from http import HTTPStatus
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Lock, Thread
from typing import Final, NamedTuple

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from django.conf import settings
from yarl import URL

from games.rules.refusals import Malformed
from lobby.notice_models import LONGEST_ADDRESS
from lobby.notices.message import Gone, NoAnswer, Silence, TooMany, TryLater, TurnedAway

#: HTTPS, and where servers of one's own often have it. Nothing else that listens speaks first to whoever asks there.
PORTS: Final = (443, 8443)

#: A name as it is looked up. What ends in a number is no name: 2130706433, 127.1 and 0x7f.1 are this machine.
_NAME: Final = re.compile(r"(?=.{1,253}\Z)([a-z\d_]([a-z\d_-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?")
_LOCALHOST: Final = "localhost"

#: What Python takes for open, and is not: the IETF's own, and relays to the networks below.
_CLOSED: Final = tuple(IPv4Network(network) for network in ("192.0.0.0/24", "192.88.99.0/24"))
#: Addresses of the new kind that stand for one of the old kind, or lead through a relay to one.
_DISGUISES: Final = tuple(
    IPv6Network(network)
    for network in ("::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16")
)
_OPEN_INTERNET: Final = IPv6Network("2000::/3")


class NotOutside(Malformed):
    """We send nothing there, and the sentence says why. It never repeats the address, which may be a secret."""

    code = "address_refused"


# What is an address outside


def require_address(address: str) -> None:
    """For whoever enters an address: its form. Where the name leads is looked at with each delivery, since that
    changes, and a name server that never answers must keep no page waiting."""
    _read(address)


def is_written(address: str) -> bool:
    """In the letters that an address has. Others, such as half a letter or none at all, no database takes."""
    return re.fullmatch(r"[!-\[\]-~]+", address) is not None


def host_of(address: str) -> str:
    """As it is looked up, and compared: nobody reads an address in a second way."""
    return URL(address).raw_host or ""


def _read(address: str) -> URL:
    """The form of an address. What is checked here is what the request is made with: no second reading differs."""
    if len(address) > LONGEST_ADDRESS:
        raise NotOutside(f"This address is too long: {LONGEST_ADDRESS} characters are the most.")
    if not is_written(address):
        raise NotOutside("This is not an address: it has spaces, backslashes or letters that no address has.")
    try:
        url = URL(address)
        # Both are read when they are asked for; a name may be written in a way that nobody can read.
        port, _ = url.port, url.host
    except ValueError:
        raise NotOutside("This is not an address such as https://example.org/….") from None
    if url.scheme != "https" and not (settings.NOTICES_TO_LOOPBACK and url.scheme == "http"):
        raise NotOutside("The address must begin with https://.")
    if re.match(r"[^/?#]*//[^/?#]*@", address):
        raise NotOutside("The address must not hold a name or a password before the host.")
    host = (url.raw_host or "").lower()
    if not _NAME.fullmatch(host) and not (settings.NOTICES_TO_LOOPBACK and host == _LOCALHOST):
        raise NotOutside(
            "The address must have the name of a host on the internet, such as example.org, and not a number."
        )
    if port not in PORTS and not settings.NOTICES_TO_LOOPBACK:
        raise NotOutside(f"The address must use port {PORTS[0]}, which is the usual one, or {PORTS[1]}.")
    return url


def _is_outside(text: str) -> bool:
    if "%" in text:
        # A link of this machine: fe80::1%eth0.
        return False
    address = ip_address(text)
    if settings.NOTICES_TO_LOOPBACK and address.is_loopback:
        return True
    return _is_open(address)


def _is_open(address: IPv4Address | IPv6Address) -> bool:
    if any(address in network for network in settings.OWN_NETWORKS):
        return False
    if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED)
    return address in _OPEN_INTERNET and not any(address in network for network in _DISGUISES)


# Look-ups

#: Those under way, by the name. Nobody begins more than the workers that deliver wait for, and the system's own
#: resolver gives up in the end; so they stay few.
_UNDER_WAY: Final[dict[str, Future[list[str]]]] = {}
_BEGINNING: Final = Lock()


def _look_up(host: str) -> Future[list[str]]:
    """All addresses of a host; refused if one of them is not outside.

    A look-up cannot be cancelled. So each has a thread of its own, which nothing waits for in the end, and a name that
    is being looked up is not asked for a second time: one that hangs holds up those alone who ask for that very name.
    """
    with _BEGINNING:
        found = _UNDER_WAY.get(host)
        if found is None:
            found = _UNDER_WAY[host] = Future()
            # Whoever waits no longer must not take it from the others.
            found.set_running_or_notify_cancel()
            Thread(target=_find, args=(host, found), name="look-up", daemon=True).start()
        return found


def _find(host: str, found: Future[list[str]]) -> None:
    try:
        addresses = _addresses_of(host)
    except Exception as error:
        found.set_exception(error)
    else:
        found.set_result(addresses)
    with _BEGINNING:
        del _UNDER_WAY[host]


def _addresses_of(host: str) -> list[str]:
    """If one of them is not outside, the name cannot be trusted with the others either."""
    infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    found = list(dict.fromkeys(str(info[4][0]) for info in infos))
    for one in found:
        if not _is_outside(one):
            raise NotOutside("This host is not on the open internet, and nothing is sent into other networks.")
    return found


# Requests


class Letter(NamedTuple):
    address: str
    body: bytes
    headers: Mapping[str, str]


def post(address: str, body: bytes, headers: Mapping[str, str]) -> None:
    """Deliver it, or say what became of it."""
    [trouble] = post_all([Letter(address, body, headers)])
    if trouble is not None:
        raise trouble


def post_all(letters: Iterable[Letter]) -> list[Gone | TryLater | None]:
    """What became of each: they are under way together, so all of them take no longer than one."""

    async def all_at_once() -> list[Gone | TryLater | None]:
        return await asyncio.gather(*(_post(letter) for letter in letters))

    return asyncio.run(all_at_once())


async def _post(letter: Letter) -> Gone | TryLater | None:
    has_left = asyncio.Event()
    try:
        return _judged(await _send(letter, has_left))
    except NotOutside as refusal:
        return TryLater(refusal.sentence)
    except TimeoutError:
        return (Silence if has_left.is_set() else NoAnswer)(
            f"There was no answer within {settings.NOTICE_SECONDS:g} seconds."
        )
    except aiohttp.ClientConnectorDNSError:
        return TryLater("No host was found under that name: is the address correct?")
    except aiohttp.ClientSSLError:
        return TryLater("No safe connection could be made: the host’s certificate is not one to trust.")
    except (aiohttp.ClientError, OSError, ValueError):
        # Their texts name the address.
        return TryLater("The host could not be reached, or did not answer as it should.")


def _judged(status: int) -> Gone | TryLater | None:
    if 200 <= status < 300:
        return None
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return Gone(f"The host says that there is nothing at this address any more (status {status}).")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return TooMany("The host is limiting messages (status 429).")
    if 300 <= status < 400:
        return TurnedAway(f"The host sends us elsewhere (status {status}), and we do not follow.")
    return (TurnedAway if 400 <= status < 500 else TryLater)(f"The host refused it (status {status}).")


async def _send(letter: Letter, has_left: asyncio.Event) -> int:
    """The status of the answer. Its body is not read, however long it is."""
    url = _read(letter.address)
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(resolver=_Checked(), ssl=_trusted(), force_close=True),
        timeout=aiohttp.ClientTimeout(total=settings.NOTICE_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trace_configs=[_noting(has_left)],
        # No proxy and no password file of this machine's account.
        trust_env=False,
    )
    async with session, session.post(url, data=letter.body, headers=letter.headers, allow_redirects=False) as answer:
        return answer.status


def _noting(has_left: asyncio.Event) -> aiohttp.TraceConfig:
    """Once the body is handed to the system, that sends it on, whatever becomes of us."""

    async def note(*_: object) -> None:
        has_left.set()

    trace = aiohttp.TraceConfig()
    trace.on_request_chunk_sent.append(note)
    return trace


class _Checked(AbstractResolver):
    """The only look-up of a request: its answer is what the connection is made to."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await asyncio.wrap_future(_look_up(host))
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in found
        ]

    async def close(self) -> None:
        """There is nothing to close."""


@cache
def _trusted() -> ssl.SSLContext:
    """Certificates are checked, for the name in the address. Reading what we trust takes longer than a request."""
    return ssl.create_default_context()
