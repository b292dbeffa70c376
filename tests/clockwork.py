"""The embedded site with a clock that a test moves: days pass in a moment, and nothing else is different.

    DATA_DIR=… python -m tests.clockwork

is `manage.py play`, ahead of the real time by the seconds that were last written to `ahead` in that folder. A moved
clock is not an outage: pulse and connections move along.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.sites import Site, embedded

LOOKS_EVERY = 0.02


@dataclass
class Clockwork:
    """A site, and the hand on its clock."""

    site: Site
    ahead: timedelta = field(default_factory=timedelta)

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def move(self, **by: float) -> datetime:
        """Let time pass: `move(hours=20)`. Returns once the site has the new time."""
        self.ahead += timedelta(**by)
        wanted = str(self.ahead.total_seconds())
        asked = self.site.data / "ahead"
        asked.with_suffix(".new").write_text(wanted)
        asked.with_suffix(".new").rename(asked)
        while _read(self.site.data / "arrived") != wanted:
            assert self.site.process.poll() is None, self.site.log.read_text()
            time.sleep(LOOKS_EVERY)
        return self.now


@contextmanager
def clockwork(data: Path, **settings: str) -> Iterator[Clockwork]:
    with embedded(data, command=[sys.executable, "-m", "tests.clockwork"], **settings) as site:
        yield Clockwork(site)


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def _main() -> None:
    import os

    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "catan_site.settings"
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db.models import F
    from django.utils import timezone

    from games.models import Connection, Pulse

    really = timezone.now
    ahead = timedelta()
    timezone.now = lambda: really() + ahead

    def follow() -> None:
        nonlocal ahead
        while True:
            time.sleep(LOOKS_EVERY)
            wanted = _read(settings.DATA_DIR / "ahead")
            if wanted in ("", str(ahead.total_seconds())):
                continue
            by = timedelta(seconds=float(wanted)) - ahead
            # The pulse first: one that is in the future is left alone, one that lies hours back is an outage.
            Pulse.objects.update(at=F("at") + by)
            Connection.objects.update(seen_at=F("seen_at") + by)
            ahead += by
            # Somebody may have noted the old time in between.
            Connection.objects.update(seen_at=timezone.now())
            (settings.DATA_DIR / "arrived").write_text(wanted)

    threading.Thread(target=follow, name="clock", daemon=True).start()
    call_command("play")


if __name__ == "__main__":
    _main()
