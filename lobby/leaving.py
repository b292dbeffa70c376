"""What the site keeps of a person, and how it forgets them."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from games.models import Proposal, Vote
from games.rules import Refusal
from games.services import forget
from lobby import services, signals
from lobby.models import Block, Chair, ChatLine, Mute, Table, User
from lobby.names import SOMEBODY
from lobby.notices import telling, ways


def delete(person: User, now: datetime) -> None:
    """The account and all that names its person. Games stay, with somebody in them; bots play on where they lasted."""
    is_gone = False
    while not is_gone:
        is_gone = _delete(person, now)


@transaction.atomic
def _delete(person: User, now: datetime) -> bool:
    """The race: a table where they sit starts a game meanwhile, or they sit down at another one.

    So their row is locked, and looked at, when everything has been left: from then on no seat or chair can be theirs.
    """
    signals.send(signals.person_leaving, person=person)
    forget(person.pk, SOMEBODY, now)
    leave_tables(person, now)
    # A table may have started instead.
    forget(person.pk, SOMEBODY, now)
    list(User.objects.select_for_update().filter(pk=person.pk))
    if person.seats.exists() or person.chairs.filter(table__game=None).exists():
        transaction.set_rollback(True)
        return False
    Chair.objects.filter(user=person).update(name=SOMEBODY, user=None)
    ChatLine.objects.filter(user=person).update(name=SOMEBODY, user=None)
    person.delete()
    return True


def leave_tables(person: User, now: datetime) -> None:
    """Open ones are left; one that others have a chair at gets one of them as its host. The rest goes with its host."""
    stand_up_everywhere(person, now)
    for table in Table.objects.filter(host=person).order_by("pk"):
        others = Chair.objects.filter(table=table, user__isnull=False).exclude(user=person)
        heir = others.order_by("kept", "number").values_list("user", flat=True).first()
        if heir is not None:
            Table.objects.filter(pk=table.pk).update(host=heir)


def stand_up_everywhere(person: User, now: datetime) -> None:
    """Every chair of theirs at a table that has not started, those too that are kept for them."""
    for code in Table.objects.filter(chairs__user=person, game=None).order_by("pk").values_list("code", flat=True):
        try:
            services.stand_up(code, person, now=now)
        except (Refusal, Table.DoesNotExist):
            # The game has just started, or somebody else has just left as the last.
            continue


def kept_of(person: User) -> dict[str, Any]:
    """All of it that is about the person, to be written down for them. Secrets, such as hashes, tell them nothing."""
    kept = _kept_here(person)
    for more in signals.send(signals.person_asking, person=person):
        kept |= more
    return kept


def _kept_here(person: User) -> dict[str, Any]:
    return {
        "account": {
            "name": person.shown_name,
            "sign_in_name": person.username,
            "is_guest": person.is_guest,
            "is_bot": person.is_bot,
            "email": list(EmailAddress.objects.filter(user=person).values("email", "verified")),
            "joined": person.date_joined,
            "last_sign_in": person.last_login,
            "last_visit": person.last_visit,
            "bot_strength": person.bot_strength,
            "muted_until": person.muted_until,
            "banned_until": person.banned_until,
            "second_factor": list(Authenticator.objects.filter(user=person).values("type", "created_at")),
        },
        "sessions": list(
            UserSession.objects.filter(user=person).values("created_at", address=F("ip"), browser=F("user_agent"))
        ),
        "seats": list(
            person.seats.order_by("game").values(
                "name",
                "is_bot_account",
                "player",
                "if_absent",
                "orders",
                game_number=F("game"),
                seat=F("number"),
                started=F("game__started_at"),
                ended=F("game__ended_at"),
                status=F("game__status"),
                winner=F("game__winner__number"),
            )
        ),
        "proposals": list(
            Proposal.objects.filter(by__user=person)
            .order_by("pk")
            .values("kind", "pace", "made_at", "outcome", game_number=F("game"), whom_seat=F("whom__number"))
        ),
        "votes": list(
            Vote.objects.filter(seat__user=person)
            .order_by("pk")
            .values("agrees", proposal_kind=F("proposal__kind"), game_number=F("proposal__game"))
        ),
        "tables_hosted": list(
            person.hosted_tables.order_by("pk").values("code", "rules", "layout", "opened_at", game_number=F("game"))
        ),
        "chairs": list(person.chairs.order_by("pk").values("number", "name", "kept", table_code=F("table__code"))),
        "asked_to_leave": list(person.removals.order_by("pk").values("name", table_code=F("table__code"))),
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
        "holidays": list(person.holidays.order_by("begins_at").values("begins_at", "until")),
        "blocked": list(Block.objects.filter(by=person).values("since", name=F("whom__name"))),
        "told": ways.kept_of(person) | telling.kept_of(person),
        "muted": list(Mute.objects.filter(by=person).values("since", name=F("whom__name"))),
    }
