"""The clients of `bench.http`: ``python -m bench.clients``, led by its environment."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import islice
from statistics import median, quantiles
from time import perf_counter
from typing import Final, NamedTuple

import django

django.setup()

from django.utils import timezone  # noqa: E402

from api import tokens  # noqa: E402
from games import services, snapshots  # noqa: E402
from games.bots import builder  # noqa: E402
from games.paces import PACES  # noqa: E402
from games.rules import (  # noqa: E402
    Move,
    Phase,
    Refusal,
    RuleSet,
    SeededChance,
    State,
    play,
    player_view,
    to_act,
)
from games.rules.chance import stream_key  # noqa: E402
from games.services import Entrant  # noqa: E402
from lobby.models import User  # noqa: E402

from .asking import as_program, as_signed_in, post  # noqa: E402

CLIENTS: Final = 8
SEATS: Final = 3
#: Moves and floor take turns, so many of each client at a time; the first turn warms up.
ROUNDS: Final = 6
A_ROUND: Final = 40
#: With a minute for each move, every move also queues the task that would end the wait.
PACE: Final = PACES["fast"]

source: Final = random.Random(1)  # noqa: S311 - a simulation


class Sent(NamedTuple):
    """A request that is ready to be sent."""

    path: str
    headers: dict[str, str]
    body: object


class Client:
    """A connection of its own, and all that it will send."""

    def __init__(self, number: int) -> None:
        self.line = HTTPConnection("127.0.0.1", int(os.environ["PORT"]))
        users = [User.objects.create_user(f"person-{number}-{seat}") for seat in range(SEATS)]
        now = timezone.now()
        programs = [as_program(tokens.make(user, "bench", "play", now=now)[1]) for user in users]
        seed = services.new_seed()
        players = [Entrant(user.username, user_id=user.pk, nonce=user.username) for user in users]
        game = services.start_game(RuleSet(), "random", players, pace=PACE, seed=seed, now=now)
        _, snapshot = snapshots.read(game.pk)
        key = stream_key(seed, [player.nonce for player in players])
        chosen = islice(moves_of(snapshot.state.copy(), key), ROUNDS * A_ROUND)
        self.moves = iter(
            [
                Sent(f"/api/v1/games/{game.pk}/moves/", programs[move.seat], body(move, version))
                for version, move in enumerate(chosen)
            ]
        )
        at_floor = as_signed_in(users[0])
        self.floors = iter([Sent(f"/floor/{game.pk}/", at_floor, {})] * (ROUNDS * A_ROUND))

    def move(self) -> list[float]:
        return [post(self.line, *sent) for sent in islice(self.moves, A_ROUND)]

    def floor(self) -> list[float]:
        return [post(self.line, *sent) for sent in islice(self.floors, A_ROUND)]


def moves_of(state: State, key: bytes) -> Iterator[Move]:
    """A game as bots play it: what each move draws follows from the key."""
    version = 0
    while state.phase is not Phase.OVER:
        state, move = _played(state, key, version + 1)
        version += 1
        yield move


def _played(state: State, key: bytes, number: int) -> tuple[State, Move]:
    for seat in (*source.sample(state.seats, SEATS), *to_act(state)):
        move = builder.choose(player_view(state, seat), source)
        after = state.copy()
        try:
            if move:
                play(after, move, SeededChance(key, number))
                return after, move
        except Refusal:
            # A promise that its partner can no longer keep: somebody has something else to do.
            continue
    raise SystemExit("Nobody has a move to make.")


def body(move: Move, version: int) -> object:
    told = move.to_json()
    del told["seat"]
    return {"move": told, "version": version, "client_id": f"{version}"}


class Taken:
    """What the clients did together."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []
        self.seconds = 0.0

    def add(self, at_once: ThreadPoolExecutor, clients: list[Client], act: Callable[[Client], list[float]]) -> None:
        began = perf_counter()
        for taken in at_once.map(act, clients):
            self.milliseconds += taken
        self.seconds += perf_counter() - began

    @property
    def a_second(self) -> float:
        return len(self.milliseconds) / self.seconds

    def __str__(self) -> str:
        p50, p95 = median(self.milliseconds), quantiles(self.milliseconds, n=20)[-1]
        return f"{self.a_second:7.1f} a second  p50 {p50:6.1f} ms  p95 {p95:6.1f} ms"


def main() -> None:
    clients = [Client(number) for number in range(CLIENTS)]
    moves, floor = Taken(), Taken()
    with ThreadPoolExecutor(CLIENTS) as at_once:
        for act in (Client.move, Client.floor):
            Taken().add(at_once, clients, act)
        for _ in range(1, ROUNDS):
            moves.add(at_once, clients, Client.move)
            floor.add(at_once, clients, Client.floor)
    print(f"  moves                      {moves}")
    print(f"  the floor                  {floor}")
    print(f"  the floor / moves          {floor.a_second / moves.a_second:7.2f}")


if __name__ == "__main__":
    main()
