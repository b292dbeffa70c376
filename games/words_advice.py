"""What a hard bot would do in somebody's place: each move that it considers as a title and a reason (`words_gains`).

It is made of that seat's own view and of what the bot says its moves are good for, so it tells nothing hidden.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from typing_extensions import TypedDict

from games.bots.considering import Consideration
from games.bots.position import Position
from games.rules import View
from games.rules.cards import RESOURCE_NAMES, named
from games.rules.moves import (
    AcceptOffer,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    ConfirmTrade,
    CounterOffer,
    Discard,
    MoveRobber,
    OfferTrade,
    PlayMonopoly,
    PlayYearOfPlenty,
    RejectOffer,
    Steal,
    TradeWithBank,
    WithdrawOffer,
)
from games.words import Teller, cards, listing
from games.words_gains import Telling

NOT_AMONG_BOTS: Final = "Advice is for games against bots alone: among people, everybody finds their own moves."
NOT_WHEN_RATED: Final = "There is no advice in a rated game."
NOT_ASKED: Final = "There is nothing to advise now: the game doesn’t wait for you."
STAND_IN_PLAYS: Final = "A stand-in plays your seat: take it back first."
ONE_AT_A_TIME: Final = "One question at a time: ask again in a moment."
NOTHING_FOUND: Final = "The bot found no answer in time: ask again in a moment."


class Advised(TypedDict):
    """A move that a hard bot would consider in your place."""

    #: What to do.
    title: str
    #: What it is good for, in a few short sentences.
    reason: str
    #: The place on the board that it is about, as `standing` names it.
    places: list[str]
    #: The move as it is sent.
    move: Mapping[str, object]


class Advice(TypedDict):
    """What a hard bot would consider in your place."""

    #: The version of the game that it is about.
    version: int
    #: The best first: three at most, and often one.
    moves: list[Advised]


def advised(teller: Teller, view: View, considered: Iterable[Consideration]) -> list[Advised]:
    position = Position(view)
    return [_advised(Telling(teller, position, each.move), each) for each in considered]


def _advised(telling: Telling, considered: Consideration) -> Advised:
    move = considered.move.to_json()
    del move["seat"]
    return {
        "title": title(telling),
        "reason": telling.reason([gain.kind for gain in considered.gains if gain.weight > 0]),
        "places": [f"{place}-{move[place]}" for place in ("vertex", "edge", "hex") if place in move],
        "move": move,
    }


def title(telling: Telling) -> str:
    """What to do."""
    places = telling.teller.places
    match telling.move:
        case BuildSettlement(vertex=vertex):
            return f"Settle on the {places.vertices[vertex]}"
        case BuildCity(vertex=vertex):
            return f"Build a city on the {places.vertices[vertex]}"
        case BuildRoad(edge=edge):
            return f"Build a road on the {places.edges[edge]}"
        case Discard(resources=resources):
            return f"Discard {cards(named(resources))}"
        case MoveRobber(hex=h):
            return f"Move the robber to {telling.hex_name(h)}{_and_rob(telling, h)}"
        case Steal(victim=victim):
            return f"Take a card from {telling.name(victim)}"
        case PlayYearOfPlenty(resources=resources):
            return f"Play Year of Plenty and take {cards(named(resources))}"
        case PlayMonopoly(resource=resource):
            return f"Play Monopoly on {RESOURCE_NAMES[resource]}"
        case TradeWithBank():
            return f"Trade {_deal(telling)} with the bank"
    return _trade_title(telling) or _TITLES[telling.move.kind]


_TITLES: Final = {
    "roll": "Roll the dice",
    "skip_roll": "Skip the roll",
    "buy_card": "Buy a development card",
    "play_knight": "Play your knight",
    "play_road_building": "Play Road Building",
    "stop_placing_roads": "Place no more roads",
    "play_victory_point": "Play your victory point",
    "end_turn": "End your turn",
}


def _trade_title(telling: Telling) -> str:
    """Trades are told from the side of whoever is advised."""
    match telling.move:
        case OfferTrade(to=to):
            whom = "" if len(to) == len(telling.position.others) else f" to {listing([*map(telling.name, to)])}"
            return f"Offer {_deal(telling)}{whom}"
        case CounterOffer(offer=number):
            return f"Answer {telling.name(telling.offer(number)['maker'])} with your own offer: {_deal(telling)}"
        case AcceptOffer(offer=number):
            return f"Accept {telling.name(telling.offer(number)['maker'])}’s offer: give {_deal(telling)}"
        case ConfirmTrade(partner=partner):
            return f"Trade {_deal(telling)} with {telling.name(partner)}"
        case RejectOffer(offer=number):
            offer = telling.offer(number)
            return f"Say no to {telling.name(offer['maker'])}: {cards(offer['gets'])} for {cards(offer['gives'])}"
        case WithdrawOffer(offer=number):
            offer = telling.offer(number)
            if offer["maker"] != telling.position.seat:
                return f"Take back your yes to {telling.name(offer['maker'])}"
            return f"Withdraw your offer of {cards(offer['gives'])} for {cards(offer['gets'])}"
    return ""


def _deal(telling: Telling) -> str:
    given, got = telling.traded
    return f"{cards(given)} for {cards(got)}"


def _and_rob(telling: Telling, h: int) -> str:
    """Where there is one to rob, nothing is chosen any more."""
    robbed = telling.robbed(h)
    return f" and rob {telling.name(robbed[0]['seat'])}" if len(robbed) == 1 and robbed[0]["hand_size"] else ""
