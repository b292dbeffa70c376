"""What the features of a position weigh: made by `make tune`, see README.md for how they were found."""

from typing import Final, TypeAlias

Weights: TypeAlias = dict[str, tuple[float, float]]

#: For each feature what it weighs at the end of a game, and how much is added to that at the beginning.
WEIGHTS: Final[Weights] = {
    "rate": (-0.4288, -0.7617),
    "road_speed": (0.4071, 0.1188),
    "settlement_speed": (-0.2783, 0.2344),
    "city_speed": (0.6836, 1.7961),
    "card_speed": (1.1365, 0.7495),
    "variety": (0.1619, 0.2056),
    "blocked": (0.1848, 0.2826),
    "brick_rate": (-0.0896, -0.7826),
    "lumber_rate": (-0.0330, -1.8947),
    "wool_rate": (-0.3263, -1.5148),
    "grain_rate": (-0.4443, 0.5171),
    "ore_rate": (-1.0166, 0.1741),
    "road_near": (-0.4102, 0.7320),
    "card_near": (0.4900, -0.0195),
    "hand": (0.0560, -0.0531),
    "too_many": (0.0017, 0.0084),
    "best_site": (0.9757, 2.5122),
    "next_site": (2.8443, 1.4211),
    "ready_sites": (0.1491, -0.4032),
    "need": (0.3167, 0.1363),
    "nearly_won": (1.2459, -0.0596),
    "rolls_to_win": (0.2981, -0.1366),
    "soon_done": (1.5537, -1.2641),
    "longest_road": (-0.6869, -0.7850),
    "road_margin": (0.0987, -0.1311),
    "largest_army": (-0.6022, -0.7535),
    "army_margin": (0.1632, -0.0572),
    "other_cards_held": (0.6153, 0.0165),
    "hidden_cards": (0.5074, 0.0346),
    "waits": (-0.0563, 0.0601),
}
