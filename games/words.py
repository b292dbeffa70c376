"""Everything the game says to people, in one place: what happened, what to do now, what a button means.

The browser phrases nothing. Each sentence is made for one viewer, from what that viewer may know.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from typing_extensions import TypedDict

from games import words_agreements
from games.paces import DAY, HOUR, MINUTE
from games.rules.cards import BUNDLE_NAMES
from games.rules.events import Seen
from games.rules.state import OfferView
from games.rules.views import SeatView, View, own_seat
from games.words_places import Places

CARD_TITLES: Final = {
    "knight": "Knight",
    "road_building": "Road Building",
    "year_of_plenty": "Year of Plenty",
    "monopoly": "Monopoly",
    "victory_point": "Victory point",
}

OfferAnswer: TypeAlias = Literal["accepted", "rejected", "none"]
_ANSWERS: Final[Mapping[OfferAnswer, str]] = {
    "accepted": "accepted",
    "rejected": "said no",
    "none": "has not answered",
}

#: What can be done about an offer, as its buttons say it.
_OFFER_BUTTONS: Final = {
    "accept_offer": "Accept",
    "reject_offer": "No",
    "counter_offer": "Counter",
    "withdraw_offer": "Withdraw",
}


class Terms(TypedDict):
    """An offer from the side of whoever looks at it."""

    #: The words before what is given and before what is got.
    gives: str
    gets: str
    given: Mapping[str, int]
    got: Mapping[str, int]


def listing(words: Sequence[str]) -> str:
    """brick, brick and wool, brick, wool and ore."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1] if words else ""]))


def cards(counts: dict[str, int]) -> str:
    """2 brick and 1 wool; development cards by their titles."""
    return listing([f"{count} {CARD_TITLES.get(name, name)}" for name, count in counts.items() if count])


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells one viewer about one game."""

    names: Sequence[str]
    viewer: int | None
    places: Places

    def name(self, seat: int) -> str:
        """In the middle of a sentence."""
        return "you" if seat == self.viewer else self.names[seat]

    def subject(self, seat: int) -> str:
        """At its beginning."""
        return "You" if seat == self.viewer else self.names[seat]

    def all_of(self, seats: Iterable[int]) -> str:
        return listing([self.name(seat) for seat in seats])

    def tell(self, event: Seen) -> str:
        """One event as a sentence; nothing for what another sentence says already."""
        return _SENTENCES[event["kind"]](self, event)

    def where(self, event: Seen) -> str:
        """The place that an event is about, if it is about one."""
        match event["kind"]:
            case "built_road":
                return self.places.edges[event["edge"]]
            case "built_settlement" | "built_city":
                return self.places.vertices[event["vertex"]]
            case "moved_robber":
                return self.places.hexes[event["hex"]]
        return ""

    def offer(self, offer: OfferView) -> str:
        """An offer as a card shows it."""
        maker = offer["maker"]
        verb = "give" if maker == self.viewer else "gives"
        return f"{self.subject(maker)} {verb} {cards(offer['gives'])} for {cards(offer['gets'])}."

    def offer_title(self, offer: OfferView) -> str:
        name = self.names[offer["maker"]]
        return name if offer["answers"] is None else f"{name}, counter-offer"

    def terms(self, offer: OfferView) -> Terms:
        gives, gets = offer["gives"], offer["gets"]
        if offer["maker"] == self.viewer:
            return {"gives": "you give", "given": gives, "gets": "you get", "got": gets}
        if self.viewer in offer["to"]:
            return {"gives": "you give", "given": gets, "gets": "you get", "got": gives}
        return {"gives": "gives", "given": gives, "gets": "gets", "got": gets}

    def answer(self, seat: int, answer: OfferAnswer) -> str:
        return f"{self.names[seat]} {_ANSWERS[answer]}"

    def offer_button(self, kind: str, way: Mapping[str, Any], offer: OfferView) -> str:
        if kind == "confirm_trade":
            return f"Trade with {self.names[way['partner']]}"
        if kind == "withdraw_offer" and offer["maker"] != self.viewer:
            return "Take back my yes"
        return _OFFER_BUTTONS[kind]


# What happened


def _rolled_for_first_turn(teller: Teller, event: Seen) -> str:
    (first, highest), *others = event["rolls"].items()
    rolls = [f"{teller.subject(first)} rolled {highest}", *(f"{teller.name(seat)} {roll}" for seat, roll in others)]
    again = teller.all_of(event["again"])
    return f"{listing(rolls)}. {again[:1].upper()}{again[1:]} roll again." if again else f"{listing(rolls)}."


def _begins(teller: Teller, event: Seen) -> str:
    first, *others = event["order"]
    verb = "begin" if first == teller.viewer else "begins"
    return f"{teller.subject(first)} {verb}, followed by {teller.all_of(others)}."


def _built_road(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} built a road."


def _built_settlement(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} built a settlement."


def _built_city(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} built a city."


def _starting_resources(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} started with {cards(event['resources']) or 'nothing'}."


def _turn_began(teller: Teller, event: Seen) -> str:
    """A heading: what follows belongs to it."""
    return "Your turn" if event["seat"] == teller.viewer else f"{teller.names[event['seat']]}’s turn"


def _rolled(teller: Teller, event: Seen) -> str:
    first, second = event["dice"]
    return f"{teller.subject(event['seat'])} rolled {first + second}."


def _received(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} got {cards(event['resources'])}."


def _bank_short(teller: Teller, event: Seen) -> str:
    return f"The bank did not have enough {listing(event['lacking'])} for everybody."


def _must_discard(teller: Teller, event: Seen) -> str:
    verb = "have" if event["seat"] == teller.viewer else "has"
    return f"{teller.subject(event['seat'])} {verb} to discard {event['count']} cards."


def _discarded(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} discarded {cards(event['resources'])}."


def _moved_robber(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} moved the robber."


def _robber_stayed(_teller: Teller, _event: Seen) -> str:
    return "The robber stays in the desert: everywhere else it would harm a player with only 2 points."


def _stole(teller: Teller, event: Seen) -> str:
    thief, victim = teller.subject(event["seat"]), teller.name(event["victim"])
    if not event["count"]:
        return f"{thief} found nothing to steal from {victim}."
    return f"{thief} stole {event.get('resource', 'a card')} from {victim}."


def _bought_card(teller: Teller, event: Seen) -> str:
    bought = f": {CARD_TITLES[event['card']]}" if "card" in event else ""
    return f"{teller.subject(event['seat'])} bought a development card{bought}."


def _played_card(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} played {CARD_TITLES[event['card']]}."


def _monopolized(teller: Teller, event: Seen) -> str:
    taken = f"{event['count']} {event['resource']}"
    return f"{teller.subject(event['seat'])} took {taken} from {teller.name(event['victim'])}."


def _award(title: str) -> Callable[[Teller, Seen], str]:
    def sentence(teller: Teller, event: Seen) -> str:
        holder, before = event["seat"], event["from"]
        if holder < 0:
            return f"{teller.subject(before)} lost {title}; nobody holds it now."
        if before < 0:
            return f"{teller.subject(holder)} took {title}: two points."
        return f"{teller.subject(holder)} took {title} from {teller.name(before)}: two points."

    return sentence


def _skipped_roll(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} did not roll: the knight stood in for it."


def _stopped_placing_roads(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} placed no more free roads."


def _traded_with_bank(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} traded {cards(event['gives'])} for {cards(event['gets'])} with the bank."


def _offered(teller: Teller, event: Seen) -> str:
    verb = "offered" if event["answers"] is None else "made a counter-offer:"
    whom = "" if event["answers"] is not None else f" to {teller.all_of(event['to'])}"
    return f"{teller.subject(event['seat'])} {verb} {cards(event['gives'])} for {cards(event['gets'])}{whom}."


def _accepted(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} accepted the offer."


def _rejected(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} said no to the offer."


def _withdrew(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} withdrew."


def _traded(teller: Teller, event: Seen) -> str:
    maker, partner = teller.subject(event["seat"]), teller.name(event["partner"])
    return f"{maker} traded {cards(event['gives'])} for {cards(event['gets'])} with {partner}."


def _time_was_up(teller: Teller, event: Seen) -> str:
    return f"Time was up for {teller.name(event['seat'])}."


def _connection_was_lost(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} lost the connection."


def _by_order(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} played by standing order."


def _replaced(teller: Teller, event: Seen) -> str:
    return f"A stand-in is playing for {teller.name(event['seat'])} now."


def _stand_in(teller: Teller, event: Seen) -> str:
    return f"The moderators let a stand-in play for {teller.name(event['seat'])}."


def _by_moderators(teller: Teller, event: Seen) -> str:
    return f"The moderators had the clock play for {teller.name(event['seat'])}."


def _extended(teller: Teller, event: Seen) -> str:
    return f"The moderators gave {listing([teller.name(seat) for seat in event['to']])} {_more(event['seconds'])}."


def _more(seconds: int) -> str:
    for each, unit in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds % each == 0:
            return f"another {unit}" if seconds == each else f"another {seconds // each} {unit}s"
    return f"another {seconds} seconds"


def _is_back(teller: Teller, event: Seen) -> str:
    verb = "are" if event["seat"] == teller.viewer else "is"
    return f"{teller.subject(event['seat'])} {verb} back: the stand-in has left."


def _goes_on_holiday(teller: Teller, event: Seen) -> str:
    is_you = event["seat"] == teller.viewer
    verb, whose = ("are", "your") if is_you else ("is", "their")
    return f"{teller.subject(event['seat'])} {verb} on holiday: {whose} clock stands still."


def _is_back_from_holiday(teller: Teller, event: Seen) -> str:
    verb = "are" if event["seat"] == teller.viewer else "is"
    return f"{teller.subject(event['seat'])} {verb} back from holiday."


def _resigned(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} resigned; a bot plays on."


def _resigned_as_last(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} resigned. Only bots are left, so the game ends without a winner."


def _nothing(_teller: Teller, _event: Seen) -> str:
    return ""


def _won(teller: Teller, event: Seen) -> str:
    return f"{teller.subject(event['seat'])} won with {event['points']} points."


_SENTENCES: Final[Mapping[str, Callable[[Teller, Seen], str]]] = {
    "built_road": _built_road,
    "built_settlement": _built_settlement,
    "built_city": _built_city,
    "starting_resources": _starting_resources,
    "turn_began": _turn_began,
    "rolled": _rolled,
    "received": _received,
    "bank_short": _bank_short,
    "must_discard": _must_discard,
    "discarded": _discarded,
    "moved_robber": _moved_robber,
    "robber_stayed": _robber_stayed,
    "stole": _stole,
    "bought_card": _bought_card,
    "played_card": _played_card,
    "monopolized": _monopolized,
    "longest_road": _award("Longest Road"),
    "largest_army": _award("Largest Army"),
    "skipped_roll": _skipped_roll,
    "stopped_placing_roads": _stopped_placing_roads,
    "traded_with_bank": _traded_with_bank,
    "offered": _offered,
    "accepted": _accepted,
    "rejected": _rejected,
    "withdrew": _withdrew,
    "traded": _traded,
    # That an offer lapses with the turn is seen on the table.
    "offer_void": _nothing,
    "won": _won,
    # How the order of play was found, before the first move.
    "rolled_for_first_turn": _rolled_for_first_turn,
    "begins": _begins,
    # Why a move was made that nobody chose, and what was done beside the moves.
    "time_was_up": _time_was_up,
    "connection_was_lost": _connection_was_lost,
    "by_order": _by_order,
    "by_moderators": _by_moderators,
    "replace_by_bot": _replaced,
    "give_back": _is_back,
    "go_on_holiday": _goes_on_holiday,
    "come_back": _is_back_from_holiday,
    "withdraw": _resigned,
    "resign_as_last": _resigned_as_last,
    "pause": lambda _teller, _event: "The moderators paused the game.",
    "resume": lambda _teller, _event: "The moderators resumed the game.",
    "abort": lambda _teller, _event: "The moderators ended the game without a winner.",
    "extend": _extended,
    "stand_in": _stand_in,
    "set_aside": lambda _teller, _event: "The game was put on hold while we look into a problem.",
    **words_agreements.SENTENCES,
}


# What to do now


def prompt(teller: Teller, view: View, status: str, *, is_replaced: bool = False) -> str:
    """The one sentence that says what the game waits for."""
    if status == "resting" and teller.viewer is not None:
        return words_agreements.RESTS_FOR_YOU
    if status != "running":
        return _STATUS_PROMPTS[status] if status != "over" else _over(teller, view)
    if is_replaced:
        return "A stand-in is playing your seat. Are you back?"
    if teller.viewer in view["to_act"]:
        return _own_prompt(teller, view)
    waiting = _WAITING[view["phase"]]
    who = listing([teller.names[seat] for seat in view["to_act"]])
    sentence = f"{who} {waiting[len(view['to_act']) > 1]}."
    if any(is_unanswered(offer, teller.viewer) for offer in view["offers"]):
        return f"{sentence} There is an offer for you."
    return sentence


def is_unanswered(offer: OfferView, viewer: int | None) -> bool:
    """By somebody it was made to."""
    return viewer in offer["to"] and viewer not in offer["accepted"] + offer["rejected"]


_STATUS_PROMPTS: Final = {
    "paused": "The game is paused.",
    "resting": words_agreements.RESTS,
    "aborted": "The game was ended without a winner.",
    "needs_attention": "This game is on hold while we look into a problem. Nothing is lost.",
}


def _over(teller: Teller, view: View) -> str:
    winner = view["winner"]
    if winner is None:
        raise ValueError("A game that is over has a winner.")
    points = view["seats"][winner]["points"]
    return f"{teller.subject(winner)} won the game with {points} points."


def _own_prompt(teller: Teller, view: View) -> str:
    own = own_seat(view)
    match view["phase"]:
        case "placing_settlement":
            which = "second" if own["settlements"] else "first"
            return f"Choose a corner for your {which} settlement."
        case "placing_road":
            return "Choose a path for the road next to it."
        case "rolling" if "skip_roll" in view["choices"]:
            return "Roll the dice, or let your knight stand in for the roll."
        case "rolling":
            cards_first = any(kind.startswith("play_") for kind in view["choices"])
            return "Roll the dice, or play a card first." if cards_first else "Your turn: roll the dice."
        case "discarding":
            return f"A seven: choose {own['must_discard']} of your cards to discard."
        case "moving_robber" if view["choices"]["move_robber"] == [{"hex": view["robber"]}]:
            return "The robber has nowhere else to go: leave it in the desert."
        case "moving_robber":
            return "Move the robber: choose another hex."
        case "stealing":
            return "Choose who to steal from."
        case "placing_free_roads":
            left = view["free_roads"]
            return "Place your free road." if left == 1 else f"Place your {left} free roads."
    if "confirm_trade" in view["choices"]:
        return "Somebody accepted: confirm the trade, or carry on with your turn."
    return "Trade and build, then end your turn."


#: What the others are doing, of one and of several.
_WAITING: Final = {
    "placing_settlement": ("is placing a settlement", ""),
    "placing_road": ("is placing a road", ""),
    "rolling": ("is about to roll", ""),
    "discarding": ("is discarding", "are discarding"),
    "moving_robber": ("is moving the robber", ""),
    "stealing": ("is choosing who to steal from", ""),
    "main": ("is trading and building", ""),
    "placing_free_roads": ("is placing free roads", ""),
}


#: What is paid for, by the move that pays.
_PAID: Final = {
    "build_road": "road",
    "build_settlement": "settlement",
    "build_city": "city",
    "buy_card": "development_card",
}


def cannot_pay(view: View, kind: str) -> str:
    """What is still missing for a price."""
    return missing(own_seat(view), view["costs"][_PAID[kind]])


def missing(own: SeatView, wanted: Mapping[str, int]) -> str:
    """What somebody lacks of the cards that are wanted; nothing, if they have them all."""
    held = Counter(own["hand"]) + Counter(card["card"] for card in own["cards"])
    lacking = [f"{count - held[name]} more {CARD_NAMES[name]}" for name, count in wanted.items() if count > held[name]]
    return f"You need {listing(lacking)}." if lacking else ""


def dice(dice: Sequence[int] | None) -> str:
    return f"Last roll: {dice[0]} and {dice[1]}" if dice else ""


def cards_held(count: int) -> str:
    return f"{count} {'card' if count == 1 else 'cards'}"


# What can be chosen, in a plain form


def choice(teller: Teller, view: View, kind: str, number: int, way: Mapping[str, Any]) -> str:
    """One way to make a move of a kind; places carry the number that they have on the board."""
    match kind:
        case "build_settlement" | "build_city":
            return f"{number}: {teller.places.vertices[way['vertex']]}"
        case "build_road":
            return f"{number}: {teller.places.edges[way['edge']]}"
        case "move_robber":
            return f"{number}: {teller.places.hexes[way['hex']]}"
        case "steal":
            held = view["seats"][way["victim"]]["hand_size"]
            return f"{teller.names[way['victim']]}, who holds {cards_held(held)}"
        case "play_year_of_plenty":
            return cards(way["resources"])
        case "play_monopoly":
            return str(way["resource"])
        case "trade_with_bank":
            return f"{way['paid']} {way['give']} for 1 {way['take']}"
    offer = teller.offer(next(offer for offer in view["offers"] if offer["number"] == way["offer"]))
    return f"with {teller.names[way['partner']]}: {offer}" if kind == "confirm_trade" else offer


#: What the page says when a place or a card has been pressed once.
PRESS_AGAIN: Final = {
    "build_settlement": "Press again to build a settlement: {place}.",
    "build_road": "Press again to build a road: {place}.",
    "build_city": "Press again to build a city: {place}.",
    "move_robber": "Press again to move the robber: {place}.",
    "buy_card": "Press again to buy a development card.",
    "play_knight": "Press again to play your knight.",
    "play_road_building": "Press again to play Road Building.",
    "play_victory_point": "Press again to play your victory point.",
}

#: What the page says when a button asks for a place.
CHOOSE_PLACE: Final = {
    "build_settlement": "Choose a corner for your settlement.",
    "build_road": "Choose a path for your road.",
    "build_city": "Choose the settlement that becomes a city.",
}

#: What a place is called where something stands on it.
TAKEN_PLACE: Final = "{place}. {standing}"

#: In place of a number that the viewer may not know.
NOT_KNOWN: Final = "–"

CONNECTION_LOST: Final = "Reconnecting… your game is safe."

#: What cards are called where they are counted.
CARD_NAMES: Final = {name: name.replace("_", " ") for name in BUNDLE_NAMES}


class PlaceNames(TypedDict):
    hexes: Sequence[str]
    vertices: Sequence[str]
    edges: Sequence[str]


def names_of_places(places: Places) -> PlaceNames:
    return {"hexes": places.hexes, "vertices": places.vertices, "edges": places.edges}
