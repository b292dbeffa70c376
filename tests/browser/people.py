"""People with ratings for the browser to look at, made in a site's folder while the site runs.

    DATA_DIR=… python -m tests.browser.people

prints the code and a session of somebody who has played a season of rated games, and the last of these.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.sites import run

#: Enough for a second page of the leaderboard.
OTHERS = 60
SEASON = 14


@dataclass(frozen=True)
class Season:
    """Whose it was, and their last rated game."""

    code: str
    session: str
    game: int

    def cookie(self, address: str) -> dict[str, str]:
        return {"name": "sessionid", "value": self.session, "url": address}


def play_season(data: Path) -> Season:
    made = run(sys.executable, "-m", "tests.browser.people", DATA_DIR=str(data))
    made.check_returncode()
    return Season(**json.loads(made.stdout.splitlines()[-1]))


def _main() -> None:
    import os

    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "catan_site.settings"
    os.environ["LOG_LEVEL"] = "ERROR"
    django.setup()
    from lobby import ratings
    from lobby.models import Rating, User
    from tests.browser.making import _session
    from tests.lobby.rated import finished

    names = ("Ada of the Long Road", "שרה", "Bartholomew", "李娜")
    people = [User.objects.create_user(f"season-{place}", name=name) for place, name in enumerate(names)]
    for number in range(SEASON):
        turn = (0, 1, 3, 2, 0, 2)[number % 6]
        order = people[turn:] + people[:turn]
        ended = finished(order, (7, 5, 3), at=number, resigned=[2] if number == 5 else [])
    finished(people, at=SEASON, rated=False, rules="online")
    ratings.rate_missed()
    others = [User(username=f"other-{place}", name=f"Settler {place}") for place in range(OTHERS)]
    User.objects.bulk_create(others)
    Rating.objects.bulk_create(
        Rating(person=other, kind="live", mu=30.0 + place / 4, sigma=2.0, games=20 + place)
        for place, other in enumerate(others)
    )
    ada = people[0]
    print(json.dumps(asdict(Season(code=ada.code, session=_session(ada), game=ended.pk))))


if __name__ == "__main__":
    _main()
