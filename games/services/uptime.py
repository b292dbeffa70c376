"""Nobody is punished for our own outage: what was lost while the site was down is given back."""

from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction
from django.db.models import F, Max, Q

from games.models import Connection, Game, Presence, Proposal, Pulse, Seat, TradeOffer
from games.paces import LIVE

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
            _make_up_for(pulse.at, now)
        Pulse.objects.filter(pk=1).update(at=now)


def _make_up_for(since: datetime, now: datetime) -> None:
    extra = now - since + GRACE
    running = Game.objects.filter(status=Game.Status.RUNNING)
    offers = TradeOffer.objects.filter(game__status=Game.Status.RUNNING, is_open=True)
    # The games first: whoever plays a move locks the game's row, then writes its offers.
    running.filter(Q(deadline__isnull=False) | Q(pk__in=offers.values("game"))).update(
        deadline=F("deadline") + extra, answers_due=F("answers_due") + extra, revision=F("revision") + 1
    )
    _take_back_from_holidays(extra, since, now)
    offers.update(made_at=F("made_at") + extra, answers_due=F("answers_due") + extra)
    Proposal.objects.filter(outcome=Proposal.Outcome.OPEN).update(ends_at=F("ends_at") + extra)
    # Nor has anybody lost the connection: we have.
    Presence.objects.filter(lost_due__isnull=False).update(lost_due=now + GRACE)
    Connection.objects.update(seen_at=now + GRACE)
    log.warning("made_up_for_outage", seconds=round((now - since).total_seconds()))


def _take_back_from_holidays(extra: timedelta, since: datetime, now: datetime) -> None:
    """A clock that stood still has lost nothing by our outage, or only what came after the holiday."""
    acting = Seat.objects.filter(
        holiday_until__gt=since,
        player=Seat.Player.PERSON,
        asked__in=(Seat.Asked.MOVE, Seat.Asked.DISCARD),
        game__status=Game.Status.RUNNING,
        game__pace__isnull=False,
    ).exclude(game__pace__name__in=LIVE)
    for game_id, until in acting.values_list("game").annotate(Max("holiday_until")).order_by("game"):
        stood_still = extra if until >= now else until - since
        Game.objects.filter(pk=game_id).update(deadline=F("deadline") - stood_still)
