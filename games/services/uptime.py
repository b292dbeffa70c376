"""Nobody is punished for our own outage: what was lost while the site was down is given back."""

from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction
from django.db.models import F, Q

from games.models import Connection, Game, Presence, Pulse, TradeOffer

log = structlog.get_logger(__name__)

#: Without a pulse for this long, the site was down.
DOWN_AFTER: Final = timedelta(seconds=10)
#: What people get on top of the time that was lost. Pages come back after half a minute at the latest.
GRACE: Final = timedelta(seconds=30)


def note_pulse(now: datetime) -> None:
    """A web process is alive. If none was for a while, every clock of people is put back by that while.

    Web processes that start together lock the one row in turn: the second finds a fresh pulse.
    """
    with transaction.atomic():
        pulse, is_first = Pulse.objects.select_for_update().get_or_create(pk=1, defaults={"at": now})
        if is_first or pulse.at >= now:
            return
        if now - pulse.at > DOWN_AFTER:
            _make_up_for(now - pulse.at, now)
        Pulse.objects.filter(pk=1).update(at=now)


def _make_up_for(outage: timedelta, now: datetime) -> None:
    extra = outage + GRACE
    running = Game.objects.filter(status=Game.Status.RUNNING)
    offers = TradeOffer.objects.filter(game__status=Game.Status.RUNNING, is_open=True)
    # The games first: whoever plays a move locks the game's row, then writes its offers.
    running.filter(Q(deadline__isnull=False) | Q(pk__in=offers.values("game"))).update(
        deadline=F("deadline") + extra, answers_due=F("answers_due") + extra, revision=F("revision") + 1
    )
    offers.update(made_at=F("made_at") + extra, answers_due=F("answers_due") + extra)
    # Nor has anybody lost the connection: we have.
    Presence.objects.filter(lost_due__isnull=False).update(lost_due=now + GRACE)
    Connection.objects.update(seen_at=now + GRACE)
    log.warning("made_up_for_outage", seconds=round(outage.total_seconds()))
