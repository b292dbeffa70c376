"""Games that two players have behind them, in a moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from games import services
from games.models import Game, Move, Seat
from games.rules import moves as m
from lobby.models import User
from moderation.dealings import Dealings, Theft, Trade
from moderation.models import GameDealings
from tests.lobby.rated import nearly_won, win

#: What is given in the two trades of a game.
GIFTS = ({"brick": 2, "lumber": 1}, {"lumber": 1, "wool": 2})
RETURN = {"ore": 1}


def played(people: Sequence[User], *, at: datetime, fed: int | None = None) -> Game:
    """Through the services. Whoever is first wins, and on their turn gives somebody else six cards for two.

    Everybody else has declined each of the offers.
    """
    game = nearly_won(people)
    if fed is not None:
        for number, gives in enumerate(GIFTS):
            _trade(game, fed, number, gives, len(people))
    win(game, at)
    return game


def _trade(game: Game, fed: int, number: int, gives: dict[str, int], seats: int) -> None:
    others = [seat for seat in range(seats) if seat != 0]
    _play(game, "offer_trade", 0, to=others, gives=gives, gets=RETURN)
    for seat in others:
        _play(game, "accept_offer" if seat == fed else "reject_offer", seat, offer=number)
    _play(game, "confirm_trade", 0, offer=number, partner=fed)


def _play(game: Game, kind: str, seat: int, **said: object) -> None:
    game.refresh_from_db()
    move = m.from_json({"kind": kind, "seat": seat, **said})
    services.play_move(game.pk, move, version=game.version, now=timezone.now(), by=Move.By.PLAYER)


def over(people: Sequence[User | None], told: Dealings | None = None, *, ago: timedelta = timedelta(hours=1)) -> Game:
    """A game that ended some time ago and has been read, without its board and log."""
    now = timezone.now()
    game = Game.objects.create(
        started_at=now - ago - timedelta(hours=1),
        rules={"preset": "standard"},
        rules_version=0,
        layout="",
        phase="over",
    )
    seats = Seat.objects.bulk_create(
        [
            Seat.in_game(game.pk, seat, place=seat, colour=seat, user=person, name=person.username if person else "Bot")
            for seat, person in enumerate(people)
        ]
    )
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, winner=seats[-1], ended_at=now - ago)
    game.refresh_from_db()
    if told is not None:
        GameDealings.objects.create(game=game, told=told.to_json())
    return game


def feeding() -> Dealings:
    """Whoever is on the first seat gives the second three for one, and the two rob the others alone."""
    thefts = [Theft(0, 2, [2, 2, 2]), Theft(1, 2, [2, 2, 2]), Theft(2, 0, [2, 2, 2])]
    return Dealings(3, 2, trades=[Trade(0, 1, 3, 1), Trade(0, 2, 1, 1)], thefts=thefts * 2, answers={(1, 0): (1, 0)})
