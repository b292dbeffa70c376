"""No view and no event tells a secret.

The test of a view is non-interference: whatever is hidden from a viewer is changed behind the
scenes, and the view must stay the same to the last value.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.rules import Event, Move, Phase, State, player_view

#: What each event tells the whole table; nothing else may stand in its public part.
PUBLIC = {
    "accepted": {"offer"},
    "bank_short": {"lacking"},
    "bought_card": set(),
    "built_city": {"vertex"},
    "built_road": {"edge"},
    "built_settlement": {"vertex"},
    "discarded": {"resources"},
    "largest_army": {"from"},
    "longest_road": {"from"},
    "monopolized": {"victim", "resource", "count"},
    "moved_robber": {"from", "hex"},
    "must_discard": {"count"},
    "offer_void": {"offer"},
    "offered": {"offer", "to", "gives", "gets", "answers"},
    "played_card": {"card"},
    "received": {"resources"},
    "rejected": {"offer"},
    "robber_stayed": {"hex"},
    "rolled": {"dice"},
    "skipped_roll": set(),
    "starting_resources": {"resources"},
    "stole": {"victim", "count"},
    "stopped_placing_roads": set(),
    "traded": {"offer", "partner", "gives", "gets"},
    "traded_with_bank": {"gives", "gets"},
    "turn_began": {"turn"},
    "withdrew": {"offer"},
    "won": {"points"},
}
SECRET = {"bought_card": {"card"}, "stole": {"resource"}}


def check_events(state: State, move: Move, events: Sequence[Event]) -> None:
    for event in events:
        assert event.public.keys() == PUBLIC[event.kind], f"{event.kind} tells {event.public}"
        concerned = {event.seat, event.public.get("victim", event.seat)}
        expected = SECRET.get(event.kind, set())
        if event.public.get("count") == 0:
            expected = set()
        assert event.secret.keys() == expected, f"{event.kind} hides {event.secret}"
        for viewer in (None, *range(len(state.order))):
            seen = event.seen_by(viewer)
            known = expected if viewer in concerned else set()
            assert seen.keys() == {"kind", "seat"} | PUBLIC[event.kind] | known, f"{viewer} sees {seen} of {move}"


def check_views(state: State, source: Random) -> None:
    for viewer in (None, *range(len(state.order))):
        view = player_view(state, viewer)
        assert player_view(with_other_secrets(state, viewer, source), viewer) == view, (
            f"the view of {viewer} depends on what is hidden from it"
        )
        for seat, shown in enumerate(view["seats"]):
            is_open = seat == viewer or state.phase is Phase.OVER
            assert {"hand", "cards", "rates"} & shown.keys() == ({"hand", "cards", "rates"} if is_open else set())


def with_other_secrets(state: State, viewer: int | None, source: Random) -> State:
    """The same game for this viewer, but with other hands, other hidden cards, another deck."""
    twin = state.copy()
    hidden = list(range(state.dealt, len(state.deck)))
    if state.phase is not Phase.OVER:
        for seat in range(len(state.order)):
            if seat != viewer:
                twin.hands[seat] = _other_hand(sum(state.hands[seat]), source)
                hidden += state.cards[seat]
    kinds = [state.deck[card] for card in hidden]
    source.shuffle(kinds)
    deck = list(state.deck)
    for card, kind in zip(hidden, kinds, strict=True):
        deck[card] = kind
    twin.deck = tuple(deck)
    twin.dice_deck = source.sample(range(36), len(state.dice_deck))
    return twin


def _other_hand(size: int, source: Random) -> list[int]:
    hand = [0] * 5
    for _ in range(size):
        hand[source.randrange(5)] += 1
    return hand
