"""The boards: the beginner's, the variable one, random and balanced ones."""

from collections import Counter
from random import Random

import pytest

from games.rules import PRESETS, RandomChance, RecordedChance, new_game
from games.rules.boards import BEGINNER, LAYOUTS, Board, BoardError, balanced, random, variable
from games.rules.topology import CORNER_HEXES, DOCKS, EDGE_VERTICES, HEX_NEIGHBORS, HEX_VERTICES, HEXES, spiral

# The spiral of the tokens A to R, as printed on their backs.
LETTERS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
WAYS_TO_ROLL = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


def boards(layout, count):
    return [LAYOUTS[layout](RandomChance(Random(seed))) for seed in range(count)]


@pytest.mark.parametrize("layout", ["beginner", "variable", "random", "balanced"])
def test_every_board_is_laid_from_the_box(layout):
    for board in boards(layout, 20):
        shown = board.to_json()
        assert Counter(shown["terrains"]) == {
            "hills": 3,
            "forest": 4,
            "pasture": 4,
            "fields": 4,
            "mountains": 3,
            "desert": 1,
        }
        tokens = Counter(shown["tokens"])
        assert tokens == {0: 1, 2: 1, 12: 1} | dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 2)
        assert shown["tokens"][shown["terrains"].index("desert")] == 0
        assert Counter(shown["harbors"]) == {"generic": 4, "brick": 1, "lumber": 1, "wool": 1, "grain": 1, "ore": 1}


def test_the_beginners_board_is_the_one_in_the_rule_book():
    assert BEGINNER.to_json() == {
        "terrains": [
            *("mountains", "pasture", "forest"),
            *("fields", "hills", "pasture", "hills"),
            *("fields", "forest", "desert", "forest", "mountains"),
            *("forest", "mountains", "fields", "pasture"),
            *("hills", "fields", "pasture"),
        ],
        "tokens": [10, 2, 9, 12, 6, 4, 10, 9, 11, 0, 3, 8, 8, 3, 4, 5, 5, 6, 11],
        "harbors": ["generic", "grain", "ore", "generic", "wool", "generic", "generic", "brick", "lumber"],
    }


@pytest.mark.parametrize("corner", range(6))
@pytest.mark.parametrize("desert", [0, 9, 18])
def test_a_variable_board_lays_its_tokens_in_a_spiral_from_the_drawn_corner(corner, desert):
    # Drawing the last place leaves everything where it lies; the desert is the last of the box.
    swap = [desert if last == 18 else last for last in range(18, 0, -1)]
    board = variable(RecordedChance([*swap, corner, *range(8, 0, -1)]))
    assert board.desert == desert
    path = [h for h in spiral(CORNER_HEXES[corner]) if h != desert]
    assert tuple(board.tokens[h] for h in path) == LETTERS


def test_a_random_board_shuffles_the_tokens_too():
    in_spiral = 0
    for board in boards("random", 50):
        laid = [tuple(board.tokens[h] for h in spiral(corner) if h != board.desert) for corner in CORNER_HEXES]
        in_spiral += LETTERS in laid
    assert in_spiral == 0
    assert len({random(RandomChance(Random(seed))).tokens for seed in range(20)}) == 20


# What a balanced board promises


def bunch(board, h):
    """The hexes of one terrain that hang together with this one."""
    found, todo = {h}, [h]
    while todo:
        for other in HEX_NEIGHBORS[todo.pop()]:
            if other not in found and board.terrains[other] == board.terrains[h]:
                found.add(other)
                todo.append(other)
    return found


def test_balanced_boards_keep_their_promises():
    for seed in range(200):
        board = balanced(RandomChance(Random(seed)))
        for h in HEXES:
            assert len(bunch(board, h)) <= 2
            if board.tokens[h] in (6, 8):
                assert not any(board.tokens[other] in (6, 8) for other in HEX_NEIGHBORS[h])
        for dock, harbor in zip(DOCKS, board.harbors, strict=True):
            own = [h for h in HEXES if board.terrains[h] == harbor and harbor != 5]
            best = max((WAYS_TO_ROLL[board.tokens[h]] for h in own), default=0)
            docked_at = [h for h in own if set(EDGE_VERTICES[dock]) & set(HEX_VERTICES[h])]
            assert all(WAYS_TO_ROLL[board.tokens[h]] < best for h in docked_at)


# Boards from outside


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_board_is_the_same_after_json(layout):
    board = boards(layout, 1)[0]
    assert Board.from_json(board.to_json()) == board


@pytest.mark.parametrize(
    ("part", "place", "value", "sentence"),
    [
        ("terrains", 0, "hills", "19 hexes"),
        ("terrains", 0, "swamp", "not a board"),
        ("tokens", 0, 7, "18 number tokens"),
        ("tokens", 9, 10, "but the desert"),
        ("harbors", 0, "ore", "9 harbors"),
        ("harbors", 0, None, "not a board"),
    ],
)
def test_a_board_that_is_not_of_the_box_is_refused(part, place, value, sentence):
    board = BEGINNER.to_json()
    board[part][place] = value
    with pytest.raises(BoardError, match=sentence):
        Board.from_json(board)


@pytest.mark.parametrize("data", [None, [], {}, "board", {"terrains": 3, "tokens": [], "harbors": []}])
def test_what_is_no_board_at_all_is_refused(data):
    with pytest.raises(BoardError, match="not a board"):
        Board.from_json(data)


def test_an_unknown_layout_is_refused_by_name():
    with pytest.raises(BoardError, match="no board 'atlantis'"):
        new_game(PRESETS["standard"], 4, "atlantis", RandomChance(Random(1)))
