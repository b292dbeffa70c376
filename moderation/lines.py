"""Lines of chats, which staff read, hide from everybody, or show again."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from games.rules.refusals import Forbidden
from lobby import chat
from lobby.models import ChatLine, Conversation, User
from moderation import audit, games


class OwnLine(Forbidden):
    code = "own_line"


def readable_by(staff: User) -> QuerySet[ChatLine]:
    """All but what those say who watch a game that somebody plays in: they talk about the hands."""
    watched = Conversation.objects.filter(
        audience=Conversation.Audience.WATCHERS, game__in=games.still_played_by(staff).values("game")
    )
    return ChatLine.objects.exclude(conversation__in=watched)


def hide(staff: User, lines: Iterable[ChatLine], *, now: datetime) -> int:
    return _set(staff, lines, hidden=True, act=audit.Act.HID_LINE, now=now)


def show_again(staff: User, lines: Iterable[ChatLine], *, now: datetime) -> int:
    return _set(staff, lines, hidden=False, act=audit.Act.SHOWED_LINE, now=now)


@transaction.atomic
def _set(staff: User, lines: Iterable[ChatLine], *, hidden: bool, act: audit.Act, now: datetime) -> int:
    """Tells how many changed: one that is as it shall be already is no act of anybody."""
    # In one order, which is that of decisions: two who hide the same lines do not wait for each other.
    changed = sorted((line for line in lines if line.hidden != hidden), key=lambda line: (line.said_at, line.pk))
    if not hidden and any(line.user_id == staff.pk for line in changed):
        raise OwnLine("One of these lines is yours: another moderator decides whether it is shown again.")
    for line in changed:
        chat.set_hidden(line, hidden)
        audit.record(staff, act, now=now, person=line.user, game=_game_of(line), line=line.pk)
    return len(changed)


def _game_of(line: ChatLine) -> int | None:
    """What was said at a table goes on in its game."""
    table = line.conversation.table
    return line.conversation.game_id if table is None else table.game_id
