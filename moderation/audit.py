"""What staff did, and what hidden things they looked at. Lines are added, and never changed."""

import enum
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from games.models import Game
from lobby.models import User
from moderation.models import AuditLine


class Act(enum.StrEnum):
    """What a line tells of. A new one needs its words in `SAID` alone."""

    LOOKED_AT_GAME = "looked_at_game"
    LOOKED_AT_CASE = "looked_at_case"
    LOOKED_AT_LINES = "looked_at_lines"
    LOOKED_AT_PERSON = "looked_at_person"
    LOOKED_AT_PAIR = "looked_at_pair"
    TOOK_CASE = "took_case"
    LET_CASE_GO = "let_case_go"
    DECIDED = "decided"
    UNDID = "undid"
    ANSWERED_APPEAL = "answered_appeal"
    HID_LINE = "hid_line"
    SHOWED_LINE = "showed_line"
    ACTED_ON_GAME = "acted_on_game"
    EXPORTED_GAME = "exported_game"
    EXPORTED_AUDIT = "exported_audit"
    CHANGED_PERSON = "changed_person"
    WAS_REFUSED = "was_refused"


SAID = {
    Act.LOOKED_AT_GAME: "looked at a whole game",
    Act.LOOKED_AT_CASE: "looked at reports",
    Act.LOOKED_AT_LINES: "looked at what was said",
    Act.LOOKED_AT_PERSON: "looked at a person",
    Act.LOOKED_AT_PAIR: "looked at a pair of players",
    Act.TOOK_CASE: "took reports on",
    Act.LET_CASE_GO: "let reports go",
    Act.DECIDED: "decided",
    Act.UNDID: "took a decision back",
    Act.ANSWERED_APPEAL: "answered an appeal",
    Act.HID_LINE: "hid a line",
    Act.SHOWED_LINE: "showed a line again",
    Act.ACTED_ON_GAME: "acted on a game",
    Act.EXPORTED_GAME: "took a game’s record",
    Act.EXPORTED_AUDIT: "took a copy of this log",
    Act.CHANGED_PERSON: "changed a person’s role",
    Act.WAS_REFUSED: "was refused",
}

#: Of these a line tells that there is a case, and may tell who has reported it.
OF_CASES = (
    *(Act.LOOKED_AT_CASE, Act.TOOK_CASE, Act.LET_CASE_GO, Act.DECIDED, Act.UNDID, Act.ANSWERED_APPEAL),
    Act.WAS_REFUSED,
)


def record(
    staff: User | None,
    act: Act,
    *,
    now: datetime,
    person: User | None = None,
    game: Game | int | None = None,
    why: str = "",
    **details: Any,
) -> AuditLine:
    """Write a line. Within a transaction it stands or falls with what it tells of."""
    game_id = game.pk if isinstance(game, Game) else game
    return AuditLine.objects.create(
        at=now,
        staff=staff.pk if staff else None,
        staff_name=staff.shown_name if staff else "",
        act=act,
        person=person.pk if person else None,
        person_name=person.shown_name if person else "",
        game=game_id,
        why=why,
        details=details,
    )


def staff() -> QuerySet[User]:
    """Those whose acts are written down from now on."""
    return User.objects.filter(is_staff=True).order_by("name", "username")
