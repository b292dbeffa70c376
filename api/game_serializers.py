"""What programs send about games, and what a list says of one. What a game itself shows is its page (`games.page`)."""

from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from api.fields import Choice, MoveField, Number, OrderField, Sent, Text
from games.models import Game, Seat
from games.paces import PACES
from games.page import COLOURS
from games.rules.moves import MOST_SEATS
from games.web import MOST_DIGITS
from games.words_bots import BOTS

#: A client's id for a move is its own choice, of this length at most.
LONGEST_CLIENT_ID = 64
MOST = 10**MOST_DIGITS - 1


@extend_schema_serializer(component_name="SentMove")
class MoveSerializer(Sent):
    """A move, on the version of the game that its player has seen."""

    move = MoveField(help_text="The move without its seat, which is yours.")
    version = Number(min_value=0, help_text="The number of the last move that you have seen.")
    client_id = Text(
        min_length=1,
        max_length=LONGEST_CLIENT_ID,
        trim_whitespace=False,
        allow_null=True,
        required=False,
        validators=[RegexValidator(r"^[ -~]*$", "An id consists of printable ASCII characters.")],
        help_text="An id of your own choice. A move that is sent again with the same id counts once.",
    )


@extend_schema_serializer(component_name="SentWish")
class SeatSerializer(Sent):
    """What becomes of your seat."""

    ways = (
        {"properties": {"wish": {"enum": ["take_back", "resign"]}}},
        {"properties": {"wish": {"const": "if_absent"}}, "required": ["if_absent"]},
    )

    wish = Choice(
        choices=["take_back", "resign", "if_absent"],
        help_text="Take it back from a stand-in, resign, or say what happens when you are absent.",
    )
    if_absent = Choice(
        choices=Seat.IfAbsent.choices, required=False, help_text="Goes with the wish if_absent, and with no other."
    )


@extend_schema_serializer(component_name="SentAgreement")
class AgreementSerializer(Sent):
    """What you propose to the others, or say to a proposal."""

    ways = (
        {"properties": {"wish": {"enum": ["stop", "go_on"]}}},
        {"properties": {"wish": {"const": "pace"}}, "required": ["pace"]},
        {"properties": {"wish": {"const": "remove"}}, "required": ["whom"]},
        {"properties": {"wish": {"enum": ["agree", "decline"]}}, "required": ["proposal"]},
    )

    wish = Choice(choices=["pace", "stop", "remove", "agree", "decline", "go_on"])
    pace = Choice(choices=list(PACES), required=False, help_text="Goes with the wish pace.")
    whom = Number(min_value=0, max_value=MOST_SEATS - 1, required=False, help_text="Goes with the wish remove: a seat.")
    proposal = Number(
        min_value=1, max_value=MOST, required=False, help_text="Goes with agree and decline: a proposal’s number."
    )


@extend_schema_serializer(component_name="SentOrder")
class OrderSerializer(Sent):
    """A standing order, or the number of one that is cancelled: exactly one of the two."""

    ways = ({"required": ["order"]}, {"required": ["cancel"]})

    order = OrderField(required=False, help_text="An order with its kind.")
    cancel = Number(min_value=0, max_value=MOST, required=False, help_text="The number of an order.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError("Send an order, or the number of one to cancel.")
        return attrs


@extend_schema_serializer(component_name="ListedPlayer")
class PlayerSerializer(serializers.Serializer[Seat]):
    """Who has a seat in a game."""

    seat = serializers.IntegerField(source="number")
    name = serializers.CharField()
    colour = serializers.SerializerMethodField()
    player = serializers.ChoiceField(choices=Seat.Player.choices)
    strength = serializers.ChoiceField(
        choices=list(BOTS),
        allow_blank=True,
        help_text="Of a bot that plays the seat for good; empty for everybody else.",
    )
    is_bot_account = serializers.BooleanField(help_text="Whether a program plays this person’s account.")

    def get_colour(self, seat: Seat) -> str:
        return COLOURS[seat.colour]


@extend_schema_serializer(component_name="ListedGame")
class GameSerializer(serializers.Serializer[Game]):
    """A game in a list."""

    game = serializers.IntegerField(source="pk")
    status = serializers.ChoiceField(choices=Game.Status.choices)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField(help_text="How many moves have been played.")
    rules = serializers.SerializerMethodField()
    pace = serializers.SerializerMethodField()
    players = PlayerSerializer(source="seat_set", many=True)
    winner = serializers.SerializerMethodField()
    seat = serializers.SerializerMethodField()
    asked = serializers.SerializerMethodField()

    def get_rules(self, game: Game) -> str:
        """The rule book; house rules are in the game’s own page."""
        preset: str = game.rules["preset"]
        return preset

    def get_pace(self, game: Game) -> str | None:
        return None if game.pace is None else game.pace["name"]

    def get_winner(self, game: Game) -> int | None:
        """The winner’s seat."""
        return None if game.winner_id is None else Seat.number_of(game.winner_id)

    def get_seat(self, game: Game) -> int | None:
        """Your own seat."""
        own = self._own(game)
        return None if own is None else own.number

    def get_asked(self, game: Game) -> str:
        """What the game wants of you now: move, discard, offer (an answer to one), or nothing."""
        own = self._own(game)
        return "" if own is None else own.asked

    def _own(self, game: Game) -> Seat | None:
        person = self.context["person"]
        held = (seat for seat in game.seat_set.all() if seat.user_id == person.pk and seat.player != Seat.Player.BOT)
        return None if person.pk is None else next(held, None)
