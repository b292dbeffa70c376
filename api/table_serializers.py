"""What programs send about tables, and what they are told of one.

A table's options have one form both ways: what is told of them can be changed and sent again.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Choice, Flag, Number, Sent, Text
from games.bots import DEFAULT
from games.paces import (
    BOT_SPEEDS,
    CLOCKS,
    DAYS_BOUNDS,
    DEFAULT_BOT_SPEED,
    DEFAULT_PACE,
    LIVE,
    LIVE_BOUNDS,
    PACES,
    Pace,
    PaceError,
)
from games.page import COLOURS
from games.rules import PRESETS
from games.rules.ruleset import OPTIONS, Option, read_changes
from games.rules.views import BoardView
from lobby import selectors
from lobby.choices import BOARDS, BOT_SPEED_CHOICES, PACE_CHOICES, RULE_BOOKS, STRENGTH_CHOICES
from lobby.company import BOTS, SPECTATORS, USUAL_COMPANY, VISIBILITIES, Company
from lobby.forms import USUAL_BOARD, USUAL_RULES, Wish
from lobby.models import Chair, Removal, Table, User

#: What ids fit into.
MOST_IDS: Final = 2**63 - 1
#: Longer than any name, so that what is too long is refused in the words of pages.
LONGEST_TYPED: Final = 1000


# Options


def option_field(option: Option, *, required: bool) -> "serializers.Field[Any, Any, Any, Any]":
    """An option of the rules, as JSON has it."""
    values = [value for value, _ in option.values] or list(option.numbers or ())
    about = " ".join([f"{option.title}."] + [f"{str(value).lower()}: {says}" for value, says in option.values])
    if option.numbers is not None:
        sentence = option.sentence.format("so many")
        about = f"{option.title}. {sentence[0].upper()}{sentence[1:]}"
    if type(values[0]) is bool:
        return Flag(required=required, help_text=about)
    if type(values[0]) is int:
        numbers = [int(value) for value in values]
        return Number(
            min_value=min(numbers),
            max_value=max(numbers),
            required=required,
            help_text=about,
        )
    texts = [str(value) for value in values]
    return Choice(choices=texts, required=required, help_text=about)


class HouseRulesSerializer(Sent):
    """The options in which a table differs from its rule book."""

    def get_fields(self) -> dict[str, Any]:
        return {option.name: option_field(option, required=False) for option in OPTIONS}


class RulesSerializer(serializers.Serializer[Any]):
    """Every option of the rules, as it is at a table."""

    def get_fields(self) -> dict[str, Any]:
        preset = serializers.ChoiceField(choices=list(RULE_BOOKS), help_text="The rule book that they come from.")
        return {"preset": preset} | {option.name: option_field(option, required=True) for option in OPTIONS}


class OwnTimesSerializer(Sent):
    """Clocks that are set otherwise than the pace says, in seconds."""

    def get_fields(self) -> dict[str, Any]:
        return {
            clock: Number(
                min_value=LIVE_BOUNDS[0],
                max_value=DAYS_BOUNDS[1],
                required=False,
                help_text=f"{what}, in seconds. {_BOUNDS}",
            )
            for clock, what in CLOCKS.items()
        }


class TimesSerializer(serializers.Serializer[Any]):
    """The seconds of every clock."""

    def get_fields(self) -> dict[str, Any]:
        return {clock: serializers.IntegerField(help_text=f"{what}.") for clock, what in CLOCKS.items()}


_BOUNDS: Final = f"A live pace takes {PACES['normal'].bounds_in_words}, one over days {PACES['1 day'].bounds_in_words}."


def choices_of(choices: Mapping[Any, Any]) -> str:
    return " ".join(f"{name}: {choice.sentence}" for name, choice in choices.items() if name)


def _with_clocks(bounds: tuple[int, int]) -> dict[str, Any]:
    least, most = bounds
    return {"additionalProperties": {"minimum": least, "maximum": most}}


class OptionsSerializer(Sent):
    """How a table plays. Whatever is left out is as usual."""

    #: The usual pace is a live one.
    ways = (
        {"properties": {"pace": {"enum": [*LIVE]}, "clocks": _with_clocks(LIVE_BOUNDS)}},
        {
            "properties": {
                "pace": {"enum": [name for name in PACES if name not in LIVE]},
                "clocks": _with_clocks(DAYS_BOUNDS),
            },
            "required": ["pace"],
        },
        {"properties": {"pace": {"const": None}, "clocks": {"maxProperties": 0}}, "required": ["pace"]},
    )

    preset = Choice(
        choices=list(RULE_BOOKS), default=USUAL_RULES.preset, help_text=f"The rule book. {choices_of(RULE_BOOKS)}"
    )
    house_rules = HouseRulesSerializer(required=False, help_text="The options in which it differs from the rule book.")
    layout = Choice(choices=list(BOARDS), default=USUAL_BOARD, help_text=f"The board. {choices_of(BOARDS)}")
    board_seen = Flag(
        default=False,
        help_text="Everybody at the table sees the board, and the host can shuffle it; or it is a surprise.",
    )
    pace = Choice(
        choices=list(PACES),
        allow_null=True,
        default=DEFAULT_PACE,
        help_text=f"How long everybody may take; null: nobody is hurried. {choices_of(PACE_CHOICES)}",
    )
    clocks = OwnTimesSerializer(required=False, help_text="Times that differ from those of the pace.")
    bot_speed = Choice(
        choices=list(BOT_SPEEDS),
        default=DEFAULT_BOT_SPEED,
        help_text=f"How long the site’s own bots take. {choices_of(BOT_SPEED_CHOICES)}",
    )
    visibility = Choice(
        choices=list(VISIBILITIES),
        default=USUAL_COMPANY.visibility,
        help_text=f"Who can come. {choices_of(VISIBILITIES)}",
    )
    bots_allowed = Flag(
        default=USUAL_COMPANY.bots_allowed, help_text=f"{BOTS['yes'].sentence} Or else: {BOTS['no'].sentence}"
    )
    spectators_allowed = Flag(
        default=USUAL_COMPANY.spectators_allowed,
        help_text=f"{SPECTATORS['yes'].sentence} Or else: {SPECTATORS['no'].sentence}",
    )
    rated = Flag(default=USUAL_COMPANY.rated, help_text="The result counts for the ratings. Everyone needs an account.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """With the wish that is made of it."""
        rules = PRESETS[attrs["preset"]].with_options(**read_changes(attrs.get("house_rules", {})))
        company = Company(attrs["visibility"], attrs["bots_allowed"], attrs["spectators_allowed"], attrs["rated"])
        pace = _pace(attrs["pace"], attrs.get("clocks", {}))
        wish = Wish(rules, attrs["layout"], pace, attrs["bot_speed"], company, attrs["board_seen"])
        return {**attrs, "wish": wish}


def _pace(name: str | None, times: Mapping[str, int]) -> Pace | None:
    if name is None:
        if times:
            raise serializers.ValidationError({"clocks": ["Without a pace there are no clocks."]})
        return None
    pace = PACES[name]  # type: ignore[index]  # one of the choices
    for clock, seconds in times.items():
        try:
            pace = pace.with_clocks(**{clock: seconds})
        except PaceError as error:
            raise serializers.ValidationError({"clocks": {clock: [str(error)]}}) from error
    return pace


def options_of(table: Table) -> dict[str, Any]:
    """As `OptionsSerializer` takes them."""
    rules, pace = table.rule_set, table.pace
    return {
        "preset": rules.preset,
        "house_rules": rules.house_rules(),
        "layout": table.layout,
        "board_seen": table.is_board_seen,
        "pace": pace and pace.name,
        "clocks": pace.changed if pace else {},
        "bot_speed": table.bot_speed,
        "visibility": table.visibility,
        "bots_allowed": table.bots_allowed,
        "spectators_allowed": table.spectators_allowed,
        "rated": table.rated,
    }


# What is sent

_NAME_HELP: Final = "What you want to be called, if you are a guest. An account goes by its own name."


class NewTableSerializer(OptionsSerializer):
    """A table to be opened."""

    name = Text(required=False, max_length=LONGEST_TYPED, trim_whitespace=False, help_text=_NAME_HELP)


class NothingSerializer(Sent):
    """What is asked for by its address alone: a wish that is sent along is not passed over."""


class JoinSerializer(Sent):
    """Where to sit down."""

    chair = Number(min_value=0, required=False, help_text="A chair’s number; without it, the first that is free.")
    name = Text(required=False, max_length=LONGEST_TYPED, trim_whitespace=False, help_text=_NAME_HELP)


class ReadySerializer(Sent):
    """Whether the game may start with the table as it is."""

    ready = Flag(default=True, help_text="False takes it back.")
    board = Text(
        default="", allow_blank=True, help_text="The table’s board_mark: you agree to the board that you have seen."
    )
    terms = Text(
        required=False, help_text="The table’s terms_mark. Without it, you agree to the options whatever they are."
    )


class BotsSerializer(Sent):
    """How strong bots of the site are wanted."""

    strength = Choice(
        choices=list(STRENGTH_CHOICES),
        required=False,
        help_text=f"Without it, they are as strong as those that you chose last; before you ever choose, {DEFAULT}. "
        f"{choices_of(STRENGTH_CHOICES)}",
    )


class StartSerializer(BotsSerializer):
    """The start of a game, which the host decides on."""

    fill_with_bots = Flag(default=False, help_text="Every chair that nobody sits on goes to a bot of the site.")
    board = Text(
        default="", allow_blank=True, help_text="The table’s board_mark: you agree to the board that you have seen."
    )


class ChairNumberSerializer(Sent):
    """Which chair is meant."""

    chair = Number(min_value=0, help_text="The number of a chair.")


class AddBotSerializer(ChairNumberSerializer, BotsSerializer):
    """A chair for a bot of the site."""


class SwapSerializer(ChairNumberSerializer):
    """Two chairs, free or not, whose people change places."""

    other = Number(min_value=0, help_text="The number of the other chair.")


class ColourSerializer(Sent):
    """The colour that one wants to play."""

    colour = Choice(choices=list(COLOURS))


class LetBackSerializer(Sent):
    """Who may sit down again."""

    removal = Number(min_value=1, max_value=MOST_IDS, help_text="A number of the table’s removals.")


class InviteSerializer(Sent):
    """For whom a chair is kept."""

    name = Text(max_length=LONGEST_TYPED, help_text="The name that an account shows.")


class FindSerializer(Sent):
    """The pace of a game that one looks for."""

    pace = Choice(choices=list(PACES), default=DEFAULT_PACE)
    name = Text(required=False, max_length=LONGEST_TYPED, trim_whitespace=False, help_text=_NAME_HELP)


# What is told


class NewGameSerializer(serializers.Serializer[Any]):
    """A game that has begun."""

    game = serializers.IntegerField(help_text="The game’s number.")


class ChairSerializer(serializers.Serializer[Chair]):
    """A place at a table."""

    number = serializers.IntegerField()
    colour = serializers.SerializerMethodField(help_text="What whoever sits here plays.")
    holder = serializers.SerializerMethodField(help_text="Nobody, a person, a bot of the site, or somebody invited.")
    strength = serializers.ChoiceField(
        choices=list(STRENGTH_CHOICES), allow_blank=True, help_text="Of a bot of the site; empty for everybody else."
    )
    name = serializers.CharField(
        allow_blank=True, help_text="What the holder is called at this table; empty for a free chair."
    )
    player = serializers.SerializerMethodField(help_text="The code of the holder’s profile; guests and bots have none.")
    is_bot_account = serializers.BooleanField(help_text="Whether a program plays the holder’s account.")
    ready = serializers.BooleanField(help_text="Wants the game to start with the table as it is.")

    @extend_schema_field(serializers.ChoiceField(choices=list(COLOURS)))
    def get_colour(self, chair: Chair) -> str:
        return COLOURS[chair.colour]

    @extend_schema_field(serializers.ChoiceField(choices=["free", "person", "bot", "invited"]))
    def get_holder(self, chair: Chair) -> str:
        if chair.bot:
            return "bot"
        return "free" if chair.user_id is None else "invited" if chair.kept else "person"

    def get_player(self, chair: Chair) -> str | None:
        holder = chair.user
        return holder.code if holder is not None and holder.is_active and not holder.is_guest else None


class ListedTableSerializer(serializers.Serializer[Table]):
    """A table in a list."""

    code = serializers.CharField(help_text="By which it is found: the table’s page has it in its address.")
    link = serializers.SerializerMethodField(help_text="The table’s page, to be sent to people.")
    opened_at = serializers.DateTimeField()
    version = serializers.IntegerField(help_text="Grows with every change of the table.")
    game = serializers.IntegerField(
        source="game_id", allow_null=True, help_text="The number of its game; null until it has started."
    )
    host = serializers.SerializerMethodField(help_text="What the host is called.")
    is_host = serializers.SerializerMethodField(help_text="Whether you are.")
    own_chair = serializers.SerializerMethodField(help_text="The number of your own chair, taken or kept for you.")
    options = serializers.SerializerMethodField(help_text="How it plays, in the form in which it can be sent.")
    chairs = ChairSerializer(many=True)

    @property
    def person(self) -> User:
        person: User = self.context["person"]
        return person

    def get_link(self, table: Table) -> str:
        link: str = self.context["request"].build_absolute_uri(reverse("table", args=[table.code]))
        return link

    def get_host(self, table: Table) -> str:
        return selectors.host_name(table, table.chairs.all())

    def get_is_host(self, table: Table) -> bool:
        return table.host_id == self.person.pk

    def get_own_chair(self, table: Table) -> int | None:
        own = (chair.number for chair in table.chairs.all() if self.person.pk and chair.user_id == self.person.pk)
        return next(own, None)

    @extend_schema_field(OptionsSerializer)
    def get_options(self, table: Table) -> dict[str, Any]:
        return options_of(table)


class HexSerializer(serializers.Serializer[Any]):
    terrain = serializers.CharField()
    resource = serializers.CharField(allow_null=True, help_text="What it produces; the desert nothing.")
    token = serializers.IntegerField(allow_null=True)


class HarborSerializer(serializers.Serializer[Any]):
    edge = serializers.IntegerField()
    kind = serializers.CharField()


class BoardSerializer(serializers.Serializer[Any]):
    """The island, before anything stands on it."""

    hexes = HexSerializer(many=True)
    harbors = HarborSerializer(many=True)


class RemovalSerializer(serializers.Serializer[Removal]):
    """Somebody whom the host has asked to leave."""

    removal = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class TableSerializer(ListedTableSerializer):
    """A table as you see it."""

    rules = serializers.SerializerMethodField(help_text="Every option of the rules.")
    times = serializers.SerializerMethodField(help_text="The seconds of every clock; null: nobody is hurried.")
    board = serializers.SerializerMethodField(help_text="The island; null while it is a surprise.")
    board_mark = serializers.CharField(
        allow_blank=True, help_text="Send it when you say ready or start, to agree to this very board."
    )
    terms_mark = serializers.CharField(help_text="Send it when you say ready, to agree to these very options.")
    is_removed = serializers.SerializerMethodField(help_text="The host has asked you to leave.")
    removals = serializers.SerializerMethodField(help_text="For the host: who can be let back in.")

    @extend_schema_field(RulesSerializer)
    def get_rules(self, table: Table) -> dict[str, Any]:
        return table.rule_set.to_json()

    @extend_schema_field(TimesSerializer(allow_null=True))
    def get_times(self, table: Table) -> dict[str, int] | None:
        return None if table.pace is None else {clock: getattr(table.pace, clock) for clock in CLOCKS}

    @extend_schema_field(BoardSerializer(allow_null=True))
    def get_board(self, table: Table) -> BoardView | None:
        """Once the game has started, its own page shows the board."""
        return None if table.game_id is not None else selectors.visible_board(table)

    def get_is_removed(self, table: Table) -> bool:
        return self.get_own_chair(table) is None and selectors.is_removed(table, self.person)

    @extend_schema_field(RemovalSerializer(many=True))
    def get_removals(self, table: Table) -> Any:
        removals = table.removals.order_by("pk") if self.get_is_host(table) else Removal.objects.none()
        return [RemovalSerializer(removal).data for removal in removals]
