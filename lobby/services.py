"""Everything that changes a table, and the one way from a table to its game.

One lock: the table's row. A service opens a transaction, locks that row, looks whether the request still
fits, writes, and commits; only then do the open pages of the table hear of it. On SQLite the transaction
begins IMMEDIATE, which locks the whole database and so that row too.

A person may be a guest who is not saved yet: they are, once nothing speaks against their request.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Final, Literal

from django.db import transaction

from games import broadcast
from games.models import Game, Seat
from games.paces import DEFAULT_BOT_SPEED, BotSpeed, Pace
from games.rules import PRESETS, Refusal, RuleSet
from games.rules.boards import Layout
from games.services import Entrant, start_game
from games.words import listing
from lobby import blocks, limits, names, selectors
from lobby.models import Chair, Table, User

SIGN_IN_TO_BE_RATED: Final = "Sign in to play a rated game: guests have no rating."
_NO_BOTS: Final = "Bots have no rating: a rated game is for people alone."


class TableChanged(broadcast.Message):
    type: Literal["table.changed"]
    version: int


def table_group(code: str) -> str:
    """The group of all sockets that watch a table."""
    return f"table-{code}"


# Opening a table


@transaction.atomic
def open_table(
    host: User,
    name: str,
    rules: RuleSet,
    layout: Layout,
    pace: Pace | None,
    bot_speed: BotSpeed = DEFAULT_BOT_SPEED,
    rated: bool = False,
    *,
    now: datetime,
) -> Table:
    """A new table with its host on the first chair."""
    if rated and host.is_guest:
        raise Refusal(SIGN_IN_TO_BE_RATED)
    limits.require_room_for_table(host, now)
    return _lay_table(host, name, rules, layout, pace, bot_speed, rated=rated)


@transaction.atomic
def play_now(person: User, *, now: datetime) -> Game:
    """A game at once: the person against bots, nobody hurried."""
    limits.require_room_for_table(person, now)
    table = _lay_table(person, person.shown_name, PRESETS["standard"], "balanced", None, DEFAULT_BOT_SPEED)
    return start(table.code, person, fill_with_bots=True, now=now)


def _lay_table(
    host: User,
    name: str,
    rules: RuleSet,
    layout: Layout,
    pace: Pace | None,
    bot_speed: BotSpeed,
    *,
    rated: bool = False,
) -> Table:
    _save_guest(host, name)
    table = Table.objects.create(
        host=host,
        rules=rules.to_json(),
        layout=layout,
        clocks=pace and pace.to_json(),
        bot_speed=bot_speed,
        rated=rated,
    )
    host_chair = Chair(table=table, number=0, user=host, name=name)
    free_chairs = [Chair(table=table, number=number) for number in range(1, rules.most_seats)]
    Chair.objects.bulk_create([host_chair, *free_chairs])
    return table


@transaction.atomic
def open_rematch(game_id: int, person: User) -> Table:
    """The table where those who played a game meet again: each one's chair is kept for them.

    Not for those whom the person who asks shall not meet: their chairs are free.

    Two who ask at once lock the game's row in turn, so the second finds the first one's table and sits down there.
    """
    game = Game.objects.select_for_update().get(pk=game_id)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    if person.pk is None or person.pk not in {seat.user_id for seat in seats}:
        raise Refusal("Only those who played this game can ask for a rematch.")
    if game.status not in (Game.Status.OVER, Game.Status.ABORTED):
        raise Refusal("This game is still being played: wait for its end.")
    table = Table.objects.filter(rematch_of=game).first()
    if table is None:
        table = Table.objects.create(
            host=person,
            rules=game.rules,
            layout=game.layout,
            clocks=game.pace,
            bot_speed=game.bot_speed,
            rated=Table.objects.filter(game=game, rated=True).exists(),
            rematch_of=game,
        )
        apart = blocks.kept_apart_from(person)
        chairs = [
            Chair(
                table=table,
                number=seat.number,
                user_id=seat.user_id,
                bot=seat.user_id is None,
                kept=seat.user_id is not None,
                name=seat.name[: names.LONGEST_NAME],
            )
            if seat.user_id not in apart
            else Chair(table=table, number=seat.number)
            for seat in seats
            # Nobody is left of an account that was deleted, and a bot must not take their place in a rated game.
            if seat.user_id is not None or not table.rated
        ]
        taken = {chair.number for chair in chairs}
        free_chairs = [
            Chair(table=table, number=number) for number in range(table.rule_set.most_seats) if number not in taken
        ]
        Chair.objects.bulk_create(chairs + free_chairs)
        _tell_of_rematch(game_id)
    own = table.chairs.filter(user=person, kept=True).first()
    if own is not None and table.game_id is None:
        sit_down(table.code, person, own.name)
    return table


def _tell_of_rematch(game_id: int) -> None:
    """Those who still look at the end of the game can join with one press."""

    def tell() -> None:
        rematch = selectors.rematch_of(game_id)
        if rematch is not None:
            broadcast.tell(game_id, {"rematch": asdict(rematch)})

    # Should the sending fail, the pages are told when they next come.
    transaction.on_commit(tell, robust=True)


# Chairs


def sit_down(code: str, person: User, name: str, number: int | None = None) -> None:
    """Take a chair, or another one than before; without a number, one's own or else the first free one."""
    with _changing(code) as table:
        if table.rated and person.is_guest:
            raise Refusal(SIGN_IN_TO_BE_RATED)
        chairs = list(table.chairs.all())
        own = _chair_of(chairs, person)
        chair = _chair(chairs, number) if number is not None else own or _first_free(chairs)
        if chair != own and not chair.is_free:
            # The race for a chair: two pressed it, and the other one was a moment earlier.
            raise Refusal(_why_not_free(chair))
        if own is None or own.kept:
            blocks.require_welcome(person, {chair.user_id for chair in chairs if chair.is_person})
        if any(names.is_same(name, other.name) for other in chairs if other != own and not other.is_free):
            raise Refusal(names.TAKEN)
        _save_guest(person, name)
        if own and own != chair:
            _empty(own)
        chair.user, chair.name, chair.kept = person, name, False
        chair.save()


def stand_up(code: str, person: User) -> None:
    """Leave one's chair. A host who leaves hands the table to the next person who sits at it."""
    with _changing(code) as table:
        chairs = list(table.chairs.all())
        own = _chair_of(chairs, person)
        if own is None:
            raise Refusal("You are not sitting at this table.")
        _empty(own)
        heir = next((chair.user_id for chair in chairs if chair.is_person), None)
        if table.host_id == person.pk and heir is not None:
            Table.objects.filter(pk=table.pk).update(host=heir)


def hand_chair_on(code: str, guest: User, account: User) -> None:
    """A guest turns out to be somebody with an account, who sits there instead, under the account's name.

    Whoever has two chairs then keeps the account's.
    """
    with _changing(code) as table:
        chairs = list(table.chairs.all())
        own = _chair_of(chairs, guest)
        if own is not None and _chair_of(chairs, account) is not None:
            _empty(own)
        elif own is not None:
            others = [chair.name for chair in chairs if chair != own and not chair.is_free]
            own.user = account
            if not any(names.is_same(account.shown_name, other) for other in others):
                own.name = account.shown_name
            own.save()
        if table.host_id == guest.pk:
            Table.objects.filter(pk=table.pk).update(host=account)


def add_bot(code: str, person: User, number: int) -> None:
    with _changing(code) as table:
        _require_host(table, person)
        if table.rated:
            raise Refusal(_NO_BOTS)
        chairs = list(table.chairs.all())
        chair = _chair(chairs, number)
        if not chair.is_free:
            raise Refusal(_why_not_free(chair))
        _seat_bot(chair, chairs)


def free_chair(code: str, person: User, number: int) -> None:
    """The host sends a bot away, asks a person to leave, or no longer keeps a chair for somebody."""
    with _changing(code) as table:
        _require_host(table, person)
        chair = _chair(list(table.chairs.all()), number)
        if chair.user_id == person.pk:
            raise Refusal("This is your own chair: leave the table if you want to go.")
        _empty(chair)


# Options and the start


def change_options(
    code: str,
    person: User,
    rules: RuleSet,
    layout: Layout,
    pace: Pace | None,
    bot_speed: BotSpeed = DEFAULT_BOT_SPEED,
    rated: bool = False,
) -> None:
    with _changing(code) as table:
        _require_host(table, person)
        if rated:
            _require_all_rated(table)
        _set_number_of_chairs(table, rules.most_seats)
        table.rules, table.layout, table.clocks = rules.to_json(), layout, pace and pace.to_json()
        table.bot_speed, table.rated = bot_speed, rated
        table.save(update_fields=["rules", "layout", "clocks", "bot_speed", "rated"])


def _require_all_rated(table: Table) -> None:
    """Everybody who sits at the table has a rating, or can get one."""
    chairs = list(table.chairs.select_related("user"))
    if any(chair.bot for chair in chairs):
        raise Refusal("Bots have no rating: remove them before you make the game rated.")
    guests = [chair.name for chair in chairs if chair.user and chair.user.is_guest]
    if guests:
        raise Refusal(f"Guests have no rating: {listing(guests)} would have to sign in before the game can be rated.")


def _set_number_of_chairs(table: Table, wanted: int) -> None:
    """Add chairs at the end, or take away those that are missed least: free ones, then bots'."""
    chairs = list(table.chairs.all())
    while len(chairs) < wanted:
        chairs.append(Chair.objects.create(table=table, number=len(chairs)))
    while len(chairs) > wanted:
        spare = [chair for chair in chairs if chair.is_free] or [chair for chair in chairs if chair.bot]
        if not spare:
            raise Refusal(f"More than {wanted} people have a chair here: somebody has to leave first.")
        chairs.remove(spare[-1])
        spare[-1].delete()
        for number, chair in enumerate(chairs):
            chair.number = number
            chair.save(update_fields=["number"])


def start(code: str, person: User, *, fill_with_bots: bool, now: datetime) -> Game:
    """Start the table's game; pressed twice, the second press finds the game that the first one started."""
    with transaction.atomic():
        table = _lock(code)
        if table.game is not None:
            return table.game
        _require_host(table, person)
        if table.rated and fill_with_bots:
            raise Refusal(_NO_BOTS)
        chairs = list(table.chairs.all())
        if fill_with_bots:
            for chair in chairs:
                if not chair.is_taken:
                    _seat_bot(chair, chairs)
        taken = [chair for chair in chairs if chair.is_taken]
        people = [chair.user for chair in taken if chair.is_person]
        if not people:
            raise Refusal("Nobody is sitting at this table: sit down first.")
        if len(taken) not in table.rule_set.seats:
            way_out = "wait for others" if table.rated else "wait for others, or fill up with bots"
            raise Refusal(f"A game needs at least three players: {way_out}.")
        if len(people) == 1 and people[0] is not None:
            limits.require_room_for_game_against_bots(people[0])
        table.game = start_game(
            table.rule_set,
            table.layout,
            [Entrant(chair.name, user_id=chair.user_id, bot=chair.bot) for chair in taken],
            now=now,
            pace=table.pace,
            bot_speed=table.bot_speed,
        )
        table.save(update_fields=["game"])
        _note_change(table)
        return table.game


# What the services share


@contextmanager
def _changing(code: str) -> Iterator[Table]:
    """The table's row, ours alone until the transaction ends; afterwards its pages hear of the change."""
    with transaction.atomic():
        table = _lock(code)
        if table.game_id is not None:
            raise Refusal("The game has already started.")
        yield table
        _note_change(table)


def _lock(code: str) -> Table:
    return Table.objects.select_for_update().get(code=code)


def _note_change(table: Table) -> None:
    version = table.version + 1
    Table.objects.filter(pk=table.pk).update(version=version)
    message: TableChanged = {"type": "table.changed", "version": version}
    # Should the sending fail, the pages catch up when they next look.
    transaction.on_commit(lambda: broadcast.send(table_group(table.code), message), robust=True)


def _require_host(table: Table, person: User) -> None:
    if table.host_id != person.pk:
        raise Refusal("Only the host of this table can do that.")


def _save_guest(person: User, name: str) -> None:
    if person.pk is None or (person.is_guest and person.name != name):
        person.name = name
        person.save()


def _chair(chairs: list[Chair], number: int) -> Chair:
    if number not in range(len(chairs)):
        raise Refusal("This table has no such chair.")
    return chairs[number]


def _chair_of(chairs: list[Chair], person: User) -> Chair | None:
    """A guest who is not saved has no chair, and a chair without a user is nobody's."""
    return next((chair for chair in chairs if person.pk is not None and chair.user_id == person.pk), None)


def _first_free(chairs: list[Chair]) -> Chair:
    free = next((chair for chair in chairs if chair.is_free), None)
    if free is None:
        raise Refusal("All chairs are taken: ask the host to make room for you.")
    return free


def _why_not_free(chair: Chair) -> str:
    if chair.kept:
        return f"This chair is kept for {chair.name}: please choose another."
    return f"{chair.name} already sits here: please choose another chair."


def _seat_bot(chair: Chair, chairs: list[Chair]) -> None:
    name = names.for_bot([other.name for other in chairs if not other.is_free])
    chair.user, chair.bot, chair.kept, chair.name = None, True, False, name
    chair.save()


def _empty(chair: Chair) -> None:
    chair.user, chair.bot, chair.kept, chair.name = None, False, False, ""
    chair.save()
