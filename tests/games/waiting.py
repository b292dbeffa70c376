"""Whom a game waits for, computed from scratch: from the rows alone, by a query of their own."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Case, Exists, F, OuterRef, Q, Value, When

from games import snapshots
from games.models import Game, OfferAnswer, Seat
from games.store import Sitter

#: For each seat that is asked for something: what, and since when.
Awaited = dict[int, tuple[str, datetime]]


def awaited(game_id: int) -> Awaited:
    """What the columns say, after a look whether they are right."""
    discarding = Q(game__phase="discarding")
    unanswered = OfferAnswer.objects.filter(seat=OuterRef("pk"), answer="none", offer__is_open=True)
    wanted = Case(
        When(~Q(player="person") | ~Q(game__status="running"), then=Value("")),
        When(discarding & Q(hand__must_discard__gt=0), then=Value("discard")),
        When(~discarding & Q(game__active=F("pk")), then=Value("move")),
        When(Exists(unanswered), then=Value("offer")),
        default=Value(""),
    )
    seats = list(Seat.objects.filter(game=game_id).annotate(wanted=wanted).order_by("number"))
    for seat in seats:
        assert seat.asked == seat.wanted, f"{seat} is asked for {seat.asked!r}, and the game wants {seat.wanted!r}"
        assert (seat.awaited_since is None) == (seat.asked == ""), f"{seat} is awaited since {seat.awaited_since}"
    return {seat.number: (seat.asked, seat.awaited_since) for seat in seats if seat.awaited_since}


def check_kept_sitters(game: Game) -> None:
    """What this process remembers of the seats is what the rows say."""
    _, snapshot = snapshots.read(game.pk)
    assert snapshot.sitters == tuple(map(Sitter.of, Seat.objects.filter(game=game).order_by("number")))


class Watch:
    """Looks at a game after each step of it; the clock must have moved on before the step."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.game = game
        self.revision = -1
        self.before: Awaited = {}
        self.look(now)

    def look(self, now: datetime) -> Awaited:
        """Whatever was asked before has been asked since then; whatever is new, since now."""
        self.game.refresh_from_db()
        current = awaited(self.game.pk)
        for seat, (asked, since) in current.items():
            before = self.before.get(seat)
            expected = {before[1] if before and before[0] == asked else now}
            if self.game.revision != self.revision:
                # A break, or somebody who was away: whoever is asked for the same again is asked anew.
                expected.add(now)
            assert since in expected, f"seat {seat} is asked for {asked} since {since}, not {expected}"
        self.before, self.revision = current, self.game.revision
        return current
