"""What a host arranges at a table: who sits where, who is invited, who is the next host, and a board that all see."""

from datetime import datetime
from typing import Final

from games.rules import Refusal
from games.services import new_seed
from lobby import blocks, bot_accounts, limits, names
from lobby.models import Chair, Removal, Table, User
from lobby.notices.writing import note_invited
from lobby.restrictions import is_banned
from lobby.selectors import why_board_stays
from lobby.services import chair_at, changing, require_host

#: One answer for a name that nobody has, and for those who cannot be invited: nothing is to be learned from it.
NOT_TO_BE_INVITED: Final = "Nobody with that account name can be invited: check the name, or send them the link."

#: What moves with whoever changes chairs.
_HELD: Final = ("user", "bot", "strength", "name", "kept", "seen_at", "colour")


def swap_chairs(code: str, person: User, one: int, other: int) -> None:
    """Whoever has either chair, free or not, has the other one then."""
    with changing(code) as table:
        require_host(table, person)
        chairs = list(table.chairs.all())
        first, second = chair_at(chairs, one), chair_at(chairs, other)
        if first == second:
            raise Refusal("Choose two different chairs to swap.")
        of_first = {field: getattr(first, field) for field in _HELD}
        of_second = {field: getattr(second, field) for field in _HELD}
        # Nobody has two chairs, not even for a moment.
        Chair.objects.filter(pk=first.pk).update(user=None)
        Chair.objects.filter(pk=second.pk).update(**of_first)
        Chair.objects.filter(pk=first.pk).update(**of_second)


def hand_over(code: str, person: User, number: int, *, now: datetime) -> None:
    """Somebody else who sits at the table is its host from now on."""
    with changing(code) as table:
        require_host(table, person)
        chair = chair_at(list(table.chairs.all()), number)
        if not chair.is_person or chair.user_id == person.pk:
            raise Refusal("Only somebody else who sits at the table can become its host.")
        Table.objects.filter(pk=table.pk).update(host=chair.user_id)
        limits.count_table_given_up(person.pk, now)


def invite(code: str, person: User, name: str, *, now: datetime) -> None:
    """Keep a chair for somebody with an account, whose front page then says so."""
    with changing(code) as table:
        require_host(table, person)
        chairs = list(table.chairs.all())
        free = next((chair for chair in chairs if chair.is_free), None)
        if free is None:
            raise Refusal("No chair is free: make room before you invite somebody.")
        limits.count_invitation(person, now)
        invited = _invitable(person, name, now)
        if any(chair.user_id == invited.pk for chair in chairs):
            raise Refusal("They already have a chair at this table.")
        bot_accounts.require_invitable(invited, table)
        if any(names.is_same(invited.shown_name, chair.name) for chair in chairs if not chair.is_free):
            raise Refusal("Somebody at this table goes by that name already.")
        free.user, free.name, free.kept = invited, invited.shown_name, True
        free.save()
        Removal.objects.filter(table=table, user=invited).delete()
        note_invited([free], now)


def let_back(code: str, person: User, removal: int) -> None:
    """Somebody who was asked to leave may sit down again."""
    with changing(code) as table:
        require_host(table, person)
        if not Removal.objects.filter(table=table, pk=removal).delete()[0]:
            raise Refusal("They can already sit down again.")


def shuffle_board(code: str, person: User, *, now: datetime) -> None:
    """Another board for a table that sees its board, unless somebody has agreed to play on this one."""
    with changing(code) as table:
        require_host(table, person)
        if not table.is_board_seen:
            raise Refusal("The board of this table is a surprise: there is nothing to shuffle before the game starts.")
        if table.layout == "beginner":
            raise Refusal("The beginners’ island is the same every time: choose another board to shuffle.")
        ready = [chair.name for chair in table.chairs.all() if chair.ready]
        if ready:
            raise Refusal(why_board_stays(ready))
        limits.count_shuffle(person, now)
        table.board_seed = new_seed()
        table.save(update_fields=["board_seed"])


def _invitable(host: User, name: str, now: datetime) -> User:
    """By the name that an account shows; names that people only sign in with are compared with nothing."""
    accounts = User.objects.filter(is_guest=False, is_active=True, name__iexact=name.strip())
    found = list(accounts.exclude(name="")[:2])
    if len(found) != 1 or found[0].pk in {host.pk, *blocks.kept_apart_from(host)} or is_banned(found[0], now):
        raise Refusal(NOT_TO_BE_INVITED)
    return found[0]
