"""Accounts that a program plays: how one comes to be, and where it sits down.

Its owner says so once and for good, before it has met anybody, so nobody is ever told later that they played a program.
"""

from typing import Final

from django.db import transaction

from games.rules import Refusal
from games.words import listing
from lobby import limits
from lobby.models import Chair, Table, User


class NotToBeDeclared(Refusal):
    code = "not_to_be_declared"


class NoBots(Refusal):
    """The table has no place for a bot account."""

    code = "no_bots"


class RatedApart(Refusal):
    """People and bot accounts are never in one rated game."""

    code = "rated_apart"


class ForPeople(Refusal):
    code = "for_people"


NO_BOTS: Final = "This table plays without bots."
AMONG_PEOPLE: Final = (
    "This rated game is for people, and bot accounts are rated among themselves. "
    "Choose a table that isn’t rated, or open a rated one of your own."
)
AMONG_BOTS: Final = (
    "This rated game is for bot accounts, which have a leaderboard of their own. "
    "Choose a table that isn’t rated to play with them, or open a rated one of your own."
)


# How one comes to be


@transaction.atomic
def declare(person: User) -> None:
    """From now on a program plays this account.

    The race: they sit down in another tab meanwhile. Whoever is given a chair has their row locked too (`is_one`), so
    either the chair is seen here, or that table sees a bot account.
    """
    if sentence := why_not(limits.lock(person)):
        raise NotToBeDeclared(sentence)
    User.objects.filter(pk=person.pk).update(is_bot=True)
    person.is_bot = True


def why_not(person: User) -> str:
    """Why somebody cannot make theirs a bot account; nothing if they can."""
    if person.is_bot:
        return "This is a bot account already."
    if person.is_guest:
        return "Guests have no account: sign up first, and make that a bot account before it plays."
    if person.is_staff:
        return "This account looks after the site: sign up for another one for your program."
    if person.seats.exists() or person.ratings.exists():
        return "This account has already played, so others know it as a person: sign up for another one."
    if person.chairs.filter(table__game=None).exists():
        return "This account has a chair at a table: leave the table, or decline the invitation, and come back."
    return ""


def is_one(person: User) -> bool:
    """As their row says, which is theirs to change only after this transaction. Locked after a table, if any is."""
    return person.pk is not None and limits.lock(person).is_bot


# Where it sits down


def require_welcome(person: User, table: Table) -> None:
    if refusal := why_unwelcome(is_one(person), table):
        raise refusal


def why_unwelcome(is_bot: bool, table: Table) -> Refusal | None:
    """Why a bot account, or a person, cannot sit at a table. Of one whose game is rated, its host decides for whom."""
    if is_bot and not table.bots_allowed:
        return NoBots(NO_BOTS)
    if table.rated and is_bot != table.host.is_bot:
        return RatedApart(AMONG_PEOPLE if is_bot else AMONG_BOTS)
    return None


def require_invitable(person: User, table: Table) -> None:
    """The same for somebody whom the host invites, said to the host."""
    is_bot = is_one(person)
    unwelcome = why_unwelcome(is_bot, table)
    if isinstance(unwelcome, NoBots):
        raise NoBots(f"{NO_BOTS[:-1]}, and {person.shown_name} is a bot account: let bots play before you invite it.")
    if unwelcome and is_bot:
        raise RatedApart(f"{person.shown_name} is a bot account, and this rated game is for people.")
    if unwelcome:
        raise RatedApart(f"{person.shown_name} is a person, and this rated game is for bot accounts.")


def require_room_for(host: User, bots_allowed: bool) -> None:
    """Whoever opens a table sits at it."""
    if not bots_allowed and is_one(host):
        raise NoBots("You play as a bot account: let bots play at your table.")


def require_none(table: Table) -> None:
    """Before bots are no longer allowed."""
    if table.chairs.filter(user__is_bot=True).exists():
        raise NoBots("Bot accounts have chairs at this table: remove them first, or let bots play.")


def require_one_kind(table: Table, chairs: list[Chair]) -> None:
    """Before the game is rated: all are people, or all are bot accounts, as the host is."""
    others = [chair.name for chair in chairs if chair.user and chair.user.is_bot != table.host.is_bot]
    if others:
        raise RatedApart(
            "People and bot accounts are rated apart: "
            f"{listing(others)} would have to leave before the game can be rated."
        )


def require_person(person: User) -> None:
    """Nobody who looks for a game is to wait for programs, which could fill every table."""
    if person.is_bot:
        raise ForPeople(
            "“Find a game” brings people together. A bot account sits down at an open table that allows bots, "
            "or opens one."
        )
