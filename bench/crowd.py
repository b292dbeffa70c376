"""Many open tables and finished games, and what the front page takes among them.

Run by `bench.front`, in a database that is thrown away.
"""

from __future__ import annotations

import os
import statistics
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lobby.models import User

OPEN_TABLES: Final = 5_000
FINISHED_GAMES: Final = 50_000
#: Of the finished games, the person who looks played so many.
OWN_GAMES: Final = 1_000
#: People who sit everywhere else.
OTHERS: Final = 200
REQUESTS: Final = 40
GOAL: Final = 100.0


def fill(person: User, *, tables: int, games: int) -> None:
    """Rows as they are left by tables that wait and by games that were played to their end."""
    others = _others()
    _finish_games(person, others, games)
    _lay_tables(others, tables)


def _others() -> list[User]:
    from lobby.models import User

    if not User.objects.filter(username="crowd-0").exists():
        User.objects.bulk_create(
            User(username=f"crowd-{number}", name="Bob", is_guest=True) for number in range(OTHERS)
        )
    return list(User.objects.filter(username__startswith="crowd-"))


def _finish_games(person: User, others: list[User], count: int) -> None:
    from django.db.models import F
    from django.utils import timezone

    from games.models import Game, Seat
    from games.paces import PACES
    from games.rules import PRESETS, RULES_VERSION
    from lobby.models import Chair, Table

    now = timezone.now()
    agreed: dict[str, Any] = {"rules": PRESETS["standard"].to_json(), "layout": "balanced"}
    pace = PACES["normal"].to_json()
    games = Game.objects.bulk_create(
        (
            Game(
                **agreed,
                status=Game.Status.ABORTED,
                rules_version=RULES_VERSION,
                pace=pace,
                phase="over",
                turn=100 + number % 2,
                started_at=now - timedelta(hours=2, minutes=number),
                ended_at=now - timedelta(hours=1, minutes=number),
            )
            for number in range(count)
        ),
        batch_size=2_000,
    )
    players = [
        [person if number < OWN_GAMES else others[number % OTHERS], *(others[(number + n) % OTHERS] for n in (1, 2, 3))]
        for number in range(count)
    ]
    Seat.objects.bulk_create(
        (
            Seat.in_game(game.pk, number, place=number, colour=number, user=user, name=user.shown_name)
            for game, users in zip(games, players, strict=True)
            for number, user in enumerate(users)
        ),
        batch_size=5_000,
    )
    # The first two seats win in turn.
    made = Game.objects.filter(status=Game.Status.ABORTED, commitment="")
    made.update(status=Game.Status.OVER, winner_id=F("pk") * Seat.ROOM + F("turn") - 100)
    tables = Table.objects.bulk_create(
        (Table(**agreed, host=users[0], clocks=pace, game=game) for game, users in zip(games, players, strict=True)),
        batch_size=2_000,
    )
    Chair.objects.bulk_create(
        (
            Chair(table=table, number=number, colour=number, user=user, name=user.shown_name)
            for table, users in zip(tables, players, strict=True)
            for number, user in enumerate(users)
        ),
        batch_size=5_000,
    )


def _lay_tables(others: list[User], count: int) -> None:
    from games.paces import PACES
    from games.rules import PRESETS
    from lobby.models import Chair, Table

    tables = Table.objects.bulk_create(
        (
            Table(
                host=others[number % OTHERS],
                rules=PRESETS["standard"].to_json(),
                layout="balanced",
                clocks=PACES["normal"].to_json(),
                visibility="public",
            )
            for number in range(count)
        ),
        batch_size=2_000,
    )
    Chair.objects.bulk_create(
        (
            Chair(
                table=table,
                number=number,
                colour=number,
                user=table.host if number == 0 else None,
                name="Bob" if number == 0 else "",
            )
            for table in tables
            for number in range(4)
        ),
        batch_size=5_000,
    )


def _milliseconds(browser: Any, address: str) -> float:
    taken = []
    for _ in range(REQUESTS):
        began = time.perf_counter()
        answer = browser.get(address)
        taken.append(1000 * (time.perf_counter() - began))
        if answer.status_code != 200:
            raise SystemExit(f"{address} answered {answer.status_code}.")
    return statistics.median(taken)


def main() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")
    django.setup()
    from django.conf import settings
    from django.test import Client

    from lobby.models import User

    settings.ALLOWED_HOSTS = ["testserver"]
    person = User.objects.create_user("alice")
    known, stranger = Client(), Client()
    known.force_login(person)
    browsers = {"a stranger": stranger, "somebody who plays": known}
    empty = {who: _milliseconds(browser, "/") for who, browser in browsers.items()}
    fill(person, tables=OPEN_TABLES, games=FINISHED_GAMES)
    _gather_statistics()
    for who, browser in browsers.items():
        full = _milliseconds(browser, "/")
        verdict = "reached" if full < GOAL else "MISSED"
        print(
            f"  for {who}: {full:.1f} ms, {full / empty[who]:.2f} times an empty site's {empty[who]:.1f} ms; "
            f"goal below {GOAL:.0f} ms: {verdict}"
        )
    print(f"  {_milliseconds(known, '/now/'):.1f} ms what an open page asks for")


def _gather_statistics() -> None:
    """What a database does by itself after a while."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    main()
