"""Rules about the island that several rule books share: what the box lays, on every board a host may pick.

The boards are dealt as for a real game, and looked at as players do: by what a corner yields and
what its harbor trades.
"""

from collections import Counter
from random import Random

from games.rules import PRESETS, Phase, RandomChance, RecordedChance, legal_moves, new_game, play, player_view
from games.rules.boards import LAYOUTS
from games.rules.cards import RESOURCE_NAMES
from games.rules.moves import Roll, TradeWithBank
from games.rules.topology import EDGE_VERTICES, VERTICES
from tests.rules.table import ALICE, give, settle

SEEDS = range(6)


def dealt_tables(preset):
    """A table on each board with many deals, Alice to move."""
    for layout in LAYOUTS:
        for seed in SEEDS:
            state = new_game(PRESETS[preset], 4, layout, RandomChance(Random(seed)))
            state.phase, state.active, state.rolled = Phase.MAIN, ALICE, True
            yield state


def the_island_has_nineteen_hexes(preset):
    """As shown: four each of grain, lumber and wool, three each of brick and ore, and a desert."""
    for state in dealt_tables(preset):
        hexes = player_view(state, None)["board"]["hexes"]
        terrains = {"fields": 4, "forest": 4, "pasture": 4, "hills": 3, "mountains": 3, "desert": 1}
        assert Counter(h["terrain"] for h in hexes) == terrains
        yields = yields_of_the_island(state)
        resources = {"grain": 4, "lumber": 4, "wool": 4, "brick": 3, "ore": 3}
        assert sum((Counter(names) for names in yields.values()), Counter()) == resources


def tokens_run_from_two_to_twelve_without_seven(preset):
    """2 and 12 once, the others twice, and none on the desert, where the robber is."""
    for state in dealt_tables(preset):
        twice = dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 2)
        yields = yields_of_the_island(state)
        assert {number: len(names) for number, names in yields.items()} == {2: 1, **twice, 12: 1}
        hexes = player_view(state, None)["board"]["hexes"]
        assert [h["terrain"] for h in hexes if h["token"] is None] == ["desert"]
        assert hexes[state.robber]["terrain"] == "desert"


def yields_of_the_island(state):
    """For each number that can be rolled: what one settlement on each corner of each hex brings."""
    yields = {}
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        full = state.copy()
        full.phase, full.rolled = Phase.ROLLING, False
        full.bank = [100] * 5
        settle(full, ALICE, *VERTICES)
        first = max(1, number - 6)
        play(full, Roll(ALICE), RecordedChance((first - 1, number - first - 1)))
        yields[number] = [
            name for name, count in zip(RESOURCE_NAMES, full.hands[ALICE], strict=True) for _ in range(count // 6)
        ]
    return yields


def nine_harbors_are_four_generic_and_one_for_each_resource(preset):
    """Each serves the two corners of one path, and no other corner trades below four for one."""
    for state in dealt_tables(preset):
        harbors = {vertex: harbor_at(state, vertex) for vertex in VERTICES}
        harbors = {vertex: harbor for vertex, harbor in harbors.items() if harbor}
        assert Counter(harbors.values()) == {"generic": 8, **dict.fromkeys(RESOURCE_NAMES, 2)}
        docks = [ends for ends in EDGE_VERTICES if harbors.keys() >= set(ends)]
        docks = [(a, b) for a, b in docks if harbors[a] == harbors[b]]
        assert Counter(harbors[a] for a, _ in docks) == {"generic": 4, **dict.fromkeys(RESOURCE_NAMES, 1)}
        shown = player_view(state, None)["board"]["harbors"]
        assert sorted((EDGE_VERTICES[h["edge"]], h["kind"]) for h in shown) == [
            (ends, harbors[ends[0]]) for ends in docks
        ]


def harbor_at(state, vertex):
    """The harbor that a settlement on this corner trades at, by the rates it gives."""
    table = state.copy()
    settle(table, ALICE, vertex)
    give(table, ALICE, brick=4, lumber=4, wool=4, grain=4, ore=4)
    trades = [move for move in legal_moves(table, ALICE) if isinstance(move, TradeWithBank)]
    rates = {RESOURCE_NAMES[move.give]: move.paid for move in trades}
    assert Counter(move.give for move in trades) == dict.fromkeys(range(5), 4)
    if set(rates.values()) == {3}:
        return "generic"
    cheaper = [name for name in RESOURCE_NAMES if rates[name] != 4]
    assert [rates[name] for name in cheaper] in ([], [2])
    return cheaper[0] if cheaper else None
