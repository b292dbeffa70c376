"""What may have happened, as one viewer is told: one component for each kind of event, and all of them together."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from api.schema.moves import union, value_of_kind
from api.schema.narrowed import (
    BUNDLE,
    CARD,
    COUNT,
    EDGE,
    HEX,
    OFFER,
    RESOURCE,
    RESOURCES,
    SEAT,
    SEAT_OR_NOBODY,
    VERTEX,
    keyed,
    many,
    number,
    one_of,
    or_null,
)
from games.models import Proposal
from games.paces import PACES
from games.rules.moves import MOST_SEATS

FIELDS: Final[dict[str, dict[str, Any]]] = {
    "turn": COUNT | {"description": "The number of the turn."},
    "dice": {"type": "array", "items": number(range(1, 7)), "minItems": 2, "maxItems": 2},
    "resources": RESOURCES,
    "lacking": many(RESOURCE),
    "hex": HEX,
    "vertex": VERTEX,
    "edge": EDGE,
    "from": number(range(-1, 64), "Where the robber came from; of an award, the seat that held it, or -1."),
    "victim": SEAT,
    "partner": SEAT,
    "count": COUNT,
    "resource": RESOURCE,
    "card": CARD,
    "offer": OFFER,
    "answers": or_null(OFFER) | {"description": "The offer that this one answers, if it is a counter-offer."},
    "to": many(SEAT),
    "gives": BUNDLE,
    "gets": BUNDLE,
    "points": COUNT,
    "rolls": keyed([str(seat) for seat in range(MOST_SEATS)], number(range(2, 13))) | {"description": "By seat."},
    "again": many(SEAT),
    "order": many(SEAT),
    "proposal": one_of(Proposal.Kind.values),
    "pace": one_of(PACES),
    "whom": SEAT,
    "absent": many(SEAT),
    "unopposed": {"type": "boolean", "description": "Nobody objected in time, rather than everybody agreed."},
    "seconds": COUNT,
}


class Kind(NamedTuple):
    """What a kind of event means; the fields it always has; those that only some may know, or that it has at times."""

    what: str
    fields: str = ""
    optional: str = ""


_PROPOSAL: Final = ("proposal", "pace whom unopposed")

KINDS: Final[dict[str, Kind]] = {
    # Before the first move
    "rolled_for_first_turn": Kind("Who rolled what for the first turn, and who rolls again.", "rolls again"),
    "begins": Kind("Who begins, and the order of play.", "order"),
    # Building
    "built_road": Kind("A road was built.", "edge"),
    "built_settlement": Kind("A settlement was built.", "vertex"),
    "built_city": Kind("A settlement became a city.", "vertex"),
    "starting_resources": Kind("What somebody started with.", "resources"),
    "longest_road": Kind("Longest Road has another holder; -1 is nobody.", "from"),
    "largest_army": Kind("Largest Army has another holder; -1 is nobody.", "from"),
    # A turn
    "turn_began": Kind("Somebody’s turn began.", "turn"),
    "rolled": Kind("The dice were rolled.", "dice"),
    "skipped_roll": Kind("A knight stood in for the roll."),
    "received": Kind("What a roll, or a card, brought somebody.", "resources"),
    "bank_short": Kind("Of these the bank had too few for everybody.", "lacking"),
    # A seven
    "must_discard": Kind("Somebody has to discard so many cards.", "count"),
    "discarded": Kind("What somebody discarded.", "resources"),
    "moved_robber": Kind("The robber was moved.", "from hex"),
    "robber_stayed": Kind("The robber stays where it is.", "hex"),
    "stole": Kind("A card was stolen, or none was there. Only the two know which.", "victim count", "resource"),
    # Development cards
    "bought_card": Kind("A development card was bought. Only its buyer knows which.", optional="card"),
    "played_card": Kind("A development card was played.", "card"),
    "monopolized": Kind("What Monopoly took from somebody.", "victim resource count"),
    "stopped_placing_roads": Kind("The rest of the free roads is not placed."),
    # Trading
    "traded_with_bank": Kind("A trade with the bank.", "gives gets"),
    "offered": Kind("An offer, or a counter-offer.", "offer to gives gets answers"),
    "accepted": Kind("Somebody accepted an offer.", "offer"),
    "rejected": Kind("Somebody declined an offer.", "offer"),
    "withdrew": Kind("Somebody took back an offer, or their yes to one.", "offer"),
    "offer_void": Kind("An offer lapsed with the turn.", "offer"),
    "traded": Kind("A trade was made: the seat gave and got this.", "offer partner gives gets"),
    "won": Kind("Somebody won.", "points"),
    # Why a move was made that nobody chose in that moment
    "time_was_up": Kind("Time was up, so the move was made by the clock."),
    "connection_was_lost": Kind("The connection was lost, so the move was made by the clock."),
    "by_order": Kind("The move was made by a standing order."),
    "by_moderators": Kind("The moderators had the clock make the move."),
    # Beside the moves
    "replace_by_bot": Kind("A stand-in plays for somebody now."),
    "stand_in": Kind("The moderators let a stand-in play for somebody."),
    "give_back": Kind("Somebody is back: the stand-in has left."),
    "go_on_holiday": Kind("Somebody is on holiday: their clock stands still."),
    "come_back": Kind("Somebody is back from holiday."),
    "withdraw": Kind("Somebody resigned; a bot plays on."),
    "resign_as_last": Kind("The last person resigned: the game is over without a winner."),
    "pause": Kind("The moderators paused the game."),
    "resume": Kind("The moderators resumed the game."),
    "abort": Kind("The moderators ended the game without a winner."),
    "extend": Kind("The moderators gave these seats more time.", "to seconds"),
    "set_aside": Kind("The game was put on hold while a problem is looked into."),
    "rest": Kind("Everybody has left, so the game rests."),
    "go_on": Kind("Somebody is back: the game goes on."),
    # What people agree on
    "propose": Kind("Somebody proposed another pace, a stop or a removal.", *_PROPOSAL),
    "agree": Kind("Somebody agreed to a proposal.", *_PROPOSAL),
    "decline": Kind("Somebody declined a proposal.", *_PROPOSAL),
    "take_back": Kind("A proposal was taken back.", *_PROPOSAL),
    "lapse": Kind("A proposal lapsed: not everybody answered in time.", *_PROPOSAL),
    "void": Kind("A proposal is off.", *_PROPOSAL),
    "await_objections": Kind("The others agreed; those who are away may object.", "proposal absent", "pace whom"),
    "change_pace": Kind("The game goes on at another pace.", *_PROPOSAL),
    "stop": Kind("The game ends without a winner, as agreed.", *_PROPOSAL),
    "remove": Kind("Somebody was removed by vote; a bot plays on."),
}


def components() -> dict[str, dict[str, Any]]:
    kinds = {f"{_in_one_word(kind)}Event": _event(kind, told) for kind, told in KINDS.items()}
    return {**kinds, "Event": union("Something that happened, as you may know it.", kinds)}


def _in_one_word(kind: str) -> str:
    return "".join(word.capitalize() for word in kind.split("_"))


def _event(kind: str, told: Kind) -> dict[str, Any]:
    seat = SEAT_OR_NOBODY | {"description": "The seat that did it or that it happened to; -1 where it is nobody."}
    fields = {name: FIELDS[name] for name in (*told.fields.split(), *told.optional.split())}
    return value_of_kind(kind, told.what, {"seat": seat, **fields}, optional=told.optional.split())
