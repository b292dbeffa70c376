"""The client's side of `bench.persistence`: ``python -m bench.moves``, led by its environment.

Three people sit at a game. Each move is chosen by a bot, outside the time that counts.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from http.client import HTTPConnection
from statistics import median, quantiles
from time import perf_counter
from typing import Final

import django

django.setup()

from django.db import connection, reset_queries  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from games import services, snapshots  # noqa: E402
from games.bots import builder  # noqa: E402
from games.models import Game  # noqa: E402
from games.paces import PACES  # noqa: E402
from games.rules import Move, Phase, RuleSet, player_view, to_act  # noqa: E402
from games.services import Entrant  # noqa: E402
from lobby.models import User  # noqa: E402

from .asking import as_signed_in, post  # noqa: E402

MOVES: Final = 300
WARM_UP: Final = 50
GOAL: Final = 2.0
#: With a minute for each move, every move also queues the task that would end the wait.
PACE: Final = PACES["fast"]
CAST: Final = ("alice", "bob", "charlie")

#: All share one connection, so that none is closed for want of use.
line: Final = HTTPConnection("127.0.0.1", int(os.environ["PORT"]))
source: Final = random.Random(1)  # noqa: S311 - a simulation


class Table:
    """One game after another, played by bots."""

    def __init__(self, users: list[User]) -> None:
        self.users = users
        self.begin()

    def begin(self) -> None:
        players = [Entrant(user.username, user_id=user.pk) for user in self.users]
        self.game = services.start_game(RuleSet(), "random", players, pace=PACE, now=timezone.now())

    def next_move(self) -> tuple[int, int, Move]:
        """The game, its version and somebody's move on it."""
        _, snapshot = snapshots.read(self.game.pk)
        if snapshot.state.phase is Phase.OVER:
            self.begin()
            return self.next_move()
        for seat in (*source.sample(snapshot.state.seats, 3), *to_act(snapshot.state)):
            move = builder.choose(player_view(snapshot.state, seat), source)
            if move:
                return self.game.pk, snapshot.version, move
        raise SystemExit("Nobody has a move to make.")


def move_through_service(table: Table, *, is_kept: bool) -> float:
    game_id, version, move = table.next_move()
    if not is_kept:
        snapshots.drop(game_id)
    started = perf_counter()
    services.play_move(game_id, move, version=version, client_id=f"{version}", now=timezone.now())
    return 1000 * (perf_counter() - started)


def move_over_http(table: Table, browsers: list[dict[str, str]]) -> float:
    game_id, version, move = table.next_move()
    body = move.to_json()
    del body["seat"]
    request = {"move": body, "version": version, "client_id": f"{version}"}
    return post(line, f"/api/v1/games/{game_id}/moves/", browsers[move.seat], request)


def queries(table: Table, *, is_kept: bool) -> list[int]:
    """What moves take, one by one."""
    counts = []
    for _ in range(MOVES):
        game_id, version, move = table.next_move()
        if not is_kept:
            snapshots.drop(game_id)
        reset_queries()
        with CaptureQueriesContext(connection) as statements:
            services.play_move(game_id, move, version=version, now=timezone.now())
        counts.append(len(statements))
    return counts


def main() -> None:
    users = [User.objects.create_user(name) for name in CAST]
    browsers = [as_signed_in(user) for user in users]
    here, there = Table(users), Table(users)
    floors = Game.objects.create(
        started_at=timezone.now(), rules={}, rules_version=0, layout="", commitment="", phase="over"
    )
    floor_body = {"move": {"kind": "roll"}, "version": 0, "client_id": "0"}
    ways: dict[str, Callable[[], float]] = {
        "kept": lambda: move_through_service(here, is_kept=True),
        "read": lambda: move_through_service(here, is_kept=False),
        "http": lambda: move_over_http(there, browsers),
        "floor": lambda: post(line, f"/floor/{floors.pk}/", source.choice(browsers), floor_body),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for round_ in range(WARM_UP + MOVES):
        # In any order: whoever comes second finds the server busy with tidying up after the first.
        for name, way in source.sample(list(ways.items()), len(ways)):
            milliseconds = way()
            if round_ >= WARM_UP:
                taken[name].append(milliseconds)
    print(f"  through the service        {_line(taken['kept'])}")
    print(f"  the same, game not kept    {_line(taken['read'])}")
    print(f"  over HTTP                  {_line(taken['http'])}")
    print(f"  the floor                  {_line(taken['floor'])}")
    ratio = median(taken["http"]) / median(taken["floor"])
    verdict = "reached" if ratio <= GOAL else "goal missed"
    print(f"  over HTTP / the floor      {ratio:7.2f}  goal: at most {GOAL:g}, {verdict}")
    for name, is_kept in (("statements a move       ", True), ("the same, game not kept ", False)):
        counts = queries(here, is_kept=is_kept)
        print(f"  {name}   {median(counts):7.0f}  at most {max(counts)}")


def _line(milliseconds: list[float]) -> str:
    return f"{median(milliseconds):7.2f} ms  p95 {quantiles(milliseconds, n=20)[-1]:.2f}"


if __name__ == "__main__":
    main()
