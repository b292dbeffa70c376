"""What the sheets that ask for cards say: why the bank does not serve a choice, what an offer still lacks.

The browser knows what has been chosen and fills in these sentences; which trades are possible it is told.
"""

from typing import Final

from typing_extensions import TypedDict

from games.rules.views import View, own_seat

BANK_DEAL: Final = "Trade {paid} {give} for 1 {take} with the bank"
#: Of several kinds on one side, the bank serves none.
ONE_FOR_ONE: Final = "The bank trades one resource for one other: choose one to give and one to get."
ONE_CARD: Final = "The bank gives 1 card at a time: choose 1 {take}."

CHOOSE_BOTH: Final = "Choose what to give and what to get."
CHOOSE_WHOM: Final = "Choose who to offer it to."

DISCARD_TITLE: Final = "Discard {count} of your cards"
DISCARD_CHOSEN: Final = "{chosen} of {count} chosen"


#: The title of the sheet and the word on its button: for an offer, and for an answer to one.
TITLES: Final = ("Trade", "Counter-offer")
BUTTONS: Final = ("Offer to players", "Send counter-offer")

LESS: Final = "Less {card}"
MORE: Final = "More {card}"
OUT_OF: Final = " of {held}"


class TradePhrases(TypedDict):
    bank_deal: str
    one_for_one: str
    one_card: str
    choose_both: str
    choose_whom: str
    discard_title: str
    discard_chosen: str
    offer_title: str
    counter_title: str
    offer_button: str
    counter_button: str
    less: str
    more: str
    out_of: str


class BankNotes(TypedDict):
    """What stands in the way of a trade with the bank, by the resource that is given, and that is taken."""

    give: dict[str, str]
    take: dict[str, str]


def phrases() -> TradePhrases:
    """For the browser, whatever is chosen there."""
    return {
        "bank_deal": BANK_DEAL,
        "one_for_one": ONE_FOR_ONE,
        "one_card": ONE_CARD,
        "choose_both": CHOOSE_BOTH,
        "choose_whom": CHOOSE_WHOM,
        "discard_title": DISCARD_TITLE,
        "discard_chosen": DISCARD_CHOSEN,
        "offer_title": TITLES[0],
        "counter_title": TITLES[1],
        "offer_button": BUTTONS[0],
        "counter_button": BUTTONS[1],
        "less": LESS,
        "more": MORE,
        "out_of": OUT_OF,
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
