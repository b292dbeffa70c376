"""Why something is refused: a move by the rules, and whatever else people ask of the site.

Every refusal has a stable code, for programs, and a sentence, for people, and changes nothing. A move
of the wrong shape is a :class:`MalformedMove`: no rule was asked. A move of the right shape that the
rules forbid is an :class:`IllegalMove`, which names the rule by its code.
"""

from __future__ import annotations

from typing import Final, NoReturn


class Refusal(Exception):
    """What was asked for is not done, and nothing was changed."""

    code = "refused"

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


class Malformed(Refusal, ValueError):
    """It has no meaning, whoever asks and whenever. For programs, the part that has none is named."""

    code = "malformed"

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class Forbidden(Refusal):
    """It is not for this person to do."""

    code = "permission_denied"


class TooFast(Refusal):
    """It was done too often in too short a time."""

    code = "too_fast"

    def __init__(self, sentence: str, retry_after: int) -> None:
        super().__init__(sentence)
        #: Seconds.
        self.retry_after = retry_after


class MalformedMove(Malformed):
    """The move has no meaning in any game: an unknown kind, a vertex 54, a negative count."""

    code = "malformed_move"


class IllegalMove(Refusal):
    """The rules forbid this move now."""

    def __init__(self, code: str) -> None:
        super().__init__(SENTENCES[code])
        self.code = code

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"


def refuse(code: str) -> NoReturn:
    raise IllegalMove(code)


#: Every code and what the player reads.
SENTENCES: Final = {
    # whose move it is, and when
    "game_over": "The game is over.",
    "not_your_turn": "It is not your turn.",
    "wrong_phase": "That cannot be done at this point of the turn.",
    "roll_first": "Roll the dice first.",
    "already_rolled": "The dice have been rolled this turn.",
    "must_roll": "The roll is skipped only after a knight played before it.",
    # building
    "cannot_pay": "You do not have the resources this costs.",
    "no_road_left": "All your 15 roads are on the board.",
    "no_settlement_left": "All your 5 settlements are on the board: upgrade one to a city first.",
    "no_city_left": "All your 4 cities are on the board.",
    "vertex_taken": "Somebody has built on this corner.",
    "too_close": "Too close: settlements stand at least two edges apart.",
    "not_connected": "This place does not touch your roads or buildings.",
    "edge_taken": "There is a road on this path already.",
    "not_at_settlement": "This road begins at the settlement you have just placed.",
    "no_free_path": "There is no free path at your roads and buildings.",
    "no_free_corner": "No corner on your roads is free and two edges from every building.",
    "nothing_to_upgrade": "You have no settlement to turn into a city.",
    "not_your_settlement": "A city replaces one of your own settlements.",
    # the seven and the robber
    "nothing_to_discard": "You do not have to discard.",
    "wrong_discard": "Discard exactly half of your cards, rounded down.",
    "cards_not_held": "You do not hold these cards.",
    "robber_must_move": "The robber must move to another hex.",
    "friendly_robber": "The robber stays away from players who show only 2 points.",
    "no_such_victim": "Choose an opponent with a building on the robber's hex.",
    # development cards
    "deck_empty": "All development cards have been bought.",
    "card_not_held": "You do not hold such a card.",
    "bought_this_turn": "A card bought this turn is played on a later turn.",
    "one_card_a_turn": "One development card a turn: you have played yours.",
    "knights_never_played": "In this game knights are held, not played.",
    "no_free_road_possible": "There is no path left where you could place a free road.",
    "must_place_roads": "Place your free roads.",
    "bank_lacks": "The bank does not have these cards.",
    "take_two": "Year of Plenty takes two cards, or what is left when the bank has fewer.",
    "points_count_already": "In this game victory point cards count as soon as they are bought.",
    # trading
    "no_maritime_trade": "In this game there is no trade with the bank.",
    "too_few_alike": "You do not hold enough cards of one kind to trade with the bank.",
    "nothing_to_offer": "You hold no cards to offer.",
    "same_resource": "A resource is traded for a different one.",
    "wrong_rate": "Pay exactly your rate for this resource, in identical cards.",
    "gift": "Something must be given on both sides: cards are never given away.",
    "same_on_both_sides": "The same card cannot stand on both sides of a trade.",
    "cards_not_traded": "In this game development cards are not traded.",
    "no_trade_yet": "Nobody trades before everyone has built once.",
    "not_to_others": "An offer goes to other players at the table.",
    "same_offer_open": "You have made this very offer already.",
    "too_many_offers": "You have six offers open: withdraw one first.",
    "no_such_offer": "This offer is no longer open.",
    "not_offered_to_you": "This offer is not addressed to you.",
    "your_own_offer": "This offer is your own.",
    "already_accepted": "You have accepted this offer already.",
    "already_rejected": "You have rejected this offer already.",
    "not_accepted": "This player has not accepted the offer.",
    "no_counter_offers": "In this game an offer is accepted or declined, nothing else.",
    "promise_broken": "They no longer have the cards they promised.",
    "confirm_instead": "It is your turn: confirm this counter-offer or reject it.",
    "nothing_to_withdraw": "You have nothing to withdraw here.",
}
