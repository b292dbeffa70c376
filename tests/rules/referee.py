"""A second referee: the rules of single moves once more, judged from what was announced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.rules import Event, Move, Phase, State, visible_points
from games.rules.boards import HARBOR_NAMES, TERRAIN_NAMES
from games.rules.topology import DOCKS, EDGE_VERTICES, HEX_VERTICES, VERTEX_HEXES

from .accounts import PRODUCTS, Accounts

ROUNDS_WITHOUT_SEVEN = 2


class Referee:
    def __init__(self) -> None:
        self._settled = 0
        self._free_roads = 0
        self._cards_played = 0
        self._bought: Counter[str] = Counter()

    def judge(self, state: State, phase: Phase, move: Move, events: Sequence[Event], before: Accounts) -> None:
        """Judge a move by its events; ``phase`` and ``before`` are from before it."""
        in_setup = phase in (Phase.PLACING_SETTLEMENT, Phase.PLACING_ROAD)
        for event in events:
            told = event.public
            match event.kind:
                case "built_settlement" if in_setup:
                    snake = [*state.order, *reversed(state.order)]
                    assert event.seat == snake[self._settled], "the setup is a snake"
                    self._settled += 1
                case "starting_resources":
                    assert told["resources"] == starting_resources(state, event.seat, move)
                case "turn_began":
                    self._begin_turn(state, event)
                case "moved_robber":
                    check_robber(state, told["from"], told["hex"])
                case "robber_stayed":
                    check_robber_had_to_stay(state, told["hex"])
                case "stole":
                    assert told["victim"] in owners_at(state, state.robber) - {event.seat}, "no such victim"
                    assert not is_spared(state, told["victim"]), "robbed though protected"
                case "bought_card":
                    self._bought[event.secret["card"]] += 1
                case "played_card":
                    self._judge_card(state, event, before)
                case "monopolized":
                    assert told["count"] == before.hands[told["victim"]][told["resource"]], "all of it"
                case "received" if move.kind == "play_year_of_plenty":
                    assert sum(told["resources"].values()) == min(2, sum(before.bank.values())), "two cards"
                case "built_road" if phase is Phase.PLACING_FREE_ROADS:
                    self._free_roads -= 1
                    assert self._free_roads >= 0, "two free roads"
                case "traded_with_bank":
                    ((name, paid),) = told["gives"].items()
                    assert paid == rate(state, event.seat, name), "the rate"
        self._judge_roll(state, [sum(e.public["dice"]) for e in events if e.kind == "rolled"])

    def _begin_turn(self, state: State, event: Event) -> None:
        self._cards_played = 0
        self._bought.clear()
        assert event.seat == state.order[(event.public["turn"] - 1) % len(state.order)], "the order of play"
        assert not state.offers, "an offer outlives its turn"

    def _judge_card(self, state: State, event: Event, before: Accounts) -> None:
        card = event.public["card"]
        if card == "victory_point":
            assert state.rules.victory_point_cards != "at_once"
            if state.rules.victory_point_cards == "when_played":
                return
        self._free_roads = 2 if card == "road_building" else 0
        self._cards_played += 1
        assert self._cards_played == 1 or state.rules.cards_a_turn == "any_number", "one card a turn"
        assert card != "knight" or state.rules.knights != "never_played"
        if not state.rules.cards_in_trades:
            assert before.hands[event.seat][card] > self._bought[card], "bought this turn"

    def _judge_roll(self, state: State, rolls: list[int]) -> None:
        is_early = state.turn <= ROUNDS_WITHOUT_SEVEN * len(state.order)
        rolls_again = is_early and state.rules.early_sevens == "rolled_again"
        assert all(roll == 7 and rolls_again for roll in rolls[:-1]), "rolled again"
        assert not rolls_again or 7 not in rolls[-1:], "a seven in the first two rounds"


def owners_at(state: State, place: int) -> set[int]:
    """The seats with a building on a hex."""
    return {
        seat
        for seat in range(len(state.order))
        for vertex in HEX_VERTICES[place]
        if (state.settlements[seat] | state.cities[seat]) >> vertex & 1
    }


def check_robber(state: State, old: int, new: int) -> None:
    desert = state.board.terrains.index(TERRAIN_NAMES.index("desert"))
    assert old != new, "the robber has not moved"
    if new != desert:
        assert not any(is_spared(state, seat) for seat in owners_at(state, new)), "not friendly"


def check_robber_had_to_stay(state: State, here: int) -> None:
    assert TERRAIN_NAMES[state.board.terrains[here]] == "desert", "the robber stays in the desert only"
    for place in range(len(state.board.terrains)):
        assert place == here or any(is_spared(state, seat) for seat in owners_at(state, place)), "it could have moved"


def is_spared(state: State, seat: int) -> bool:
    return state.rules.friendly_robber and visible_points(state, seat) <= 2


def starting_resources(state: State, seat: int, move: Move) -> dict[str, int]:
    vertex = move.vertex  # type: ignore[attr-defined]
    if state.rules.starting_resources == "second_settlement":
        return _products(state, [vertex])
    both = [v for v in range(len(VERTEX_HEXES)) if state.settlements[seat] >> v & 1]
    return dict.fromkeys(_products(state, both), 1)


def _products(state: State, vertices: list[int]) -> dict[str, int]:
    terrains = [TERRAIN_NAMES[state.board.terrains[h]] for v in vertices for h in VERTEX_HEXES[v]]
    return dict(Counter(PRODUCTS[terrain] for terrain in terrains if terrain in PRODUCTS))


def rate(state: State, seat: int, name: str) -> int:
    own = state.settlements[seat] | state.cities[seat]
    harbors = {
        HARBOR_NAMES[harbor]
        for dock, harbor in zip(DOCKS, state.board.harbors, strict=True)
        if any(own >> vertex & 1 for vertex in EDGE_VERTICES[dock])
    }
    return 2 if name in harbors else 3 if "generic" in harbors else 4
