"""Whether somebody is told something. It is decided here alone, and afresh at each try: when it is due, and again
whenever it is about to be sent, be that a moment or a day later.

Nobody is told what is over, what they have before their eyes, or what they do not want to hear; nobody hears anything
in their quiet hours. Whoever was told something of a game over days hears of all that follows in such games within a
quarter of an hour at once, when that is over or when the first of it can wait no longer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, Self, TypeAlias

import structlog
from django.db import DatabaseError

from games import clocks, snapshots
from games.clocks import pace_of
from games.models import Game, Seat
from games.selectors import looked_at
from games.store import BrokenRows, Snapshot
from lobby.blocks import kept_apart_from
from lobby.models import Notice, NoticeWishes, Table, User
from lobby.notice_models import Kind, PaceKind, Way, wish
from lobby.notices import hours, words
from lobby.notices.reaching import WAYS, Address
from lobby.notices.words import Item
from lobby.notices.writing import KIND_OF, pace_kind
from lobby.restrictions import FOR_GOOD, is_banned

log = structlog.get_logger(__name__)

#: After something was told, all that follows within this span is told at once.
DIGEST_AFTER: Final = timedelta(minutes=15)
#: A clock that has run out is about to be acted on, or put back.
A_MINUTE: Final = timedelta(minutes=1)
MISTAKE_WAITS: Final = timedelta(minutes=15)
BAN_LOOKED_AT_AGAIN: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Thing:
    """What somebody may have to be told: of a seat, or of a table."""

    kind: Kind
    seat: int | None
    table: int | None
    #: Of which question, if it is known: another one has a notice of its own.
    since: str | None = None

    @classmethod
    def noted(cls, notice: Notice) -> Self:
        return cls(Kind(notice.kind), notice.seat_id, notice.table_id)

    @classmethod
    def told(cls, item: Item) -> Self:
        return cls(Kind(item["kind"]), item["seat"], item["table"], item["since"])


class Past(Enum):
    OVER = "it is no longer so"
    SEEN = "they have it before their eyes"
    UNWANTED = "they do not want to hear of it"


#: What to tell, or when to look again.
Answer: TypeAlias = Item | datetime | Past


@dataclass(frozen=True, slots=True)
class Verdict:
    answer: Answer
    #: From when on it is not to wait for others.
    pressing_from: datetime | None = None
    #: When its person is to be reminded.
    reminded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Hearer:
    """Somebody, what they want to hear, and by which ways they can be told anything at all."""

    person: User
    wishes: NoticeWishes
    ways: Mapping[Way, list[Address]]

    @classmethod
    def by(cls, wishes: NoticeWishes, ways: Iterable[Way] = WAYS) -> Self:
        found = {way: WAYS[way].addresses(wishes.person) for way in ways}
        return cls(wishes.person, wishes, {way: addresses for way, addresses in found.items() if addresses})

    def hears(self, kind: str, pace: str) -> bool:
        return any(self.hears_by(way, kind, pace) for way in self.ways)

    def hears_by(self, way: Way, kind: str, pace: str) -> bool:
        return wish(way, pace, kind) in self.wishes.wishes


def decide(hearer: Hearer, things: Sequence[Thing], now: datetime, *, told_at: datetime | None = None) -> list[Verdict]:
    """A verdict on each of these. What follows something that was told before is gathered."""
    if not hearer.person.is_active or hearer.person.is_guest:
        return [Verdict(Past.OVER)] * len(things)
    if is_banned(hearer.person, now):
        return [Verdict(_after_ban(hearer.person, now))] * len(things)
    wishes = hearer.wishes
    quiet_until = hours.quiet_until(now, wishes.zone, wishes.quiet_from, wishes.quiet_until)
    if quiet_until is not None:
        return [Verdict(quiet_until)] * len(things)
    look = _Look(hearer, things, now)
    return _gathered([look.verdict(thing) for thing in things], told_at, now)


def _after_ban(person: User, now: datetime) -> Answer:
    """To whom the site is closed, nothing is told of it; what still waits then is told afterwards, and a ban may be
    lifted before its end."""
    if person.banned_until is None or person.banned_until >= FOR_GOOD:
        return Past.OVER
    return min(person.banned_until, now + BAN_LOOKED_AT_AGAIN)


def _gathered(verdicts: list[Verdict], told_at: datetime | None, now: datetime) -> list[Verdict]:
    """Of live games everything is told at once: a quarter of an hour later it would be over."""
    until = told_at and told_at + DIGEST_AFTER
    waiting = [verdict for verdict in verdicts if _can_be_gathered(verdict)]
    if until is None or until <= now or any(_would_be_late(verdict, until, now) for verdict in waiting):
        return verdicts
    pressing = [each.pressing_from for each in waiting if each.pressing_from and each.pressing_from > now]
    until = min([until, *pressing])
    return [replace(verdict, answer=until) if _can_be_gathered(verdict) else verdict for verdict in verdicts]


def _can_be_gathered(verdict: Verdict) -> bool:
    return isinstance(verdict.answer, dict) and verdict.answer["pace"] == PaceKind.DAYS


def _would_be_late(verdict: Verdict, until: datetime, now: datetime) -> bool:
    ends = isinstance(verdict.answer, dict) and verdict.answer["ends"]
    is_pressing = verdict.pressing_from is not None and verdict.pressing_from <= now
    return is_pressing and bool(ends) and datetime.fromisoformat(str(ends)) <= until


class _Look:
    """All that decides about some things, read at once: however many they are, only games that this process does not
    have at hand cost more."""

    def __init__(self, hearer: Hearer, things: Sequence[Thing], now: datetime) -> None:
        self.hearer, self.now = hearer, now
        person = hearer.person
        games = {Seat.game_of(thing.seat) for thing in things if thing.seat is not None}
        self.games: dict[int, list[Seat]] = {game: [] for game in games}
        for seat in Seat.objects.filter(game__in=games).select_related("game").order_by("number"):
            self.games[seat.game_id].append(seat)
        self.seats = {seat.pk: seat for seats in self.games.values() for seat in seats if seat.user_id == person.pk}
        tables = Table.objects.filter(pk__in=[thing.table for thing in things if thing.table], game=None)
        self.tables = {table.pk: table for table in tables.select_related("host").prefetch_related("chairs")}
        self.apart = kept_apart_from(person) if self.tables else set()
        before = [table.rematch_of_id for table in self.tables.values() if table.rematch_of_id]
        self.seat_before = {seat.game_id: seat.pk for seat in Seat.objects.filter(game__in=before, user=person)}
        watched = [*self.seats, *self.seat_before.values()]
        self.seen = set() if hearer.wishes.even_when_looking else looked_at(watched, now)

    def verdict(self, thing: Thing) -> Verdict:
        try:
            return self._verdict(thing)
        except BrokenRows:
            # The game is set aside by whoever plays it next; nobody can move in it.
            return Verdict(Past.OVER)
        except DatabaseError:
            raise
        except Exception:
            # A mistake of ours, with this one: what else there is to tell is not to wait for it.
            log.exception("not_decided", kind=thing.kind, seat=thing.seat, table=thing.table)
            return Verdict(self.now + MISTAKE_WAITS)

    def _verdict(self, thing: Thing) -> Verdict:
        if thing.kind is Kind.INVITED:
            return Verdict(self._invitation(thing))
        seat = self.seats.get(thing.seat or 0)
        if seat is None:
            return Verdict(Past.OVER)
        return Verdict(self._end(seat)) if thing.kind is Kind.ENDED else self._asked(thing, seat)

    def _if_wanted(self, item: Item) -> Item | Past:
        return item if self.hearer.hears(item["kind"], item["pace"]) else Past.UNWANTED

    def _invitation(self, thing: Thing) -> Answer:
        table = self.tables.get(thing.table or 0)
        chairs = list(table.chairs.all()) if table else []
        is_kept = any(chair.kept and chair.user_id == self.hearer.person.pk for chair in chairs)
        if table is None or not is_kept or table.host_id in self.apart:
            return Past.OVER
        # Whoever still looks at the end of a game sees there that others want to play again.
        if self.seat_before.get(table.rematch_of_id or 0) in self.seen:
            return Past.SEEN
        return self._if_wanted(words.of_invitation(table, chairs))

    def _end(self, seat: Seat) -> Answer:
        has_ended = seat.game.status in (Game.Status.OVER, Game.Status.ABORTED)
        if not has_ended or seat.player == Seat.Player.BOT:
            return Past.OVER
        return Past.SEEN if seat.pk in self.seen else self._if_wanted(words.of_end(seat, self.games[seat.game_id]))

    def _asked(self, thing: Thing, seat: Seat) -> Verdict:
        pace = pace_kind(pace_of(seat.game))
        is_another = thing.since is not None and thing.since != words.written(seat.awaited_since)
        if not seat.asked or is_another or not self._is_asked(thing.kind, seat):
            return Verdict(Past.OVER)
        if not any(self.hearer.hears(kind, pace) for kind in (thing.kind, Kind.REMINDER)):
            # The games of most people are live, and they want to hear nothing of them: no game is read for that.
            return Verdict(Past.OVER)
        snapshot = snapshots.at_row(seat.game)
        if snapshot is None:
            # Somebody has just moved.
            return Verdict(self.now)
        return self._of_question(thing.kind, seat, snapshot)

    def _is_asked(self, kind: Kind, seat: Seat) -> bool:
        """An offer can come on top of what is asked already."""
        return kind not in (Kind.TURN, Kind.DISCARD) or KIND_OF[seat.asked] is kind

    def _of_question(self, kind: Kind, seat: Seat, snapshot: Snapshot) -> Verdict:
        if kind is Kind.OFFER and not any(seat.number in clocks.unanswered(each) for each in snapshot.state.offers):
            return Verdict(Past.OVER)
        short_from = clocks.short_from(seat.game, snapshot).get(seat.number)
        if kind is Kind.REMINDER and (short_from is None or short_from > self.now):
            # Nobody is hurried without a clock. If another runs by now, or this was put back, its moment is later.
            return Verdict(short_from or Past.OVER)
        of_offers = clocks.shown_of_offers(seat.game, snapshot, seat.number) if kind is Kind.OFFER else None
        clock = of_offers or clocks.shown(seat.game, snapshot, seat.number, self.now)
        if clock and clock["ends"] and clock["ends"] <= self.now:
            return Verdict(self.now + A_MINUTE)
        game = self.games[seat.game_id]
        answer = (
            Past.SEEN
            if seat.pk in self.seen
            else self._if_wanted(words.of_asked(kind, seat, game, snapshot.state, clock, self.hearer.wishes.zone))
        )
        return Verdict(answer, clock and clock["short_at"], short_from)
