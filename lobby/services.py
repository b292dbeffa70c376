"""Everything that changes a table, and the one way from a table to its game.

One lock: the table's row. A service opens a transaction, locks that row, looks whether the request still
fits, writes, and commits; only then do the open pages of the table hear of it. On SQLite the transaction
begins IMMEDIATE, which locks the whole database and so that row too.

A person may be a guest who is not saved yet: they are, once nothing speaks against their request.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from datetime import datetime
from typing import Final, Literal

from django.db import transaction

from games import bots, broadcast
from games.bots import Strength
from games.models import Game, Seat
from games.paces import DEFAULT_BOT_SPEED, BotSpeed, Pace
from games.page import COLOURS
from games.rules import PRESETS, Refusal, RuleSet
from games.rules.boards import Layout
from games.services import Entrant, new_seed, start_game
from games.words import listing
from lobby import blocks, bot_accounts, holidays, limits, names, news, restrictions, selectors
from lobby.company import USUAL_COMPANY, Company
from lobby.models import Chair, Removal, Table, User
from lobby.notices.writing import note_invited
from lobby.refusals import (
    AccountNeeded,
    AlreadyStarted,
    AskedToLeave,
    BoardChanged,
    ChairTaken,
    NameTaken,
    NoSuchChair,
    NotHost,
    NotSeated,
    OptionsChanged,
    TooFewPlayers,
)

SIGN_IN_TO_BE_RATED: Final = "Sign in to play a rated game: guests have no rating."


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
    company: Company = USUAL_COMPANY,
    board_seen: bool = False,
    *,
    now: datetime,
) -> Table:
    """A new table with its host on the first chair."""
    if company.rated and host.is_guest:
        raise AccountNeeded(SIGN_IN_TO_BE_RATED)
    limits.require_room_for_table(host, now)
    bot_accounts.require_room_for(host, company.bots_allowed)
    table = _lay_table(host, name, rules, layout, pace, bot_speed, company, board_seen)
    table.chairs.filter(user=host).update(seen_at=now)
    if table.is_public:
        news.tell_everybody()
    return table


@transaction.atomic
def play_now(person: User, strength: Strength | None = None, *, now: datetime) -> Game:
    """A game at once: the person against bots, nobody hurried."""
    limits.require_room_for_table(person, now)
    _note_strength(person, strength)
    table = _lay_table(
        person, person.shown_name, PRESETS["standard"], "balanced", None, DEFAULT_BOT_SPEED, USUAL_COMPANY, False
    )
    return start(table.code, person, fill_with_bots=True, now=now)


def _lay_table(
    host: User,
    name: str,
    rules: RuleSet,
    layout: Layout,
    pace: Pace | None,
    bot_speed: BotSpeed,
    company: Company,
    board_seen: bool,
) -> Table:
    _save_guest(host, name)
    table = Table.objects.create(
        host=host,
        rules=rules.to_json(),
        layout=layout,
        board_seed=new_seed() if board_seen else None,
        clocks=pace and pace.to_json(),
        bot_speed=bot_speed,
        **asdict(company),
    )
    host_chair = Chair(table=table, number=0, colour=0, user=host, name=name)
    free_chairs = [Chair(table=table, number=number, colour=number) for number in range(1, rules.most_seats)]
    Chair.objects.bulk_create([host_chair, *free_chairs])
    return table


@transaction.atomic
def open_rematch(game_id: int, person: User, *, now: datetime) -> Table:
    """The table where those who played a game meet again: each one's chair is kept for them.

    Not for those whom the person who asks shall not meet, nor for the banned, nor for those who have become unwelcome
    there: their chairs are free.

    Two who ask at once lock the game's row in turn, so the second finds the first one's table and sits down there.
    """
    game = Game.objects.select_for_update().get(pk=game_id)
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    if person.pk is None or person.pk not in {seat.user_id for seat in seats}:
        raise Refusal("Only those who played this game can ask for a rematch.")
    if game.status not in (Game.Status.OVER, Game.Status.ABORTED):
        raise Refusal("This game is still being played: wait until it ends.")
    table = Table.objects.filter(rematch_of=game).first()
    if table is None:
        limits.require_room_for_table(person, now)
        table = Table.objects.create(
            host=person,
            rules=game.rules,
            layout=game.layout,
            board_seed=None if game.board_seed is None else new_seed(),
            clocks=game.pace,
            bot_speed=game.bot_speed,
            rematch_of=game,
            **asdict(_company_of(game)),
        )
        bot_accounts.require_welcome(person, table)
        apart = (
            blocks.kept_apart_from(person)
            | restrictions.banned_among([seat.user_id for seat in seats if seat.user_id], now)
            | {seat.user_id for seat in seats if seat.user and bot_accounts.why_unwelcome(seat.user.is_bot, table)}
        )
        chairs = [
            Chair(
                table=table,
                number=seat.number,
                colour=seat.colour,
                user_id=seat.user_id,
                bot=seat.user_id is None,
                strength="" if seat.user_id is not None else seat.strength or bots.DEFAULT,
                kept=seat.user_id is not None,
                name=seat.name[: names.LONGEST_NAME],
            )
            if seat.user_id not in apart
            else Chair(table=table, number=seat.number, colour=seat.colour)
            for seat in seats
            # Nobody is left of an account that was deleted, and a bot must not take their place in a rated game.
            if seat.user_id is not None or not table.rated
        ]
        taken = {chair.number for chair in chairs}
        free_chairs = [Chair(table=table, number=n) for n in range(table.rule_set.most_seats) if n not in taken]
        for chair in free_chairs:
            chair.colour = _free_colour(chairs)
            chairs.append(chair)
        Chair.objects.bulk_create(chairs)
        note_invited([chair for chair in chairs if chair.user_id != person.pk], table.opened_at)
        _tell_of_rematch(game_id)
        news.tell(seat.user_id for seat in seats if seat.user_id)
    own = table.chairs.filter(user=person, kept=True).first()
    if own is not None and table.game_id is None:
        sit_down(table.code, person, own.name)
    return table


def _company_of(game: Game) -> Company:
    """As it was at the table of a game; but those who play again are not to wait for strangers."""
    before = Table.objects.filter(game=game).first()
    if before is None:
        return replace(USUAL_COMPANY, spectators_allowed=game.spectators_allowed)
    return replace(before.company, visibility="link" if before.is_public else before.visibility)


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
    with changing(code) as table:
        chairs = list(table.chairs.all())
        own = _chair_of(chairs, person)
        if not selectors.may_see(table, chairs, person):
            raise Table.DoesNotExist
        bot_accounts.require_welcome(person, table)
        if table.rated and person.is_guest:
            raise AccountNeeded(SIGN_IN_TO_BE_RATED)
        if own is None and selectors.is_removed(table, person):
            raise AskedToLeave(
                "The host has asked you to leave this table: you can sit down once they let you back in."
            )
        chair = chair_at(chairs, number) if number is not None else own or _first_free(chairs)
        if chair != own and not chair.is_free:
            # The race for a chair: two pressed it, and the other one was a moment earlier.
            raise ChairTaken(_why_not_free(chair))
        if own is None or own.kept:
            blocks.require_welcome(person, {chair.user_id for chair in chairs if chair.is_person})
        if any(names.is_same(name, other.name) for other in chairs if other != own and not other.is_free):
            raise NameTaken(names.TAKEN)
        _save_guest(person, name)
        if own and own != chair:
            _empty(own)
        seen_at = own.seen_at if own else None
        chair.user, chair.name, chair.kept, chair.seen_at = person, name, False, seen_at
        chair.save()
        if not any(other.is_person and other.user_id == table.host_id for other in chairs):
            # Of a rematch, the host may be gone before the others come.
            Table.objects.filter(pk=table.pk).update(host=person)


def stand_up(code: str, person: User, *, now: datetime) -> None:
    """Leave one's chair, or decline the one that is kept."""
    with changing(code) as table:
        chairs = list(table.chairs.all())
        own = _chair_of(chairs, person)
        if own is None:
            raise NotSeated("You are not sitting at this table.")
        leave(table, chairs, own, now)


def leave(table: Table, chairs: list[Chair], own: Chair, now: datetime) -> None:
    """A host who leaves hands the table to the next person who sits at it; with the last person, the table goes.

    A rematch waits for those for whom it keeps a chair.
    """
    is_host = own.user_id == table.host_id
    _empty(own)
    heir = next((chair.user_id for chair in chairs if chair.is_person), None)
    if heir is not None:
        if is_host:
            Table.objects.filter(pk=table.pk).update(host=heir)
            limits.count_table_given_up(table.host_id, now)
    elif not (table.rematch_of_id and any(chair.kept for chair in chairs)):
        Table.objects.filter(pk=table.pk).delete()
        limits.count_table_given_up(table.host_id, now)


def end_invitations(one: User, other: User, now: datetime) -> None:
    """Those that either has from the other, as if they were declined: these two are kept apart from now on."""
    kept = Chair.objects.filter(kept=True, table__game=None)
    for host, invited in ((one, other), (other, one)):
        for code in list(kept.filter(table__host=host, user=invited).values_list("table__code", flat=True)):
            with suppress(Refusal, Table.DoesNotExist):
                stand_up(code, invited, now=now)


def hand_chair_on(code: str, guest: User, account: User) -> None:
    """A guest turns out to be somebody with an account, who sits there instead, under the account's name.

    Whoever has two chairs then keeps the account's.
    """
    with changing(code) as table:
        # Not by a lock on the account's row, which comes after all tables (`moving.move`).
        if unwelcome := bot_accounts.why_unwelcome(account.is_bot, table):
            raise unwelcome
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


def choose_colour(code: str, person: User, colour: int) -> None:
    """Play in another colour, if no other person does; a free chair or a bot's takes the one that is given up."""
    if colour not in range(len(COLOURS)):
        raise Refusal("There is no such colour.")
    with changing(code) as table:
        chairs = list(table.chairs.all())
        own = _chair_of(chairs, person)
        if own is None or own.kept:
            raise NotSeated("Sit down first, then choose a colour.")
        other = next((chair for chair in chairs if chair.colour == colour and chair != own), None)
        if other is not None:
            if other.user_id is not None:
                raise Refusal(f"{other.name} plays {COLOURS[colour]}: please choose another colour.")
            other.colour = own.colour
            other.save(update_fields=["colour"])
        own.colour = colour
        own.save(update_fields=["colour"])


def add_bot(code: str, person: User, number: int, strength: Strength | None = None) -> None:
    """A bot takes a free chair, or that of a bot of another strength."""
    with changing(code) as table:
        require_host(table, person)
        _require_bots_allowed(table)
        chairs = list(table.chairs.all())
        chair = chair_at(chairs, number)
        if not chair.is_free and not chair.bot:
            raise ChairTaken(_why_not_free(chair))
        _note_strength(person, strength)
        if chair.strength != person.bot_strength:
            _seat_bot(chair, chairs, person.bot_strength)


def free_chair(code: str, person: User, number: int) -> None:
    """The host sends a bot away, asks a person to leave, or no longer keeps a chair for somebody."""
    with changing(code) as table:
        require_host(table, person)
        chair = chair_at(list(table.chairs.all()), number)
        if chair.user_id == person.pk:
            raise Refusal("This is your own chair: leave the table if you want to go.")
        if chair.user_id is not None and not chair.kept:
            Removal.objects.get_or_create(table=table, user_id=chair.user_id, defaults={"name": chair.name})
        _empty(chair)


# Options and the start


def change_options(
    code: str,
    person: User,
    rules: RuleSet,
    layout: Layout,
    pace: Pace | None,
    bot_speed: BotSpeed = DEFAULT_BOT_SPEED,
    company: Company = USUAL_COMPANY,
    board_seen: bool = False,
) -> None:
    with changing(code) as table:
        require_host(table, person)
        if company.rated:
            _require_all_rated(table)
        if not company.bots_allowed and table.chairs.filter(bot=True).exists():
            raise Refusal("Bots sit at this table: remove them first, or let bots play.")
        if not company.bots_allowed:
            bot_accounts.require_none(table)
        if table.is_public:
            news.tell_everybody()
        _set_number_of_chairs(table, rules.most_seats)
        if not board_seen:
            table.board_seed = None
        elif table.board_seed is None or table.layout != layout:
            table.board_seed = new_seed()
        table.rules, table.layout, table.clocks = rules.to_json(), layout, pace and pace.to_json()
        table.bot_speed = bot_speed
        for name, value in asdict(company).items():
            setattr(table, name, value)
        table.save(update_fields=["rules", "layout", "board_seed", "clocks", "bot_speed", *asdict(company)])


def _require_all_rated(table: Table) -> None:
    """Everybody who sits at the table has a rating, or can get one."""
    chairs = list(table.chairs.select_related("user"))
    if any(chair.bot for chair in chairs):
        raise Refusal("Bots have no rating: remove them before you make the game rated.")
    guests = [chair.name for chair in chairs if chair.user and chair.user.is_guest]
    if guests:
        raise Refusal(f"Guests have no rating: {listing(guests)} would have to sign in before the game can be rated.")
    bot_accounts.require_one_kind(table, chairs)


def _set_number_of_chairs(table: Table, wanted: int) -> None:
    """Add chairs at the end, or take away those that are missed least: free ones, then bots'."""
    chairs = list(table.chairs.all())
    while len(chairs) < wanted:
        chairs.append(Chair.objects.create(table=table, number=len(chairs), colour=_free_colour(chairs)))
    while len(chairs) > wanted:
        spare = [chair for chair in chairs if chair.is_free] or [chair for chair in chairs if chair.bot]
        if not spare:
            raise Refusal(f"More than {wanted} people have a chair here: somebody has to leave first.")
        chairs.remove(spare[-1])
        spare[-1].delete()
        for number, chair in enumerate(chairs):
            chair.number = number
            chair.save(update_fields=["number"])


def start(
    code: str,
    person: User,
    *,
    fill_with_bots: bool,
    now: datetime,
    board: str = "",
    strength: Strength | None = None,
) -> Game:
    """Start the table's game; pressed twice, the second press finds the game that the first one started."""
    with transaction.atomic():
        table = _lock(code)
        if table.game is not None:
            return table.game
        require_host(table, person)
        _require_board(table, board)
        chairs = list(table.chairs.select_related("user"))
        if table.is_public and (unready := selectors.unready(chairs, besides=person)):
            raise Refusal(f"A public table starts once all are ready: wait for {listing(unready)}.")
        if fill_with_bots:
            _require_bots_allowed(table)
            _note_strength(person, strength)
            for chair in chairs:
                if not chair.is_taken:
                    _seat_bot(chair, chairs, person.bot_strength)
        return _begin(table, chairs, now)


def set_ready(
    code: str, person: User, is_ready: bool, *, now: datetime, board: str = "", terms: str | None = None
) -> None:
    """Say that the game may start with the table as it is, and with the board that was seen, or take that back.

    A public table starts with the last who is ready. Without ``terms``, its options are agreed to whatever they are.
    """
    with transaction.atomic():
        table = _lock(code)
        if table.game_id is not None:
            return
        chairs = list(table.chairs.select_related("user"))
        own = _chair_of(chairs, person)
        if own is None or own.kept:
            raise NotSeated("You are not sitting at this table.")
        if is_ready and sum(chair.is_taken for chair in chairs) not in table.rule_set.seats:
            raise TooFewPlayers("A game needs at least three players: say you’re ready once they’re here.")
        if is_ready:
            _require_terms(table, terms)
            _require_board(table, board)
        own.ready = is_ready
        own.save(update_fields=["ready"])
        if table.is_public and not selectors.unready(chairs):
            _begin(table, chairs, now)
        else:
            _note_change(table, {chair.user_id for chair in chairs}, keeps_ready=True)


def _begin(table: Table, chairs: list[Chair], now: datetime) -> Game:
    taken = [chair for chair in chairs if chair.is_taken]
    people = [chair.user for chair in taken if chair.is_person]
    if not people:
        raise Refusal("Nobody is sitting at this table: sit down first.")
    if len(taken) not in table.rule_set.seats:
        way_out = "wait for others, or fill up with bots" if table.has_bots else "wait for others"
        raise TooFewPlayers(f"A game needs at least three players: {way_out}.")
    if len(people) == 1 and people[0] is not None:
        limits.require_room_for_game_against_bots(people[0])
    away = holidays.until([chair.user_id for chair in taken if chair.user_id is not None], now)
    table.game = start_game(
        table.rule_set,
        table.layout,
        [
            Entrant(
                chair.name,
                user_id=chair.user_id,
                strength=chair.strength,
                is_bot_account=chair.is_bot_account,
                colour=chair.colour,
                holiday_until=away.get(chair.user_id or 0),
            )
            for chair in taken
        ],
        now=now,
        pace=table.pace,
        bot_speed=table.bot_speed,
        spectators_allowed=table.spectators_allowed,
        board_seed=None if table.board_seed is None else bytes(table.board_seed),
    )
    table.save(update_fields=["game"])
    table.chairs.update(seen_at=None)
    _note_change(table, {chair.user_id for chair in chairs})
    return table.game


# What the services share


@contextmanager
def changing(code: str) -> Iterator[Table]:
    """The table's row, ours alone until the transaction ends; afterwards its pages hear of the change.

    Whoever was ready was so for the table as it was.
    """
    with transaction.atomic():
        table = _lock(code)
        if table.game_id is not None:
            raise AlreadyStarted("The game has already started.")
        before = _people(table)
        yield table
        _note_change(table, before | _people(table))


def _lock(code: str) -> Table:
    return Table.objects.select_for_update().get(code=code)


def _people(table: Table) -> set[int | None]:
    return set(table.chairs.values_list("user_id", flat=True))


def _note_change(table: Table, people: set[int | None], *, keeps_ready: bool = False) -> None:
    if not keeps_ready:
        table.chairs.filter(ready=True).update(ready=False)
    news.tell(user_id for user_id in people if user_id is not None)
    if table.is_public:
        news.tell_everybody()
    version = table.version + 1
    Table.objects.filter(pk=table.pk).update(version=version)
    message: TableChanged = {"type": "table.changed", "version": version}
    # Should the sending fail, the pages catch up when they next look.
    transaction.on_commit(lambda: broadcast.send(table_group(table.code), message), robust=True)


def require_host(table: Table, person: User) -> None:
    if table.host_id != person.pk:
        raise NotHost("Only the host of this table can do that.")


def _require_board(table: Table, mark: str) -> None:
    """The race for the board: somebody presses, while the host shuffles what they see."""
    if mark != table.board_mark:
        raise BoardChanged("The board has just changed: look at it, and press again.")


def _require_terms(table: Table, mark: str | None) -> None:
    """The same for the options: a page that does not draw itself anew shows the old ones for as long as it is open."""
    if mark is not None and mark != table.terms_mark:
        raise OptionsChanged("The options have just changed: look at them, and press again.")


def _require_bots_allowed(table: Table) -> None:
    if table.rated:
        raise Refusal("Bots have no rating: a rated game is for people alone.")
    if not table.bots_allowed:
        raise Refusal("This table plays without bots.")


def _save_guest(person: User, name: str) -> None:
    if person.pk is None or (person.is_guest and person.name != name):
        person.name = name
        person.save()


def chair_at(chairs: list[Chair], number: int) -> Chair:
    if number not in range(len(chairs)):
        raise NoSuchChair("This table has no such chair.")
    return chairs[number]


def _chair_of(chairs: list[Chair], person: User) -> Chair | None:
    """A guest who is not saved has no chair, and a chair without a user is nobody's."""
    return next((chair for chair in chairs if person.pk is not None and chair.user_id == person.pk), None)


def _free_colour(chairs: list[Chair]) -> int:
    taken = {chair.colour for chair in chairs}
    return next(colour for colour in range(len(COLOURS)) if colour not in taken)


def _first_free(chairs: list[Chair]) -> Chair:
    free = next((chair for chair in chairs if chair.is_free), None)
    if free is None:
        raise ChairTaken("All chairs are taken: ask the host to make room for you.")
    return free


def _why_not_free(chair: Chair) -> str:
    if chair.kept:
        return f"This chair is kept for {chair.name}: please choose another."
    return f"{chair.name} already sits here: please choose another chair."


def _note_strength(person: User, strength: Strength | None) -> None:
    """How strong the bots are that somebody chose last; whoever does not choose has them like that again."""
    if strength is not None and strength != person.bot_strength:
        person.bot_strength = strength
        if person.pk is not None:
            person.save(update_fields=["bot_strength"])


def _seat_bot(chair: Chair, chairs: list[Chair], strength: Strength) -> None:
    name = names.for_bot(strength, [other.name for other in chairs if not other.is_free])
    chair.user, chair.bot, chair.kept, chair.name, chair.seen_at = None, True, False, name, None
    chair.strength = strength
    chair.save()


def _empty(chair: Chair) -> None:
    chair.user, chair.bot, chair.kept, chair.name, chair.seen_at = None, False, False, "", None
    chair.strength = ""
    chair.save()
