"""Bans for the browser to meet, made in a site's folder while the site runs.

    DATA_DIR=… python -m tests.browser.banning SESSION REASON

bans whoever has that session, for an hour; without a reason, lifts it. It is another process than the site's, whose
sockets hear nothing of it: the site's next round finds them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.sites import run


def ban(data: Path, session: str, reason: str) -> None:
    run(sys.executable, "-m", "tests.browser.banning", session, reason, DATA_DIR=str(data)).check_returncode()


def lift(data: Path, session: str) -> None:
    ban(data, session, "")


def _main(session: str, reason: str) -> None:
    import os
    from datetime import timedelta

    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "catan_site.settings"
    os.environ["LOG_LEVEL"] = "ERROR"
    django.setup()
    from django.contrib.auth import SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.utils import timezone

    from lobby import restrictions
    from lobby.models import User
    from moderation.models import Decision

    now = timezone.now()
    person = User.objects.get(pk=SessionStore(session)[SESSION_KEY])
    if not reason:
        restrictions.lift_ban(person)
        return
    until = now + timedelta(hours=1)
    Decision.objects.create(person=person, kind=Decision.Kind.BAN, reason=reason, at=now, until=until)
    restrictions.ban(person, until, now=now)


if __name__ == "__main__":
    _main(*sys.argv[1:])
