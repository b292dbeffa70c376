"""People for programs: how somebody plays, and who plays best."""

from typing import Any, ClassVar

from django.core.paginator import InvalidPage
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Endpoint, number_in
from api.pagination import Numbered
from api.schema.parameters import LADDER, PAGE, of
from games.rules import PRESETS
from lobby import leaderboards, profiles, ratings
from lobby.models import Holiday, Rating, User
from lobby.rating_models import Kind


class OwnRatingSerializer(serializers.Serializer[Rating]):
    """Where somebody stands on a ladder."""

    kind = serializers.ChoiceField(choices=Kind.choices, help_text="The ladder.")
    rating = serializers.SerializerMethodField(help_text="Everybody begins at 1500.")
    is_settled = serializers.BooleanField(
        source="settled", help_text="After about ten games; leaderboards list settled ratings alone."
    )
    games = serializers.IntegerField(help_text="How many games it is made of.")

    def get_rating(self, rating: Rating) -> int:
        return ratings.shown(rating.mu)


class TallySerializer(serializers.Serializer[profiles.Tally]):
    """Games of one kind, and how many of them were won."""

    title = serializers.CharField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()


class RecentGameSerializer(serializers.Serializer[profiles.RecentGame]):
    """A game that is over."""

    game = serializers.SerializerMethodField(help_text="The game’s number, if you may see it.")
    ended_at = serializers.DateTimeField(source="game.ended_at")
    rules = serializers.SerializerMethodField(help_text="The rule book.")
    result = serializers.CharField(help_text="Won, Lost, Left, or in a rated game the rank: 2nd.")
    rating = serializers.CharField(
        help_text="The rating after it, with a question mark while it is not settled; empty if the game was not rated."
    )
    change = serializers.CharField(help_text="What that is more or less: +12, −5, ±0; empty if it was not rated.")

    def get_game(self, one: profiles.RecentGame) -> int | None:
        return one.game.pk if one.may_be_seen else None

    @extend_schema_field(serializers.ChoiceField(choices=list(PRESETS)))
    def get_rules(self, one: profiles.RecentGame) -> str:
        preset: str = one.game.rules["preset"]
        return preset


class HolidaySerializer(serializers.Serializer[Holiday]):
    """The days on which somebody is not to be waited for, by UTC."""

    first_day = serializers.DateField()
    last_day = serializers.DateField()


class ProfileSerializer(serializers.Serializer[profiles.Profile]):
    """How somebody plays. Games count once they are over; those that were broken off say nothing of anybody."""

    code = serializers.CharField(source="person.code")
    name = serializers.CharField(source="person.shown_name")
    is_bot_account = serializers.BooleanField(source="person.is_bot", help_text="Whether a program plays this account.")
    ratings = serializers.SerializerMethodField(help_text="Of each ladder on which they have played.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    finished = serializers.IntegerField(help_text="How many of the games were played to the end.")
    by_place = TallySerializer(many=True, help_text="By the seat in the order of play.")
    by_book = TallySerializer(many=True, help_text="By the rule book.")
    recent = RecentGameSerializer(many=True, help_text=f"The newest {profiles.MOST_RECENT}.")
    holiday = HolidaySerializer(allow_null=True, help_text="The holiday that they are on today.")

    @extend_schema_field(OwnRatingSerializer(many=True))
    def get_ratings(self, profile: profiles.Profile) -> Any:
        return [OwnRatingSerializer(one.rating).data for one in profile.ratings]


class PlaceSerializer(serializers.Serializer[leaderboards.Row]):
    """A place on a leaderboard. Who ties shares one."""

    place = serializers.IntegerField()
    code = serializers.SerializerMethodField(help_text="Of the player’s profile; closed accounts have none.")
    name = serializers.SerializerMethodField(help_text="What the player is called; closed accounts have no name.")
    rating = serializers.SerializerMethodField()
    games = serializers.IntegerField(source="rating.games", help_text="How many games the rating is made of.")
    is_own = serializers.BooleanField()

    def get_code(self, row: leaderboards.Row) -> str | None:
        return row.rating.person.code if row.rating.person.is_active else None

    def get_name(self, row: leaderboards.Row) -> str | None:
        return row.rating.person.shown_name if row.rating.person.is_active else None

    def get_rating(self, row: leaderboards.Row) -> int:
        return ratings.shown(row.rating.mu)


class OwnPlaceSerializer(OwnRatingSerializer):
    """Where you stand, on whatever page that is."""

    place = serializers.SerializerMethodField(help_text="Null while the rating is not settled.")

    def get_place(self, rating: Rating) -> int | None:
        place: int | None = self.context["place"]
        return place


class LeaderboardSerializer(serializers.Serializer[Any]):
    """A page of those whose rating is settled, the best first."""

    count = serializers.IntegerField(help_text="How many there are on all pages.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = PlaceSerializer(many=True)
    own = OwnPlaceSerializer(allow_null=True)


class Players(Endpoint):
    lookup_field = "code"
    lookup_value_converter: ClassVar[str] = "slug"

    @extend_schema(responses=ProfileSerializer)
    def retrieve(self, request: Request, code: str) -> Response:
        """Somebody with an account, and how they play."""
        person = get_object_or_404(User, code=code, is_guest=False, is_active=True)
        return Response(ProfileSerializer(profiles.profile_of(person, self.person, self.now)).data)


class Leaderboards(Endpoint):
    lookup_field = "kind"
    lookup_value_converter: ClassVar[str] = "slug"

    @extend_schema(
        parameters=of(LADDER, PAGE),
        responses=LeaderboardSerializer,
    )
    def retrieve(self, request: Request, kind: str) -> Response:
        """Who plays best, of those whose rating is settled."""
        number = number_in(request, "page")
        try:
            shown = leaderboards.leaderboard(Kind(kind), 1 if number is None else number, self.person)
        except (InvalidPage, ValueError) as error:
            raise Http404 from error
        rows = [PlaceSerializer(row).data for row in shown.rows]
        return Numbered.told(request, shown.page, rows, own=_own(shown))


def _own(shown: leaderboards.Leaderboard) -> dict[str, Any] | None:
    if shown.own_rating is None:
        return None
    own_rows = (row for row in (*shown.rows, shown.own) if row is not None and row.is_own)
    place = next((row.place for row in own_rows), None)
    told: dict[str, Any] = OwnPlaceSerializer(shown.own_rating, context={"place": place}).data
    return told
