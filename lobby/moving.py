"""A guest who signs in: whatever was theirs becomes the account's."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.rules import Refusal
from games.services import hand_on
from lobby import bot_accounts, hearing, holidays, restrictions, services, signals
from lobby.models import Block, Chair, ChatLine, Mute, RecoveryLink, Removal, Table, User
from lobby.notices import telling


def move(guest: User, account: User, now: datetime) -> None:
    is_moved = False
    while not is_moved:
        is_moved = _move(guest, account, now)


@transaction.atomic
def _move(guest: User, account: User, now: datetime) -> bool:
    """Seats, tables, chairs, removals, lines, blocks, mutes, invitations, and what is closed to them for a while.

    The guest is left behind empty, and no session opens it any more.

    What stands above the lobby comes first, then games and then tables, as for those who leave, so that nobody waits in
    a circle. Whatever another tab of the guest does meanwhile stays the guest's: the row is not deleted here but
    forgotten some day.

    The race: the account is made a bot account meanwhile. Its row is locked when all has been moved (`carry_over`), and
    looked at: what was moved to a person is moved once more.
    """
    account.refresh_from_db(fields=["is_bot"])
    signals.send(signals.person_moving, guest=guest, account=account)
    _hand_seats_on(guest, account, now)
    _move_tables(guest, account, now)
    # A table may have started meanwhile.
    _hand_seats_on(guest, account, now)
    ChatLine.objects.filter(user=guest).update(user=account)
    of_account = Removal.objects.filter(table=OuterRef("table"), user=account)
    Removal.objects.filter(user=guest).exclude(Exists(of_account)).update(user=account)
    for pairs in (Block, Mute):
        _move_pairs(pairs, guest, account)
    telling.move(guest, account)
    restrictions.carry_over(guest, account, now)
    if bot_accounts.is_one(account) != account.is_bot:
        transaction.set_rollback(True)
        return False
    RecoveryLink.objects.filter(guest=guest).delete()
    User.objects.filter(pk=guest.pk, is_guest=True).update(is_active=False)
    # Who has watched may play now, and who plays does not hear those who watch.
    hearing.recall(guest.pk)
    hearing.recall(account.pk)
    # A guest has no holidays; the account may be on one, and then its new games wait for it too.
    transaction.on_commit(lambda: holidays.tell_games(account.pk, now), robust=True)
    return True


def _hand_seats_on(guest: User, account: User, now: datetime) -> None:
    """Where no bots play, none goes on for a person either: a bot account leaves those games."""
    without_bots = Table.objects.filter(game__seat__user=guest, bots_allowed=False) if account.is_bot else ()
    closed = {table.game_id for table in without_bots if table.game_id}
    hand_on(guest.pk, account.pk, now, is_bot_account=account.is_bot, closed=closed)


def _move_tables(guest: User, account: User, now: datetime) -> None:
    open_tables = Table.objects.filter(Q(chairs__user=guest) | Q(host=guest), game=None)
    for code in open_tables.order_by("pk").values_list("code", flat=True).distinct():
        # The table may have gone meanwhile, or its game have started.
        with suppress(Refusal, Table.DoesNotExist):
            try:
                services.hand_chair_on(code, guest, account)
            except (bot_accounts.NoBots, bot_accounts.RatedApart):
                services.stand_up(code, guest, now=now)
    Table.objects.filter(host=guest).update(host=account)
    of_account = Chair.objects.filter(table=OuterRef("table"), user=account)
    Chair.objects.filter(user=guest, table__game__isnull=False).exclude(Exists(of_account)).update(user=account)


def _move_pairs(pairs: type[Block | Mute], guest: User, account: User) -> None:
    """Nobody is blocked or muted twice, nor by themselves."""
    for mine, theirs in (("by", "whom"), ("whom", "by")):
        same = pairs.objects.filter(**{mine: account, theirs: OuterRef(theirs)})
        pairs.objects.filter(**{mine: guest}).exclude(**{theirs: account}).exclude(Exists(same)).update(
            **{mine: account}
        )
    pairs.objects.filter(Q(by=guest) | Q(whom=guest)).delete()
