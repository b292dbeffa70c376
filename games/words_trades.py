"""What the tray of cards says: why the bank does not serve a choice, what an offer still lacks.

The browser knows what has been chosen and fills in these sentences; which trades are possible it is told.
"""

from typing import Final

from typing_extensions import TypedDict

from games.rules.views import View, own_seat

BANK_DEAL: Final = "Trade {paid} {give} for 1 {take} with the bank"
RATE: Final = "{rate}:1"
#: Of several kinds on one side, the bank serves none.
ONE_FOR_ONE: Final = "The bank trades one resource for another: choose one to give and one to get."
ONE_CARD: Final = "The bank gives 1 card at a time: choose 1 {card}."

CHOOSE_BOTH: Final = "Choose cards to give and to get."
CHOOSE_WHOM: Final = "Choose who to offer it to."
BOTH_SIDES: Final = "A resource can’t be on both sides: take back the {card} first."
NONE_HELD: Final = "You have no {card}."
ALL_GIVEN: Final = "You have only {held} {card}."
NO_MORE: Final = "There is no more {card}."

DISCARD_TITLE: Final = "Discard {count} of your cards"
DISCARD_CHOSEN: Final = "Choose cards to discard: {chosen} of {count} chosen."
PLENTY_CHOSEN: Final = "Choose cards to take: {chosen} of {count} chosen."
ALL_CHOSEN: Final = "You have chosen all {count}: take one back to choose another."
PLENTY_ONLY_GETS: Final = "Year of Plenty costs nothing but the card: choose what to take."


class TradePhrases(TypedDict):
    bank: str
    bank_deal: str
    becomes: str
    rate: str
    one_for_one: str
    one_card: str
    choose_both: str
    choose_whom: str
    both_sides: str
    none_held: str
    all_given: str
    no_more: str
    discard_chosen: str
    plenty_chosen: str
    all_chosen: str
    plenty_only_gets: str
    take_back: str
    #: The tray's name and its button, by what it is open for.
    offer_title: str
    counter_title: str
    discard_title: str
    plenty_title: str
    offer_button: str
    counter_button: str
    discard_button: str
    plenty_button: str


class BankNotes(TypedDict):
    """What stands in the way of a trade with the bank, by the resource that is given, and that is taken."""

    give: dict[str, str]
    take: dict[str, str]


def phrases() -> TradePhrases:
    """For the browser, whatever is chosen there."""
    return {
        "bank": "Bank",
        "bank_deal": BANK_DEAL,
        "becomes": "→",
        "rate": RATE,
        "one_for_one": ONE_FOR_ONE,
        "one_card": ONE_CARD,
        "choose_both": CHOOSE_BOTH,
        "choose_whom": CHOOSE_WHOM,
        "both_sides": BOTH_SIDES,
        "none_held": NONE_HELD,
        "all_given": ALL_GIVEN,
        "no_more": NO_MORE,
        "discard_chosen": DISCARD_CHOSEN,
        "plenty_chosen": PLENTY_CHOSEN,
        "all_chosen": ALL_CHOSEN,
        "plenty_only_gets": PLENTY_ONLY_GETS,
        "take_back": "{count} {card}: take 1 back",
        "offer_title": "Trade",
        "counter_title": "Counter-offer",
        "discard_title": DISCARD_TITLE,
        "plenty_title": "Year of Plenty",
        "offer_button": "Offer",
        "counter_button": "Send",
        "discard_button": "Discard",
        "plenty_button": "Take",
    }


def bank_notes(view: View) -> BankNotes:
    """What the bank asks for each resource that the viewer could give, and which ones it cannot give itself."""
    own = own_seat(view)
    is_limited = view["rules"]["maritime_trade"] == "limited"
    return {
        "give": {name: _rate(name, rate, own["hand"][name]) for name, rate in own["rates"].items()},
        "take": {name: _lacks(name) for name, count in view["bank"].items() if is_limited and not count},
    }


def _rate(name: str, rate: int, held: int) -> str:
    if held < rate:
        return f"The bank gives 1 card for {rate} {name}, and you hold {held}: choose another resource to give."
    return f"The bank gives 1 card for {rate} {name}: choose {rate} {name}."


def _lacks(name: str) -> str:
    return f"The bank has no {name} left: choose another resource to get."
