"""Lines of chats that staff hide from everybody, or show again."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from lobby import chat
from lobby.models import ChatLine, User
from moderation import audit


def hide(staff: User, lines: Iterable[ChatLine], *, now: datetime) -> int:
    return _set(staff, lines, hidden=True, act=audit.Act.HID_LINE, now=now)


def show_again(staff: User, lines: Iterable[ChatLine], *, now: datetime) -> int:
    return _set(staff, lines, hidden=False, act=audit.Act.SHOWED_LINE, now=now)


@transaction.atomic
def _set(staff: User, lines: Iterable[ChatLine], *, hidden: bool, act: audit.Act, now: datetime) -> int:
    """Tells how many changed: one that is as it shall be already is no act of anybody."""
    changed = [line for line in lines if line.hidden != hidden]
    for line in changed:
        chat.set_hidden(line, hidden)
        audit.record(staff, act, now=now, person=line.user, game=_game_of(line), line=line.pk)
    return len(changed)


def _game_of(line: ChatLine) -> int | None:
    """What was said at a table goes on in its game."""
    table = line.conversation.table
    return line.conversation.game_id if table is None else table.game_id
