"""The people of `bench.capacity`: ``python -m bench.load``, led by its environment."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import string
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Final, cast

import django

django.setup()

from asgiref.sync import sync_to_async  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from deploy.children import start, stop  # noqa: E402
from games import services, snapshots  # noqa: E402
from games.bots import builder  # noqa: E402
from games.paces import PACES, Pace  # noqa: E402
from games.rules import Move, Phase, RuleSet, View, player_view  # noqa: E402
from lobby.models import User  # noqa: E402

from .pages import TOLD_WHEN, Browser, Page, Person, Site  # noqa: E402
from .processes import seconds_of_work  # noqa: E402

SITE: Final = Site(os.environ["SITE"])
STACK: Final = int(os.environ["STACK"])

RATES: Final = [int(rate) for rate in os.environ.get("BENCH_RATES", "10,20,40,60,80,100").split(",") if rate]
SECONDS: Final = int(os.environ.get("BENCH_SECONDS", "20"))
WARM_UP: Final = 4
TABLES: Final = 40
#: How far each game has got when it is first looked at: placed, and a few turns on.
MOVES_BEFORE: Final = 30
#: Milliseconds within which all pages of a game should show a move.
PROMPT: Final = 250
#: The pace of the games with clocks, and how often they move.
PACE: Final = PACES["normal"]
RATE_WITH_CLOCKS: Final = 20

#: Open pages when a web process is killed; what happens meanwhile: moves a second, and seconds
#: between two looks at the front page.
PAGES: Final = int(os.environ.get("BENCH_PAGES", "500"))
TRICKLE: Final = 5
VISIT_EVERY: Final = 0.05
#: How long is counted after a kill at least, and at most.
AFTERMATH: Final = 20
PATIENCE: Final = 120
#: How many pages are opened at the same time.
AT_ONCE: Final = 20
#: After this many seconds, a move that some page does not show is an error.
LOST: Final = 30

source: Final = random.Random(1)  # noqa: S311 - a simulation


def main() -> None:
    people = [sign_in(number) for number in range(max(4 * TABLES, PAGES))]
    if RATES:
        asyncio.run(measure_moves(people))
    asyncio.run(measure_restarts(people))


def sign_in(number: int) -> tuple[User, Person]:
    user = User.objects.create(username=f"person-{number}")
    browser = Client()
    browser.force_login(user)
    token = "".join(source.choices(string.ascii_letters, k=32))
    cookie = f"sessionid={browser.cookies['sessionid'].value}; csrftoken={token}"
    return user, Person(cookie, token, f"127.1.{number // 250}.{1 + number % 250}")


# Tables


class Table:
    """Four people at a game, each with its page open; when the game is over, they play another one."""

    def __init__(self, people: Sequence[tuple[User, Person]], pace: Pace | None = None, moves_before: int = 0) -> None:
        self.people = people
        self.pace = pace
        self.moves_before = moves_before
        self.begin()

    def begin(self) -> None:
        players = [services.Entrant(user.username, user_id=user.pk) for user, _ in self.people]
        game = services.start_game(RuleSet(), "random", players, pace=self.pace, now=timezone.now())
        for _ in range(self.moves_before):
            _, snapshot = snapshots.read(game.pk)
            choices = (builder.choose(player_view(snapshot.state, seat), source) for seat in snapshot.state.seats)
            services.play_move(game.pk, next(filter(None, choices)), version=snapshot.version, now=timezone.now())
        self.pages = [Page(SITE, person, game.pk, self.look_up) for _, person in self.people]
        self.is_busy = False
        self.awaited = 0
        self.seen: asyncio.Future[float] | None = None

    async def open(self) -> None:
        await asyncio.gather(*(page.open() for page in self.pages))

    async def close(self) -> None:
        await asyncio.gather(*(page.close() for page in self.pages))

    @property
    def is_over(self) -> bool:
        return bool(self.pages[0].shown["phase"] == Phase.OVER.value)

    def look_up(self) -> None:
        """Called when a page shows something new."""
        if self.seen and not self.seen.done() and all(page.version >= self.awaited for page in self.pages):
            self.seen.set_result(perf_counter())

    async def move(self) -> tuple[float, float]:
        """Milliseconds from sending a move until it is answered, and until the last page shows it.

        A `TimeoutError` if one never does.
        """
        self.is_busy = True
        try:
            async with asyncio.timeout(LOST):
                page, move = self.choose()
                self.awaited = page.version + 1
                self.seen = asyncio.get_running_loop().create_future()
                sent = perf_counter()
                if await page.send(move) != 201:
                    raise TimeoutError
                answered = perf_counter()
                return 1000 * (answered - sent), 1000 * (await self.seen - sent)
        except TimeoutError:
            # People who wonder why nothing happens look again.
            for page in self.pages:
                page.look()
            raise
        finally:
            self.is_busy = False

    def choose(self) -> tuple[Page, Move]:
        """Whoever was asked something answers first; whose turn it is always has a move, and mostly knows it.

        A page that missed something is asked last: what it would send is refused.
        """
        for page in sorted(self.pages, key=lambda page: (-page.version, page.shown["viewer"] == page.shown["active"])):
            if page.shown["choices"] and (move := builder.choose(cast("View", page.shown), source)):
                return page, move
        raise TimeoutError


class Play:
    """Moves at a rate, whether or not earlier ones have been seen; each at the next table where none is under way."""

    def __init__(self, tables: list[Table], rate: float) -> None:
        self.tables = cycle(tables)
        self.count = len(tables)
        self.rate = rate
        #: Until all pages showed a move, and until its player had the answer.
        self.taken: list[float] = []
        self.answered: list[float] = []
        self.lost = 0
        #: Moves for which no table was free.
        self.unmade = 0
        self.under_way: set[asyncio.Task[None]] = set()

    async def go_on(self, seconds: float = float("inf")) -> None:
        due = began = perf_counter()
        while (due := due + source.expovariate(self.rate)) < began + seconds:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            if table := self.free_table():
                task = asyncio.create_task(self.move(table))
                self.under_way.add(task)
                task.add_done_callback(self.under_way.discard)
            else:
                self.unmade += 1

    async def settle(self) -> None:
        await asyncio.gather(*self.under_way)

    def free_table(self) -> Table | None:
        for _ in range(self.count):
            table = next(self.tables)
            if not table.is_busy and not table.is_over:
                return table
        return None

    async def move(self, table: Table) -> None:
        try:
            answered, taken = await table.move()
            self.answered.append(answered)
            self.taken.append(taken)
        except TimeoutError:
            self.lost += 1


async def open_all(tables: list[Table]) -> None:
    gate = asyncio.Semaphore(AT_ONCE // 4)

    async def open_one(table: Table) -> None:
        async with gate:
            await table.open()

    await asyncio.gather(*map(open_one, tables))


async def close_all(tables: list[Table]) -> None:
    await asyncio.gather(*(table.close() for table in tables))


# Work


@dataclass
class Work:
    """What the processor did for whom while a block ran, in seconds."""

    seconds: float = 0.0
    own: float = 0.0
    used: dict[str, float] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def noted(cls) -> Iterator[Work]:
        work = cls()
        began, own, before = perf_counter(), process_time(), seconds_of_work(STACK)
        yield work
        after = seconds_of_work(STACK)
        work.seconds, work.own = perf_counter() - began, process_time() - own
        work.used = {kind: after[kind] - before[kind] for kind in after}

    def each(self, count: int) -> str:
        """Milliseconds a move or a request, and whose."""
        parts = ", ".join(f"{kind} {1000 * used / count:.1f}" for kind, used in self.used.items())
        return f"{1000 * sum(self.used.values()) / count:.1f} ms ({parts})"

    def __str__(self) -> str:
        return f"{100 * sum(self.used.values()) / self.seconds:.0f} % of a core"


# Moves


async def measure_moves(people: list[tuple[User, Person]]) -> None:
    print(f"Capacity: {TABLES} tables of four open pages each, no clock, load average {os.getloadavg()[0]:.1f} before")
    seated = [people[4 * number : 4 * number + 4] for number in range(TABLES)]
    at_tables = await sync_to_async(lambda: [Table(four, None, MOVES_BEFORE) for four in seated])()
    await open_all(at_tables)
    with Work.noted() as idle:
        await asyncio.sleep(5)
    print(f"  nobody moves: {idle}")
    await measure_floor(at_tables[0].pages[0].browser, await sync_to_async(lambda: Table(seated[0]).pages[0].game)())
    best = 0
    for rate in RATES:
        if not await measure_rate(at_tables, rate, f"{rate} a second"):
            break
        best = rate
        await begin_anew(at_tables)
    print(f"  all pages up to date within {PROMPT} ms (p95), without an error: {best} moves a second")
    await close_all(at_tables)
    with_clocks = await sync_to_async(lambda: [Table(four, PACE, MOVES_BEFORE) for four in seated])()
    await open_all(with_clocks)
    await measure_rate(with_clocks, RATE_WITH_CLOCKS, f"{RATE_WITH_CLOCKS} a second, pace {PACE.name}")
    await close_all(with_clocks)


async def measure_floor(browser: Browser, game: int) -> None:
    """A bare view behind the same nginx and middleware that locks one row, changes it and adds one."""
    taken = []
    with Work.noted() as work:
        for _ in range(RATE_WITH_CLOCKS * 10):
            began = perf_counter()
            answer = await browser.post(f"/floor/{game}/", {})
            taken.append(1000 * (perf_counter() - began))
            if answer.status != 200:
                raise SystemExit(f"The floor answered {answer.status}.")
            await asyncio.sleep(max(0.0, 1 / RATE_WITH_CLOCKS - taken[-1] / 1000))
    print(f"  the floor, {RATE_WITH_CLOCKS} a second: {_line(taken)}; a request {work.each(len(taken))}")


async def measure_rate(at_tables: list[Table], rate: int, name: str) -> bool:
    """Whether it was borne."""
    warm_up, play = Play(at_tables, rate), Play(at_tables, rate)
    await warm_up.go_on(WARM_UP)
    await warm_up.settle()
    SITE.forget()
    with Work.noted() as work:
        await play.go_on(SECONDS)
        await play.settle()
    moves = max(1, len(play.taken))
    errors = SITE.failures + play.lost + play.unmade
    print(f"  {name}: {moves} moves, {_line(play.taken)}, {errors} errors")
    print(f"    a move: {SITE.requests / moves:.1f} requests, {work.each(moves)}")
    print(f"    the site {work}, these pages {100 * work.own / work.seconds:.0f} %")
    if errors:
        print(f"    answers {dict(SITE.answers)}, sockets lost {dict(SITE.lost_sockets)}")
        print(f"    {play.lost} moves refused or not seen by all, {play.unmade} not made as no table was free")
    return not errors and _p(play.taken, 95) <= PROMPT


async def begin_anew(at_tables: list[Table]) -> None:
    """Where a game is over."""
    over = [table for table in at_tables if table.is_over]
    await close_all(over)
    for table in over:
        await sync_to_async(table.begin)()
    await open_all(over)


def _p(milliseconds: list[float], percent: int) -> float:
    return quantiles(milliseconds, n=100, method="inclusive")[percent - 1] if len(milliseconds) > 1 else float("nan")


def _line(milliseconds: list[float]) -> str:
    parts = (f"p{percent} {_p(milliseconds, percent):.0f}" for percent in (50, 95, 99))
    return ", ".join([*parts, f"worst {max(milliseconds, default=float('nan')):.0f} ms"])


# Restarts


async def measure_restarts(people: list[tuple[User, Person]]) -> None:
    print(f"Capacity: a web process is killed with {PAGES} open pages, {TRICKLE} moves a second meanwhile")
    seated = [people[number : number + 4] for number in range(0, PAGES, 4)]
    at_tables = await sync_to_async(lambda: [Table(four) for four in seated])()
    for name, kept_busy in (("otherwise idle", _nothing), ("one core busy otherwise", _busy_core)):
        await open_all(at_tables)
        with kept_busy():
            await measure_restart(at_tables, name)
        await close_all(at_tables)
        await begin_anew(at_tables)


async def measure_restart(at_tables: list[Table], name: str) -> None:
    play, visitor = Play(at_tables, TRICKLE), Visitor()
    meanwhile = [asyncio.create_task(task) for task in (play.go_on(), visitor.visit())]
    await asyncio.sleep(5)
    before = list(visitor.taken)
    visitor.taken.clear()
    visitor.site.forget()
    play.taken.clear()
    play.answered.clear()
    SITE.forget()
    kill_web_process()
    with Work.noted() as work:
        away, back_after = await _all_back()
    for task in meanwhile:
        task.cancel()
    await asyncio.gather(*meanwhile, return_exceptions=True)
    await play.settle()
    still = PAGES - SITE.open_pages
    end = f"{still} still after {PATIENCE} s" if still else f"all back in {back_after:.1f} s"
    errors = sum(count for site in (SITE, visitor.site) for status, count in site.answers.items() if status[0] == "5")
    told_when = SITE.answers[TOLD_WHEN] + visitor.site.answers[TOLD_WHEN]
    print(f"  {name}: {away} of {PAGES} pages away, {end}")
    print(f"    {errors - told_when} × 5xx, and {told_when} × {TOLD_WHEN}; sockets {dict(SITE.lost_sockets)}")
    print(f"    front page before: {_line(before)}")
    print(f"    front page after:  {_line(visitor.taken)}, answers {dict(visitor.site.answers)}")
    print(f"    moves, until answered:    {_line(play.answered)}, answers {dict(SITE.answers)}")
    print(f"    moves, until all saw it:  {_line(play.taken)}, {play.lost} not within {LOST} s")
    used = ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in work.used.items())
    print(f"    seconds of work within {work.seconds:.0f}: {used}; these pages {work.own:.1f}")


async def _all_back() -> tuple[int, float]:
    """How many pages were away at most, and when the last was back."""
    began = perf_counter()
    away, back_after = 0, 0.0
    while (after := perf_counter() - began) < PATIENCE and (after < AFTERMATH or SITE.open_pages < PAGES):
        if SITE.open_pages < PAGES:
            away, back_after = max(away, PAGES - SITE.open_pages), after
        await asyncio.sleep(0.02)
    return away, back_after


class Visitor:
    """Somebody new looks at the front page, again and again."""

    def __init__(self) -> None:
        self.site = Site(SITE.address)
        self.taken: list[float] = []
        self.looking: set[asyncio.Task[None]] = set()

    async def visit(self) -> None:
        while True:
            task = asyncio.create_task(self.look())
            self.looking.add(task)
            task.add_done_callback(self.looking.discard)
            await asyncio.sleep(VISIT_EVERY)

    async def look(self) -> None:
        browser = Browser(self.site, Person("", "", "127.0.0.1"))
        began = perf_counter()
        with suppress(ConnectionError):
            await browser.get("/")
        self.taken.append(1000 * (perf_counter() - began))
        browser.close()


def kill_web_process() -> None:
    processes = re.findall(r"web-1 runs as process (\d+)", Path(os.environ["STACK_LOG"]).read_text())
    os.kill(int(processes[-1]), signal.SIGKILL)


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _busy_core() -> Iterator[None]:
    spinning = "import os\nos.sched_setaffinity(0, {0})\nwhile True: pass"
    process = start([sys.executable, "-c", spinning])
    try:
        yield
    finally:
        stop(process)


if __name__ == "__main__":
    main()
