"""Games that wait for somebody who is elsewhere, made and played on in a site's folder while the site runs.

    DATA_DIR=… python -m tests.browser.absent make
    DATA_DIR=… python -m tests.browser.absent ask HIDDEN VISIBLE
    DATA_DIR=… python -m tests.browser.absent told

The first makes two live games of Nora's, who wants to be told of everything, and prints them with her session. The
second waits until the page of one is hidden and that of the other is not, and has both games ask her for a move. The
third prints which games she was told of, once nothing is left to tell.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from tests.sites import run

ADDRESS = "nora@catan.example"


def absent(data: Path, *what: str) -> Any:
    made = run(sys.executable, "-m", "tests.browser.absent", *what, DATA_DIR=str(data))
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])


def _make() -> Any:
    from allauth.account.models import EmailAddress

    from lobby.models import NoticeWishes, User
    from lobby.notice_models import ALL_WISHES
    from tests.browser.making import _session
    from tests.games.playing import new_game

    bob = User.guest("Bob")
    bob.save()
    nora = User.objects.create_user("nora", name="Nora")
    EmailAddress.objects.create(user=nora, email=ADDRESS, verified=True, primary=True)
    NoticeWishes.objects.create(person=nora, wishes=sorted(ALL_WISHES))
    games = [new_game("standard turn_order=seat_order", users=[bob, nora], pace="relaxed") for _ in range(2)]
    return {"games": [game.pk for game in games], "session": _session(nora)}


def _ask(hidden: str, visible: str) -> Any:
    from games.models import Connection
    from tests.games.playing import time_out_until

    def seen(game: str) -> list[bool]:
        return list(Connection.objects.filter(seat__game=game).values_list("is_visible", flat=True))

    limit = time.monotonic() + 50
    while (seen(hidden), seen(visible)) != ([False], [True]):
        assert time.monotonic() < limit, (seen(hidden), seen(visible))
        time.sleep(0.1)
    for game in (hidden, visible):
        time_out_until(int(game), lambda state: state.active == 1)
    return {}


def _told() -> Any:
    from games.models import Seat
    from lobby.models import Delivery, Notice

    while Notice.objects.filter(kind="turn").exists() or Delivery.objects.filter(outcome="").exists():
        time.sleep(0.1)
    return [Seat.game_of(item["seat"]) for delivery in Delivery.objects.all() for item in delivery.items]


if __name__ == "__main__":
    import os

    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "catan_site.settings"
    os.environ["LOG_LEVEL"] = "ERROR"
    django.setup()
    print(json.dumps({"make": _make, "ask": _ask, "told": _told}[sys.argv[1]](*sys.argv[2:])))
