"""What the features of a position weigh: made by `make tune`, see README.md for how they were found."""

from typing import Final, TypeAlias

Weights: TypeAlias = dict[str, tuple[float, float]]

#: For each feature what it weighs at the end of a game, and how much is added to that at the beginning.
WEIGHTS: Final[Weights] = {
    "rate": (-0.0848, -0.8554),
    "road_speed": (0.0860, 0.3973),
    "settlement_speed": (-0.2032, 0.3977),
    "city_speed": (0.3177, 1.5376),
    "card_speed": (1.1181, 0.5091),
    "variety": (-0.0726, 0.2515),
    "blocked": (0.2550, 0.9448),
    "brick_rate": (0.1198, -0.9689),
    "lumber_rate": (-0.1997, -0.6926),
    "wool_rate": (0.0093, -2.5511),
    "grain_rate": (0.1691, -0.1645),
    "ore_rate": (-0.5066, 0.3806),
    "road_near": (-0.9513, 1.1530),
    "card_near": (0.9617, -0.2208),
    "hand": (0.0588, -0.0507),
    "too_many": (-0.0036, 0.0418),
    "best_site": (-0.2170, 0.7738),
    "next_site": (0.0154, 0.8465),
    "ready_sites": (0.2038, -0.1905),
    "need": (0.2713, 0.1522),
    "nearly_won": (0.7012, -0.1647),
    "rolls_to_win": (0.3062, -0.1228),
    "soon_done": (1.7359, -1.1973),
    "longest_road": (-0.4653, -0.7958),
    "road_margin": (0.0904, -0.1205),
    "largest_army": (-0.2673, -0.9017),
    "army_margin": (0.0947, 0.0067),
    "other_cards_held": (0.2614, 0.5244),
    "hidden_cards": (0.4013, 0.1567),
    "waits": (-0.0155, 0.0233),
}
