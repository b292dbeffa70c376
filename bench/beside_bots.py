"""Somebody plays and looks at the front page, by turns while bots play at other tables and while they stand still.

Run by `bench.thinking`, beside a site that is led by the same environment.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from itertools import count
from statistics import median, quantiles
from typing import Final
from urllib.parse import urlsplit

import django

django.setup()

from django.utils import timezone  # noqa: E402

from deploy.children import wait_until  # noqa: E402
from games import services, snapshots  # noqa: E402
from games.models import Game  # noqa: E402
from games.rules import RuleSet  # noqa: E402
from games.rules.chance import stream_key  # noqa: E402
from games.services import Entrant, NotRunning  # noqa: E402
from lobby.models import User  # noqa: E402

from .asking import as_signed_in, post  # noqa: E402
from .clients import SEATS, body, moves_of  # noqa: E402

TABLES: Final = 4
ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "8"))
#: Of each round bots play for so many seconds, and stand still for as many.
A_TURN: Final = 8.0
#: People take their time; a site that is asked without end would be the bottleneck itself.
PAUSE: Final = 0.05
GOAL: Final = 1.5

source: Final = random.Random(1)  # noqa: S311 - a simulation


class Person:
    """Plays all seats of a game, one game after another."""

    def __init__(self) -> None:
        self.users = [User.objects.create_user(f"person-{seat}") for seat in range(SEATS)]
        self.headers = [as_signed_in(user) for user in self.users]
        self.line = HTTPConnection("127.0.0.1", urlsplit(os.environ["SITE"]).port or 80)
        self.moves = self.all_moves()

    def all_moves(self) -> Iterator[tuple[str, dict[str, str], object]]:
        while True:
            seed, players = services.new_seed(), [Entrant(u.username, user_id=u.pk, nonce="mixes") for u in self.users]
            game = services.start_game(RuleSet(), "random", players, seed=seed, now=timezone.now())
            _, snapshot = snapshots.read(game.pk)
            key = stream_key(seed, [player.nonce for player in players])
            for version, move in enumerate(moves_of(snapshot.state.copy(), key)):
                yield f"/api/v1/games/{game.pk}/moves/", self.headers[move.seat], body(move, version)

    def move(self) -> float:
        sent = next(self.moves)
        time.sleep(PAUSE)
        return post(self.line, *sent)

    def look_at_front_page(self) -> float:
        time.sleep(PAUSE)
        began = time.perf_counter()
        self.line.request("GET", "/")
        answer = self.line.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"The front page answered {answer.status}.")
        return 1000 * (time.perf_counter() - began)


class Tables:
    """Bots that play among themselves at once, whenever they may."""

    def __init__(self) -> None:
        self.numbers = count()
        self.games = [self.started() for _ in range(TABLES)]
        self.moves, self.seconds = 0, 0.0

    def started(self) -> Game:
        players = [Entrant(f"Bot {next(self.numbers)}", strength="hard") for _ in range(4)]
        game = services.start_game(RuleSet(), "balanced", players, bot_speed="at once", now=timezone.now())
        services.pause(game.pk, now=timezone.now())
        return game

    @contextmanager
    def at_play(self) -> Iterator[None]:
        for number, game in enumerate(self.games):
            if Game.objects.get(pk=game.pk).status != Game.Status.PAUSED:
                game = self.games[number] = self.started()
            services.resume(game.pk, now=timezone.now())
        before = self.versions()
        wait_until(lambda: all(now > was for now, was in zip(self.versions(), before, strict=True)), "no bot moves")
        before, began = self.versions(), time.monotonic()
        yield
        self.moves += sum(self.versions()) - sum(before)
        self.seconds += time.monotonic() - began
        for game in self.games:
            with suppress(NotRunning):
                services.pause(game.pk, now=timezone.now())
        # Whoever thinks at this moment comes to an end.
        time.sleep(1)

    def versions(self) -> list[int]:
        time.sleep(0.05)
        return [Game.objects.get(pk=game.pk).version for game in self.games]


class Taken:
    def __init__(self) -> None:
        self.fronts: list[float] = []
        self.moves: list[float] = []

    def add(self, person: Person, seconds: float) -> None:
        # The server does not keep a line for long that nobody uses; this one is opened again.
        person.line.close()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.fronts.append(person.look_at_front_page())
            self.moves.append(person.move())


def main() -> None:
    person, tables = Person(), Tables()
    alone, beside = Taken(), Taken()
    Taken().add(person, 3)
    for _ in range(ROUNDS):
        alone.add(person, A_TURN)
        with tables.at_play():
            beside.add(person, A_TURN)
    pace = tables.moves / tables.seconds
    print(f"Thinking: on the embedded stack, beside {TABLES} tables of hard bots, which make {pace:.1f} moves a second")
    report("the front page", alone.fronts, beside.fronts)
    report("a person's move", alone.moves, beside.moves)


def report(what: str, alone: list[float], beside: list[float]) -> None:
    print(f"  {what}, {len(alone)} times alone and {len(beside)} times beside bots")
    for name, figure in (("median", median), ("p95", lambda taken: quantiles(taken, n=20)[-1])):
        before, now = figure(alone), figure(beside)
        verdict = "reached" if now <= GOAL * before else "MISSED"
        print(f"    {name} {before:.1f} and {now:.1f} ms: {now / before:.2f} times as long; goal {GOAL}: {verdict}")


if __name__ == "__main__":
    main()
