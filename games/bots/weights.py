"""What the features of a position weigh: made by `make tune`, see README.md for how they were found."""

from typing import Final, TypeAlias

Weights: TypeAlias = dict[str, tuple[float, float]]

#: For each feature what it weighs at the end of a game, and how much is added to that at the beginning.
WEIGHTS: Final[Weights] = {
    "rate": (0.0, 0.0),
    "road_speed": (0.0, 0.0001),
    "settlement_speed": (0.0, 0.0),
    "city_speed": (0.0121, 2.4075),
    "card_speed": (0.6187, 0.1891),
    "variety": (0.0, 0.2543),
    "blocked": (0.0, 0.0),
    "brick_rate": (0.0318, 0.2451),
    "lumber_rate": (0.0, 0.0),
    "wool_rate": (0.0, 0.0),
    "grain_rate": (0.4503, 0.6362),
    "ore_rate": (0.0897, 0.5159),
    "road_near": (0.0, 0.0),
    "card_near": (0.2, 0.0),
    "hand": (0.0322, -0.0244),
    "too_many": (0.0, 0.0),
    "best_site": (0.1853, 0.137),
    "next_site": (0.1578, 0.8608),
    "ready_sites": (0.1486, -0.078),
    "need": (0.2418, 0.1126),
    "nearly_won": (0.6573, 0.6969),
    "rolls_to_win": (0.3781, -0.2685),
    "soon_done": (1.8948, -1.4275),
    "longest_road": (-0.05, 0.0),
    "road_margin": (0.09, 0.0),
    "largest_army": (-0.05, 0.0),
    "army_margin": (0.2, 0.0),
    "other_cards_held": (0.3, 0.15),
    "hidden_cards": (0.39, 0.1489),
    "waits": (-0.0015, 0.0013),
}
