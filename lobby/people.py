"""Whom somebody meets in a chat, and whom they have muted or blocked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.crypto import constant_time_compare, salted_hmac

from games.rules.refusals import Forbidden, Malformed, Refusal
from lobby import blocks, hearing, services
from lobby.chat import MOST_SHOWN
from lobby.models import Block, Mute, User
from lobby.rooms import Room


@dataclass(frozen=True, slots=True)
class Met:
    """Somebody as one reader knows them."""

    #: What the reader's forms call them. It means nothing to anybody else, and tells nobody who is who elsewhere.
    key: str
    name: str
    is_muted: bool
    is_blocked: bool
    is_bot_account: bool
    #: Whose line was pressed.
    is_meant: bool = False


class Stranger(Refusal):
    code = "nobody_there"


def in_room(room: Room, reader: User, line: int | None = None) -> list[Met]:
    """Who sits there or has spoken lately; first whoever said a line."""
    room.require_reader(reader)
    meant = _speaker_of(room, reader, line)
    met = _met(reader, _names(room, reader), meant)
    return sorted(met, key=lambda person: not person.is_meant)


def muted_or_blocked(reader: User) -> list[Met]:
    people = User.objects.in_bulk(_muted(reader) | _blocked(reader))
    names = {user_id: person.shown_name for user_id, person in people.items()}
    return sorted(_met(reader, names), key=lambda person: person.name.casefold())


def _muted(reader: User) -> set[int]:
    return set(Mute.objects.filter(by=reader.pk).values_list("whom_id", flat=True))


def _blocked(reader: User) -> set[int]:
    return set(Block.objects.filter(by=reader.pk).values_list("whom_id", flat=True))


def _met(reader: User, names: dict[int, str], meant: int | None = None) -> list[Met]:
    muted, blocked = _muted(reader), _blocked(reader)
    bots = set(User.objects.filter(pk__in=names, is_bot=True).values_list("pk", flat=True))
    return [
        Met(_key(reader, user_id), name, user_id in muted, user_id in blocked, user_id in bots, user_id == meant)
        for user_id, name in names.items()
    ]


def _names(room: Room, reader: User) -> dict[int, str]:
    """Not the reader's own, nor of those whose words are kept from them."""
    said = hearing.said_to(reader, room.lines().filter(user__isnull=False)).order_by("-number")
    lately = {line.user_id: line.name for line in reversed(said[:MOST_SHOWN]) if line.user_id}
    return {user_id: name for user_id, name in (lately | room.sitters()).items() if user_id != reader.pk}


def _speaker_of(room: Room, reader: User, line: int | None) -> int | None:
    if line is None:
        return None
    return hearing.said_to(reader, room.lines().filter(number=line)).values_list("user_id", flat=True).first()


def _key(reader: User, user_id: int) -> str:
    return salted_hmac("lobby.people", f"{reader.pk} {user_id}").hexdigest()


# Wishes


def wish(room: Room | None, reader: User, wanted: str, key: str, *, now: datetime) -> None:
    """Mute or block somebody who is met in a room; without one, somebody who is muted or blocked already."""
    if wanted not in WISHES:
        raise Malformed("Choose whether to mute or block.")
    if not reader.pk:
        raise Forbidden("Say something or sit down first: the site must know who you are to remember this.")
    whom = whom_in(room, reader, key)[0] if room else _of_key(_muted(reader) | _blocked(reader), reader, key)
    WISHES[wanted](reader, User.objects.get(pk=whom), now)


def whom_in(room: Room, reader: User, key: str) -> tuple[int, str]:
    """Whom a reader’s form means who is met in a room, and what they are called there."""
    room.require_reader(reader)
    names = _names(room, reader)
    whom = _of_key(names, reader, key)
    return whom, names[whom]


def _of_key(candidates: Iterable[int], reader: User, key: str) -> int:
    for user_id in candidates:
        if constant_time_compare(_key(reader, user_id), key):
            return user_id
    raise Stranger("This person is no longer here.")


def _block(reader: User, whom: User, now: datetime) -> None:
    blocks.block(reader, whom, now=now)
    services.end_invitations(reader, whom, now)


WISHES: Final[dict[str, Callable[[User, User, datetime], None]]] = {
    "mute": lambda reader, whom, now: hearing.mute(reader, whom, now=now),
    "unmute": lambda reader, whom, _: hearing.unmute(reader, whom),
    "block": _block,
    "unblock": lambda reader, whom, _: blocks.unblock(reader, whom),
}
