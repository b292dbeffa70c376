"""The game over HTTP: look at it, hear what happened, make a move.

The seat is that of the signed-in user; nothing in a request can name another.
"""

from typing import Any

from django.utils import timezone
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import forms, orders, selectors, services
from games.models import Game
from games.page import Mark
from games.rules import Forbidden, MalformedMove
from games.rules import moves as rules_moves
from games.web import read_number

#: A client's id for a move is its own choice, of this length at most.
LONGEST_CLIENT_ID = 64


class GameView(APIView):
    def get(self, request: Request, game_id: int) -> Response:
        """The game as this user may see it, with what happened after a version they know."""
        version, revision = _read_number(request, "after"), _read_number(request, "revision")
        is_new = version is None and revision is None
        after: Mark | None = None if is_new else {"version": version or 0, "revision": revision or 0}
        return Response(selectors.page_for(game_id, request.user.pk, after=after, now=timezone.now()))


class MovesView(APIView):
    def get(self, request: Request, game_id: int) -> Response:
        """What happened after the version that the client has seen."""
        selectors.require_watchable_game(game_id, request.user.pk)
        viewer = selectors.seat_of(game_id, request.user.pk)
        moves = selectors.events_since(game_id, _read_number(request, "after") or 0, viewer)
        return Response({"version": selectors.version(game_id), "moves": moves})

    def post(self, request: Request, game_id: int) -> Response:
        """Make a move on the version that the client has seen."""
        seat = _own_seat(request, game_id)
        move, version, client_id = _read_move(request.data, seat)
        try:
            played = services.play_move(game_id, move, version=version, now=timezone.now(), client_id=client_id)
        except services.StaleVersion as stale:
            return _stale(game_id, seat, version, stale)
        return Response({"page": played.news.page(seat)})


class SeatView(APIView):
    def post(self, request: Request, game_id: int) -> Response:
        """Take one's seat back from a stand-in, resign, or say what shall happen when one is absent."""
        seat = _own_seat(request, game_id)
        now = timezone.now()
        forms.SeatForm(request.data if isinstance(request.data, dict) else {}).grant(game_id, seat, now)
        return Response({"page": selectors.page_for(game_id, request.user.pk, now=now)})


class AgreementsView(APIView):
    def post(self, request: Request, game_id: int) -> Response:
        """Propose another pace, a stop or a removal to the others, answer them, or go on with a game that rests."""
        seat = _own_seat(request, game_id)
        now = timezone.now()
        forms.AgreementForm(request.data if isinstance(request.data, dict) else {}).grant(game_id, seat, now)
        return Response({"page": selectors.page_for(game_id, request.user.pk, now=now)})


class OrdersView(APIView):
    def get(self, request: Request, game_id: int) -> Response:
        """One's own standing orders, and what became of others."""
        return Response(selectors.orders_of(game_id, _own_seat(request, game_id)))

    def post(self, request: Request, game_id: int) -> Response:
        """Give an order, or cancel one by its number."""
        seat, now = _own_seat(request, game_id), timezone.now()
        match request.data:
            case {"order": order, **rest} if not rest:
                services.give_order(game_id, seat, orders.from_json(order), now=now)
            # A truth value is a number to Python, and none of an order.
            case {"cancel": int(number), **rest} if not rest and type(number) is int:
                services.cancel_order(game_id, seat, number, now=now)
            case _:
                raise orders.MalformedOrder("Send an object with an order, or with the number of one to cancel.")
        return Response(selectors.orders_of(game_id, seat))


class NothingHere(APIView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Game.DoesNotExist


def _own_seat(request: Request, game_id: int) -> int:
    seat = selectors.seat_of(game_id, request.user.pk)
    if seat is None:
        selectors.version(game_id)  # Nobody has a seat in a game that is not there.
        raise Forbidden(services.NOT_SEATED)
    return seat


def _read_number(request: Request, name: str) -> int | None:
    """The version or revision that the client has seen."""
    value = request.query_params.get(name)
    if value is None:
        return None
    seen = "version" if name == "after" else name
    return read_number(value, MalformedMove(f"{name} is the last {seen} you have seen: a number."))


def _read_move(data: Any, seat: int) -> tuple[rules_moves.Move, int, str | None]:
    """The three parts of a move's request; the seat is ours to fill in, not the client's."""
    if not isinstance(data, dict) or not data.keys() <= {"move", "version", "client_id"}:
        raise MalformedMove("Send an object with move, version and, to be safe, client_id.")
    move, version, client_id = data.get("move"), data.get("version"), data.get("client_id")
    if not isinstance(move, dict) or "seat" in move:
        raise MalformedMove("move is an object without a seat: the seat is yours.")
    if type(version) is not int or version < 0:
        raise MalformedMove("version is the number of the last move you have seen.")
    if client_id is not None and not _is_client_id(client_id):
        raise MalformedMove(f"client_id is a text of 1 to {LONGEST_CLIENT_ID} printable characters.")
    return rules_moves.from_json(move | {"seat": seat}), version, client_id


def _is_client_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_CLIENT_ID and value.isprintable()


def _stale(game_id: int, seat: int, version: int, stale: services.StaleVersion) -> Response:
    body = {
        "code": stale.code,
        "sentence": stale.sentence,
        "version": stale.version,
        "missed": selectors.events_since(game_id, version, seat),
    }
    return Response(body, status=status.HTTP_409_CONFLICT)
