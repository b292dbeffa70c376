"""A game for programs: look at it, hear what happened, see what can be done, make a move.

The seat is that of whoever asks; nothing in a request can name another.
"""

from typing import Any, ClassVar, Final, cast

import structlog
from django.db.models import Q, QuerySet
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api import throttles
from api.base import number_in, one_of_in, said, tagged, yes_or_no_in
from api.chats import GameChats
from api.game_serializers import (
    AgreementSerializer,
    GameSerializer,
    MoveSerializer,
    OrderSerializer,
    QuestionSerializer,
    SeatSerializer,
)
from api.pagination import MOST_MOVES, in_pages
from api.problems import StaleMove
from api.schema import games as documented
from games import forms, orders, selectors, services, verification
from games.history import LogDiffers
from games.models import Game, Seat
from games.page import Mark, Page
from games.rules import Forbidden
from games.rules import moves as rules_moves
from games.rules.moves import CounterOffer, OfferTrade
from games.rules.refusals import Malformed
from games.rules.views import listed
from lobby import profiles
from lobby import services as tables

log = structlog.get_logger(__name__)

#: Kinds of which the choices say that they can be made, or about what, and their player fills in the rest.
TO_FILL_IN: Final = ("discard", "offer_trade", "counter_offer")
#: What changes in a page by looking at it again.
MOMENTS: Final = frozenset({"now"})


class NotOver(services.NotNow):
    code = "not_over"


@documented.games
class Games(GameChats):
    lookup_field = "game_id"
    lookup_value_converter: ClassVar[str] = "game"

    def list(self, request: Request) -> Response:
        """The games that you may be led to, the newest first: your own, and those of public tables."""
        return in_pages(self, self._found(request), GameSerializer, ("-started_at", "-pk"))

    def _found(self, request: Request) -> QuerySet[Game]:
        games = profiles.visible_games(self.person).prefetch_related("seat_set")
        own = Seat.objects.filter(user=self.person.pk or 0)
        for name, seats in (("mine", own), ("waiting", own.exclude(asked=Seat.Asked.NOTHING))):
            if (wanted := yes_or_no_in(request, name)) is not None:
                among = Q(pk__in=seats.values("game"))
                games = games.filter(among if wanted else ~among)
        if status := one_of_in(request, "status", Game.Status.values):
            games = games.filter(status=status)
        return games

    def retrieve(self, request: Request, game_id: int) -> Response:
        """The game as you may see it, with what happened after a mark that you have seen."""
        version, revision = number_in(request, "after"), number_in(request, "revision")
        is_new = version is None and revision is None
        after: Mark | None = None if is_new else {"version": version or 0, "revision": revision or 0}
        return tagged(request, self._page(game_id, after), unlike=MOMENTS)

    @action(detail=True)
    def moves(self, request: Request, game_id: int) -> Response:
        """What happened after the last move that you have seen, as far as you may know it."""
        selectors.require_watchable_game(game_id, self.person.pk)
        after, limit = number_in(request, "after") or 0, number_in(request, "limit")
        if limit is not None and not 1 <= limit <= MOST_MOVES:
            raise Malformed(f"limit is a number from 1 to {MOST_MOVES}.", "limit")
        version = selectors.version(game_id)
        viewer = selectors.seat_of(game_id, self.person.pk)
        moves = selectors.events_since(game_id, after, viewer, most=limit or MOST_MOVES)
        return Response({"version": version, "moves": moves})

    @moves.mapping.post
    def make_move(self, request: Request, game_id: int) -> Response:
        """Make a move on the version that you have seen."""
        seat = self._own_seat(game_id)
        sent = said(MoveSerializer, request)
        move, version = rules_moves.from_json(sent["move"] | {"seat": seat}), sent["version"]
        if isinstance(move, OfferTrade | CounterOffer):
            throttles.count_offer(request)
        try:
            played = services.play_move(game_id, move, version=version, now=self.now, client_id=sent.get("client_id"))
        except services.StaleVersion as stale:
            missed = selectors.events_since(game_id, version, seat, most=MOST_MOVES)
            raise StaleMove(stale, missed) from None
        return Response({"version": played.version, "page": played.news.page(seat)}, status=201)

    @action(detail=True)
    def choices(self, request: Request, game_id: int) -> Response:
        """Every move that you may make now, as it is sent; and of those that you fill in, what there is to know."""
        found = self._page(game_id)
        moves = [
            {"kind": kind, **way}
            for kind, ways in listed(found["choices"]).items()
            if kind not in TO_FILL_IN
            for way in ways
        ]
        to_fill_in = {kind: found["choices"][kind] for kind in TO_FILL_IN if kind in found["choices"]}
        told = {"version": found["version"], "asked": found["asked"], "moves": moves, "to_fill_in": to_fill_in}
        return Response({**told, "reasons": found["reasons"]})

    @action(detail=True)
    def offers(self, request: Request, game_id: int) -> Response:
        """The offers on the table, each with what you may answer."""
        found = self._page(game_id)
        return Response({"version": found["version"], "offers": found["offers"]})

    @action(detail=True, methods=["post"])
    def advice(self, request: Request, game_id: int) -> Response:
        """Ask what a hard bot would consider in your place, in a game against bots alone. Nothing is played."""
        seat = self._own_seat(game_id)
        version = said(QuestionSerializer, request)["version"]
        return Response(services.advise(game_id, seat, version=version, now=self.now))

    @action(detail=True, methods=["post"])
    def seat(self, request: Request, game_id: int) -> Response:
        """Take your seat back from a stand-in, resign, or say what happens when you are absent."""
        seat = self._own_seat(game_id)
        forms.SeatForm(said(SeatSerializer, request)).grant(game_id, seat, self.now)
        return Response({"page": self._page(game_id)})

    @action(detail=True, methods=["post"])
    def agreements(self, request: Request, game_id: int) -> Response:
        """Propose another pace, a stop or a removal to the others, answer them, or go on with a game that rests."""
        seat = self._own_seat(game_id)
        forms.AgreementForm(said(AgreementSerializer, request)).grant(game_id, seat, self.now)
        return Response({"page": self._page(game_id)})

    @action(detail=True)
    def orders(self, request: Request, game_id: int) -> Response:
        """Your own standing orders, and what became of others."""
        return Response(selectors.orders_of(game_id, self._own_seat(game_id)))

    @orders.mapping.post
    def change_orders(self, request: Request, game_id: int) -> Response:
        """Give an order, or cancel one by its number."""
        seat = self._own_seat(game_id)
        match said(OrderSerializer, request):
            case {"order": order}:
                services.give_order(game_id, seat, orders.from_json(order), now=self.now)
            case {"cancel": number}:
                services.cancel_order(game_id, seat, number, now=self.now)
        return Response(selectors.orders_of(game_id, seat))

    @action(detail=True, methods=["post"])
    def rematch(self, request: Request, game_id: int) -> Response:
        """Play again with the same people, at the table that one of them has opened, or at a new one."""
        selectors.require_watchable_game(game_id, self.person.pk)
        return Response({"table": tables.open_rematch(game_id, self.person, now=self.now).code}, status=201)

    @action(detail=True)
    def record(self, request: Request, game_id: int) -> Response:
        """All of a game that is over: its board and deck, every move and what it drew, the seed and every hand."""
        selectors.require_watchable_game(game_id, self.person.pk)
        game = Game.objects.get(pk=game_id)
        if game.status != Game.Status.OVER:
            raise NotOver("The record of a game holds every hand: it is open once the game has been played to its end.")
        try:
            record = verification.whole_record(game)
        except (LogDiffers, ValueError, TypeError, LookupError) as error:
            # It was played by other rules than the site knows now, say. Nobody's move waits for it.
            log.exception("record_cannot_be_read", game=game_id)
            raise services.SetAside("The record of this game can’t be read now. Nothing of it is lost.") from error
        response = tagged(request, cast("dict[str, Any]", record.to_json()))
        # It never changes; but who may see it is asked each time.
        response["Cache-Control"] = "private, no-cache"
        return response

    def _page(self, game_id: int, after: Mark | None = None) -> Page:
        return selectors.page_for(game_id, self.person.pk, after=after, now=self.now)

    def _own_seat(self, game_id: int) -> int:
        seat = selectors.seat_of(game_id, self.person.pk)
        if seat is None:
            # Nobody has a seat in a game that is not there.
            selectors.require_watchable_game(game_id, self.person.pk)
            raise Forbidden(services.NOT_SEATED)
        return seat
