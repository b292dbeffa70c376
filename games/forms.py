"""The moves as plain forms, for a page without scripts, and how such a form is read."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django import forms
from django.http import QueryDict

from games import services, words
from games.models import Seat
from games.page import Page
from games.rules import MalformedMove, Move
from games.rules.cards import BUNDLE_NAMES, CARD_NAMES, RESOURCE_NAMES
from games.rules.moves import OfferTrade, from_json
from games.rules.views import listed, own_seat
from games.web import read_number

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


@dataclass(slots=True)
class PlainForm:
    """One kind of move: what may be chosen, what may be counted, whom it may go to."""

    kind: str
    title: str
    button: str
    choices: list[tuple[str, str]] = field(default_factory=list)
    #: Rows of numbers: the row's name, its label, and a name and most for each kind of card.
    counts: list[tuple[str, str, list[tuple[str, int]]]] = field(default_factory=list)
    seats: list[tuple[int, str]] = field(default_factory=list)


def plain_forms(page: Page, teller: words.Teller) -> Iterator[PlainForm]:
    """A form for each kind of move that is legal now."""
    for kind, (title, button) in TITLES.items():
        if kind in page["choices"]:
            form = PlainForm(kind, title, button)
            _fill(form, page, teller)
            yield form


def _fill(form: PlainForm, page: Page, teller: words.Teller) -> None:
    own = own_seat(page)
    if form.kind == "discard":
        form.title = f"Discard {words.cards_held(page['choices']['discard']['count'])}"
        form.counts = [("resources", "", list(own["hand"].items()))]
        return
    form.choices = [
        (json.dumps(way), words.choice(teller, page, form.kind, number, way))
        for number, way in enumerate(listed(page["choices"])[form.kind], start=1)
        if way
    ]
    if form.kind in ("offer_trade", "counter_offer"):
        traded = RESOURCE_NAMES + (CARD_NAMES if page["rules"]["cards_in_trades"] else ())
        held = own["hand"] | {name: sum(card["card"] == name for card in own["cards"]) for name in CARD_NAMES}
        form.counts = [
            ("gives", "You give", [(name, held[name]) for name in traded]),
            ("gets", "You get", [(name, 19) for name in traded]),
        ]
    if form.kind == "offer_trade":
        form.seats = [(seat["seat"], seat["name"]) for seat in page["seats"] if seat["seat"] != page["viewer"]]


# Reading

NOT_OUR_FORM: Final = "This form was not made by the game’s page: reload the page and try again."
NOT_A_COUNT: Final = "Give each count as a whole number."
_ROWS: Final = ("resources", "gives", "gets")


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


class NumbersField(NumberField):
    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> Any:
        return sorted(self.read(text) for text in value or ())


class WayField(forms.Field):
    """One of the ways that the page lists, as it wrote it down: what a move says beside its kind and seat."""

    def to_python(self, value: Any) -> Any:
        try:
            way = json.loads(value or "{}")
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(NOT_OUR_FORM) from error
        if not isinstance(way, dict) or way.keys() & {"kind", "seat"}:
            raise forms.ValidationError(NOT_OUR_FORM)
        return way


class MoveForm(forms.Form):
    """A move, and the version of the game that its form was drawn on. Whether it is legal the rules will say."""

    kind = forms.CharField(required=False)
    version = NumberField(NOT_OUR_FORM)
    choice = WayField(required=False)
    to = NumbersField(NOT_A_COUNT, required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        for row in _ROWS:
            for name in BUNDLE_NAMES:
                self.fields[f"{row}-{name}"] = NumberField(NOT_A_COUNT, required=False)

    def move(self, seat: int) -> Move:
        said = _cleaned(self)
        move: dict[str, Any] = {"kind": said["kind"], "seat": seat, **said["choice"]}
        for row in _ROWS:
            if any(f"{row}-{name}" in self.data for name in BUNDLE_NAMES):
                counts = {name: said[f"{row}-{name}"] for name in BUNDLE_NAMES}
                move[row] = {name: count for name, count in counts.items() if count}
        if said["kind"] == OfferTrade.kind:
            move["to"] = said["to"]
        return from_json(move)


class SeatForm(forms.Form):
    """What a player wants to be done about their seat."""

    refusal: Final = "A seat can be taken back or resigned, or you say what happens when you are absent."
    _messages: Final = dict.fromkeys(("required", "invalid_choice"), refusal)

    wish = forms.ChoiceField(
        choices=[(wish, wish) for wish in ("take_back", "resign", "if_absent")], error_messages=_messages
    )
    if_absent = forms.ChoiceField(choices=Seat.IfAbsent.choices, required=False, error_messages=_messages)

    def grant(self, game_id: int, seat: int, now: datetime) -> None:
        said = _cleaned(self)
        match said["wish"], said["if_absent"]:
            case "take_back", _:
                services.give_back(game_id, seat, now)
            case "resign", _:
                services.withdraw(game_id, seat, now)
            case _, "":
                raise MalformedMove(self.refusal)
            case _, choice:
                services.choose_if_absent(game_id, seat, Seat.IfAbsent(choice), now=now)


def _cleaned(form: forms.Form) -> dict[str, Any]:
    """What a form says, or a refusal with the first thing that is wrong with it."""
    if not form.is_valid():
        raise MalformedMove(next(str(error) for errors in form.errors.values() for error in errors))
    return form.cleaned_data
