"""The moves as plain forms, for a page without scripts, and how such a form is read."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.http import QueryDict

from games import services, words
from games.models import Seat
from games.page import Page
from games.rules import MalformedMove, Move
from games.rules.cards import CARD_NAMES, RESOURCE_NAMES
from games.rules.moves import from_json
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


def read_move(data: QueryDict, seat: int) -> Move:
    """The move that a plain form stands for; whether it is legal the rules will say."""
    move: dict[str, Any] = {"kind": data.get("kind"), "seat": seat}
    choice = data.get("choice")
    if choice:
        move |= _read_choice(choice)
    for row in ("resources", "gives", "gets"):
        counts = {key: _number(data.get(key, "")) for key in data if key.startswith(f"{row}-")}
        if counts:
            move[row] = {key.removeprefix(f"{row}-"): count for key, count in counts.items() if count}
    if data.get("kind") == "offer_trade":
        move["to"] = sorted(_number(value) for value in data.getlist("to"))
    return from_json(move)


def _read_choice(text: str) -> dict[str, Any]:
    try:
        choice = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedMove("This form was not filled in by its page: reload the page and try again.") from error
    if not isinstance(choice, dict) or choice.keys() & {"kind", "seat"}:
        raise MalformedMove("This form was not filled in by its page: reload the page and try again.")
    return choice


def _number(text: str) -> int:
    """A count that was left empty is none."""
    return read_number(text or "0", MalformedMove("Give each count as a whole number."))


# The seat itself


def read_seat_wish(data: Mapping[str, Any]) -> Callable[[int, int, datetime], None]:
    """What a player wants to be done about their seat, as a service that takes the game, the seat and the time."""
    match data.get("wish"):
        case "take_back":
            return services.give_back
        case "resign":
            return services.withdraw
        case "if_absent" if data.get("if_absent") in Seat.IfAbsent.values:
            choice = Seat.IfAbsent(data["if_absent"])
            return lambda game_id, seat, now: services.choose_if_absent(game_id, seat, choice, now=now)
    raise MalformedMove("A seat can be taken back or resigned, or you say what happens when you are absent.")
