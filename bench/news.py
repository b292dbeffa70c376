"""From the commit of a move to the other players' sockets, while a hundred games move.

Run as ``python -m bench news``, which gives it a database and settings of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Final
from urllib.parse import urlsplit

import django

django.setup()

from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402
from websockets.typing import Origin  # noqa: E402

from deploy.children import wait_until  # noqa: E402
from games import services, snapshots  # noqa: E402
from games.bots import builder  # noqa: E402
from games.models import Game  # noqa: E402
from games.rules import Phase, RuleSet, player_view  # noqa: E402
from games.services.news import News  # noqa: E402
from lobby.models import User  # noqa: E402
from tests.keepers import started  # noqa: E402

GAMES: Final = 100
MOVES_A_SECOND: Final = 20
SECONDS: Final = 30
GOAL: Final = 50

source: Final = random.Random(1)  # noqa: S311 - a simulation


class Listeners:
    """The open pages of all games: they note when they hear of which version."""

    def __init__(self, address: str, games: list[Game], users: list[User]) -> None:
        self.socket = address.replace("http", "ws", 1)
        self.origin = address
        self.pages = [(game.pk, _cookie(user)) for game in games for user in users]
        self.heard: dict[tuple[int, int], list[float]] = {}
        self.open = 0
        # Whoever comes while many are arriving is told to come later.
        self.door = asyncio.Semaphore(20)
        threading.Thread(target=lambda: asyncio.run(self.listen()), daemon=True).start()

    async def listen(self) -> None:
        # When all has been measured, the server goes, and each of them says so.
        await asyncio.gather(*(self.follow(game, cookie) for game, cookie in self.pages), return_exceptions=True)

    async def follow(self, game: int, cookie: str) -> None:
        headers = {"Cookie": cookie}
        async with self.door:
            line = await connect(
                f"{self.socket}/ws/games/{game}/", origin=Origin(self.origin), additional_headers=headers
            )
            await line.recv()
        self.open += 1
        async for frame in line:
            if "page" in (news := json.loads(frame)):
                self.heard.setdefault((game, news["page"]["version"]), []).append(time.perf_counter())


def _cookie(user: User) -> str:
    browser = Client()
    browser.force_login(user)
    return f"sessionid={browser.cookies['sessionid'].value}"


def main() -> None:
    print(f"News: from the commit to the sockets of {GAMES} games, {MOVES_A_SECOND} moves a second, full stack")
    users = [User.objects.create_user(name) for name in ("alice", "bob", "charlie")]
    players = [services.Entrant(user.username, user_id=user.pk) for user in users]
    games = [services.start_game(RuleSet(), "random", players, now=timezone.now()) for _ in range(GAMES)]
    committed = note_commits()
    with started(Path(os.environ["DATA_DIR"]), os.environ, urlsplit(os.environ["REDIS_URL"]).port) as keepers:
        listeners = Listeners(keepers.address, games, users)
        wait_until(lambda: listeners.open == len(listeners.pages), "not every socket was opened")
        play(games)
        time.sleep(1)
    late = [
        1000 * (heard - committed[news])
        for news, moments in listeners.heard.items()
        if news in committed
        for heard in moments
    ]
    expected = len(committed) * len(users)
    print(f"  median {median(late):.1f} ms, p95 {quantiles(late, n=20)[-1]:.1f} ms, goal {GOAL} ms at p95")
    print(f"  {len(committed)} moves, {len(late)} of {expected} messages heard")


def note_commits() -> dict[tuple[int, int], float]:
    """When each version was committed: making everybody's page and sending it comes next."""
    committed: dict[tuple[int, int], float] = {}
    send = News.send

    def note_and_send(news: News) -> None:
        committed[news.scene.game.pk, news.scene.mark["version"]] = time.perf_counter()
        send(news)

    News.send = note_and_send  # type: ignore[assignment,method-assign]
    return committed


def play(games: list[Game]) -> None:
    began = time.perf_counter()
    for number in range(MOVES_A_SECOND * SECONDS):
        time.sleep(max(0.0, began + number / MOVES_A_SECOND - time.perf_counter()))
        _, snapshot = snapshots.read(games[number % GAMES].pk)
        if snapshot.state.phase is not Phase.OVER:
            choices = (builder.choose(player_view(snapshot.state, seat), source) for seat in snapshot.state.seats)
            move = next(move for move in choices if move)
            services.play_move(games[number % GAMES].pk, move, version=snapshot.version, now=timezone.now())


if __name__ == "__main__":
    main()
