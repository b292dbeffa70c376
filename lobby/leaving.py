"""What the site keeps of a person, and how it forgets them."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from games.rules import Refusal
from games.services import forget
from lobby import services
from lobby.models import Block, Chair, ChatLine, Mute, Table, User
from lobby.names import SOMEBODY


@transaction.atomic
def delete(person: User, now: datetime) -> None:
    """The account and all that names its person. Games stay, with somebody in them; bots play on where they lasted."""
    forget(person.pk, SOMEBODY, now)
    leave_tables(person)
    Chair.objects.filter(user=person).update(name=SOMEBODY, user=None)
    ChatLine.objects.filter(user=person).update(name=SOMEBODY, user=None)
    person.delete()


def leave_tables(person: User) -> None:
    """Open ones are left; one that others have a chair at gets one of them as its host. The rest goes with its host."""
    for code in Table.objects.filter(chairs__user=person, game=None).order_by("pk").values_list("code", flat=True):
        try:
            services.stand_up(code, person)
        except Refusal:
            # The game has just started.
            continue
    for table in Table.objects.filter(host=person).order_by("pk"):
        others = Chair.objects.filter(table=table, user__isnull=False).exclude(user=person)
        heir = others.order_by("kept", "number").values_list("user", flat=True).first()
        if heir is not None:
            Table.objects.filter(pk=table.pk).update(host=heir)


def kept_of(person: User) -> dict[str, Any]:
    """All of it that is about the person, to be written down for them. Secrets, such as hashes, tell them nothing."""
    return {
        "account": {
            "name": person.shown_name,
            "sign_in_name": person.username,
            "is_guest": person.is_guest,
            "email": list(EmailAddress.objects.filter(user=person).values("email", "verified")),
            "joined": person.date_joined,
            "last_sign_in": person.last_login,
            "last_visit_as_guest": person.last_visit,
            "second_factor": list(Authenticator.objects.filter(user=person).values("type", "created_at")),
        },
        "sessions": list(
            UserSession.objects.filter(user=person).values("created_at", address=F("ip"), browser=F("user_agent"))
        ),
        "seats": list(
            person.seats.order_by("game").values(
                "name",
                "player",
                "if_absent",
                game_number=F("game"),
                seat=F("number"),
                started=F("game__started_at"),
                ended=F("game__ended_at"),
                status=F("game__status"),
                winner=F("game__winner__number"),
            )
        ),
        "tables_hosted": list(
            person.hosted_tables.order_by("pk").values("code", "rules", "layout", "opened_at", game_number=F("game"))
        ),
        "chairs": list(person.chairs.order_by("pk").values("number", "name", "kept", table_code=F("table__code"))),
        "chat_lines": list(
            person.chat_lines.order_by("pk").values(
                "text",
                "name",
                "said_at",
                "hidden",
                audience=F("conversation__audience"),
                table_code=F("conversation__table__code"),
                game_number=Coalesce("conversation__game", "conversation__table__game"),
            )
        ),
        "blocked": list(Block.objects.filter(by=person).values("since", name=F("whom__name"))),
        "muted": list(Mute.objects.filter(by=person).values("since", name=F("whom__name"))),
    }
