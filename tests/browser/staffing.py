"""A moderator for the browser, and something to look after, made in a site's folder while the site runs.

    DATA_DIR=… python -m tests.browser.staffing

prints the name of the moderator and the key that their app has.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playwright.sync_api import Page

from tests.chromium import PATIENCE
from tests.sites import PASSWORD, Site, run

MODERATOR = "mara"


@dataclass(frozen=True)
class Staff:
    """Who looks after the place, by name and with the key of the second factor; a game, one that was
    set aside, a case, a person and a line."""

    username: str
    key: str
    game: int
    stuck: int
    case: int
    person: int
    line: int

    def sign_in(self, page: Page, site: Site) -> None:
        """With the password and a code, which counts once."""
        from tests.lobby.people import code_of

        page.goto(f"{site.address}/sign-in/?next=/admin/")
        page.fill("input[name=username]", self.username)
        page.fill("input[name=password]", PASSWORD)
        page.click("main form button")
        page.fill("input[name=code]", code_of(self.key))
        page.click("main form button[type=submit], main form button")
        page.wait_for_url(f"{site.address}/admin/", timeout=PATIENCE)


def make_staff(data: Path, group: str = "moderator") -> Staff:
    made = run(sys.executable, "-m", "tests.browser.staffing", group, DATA_DIR=str(data))
    assert made.returncode == 0, made.stderr
    return Staff(**json.loads(made.stdout.splitlines()[-1]))


def _main() -> None:
    import os

    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "catan_site.settings"
    os.environ["LOG_LEVEL"] = "ERROR"
    django.setup()
    from datetime import timedelta

    from django.utils import timezone

    from games import services
    from lobby import chat
    from lobby.models import ChatLine, Conversation, User
    from moderation.models import Case, Report, Sample
    from tests import staff
    from tests.games.playing import new_game, play_on

    now = timezone.now()
    group = sys.argv[1]
    moderator = User.objects.create_user(MODERATOR, password=PASSWORD, name="Mara")
    moderator = staff.make_staff(moderator, "" if group == "superuser" else group)
    if group == "superuser":
        User.objects.filter(pk=moderator.pk).update(is_superuser=True)
    key = moderator_key(moderator.pk)
    people = [User.objects.create_user(name.lower(), name=name) for name in ("Ada", "Bartholomew the Second", "Cy")]
    games = [new_game(users=people, seed=seed, pace=pace) for seed, pace in enumerate(["normal", "1 day", ""])]
    # A log that is longer than its box.
    play_on(games[0].pk, Random(0), 60)
    services.pause(games[1].pk, now=now, why="by mara")
    services.set_aside(games[2].pk, "A task failed 3 times: ZeroDivisionError: division by zero", now=now)
    where = Conversation.objects.create(game=games[0])
    said = [
        "Hello, good luck to us all!",
        "You are all wheat-hoarding scoundrels, " + "and so on " * 9,
        "https://" + "a" * 90,
    ]
    lines = [
        ChatLine.objects.create(
            conversation=where, number=number, user=person, seat=0, name=person.name, text=text, said_at=now
        )
        for number, (person, text) in enumerate(zip(people, said, strict=True), 1)
    ]
    chat.set_hidden(lines[1], True)
    case = Case.objects.create(person=people[1], opened_at=now - timedelta(hours=3), weight=4)
    Report.objects.create(case=case, by=people[0], kind=Report.Kind.ABUSE, made_at=now, line=lines[1], text="Rude.")
    Sample.objects.all().delete()
    minute = now.replace(second=0, microsecond=0)
    for back in range(60, 0, -1):
        if back in (40, 41, 42):
            continue
        Sample.objects.create(at=minute - timedelta(minutes=back), figures=_figures(60 - back))
    print(
        json.dumps(
            {
                "username": moderator.username,
                "key": key,
                "game": games[0].pk,
                "stuck": games[2].pk,
                "case": case.pk,
                "person": people[1].pk,
                "line": lines[1].pk,
            }
        )
    )


def _figures(minute: int) -> dict[str, int]:
    """As if a little more went on every minute, and now and then something went wrong."""
    return {
        "running": 12 + minute // 5 + minute % 3,
        "needing_attention": 0,
        "overdue": minute % 4 == 0,
        "moves": 40 * minute + (minute * minute) % 37,
        "cases_open": 1,
        "sockets": 30 + (minute * 7) % 11,
        "people_here": 25 + (minute * 5) % 9,
        "tasks_waiting": (minute * minute) % 13,
        "errors": minute // 25,
        "unavailable": 0,
        "failed_tasks": minute // 50,
    }


def moderator_key(person: int) -> str:
    """Of the second factor, as it lies in the database."""
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import TOTP

    found = TOTP(Authenticator.objects.get(user=person, type=Authenticator.Type.TOTP))
    secret: str = found.instance.data["secret"]
    return secret


if __name__ == "__main__":
    _main()
