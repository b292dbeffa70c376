"""How a program says whose it is: a token, made and revoked in one's account and shown once."""

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q

from api import throttles
from api.models import Token
from games.rules import Forbidden, Refusal
from lobby import hearing, limits, restrictions
from lobby.models import User

#: People and programs that look for secrets in code know it by this.
PREFIX: Final = "catan_"
#: Without what no token is like, nothing is asked of the database: a header may hold any bytes, and many.
_SHAPE: Final = re.compile(rb"catan_[A-Za-z0-9_-]{43}")
MOST_TOKENS: Final = 20
#: The last use is shown to the minute; a program may ask several times a second.
NOTED_EVERY: Final = timedelta(minutes=1)


class BadToken(Refusal):
    """Whoever asks is nobody we know."""

    code = "authentication_failed"


UNKNOWN: Final = (
    "This token is unknown or has been revoked. Make a new one in your account, under Programs, and send it as "
    "Authorization: Bearer catan_…"
)


class TooManyTokens(Refusal):
    code = "too_many_tokens"


# Making and revoking


@transaction.atomic
def make(person: User, name: str, scope: str, *, now: datetime) -> tuple[Token, str]:
    """A new token with what it says, which is told here and nowhere else."""
    person = limits.lock(person)
    if person.is_guest or not person.is_active:
        raise Forbidden("Tokens are for accounts: create one first.")
    if person.tokens.count() >= MOST_TOKENS:
        raise TooManyTokens(f"You have {MOST_TOKENS} tokens, the most an account can have: revoke one first.")
    limits.count_token(person, now)
    text = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        person=person, name=name, digest=digest(text), hint=text[-4:], scope=Token.Scope(scope), made_at=now
    )
    return token, text


@transaction.atomic
def revoke(person: User, pk: int) -> Token | None:
    """One of a person's own tokens, as it was; nothing, if they have no such token any more."""
    token = Token.objects.select_for_update().filter(person=person, pk=pk).first()
    if token is not None:
        token.delete()
        hearing.recall(person.pk)
    return token


@transaction.atomic
def revoke_all(person: User) -> int:
    """How many there were."""
    revoked, _ = Token.objects.filter(person=person).delete()
    if revoked:
        hearing.recall(person.pk)
    return revoked


# Knowing whose one is


def named_in(header: bytes, address: str, now: datetime) -> Token | None:
    """The token that an Authorization header names; nothing, if it names none. Refuses one that lets nobody in, and
    an address from where many of these have come."""
    if not is_bearers(header):
        return None
    throttles.require_good_tokens_from(address, now)
    try:
        return _named_in(header, now)
    except (BadToken, restrictions.Banned):
        throttles.count_in_vain(address, now)
        raise


def _named_in(header: bytes, now: datetime) -> Token | None:
    text = carried(header)
    token = text and holder(text, now)
    if not token:
        raise BadToken(UNKNOWN)
    return token


def authorization(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """That header of an ASGI scope. Several are put together, as Django does, which makes no token of two."""
    return b",".join(value for name, value in headers if name == b"authorization")


def is_bearers(header: bytes) -> bool:
    """Whether it is a program’s, with a token or what should be one."""
    return [word.lower() for word in header.split(maxsplit=1)[:1]] == [b"bearer"]


def carried(header: bytes) -> str | None:
    """What the header says is a token; nothing, if it says something else. Whether the token counts is not asked."""
    if not is_bearers(header):
        return None
    words = header.split()
    if len(words) != 2 or not _SHAPE.fullmatch(words[1]):
        raise BadToken(
            "This is not a token. Send one as Authorization: Bearer catan_… with all of its 49 characters and nothing "
            "after them. You make one in your account, under Programs."
        )
    return words[1].decode("ascii")


def holder(text: str, now: datetime) -> Token | None:
    """The token of this text, with its person, whose last use this is now."""
    token = (
        Token.objects.select_related("person")
        .filter(digest=digest(text), person__is_active=True, person__is_guest=False)
        .first()
    )
    if token is None:
        return None
    if restrictions.is_banned(token.person, now):
        raise restrictions.Banned(restrictions.why_banned(token.person))
    _note_use(token, now)
    return token


def _note_use(token: Token, now: datetime) -> None:
    """Of several requests at once, one writes it down."""
    earlier = now - NOTED_EVERY
    if token.last_used_at is None or token.last_used_at <= earlier:
        long_ago = Q(last_used_at=None) | Q(last_used_at__lte=earlier)
        Token.objects.filter(long_ago, pk=token.pk).update(last_used_at=now)
        token.last_used_at = now


def still_counts(token: Token) -> bool:
    return Token.objects.filter(pk=token.pk).exists()


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
