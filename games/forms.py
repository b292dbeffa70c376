"""The moves as plain forms, for a page without scripts: drawn with what is legal, and read when they are sent."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, cast

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict

from games import services, words
from games.models import Seat
from games.paces import PACES, PaceName
from games.page import Page
from games.rules import MalformedMove, Move
from games.rules.cards import BUNDLE_NAMES, CARD_NAMES, RESOURCE_NAMES, RESOURCE_SUPPLY, Counts, named
from games.rules.moves import MOST_SEATS, from_json
from games.rules.views import listed, own_seat
from games.web import MOST_DIGITS, read_number
from games.words_advice import Advice

#: Title of the form and word on its button, in the order in which a page shows them.
TITLES: Final = {
    "roll": ("", "Roll the dice"),
    "skip_roll": ("", "Skip the roll"),
    "discard": ("Discard", "Discard these"),
    "build_settlement": ("Build a settlement", "Build"),
    "build_city": ("Build a city", "Build"),
    "build_road": ("Build a road", "Build"),
    "stop_placing_roads": ("", "Place no more roads"),
    "move_robber": ("Move the robber", "Move"),
    "steal": ("Take a card from", "Take"),
    "confirm_trade": ("Confirm a trade", "Confirm"),
    "accept_offer": ("Accept an offer", "Accept"),
    "reject_offer": ("Say no to an offer", "Say no"),
    "counter_offer": ("Answer with a counter-offer", "Offer this instead"),
    "withdraw_offer": ("Withdraw", "Withdraw"),
    "buy_card": ("", "Buy a development card"),
    "play_knight": ("", "Play a Knight"),
    "play_road_building": ("", "Play Road Building"),
    "play_year_of_plenty": ("Play Year of Plenty and take", "Play"),
    "play_monopoly": ("Play Monopoly on", "Play"),
    "play_victory_point": ("", "Play a victory point"),
    "trade_with_bank": ("Trade with the bank", "Trade"),
    "offer_trade": ("Offer a trade", "Offer"),
    "end_turn": ("", "End your turn"),
}


# Fields

NOT_OUR_FORM: Final = "This form was not made by the game’s page: reload the page and try again."
NOT_A_COUNT: Final = "Give each count as a whole number."


class NumberField(forms.Field):
    """A number as every edge reads it; where none is required, nothing is none."""

    def __init__(self, refusal: str, **options: Any) -> None:
        super().__init__(**options)
        self.refusal = refusal

    def to_python(self, value: Any) -> Any:
        return self.read(value or ("" if self.required else "0"))

    def read(self, text: str) -> int:
        try:
            return read_number(text, MalformedMove(self.refusal))
        except MalformedMove as error:
            raise forms.ValidationError(error.sentence) from error


class CountField(NumberField):
    """How many cards of one kind, up to the most that a page lets one count."""

    def __init__(self, card: str, most: int | None = None) -> None:
        super().__init__(NOT_A_COUNT, label=words.CARD_NAMES[card], initial=0, required=False)
        self.most = most


class SeatsField(NumberField):
    """Some of the seats that a page lists."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, choices: Sequence[tuple[int, str]] = ()) -> None:
        super().__init__(NOT_A_COUNT, label="To", required=False)
        self.choices = choices

    def to_python(self, value: Any) -> Any:
        return sorted(self.read(text) for text in value or ())


class WayField(forms.Field):
    """One of the ways that the page lists, as it wrote it down: what a move says beside its kind and seat."""

    def __init__(self, label: str = "", choices: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(label=label, required=False)
        self.choices = choices

    def to_python(self, value: Any) -> Any:
        try:
            way = json.loads(value or "{}")
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(NOT_OUR_FORM) from error
        if not isinstance(way, dict) or way.keys() & {"kind", "seat"}:
            raise forms.ValidationError(NOT_OUR_FORM)
        return way


# Forms


class MoveForm(forms.Form):
    """A move, and the version of the game that its form was drawn on.

    It is drawn with what is legal on a page; whether what comes back still is, the rules will say. The template
    writes the inputs of its fields out: a widget, which has a template of its own, takes four times as long.
    """

    kind = forms.CharField(required=False)
    version = NumberField(NOT_OUR_FORM)
    choice = WayField()

    #: The rows in which cards are counted, by what the names of their fields begin with.
    counted: ClassVar[Sequence[str]] = ()

    # For the page: what it says above the form and on its button, and each row under its legend.
    title: str
    button: str
    rows: list[tuple[str, list[BoundField]]]

    def __init__(self, data: QueryDict | None = None, *, initial: dict[str, object] | None = None) -> None:
        super().__init__(data, initial=initial)
        for row in self.counted:
            self.fields |= {f"{row}-{card}": CountField(card) for card in BUNDLE_NAMES}

    def show(self, page: Page, teller: words.Teller) -> None:
        """Offer what is legal on this page."""
        kind = self.initial["kind"]
        self.title, self.button = TITLES[kind]
        self.rows = []
        ways = [
            (json.dumps(way), words.choice(teller, page, kind, number, way))
            for number, way in enumerate(listed(page["choices"]).get(kind, []), start=1)
            if way
        ]
        if ways:
            self.fields["choice"] = WayField(self.title, ways)
        else:
            del self.fields["choice"]

    def show_row(self, row: str, legend: str, most: Counts) -> None:
        """Offer to count these cards, up to so many of each."""
        self.fields |= {f"{row}-{card}": CountField(card, count) for card, count in most.items()}
        self.rows.append((legend, [self[f"{row}-{card}"] for card in most]))

    def move(self, seat: int) -> Move:
        _require_valid(self)
        return from_json({"kind": self.cleaned_data["kind"], "seat": seat, **self.says()})

    def says(self) -> dict[str, object]:
        """What the move says beside its kind and seat."""
        said = self.cleaned_data
        counts = {row: named(said[f"{row}-{card}"] for card in BUNDLE_NAMES) for row in self.counted}
        return {**said["choice"], **counts}


class DiscardForm(MoveForm):
    counted = ("resources",)

    def show(self, page: Page, teller: words.Teller) -> None:
        super().show(page, teller)
        self.title = f"Discard {words.cards_held(page['choices']['discard']['count'])}"
        self.show_row("resources", "", own_seat(page)["hand"])


class CounterOfferForm(MoveForm):
    counted = ("gives", "gets")

    def show(self, page: Page, teller: words.Teller) -> None:
        super().show(page, teller)
        own = own_seat(page)
        traded = RESOURCE_NAMES + (CARD_NAMES if page["rules"]["cards_in_trades"] else ())
        held = own["hand"] | {name: sum(card["card"] == name for card in own["cards"]) for name in CARD_NAMES}
        self.show_row("gives", "You give", {name: held[name] for name in traded})
        self.show_row("gets", "You get", dict.fromkeys(traded, RESOURCE_SUPPLY))


class OfferForm(CounterOfferForm):
    to = SeatsField()

    def show(self, page: Page, teller: words.Teller) -> None:
        super().show(page, teller)
        others = [(seat["seat"], seat["name"]) for seat in page["seats"] if seat["seat"] != page["viewer"]]
        self.fields["to"] = SeatsField(others)

    def says(self) -> dict[str, object]:
        return super().says() | {"to": self.cleaned_data["to"]}


#: The forms of moves that have more to them than a choice.
FORMS: Final[Mapping[str, type[MoveForm]]] = {
    "discard": DiscardForm,
    "offer_trade": OfferForm,
    "counter_offer": CounterOfferForm,
}


def plain_forms(page: Page, teller: words.Teller) -> Iterator[MoveForm]:
    """A form for each kind of move that is legal now."""
    for kind in TITLES:
        if kind in page["choices"]:
            form = FORMS.get(kind, MoveForm)(initial={"kind": kind, "version": page["version"]})
            form.show(page, teller)
            yield form


def sent(data: QueryDict) -> MoveForm:
    """The form of a move that somebody has filled in."""
    return FORMS.get(data.get("kind", ""), MoveForm)(data)


class QuestionForm(forms.Form):
    """What would a bot do? It is asked about the version of the game that its form was drawn on."""

    version = NumberField(NOT_OUR_FORM)

    def ask(self, game_id: int, seat: int, now: datetime) -> Advice:
        _require_valid(self)
        return services.advise(game_id, seat, version=self.cleaned_data["version"], now=now)


# What is done about a seat


class SeatForm(forms.Form):
    """What a player wants to be done about their seat."""

    refusal: Final = "A seat can be taken back or resigned, or you say what happens when you are absent."
    _messages: Final = dict.fromkeys(("required", "invalid_choice"), refusal)

    wish = forms.ChoiceField(
        choices=[(wish, wish) for wish in ("take_back", "resign", "if_absent")], error_messages=_messages
    )
    if_absent = forms.ChoiceField(choices=Seat.IfAbsent.choices, required=False, error_messages=_messages)

    def grant(self, game_id: int, seat: int, now: datetime) -> None:
        _require_valid(self)
        said = self.cleaned_data
        match said["wish"], said["if_absent"]:
            case "take_back", _:
                services.give_back(game_id, seat, now)
            case "resign", _:
                services.withdraw(game_id, seat, now)
            case _, "":
                raise MalformedMove(self.refusal)
            case _, choice:
                services.choose_if_absent(game_id, seat, Seat.IfAbsent(choice), now=now)


class AgreementForm(forms.Form):
    """What a player proposes to the others, or says to a proposal of theirs."""

    refusal: Final = "You can propose another pace, a stop or a removal, answer a proposal, or go on with the game."
    _messages: Final = dict.fromkeys(("required", "invalid", "invalid_choice", "min_value", "max_value"), refusal)

    wish = forms.ChoiceField(
        choices=[(wish, wish) for wish in ("pace", "stop", "remove", "agree", "decline", "go_on")],
        error_messages=_messages,
    )
    pace = forms.ChoiceField(
        choices=[(name, name) for name in PACES], required=False, error_messages={"invalid_choice": refusal}
    )
    whom = forms.IntegerField(min_value=0, max_value=MOST_SEATS - 1, required=False, error_messages=_messages)
    proposal = forms.IntegerField(min_value=1, max_value=10**MOST_DIGITS, required=False, error_messages=_messages)

    def grant(self, game_id: int, seat: int, now: datetime) -> None:
        _require_valid(self)
        said = self.cleaned_data
        match said:
            case {"wish": "stop"}:
                services.propose_stop(game_id, seat, now)
            case {"wish": "go_on"}:
                services.go_on(game_id, seat, now)
            case {"wish": "pace", "pace": str(pace)} if pace:
                services.propose_pace(game_id, seat, cast("PaceName", pace), now)
            case {"wish": "remove", "whom": int(whom)}:
                services.propose_removal(game_id, seat, whom, now)
            case {"wish": "agree" | "decline" as wish, "proposal": int(proposal)}:
                services.answer(game_id, seat, proposal, wish == "agree", now)
            case _:
                raise MalformedMove(self.refusal)


def _require_valid(form: forms.Form) -> None:
    """Refuse a form with the first thing that is wrong with it."""
    if not form.is_valid():
        raise MalformedMove(next(str(error) for errors in form.errors.values() for error in errors))
