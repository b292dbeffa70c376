"""What the document says of games: parameters, what is sent, what is answered, and examples."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample, extend_schema

from api import answers
from api.game_serializers import (
    AgreementSerializer,
    GameSerializer,
    MoveSerializer,
    OrderSerializer,
    QuestionSerializer,
    SeatSerializer,
)
from api.schema import moves, orders
from api.schema.auto import Listed, Tagged, each
from api.schema.parameters import AFTER, AFTER_MOVE, LIMIT, MINE, REVISION, SEEN, STATUS, WAITING, of
from games.page import Page
from games.rules.records import WrittenRecord
from games.selectors import OrdersView
from games.words_advice import Advice


def _sent(name: str, value: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample(name, value, request_only=True)


_MOVES: Final = [
    _sent(kind, {"move": move, "version": 41, "client_id": "a9c1"}) for kind, move in moves.EXAMPLES.items()
]
_ORDERS: Final = [_sent(kind, {"order": order}) for kind, order in orders.EXAMPLES.items()]
_SEAT: Final = [
    _sent("resign", {"wish": "resign"}),
    _sent("if_absent", {"wish": "if_absent", "if_absent": "wait"}),
]
_AGREEMENTS: Final = [
    _sent("stop", {"wish": "stop"}),
    _sent("pace", {"wish": "pace", "pace": "day"}),
    _sent("remove", {"wish": "remove", "whom": 2}),
    _sent("agree", {"wish": "agree", "proposal": 17}),
]

games: Final = each(
    list=extend_schema(parameters=of(MINE, STATUS, WAITING), responses={200: Listed(GameSerializer)}),
    retrieve=extend_schema(parameters=of(AFTER, REVISION, SEEN), responses={200: Tagged(Page), 304: None}),
    moves=extend_schema(parameters=of(AFTER_MOVE, LIMIT), responses={200: answers.MovesAnswer}),
    make_move=extend_schema(request=MoveSerializer, responses={201: answers.MovedAnswer}, examples=_MOVES),
    choices=extend_schema(responses={200: answers.ChoicesAnswer}),
    offers=extend_schema(responses={200: answers.OffersAnswer}),
    advice=extend_schema(request=QuestionSerializer, responses={200: Advice}),
    seat=extend_schema(request=SeatSerializer, responses={200: answers.PageAnswer}, examples=_SEAT),
    agreements=extend_schema(request=AgreementSerializer, responses={200: answers.PageAnswer}, examples=_AGREEMENTS),
    orders=extend_schema(responses={200: OrdersView}),
    change_orders=extend_schema(
        request=OrderSerializer,
        responses={200: OrdersView},
        examples=[*_ORDERS, _sent("cancel", {"cancel": 4})],
    ),
    rematch=extend_schema(request=None, responses={201: answers.RematchAnswer}),
    record=extend_schema(parameters=of(SEEN), responses={200: Tagged(WrittenRecord), 304: None}),
)
