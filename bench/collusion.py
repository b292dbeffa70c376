"""How well pairs that play for each other are told apart from pairs that do not: games of bots that do either.

A town of people plays in memory, by the rules and with the builder's sense. Most play for themselves: some are
generous and give everybody two for one, some are friends who always meet, trade more with each other and come out
even, some meet in circles. A few pairs cheat, each in a way and strength of its own. The games are read as those of
the site are, and the same figures are computed (`moderation.collusion`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Final, NamedTuple

from games.bots import builder, give_up_trade
from games.bots.position import Position
from games.rules import (
    PRESETS,
    IllegalMove,
    Move,
    Phase,
    RandomChance,
    State,
    View,
    new_game,
    play,
    player_view,
    visible_points,
)
from games.rules.cards import RESOURCE_NAMES
from games.rules.moves import AcceptOffer, ConfirmTrade, MoveRobber, OfferTrade, Steal, from_json
from games.rules.state import OfferView
from moderation import collusion, dealings
from moderation.collusion import PairFigures, Two

SEATS: Final = 4
SEED: Final = 1
TABLES: Final = 800
#: Pairs of whom nothing is said, see `moderation.pairs`.
LEAST_GAMES: Final = 5
AUC_GOAL: Final = 0.97

#: A game that is not over then has no winner.
MOST_MOVES: Final = 3_000
#: How often somebody who plays for themselves resigns, and after how many moves. For a friend, it is done when they
#: lead with so many points.
RESIGNS: Final = 0.04
RESIGNS_AFTER: Final = 120
LEADS_WITH: Final = 7


class Way(NamedTuple):
    """How the two of a pair treat each other."""

    name: str
    is_fair: bool
    #: How often they meet where either plays.
    meets: float
    #: How likely the second asks the first for two or three cards for one, how likely the first says yes, or offers as
    #: much unasked, at which the second says yes.
    feeds: float = 0.0
    #: How likely they leave each other alone with the robber.
    spares: float = 0.0
    #: How likely the first resigns once the second leads.
    resigns: float = 0.0
    #: How likely they agree to an even trade that brings themselves nothing.
    obliges: float = 0.0


STRONG: Final = Way("feed and spare each other", False, meets=0.7, feeds=0.9, spares=0.9)
FEED: Final = Way("feed", False, meets=0.6, feeds=0.8)
SPARE: Final = Way("rob the others alone", False, meets=0.7, spares=1.0)
RESIGN: Final = Way("resign for each other", False, meets=0.6, resigns=0.6)
MILD: Final = Way("feed and spare now and then", False, meets=0.6, feeds=0.35, spares=0.35)
FRIENDS: Final = Way("friends who always meet", True, meets=1.0)
OBLIGING: Final = Way("friends who trade a lot, evenly", True, meets=1.0, obliges=0.7)

#: How many pairs there are of each. Everybody else plays for themselves, by chance or in their circle.
PAIRS: Final[Sequence[tuple[Way, int]]] = (
    *((STRONG, 4), (FEED, 3), (SPARE, 3), (RESIGN, 2), (MILD, 3)),
    *((FRIENDS, 4), (OBLIGING, 4)),
)
CIRCLES, CIRCLE = 6, 5
STRANGERS: Final = 10
#: Of so many people one is generous, with everybody.
GENEROUS: Final = 5
GENEROSITY, USUAL_GENEROSITY = 0.9, 0.3


@dataclass(frozen=True, slots=True)
class Town:
    people: int
    ways: Mapping[Two, Way]
    circles: Sequence[Sequence[int]]

    @staticmethod
    def of(pairs: Sequence[tuple[Way, int]] = PAIRS, circles: int = CIRCLES, strangers: int = STRANGERS) -> Town:
        ways: dict[Two, Way] = {}
        for way, count in pairs:
            for _ in range(count):
                ways[2 * len(ways), 2 * len(ways) + 1] = way
        begin = 2 * len(ways)
        circle = [range(begin + CIRCLE * place, begin + CIRCLE * (place + 1)) for place in range(circles)]
        return Town(begin + CIRCLE * circles + strangers, ways, circle)

    def gather(self, source: Random) -> list[int]:
        """Who sits down at a table: somebody, those with whom they meet, and whoever else is there."""
        guests: list[int] = []
        while len(guests) < SEATS:
            person = source.randrange(self.people)
            company = [person]
            for pair, way in self.ways.items():
                if person in pair and source.random() < way.meets:
                    company = list(pair)
            for circle in self.circles:
                if person in circle and source.random() < 0.6:
                    company = source.sample(circle, 3)
            if not set(company) & set(guests) and len(guests) + len(company) <= SEATS:
                guests += company
        source.shuffle(guests)
        return guests


# One game


class Player:
    """Somebody on a seat: the builder, but for what they do for or against others."""

    def __init__(self, seat: int, friends: Mapping[int, tuple[Way, bool]], generosity: float, source: Random) -> None:
        self.seat = seat
        #: How likely they give two of what they have to spare for one.
        self.generosity = generosity
        #: By seat: how the two treat each other, and whether this one gives.
        self.friends = friends
        self.source = source
        self.resigns_for = [seat for seat, (way, gives) in friends.items() if gives and self._does(way.resigns)]

    def choose(self, view: View) -> Move | None:
        position = Position(view)
        move = self._answer(position) if not position.is_my_turn else None
        move = move or builder.choose(view, self.source)
        if isinstance(move, MoveRobber | Steal):
            return self._spare(position, move) or move
        if isinstance(move, OfferTrade):
            return self._offer(position, move)
        return move

    def gives_up(self, state: State) -> bool:
        return any(visible_points(state, seat) >= LEADS_WITH for seat in self.resigns_for)

    def _does(self, chance: float) -> bool:
        return self.source.random() < chance

    def _spare(self, position: Position, move: MoveRobber | Steal) -> Move | None:
        """The same without whoever is spared; nothing, if that is nobody or there is no other choice."""
        spared = {seat for seat, (way, _) in self.friends.items() if self._does(way.spares)}
        if not spared:
            return None
        choices = position.choices
        if isinstance(move, Steal):
            left = [choice for choice in choices["steal"] if choice["victim"] not in spared]
            return builder.choose({**position.view, "choices": {"steal": left}}, self.source) if left else None
        hit = {
            choice["hex"]: {shown["seat"] for shown, _ in position.buildings_at(choice["hex"])}
            for choice in choices["move_robber"]
        }
        left = [choice for choice in choices["move_robber"] if not hit[choice["hex"]] & spared]
        return builder.choose({**position.view, "choices": {"move_robber": left}}, self.source) if left else None

    def _offer(self, position: Position, move: OfferTrade) -> Move:
        """Mostly one card for one. Some give two; whoever is fed asks their friend for more than they give."""
        for seat, (way, gives) in self.friends.items():
            if gives and self._does(way.feeds):
                return self._gift(position, seat, move)
            if not gives and self._does(way.feeds):
                (name,) = [name for place, name in enumerate(RESOURCE_NAMES) if move.gets[place]]
                asked = min(self.source.choice((2, 2, 3)), position.view["seats"][seat]["hand_size"])
                if asked > 1:
                    more = self._second(name, move)
                    gets = {name: 1, more: asked - 1} if more else {name: asked}
                    return _with(move, to=[seat], gets=gets)
            if self._does(way.obliges / 2):
                return _with(move, to=[seat])
        (given,) = [name for place, name in enumerate(RESOURCE_NAMES) if move.gives[place]]
        if position.spare(given) > 1 and self._does(self.generosity):
            return _with(move, gives={given: 2})
        return move

    def _gift(self, position: Position, seat: int, move: OfferTrade) -> Move:
        """Up to three cards of what there is most of, for whatever one asked for anyway."""
        (wanted,) = [name for place, name in enumerate(RESOURCE_NAMES) if move.gets[place]]
        most = max((name for name in RESOURCE_NAMES if name != wanted), key=lambda name: position.hand[name])
        return _with(move, to=[seat], gives={most: min(3, position.hand[most])})

    def _second(self, name: str, move: OfferTrade) -> str:
        others = [other for place, other in enumerate(RESOURCE_NAMES) if other != name and not move.gives[place]]
        return self.source.choice(others) if self._does(0.5) else ""

    def _answer(self, position: Position) -> Move | None:
        """What is done for a friend; what is not is left to the builder's judgment."""
        for offer in position.unanswered_offers():
            way, gives = self.friends.get(offer["maker"], (None, False))
            may = {"offer": offer["number"]} in position.choices.get("accept_offer", [])
            if way is None or not may:
                continue
            if (way.feeds and self._does(way.feeds if gives else 1.0) and _is_gift(offer, gives)) or (
                _is_even(offer) and self._does(way.obliges)
            ):
                return AcceptOffer(self.seat, offer["number"])
        return None


def _with(move: OfferTrade, **changed: object) -> Move:
    """Somebody who has not the cards for it offers what they would have offered."""
    return from_json({**move.to_json(), **changed})


def _is_gift(offer: OfferView, is_asked_of_giver: bool) -> bool:
    given, got = sum(offer["gives"].values()), sum(offer["gets"].values())
    return got > given if is_asked_of_giver else given > got


def _is_even(offer: OfferView) -> bool:
    return sum(offer["gives"].values()) == sum(offer["gets"].values())


def play_game(town: Town, people: Sequence[int], source: Random) -> dealings.Dealings:
    """A game by these people, read as one of the site's."""
    players = [
        Player(seat, _friends(town, people, seat), USUAL_GENEROSITY if person % GENEROUS else GENEROSITY, source)
        for seat, person in enumerate(people)
    ]
    quitting = {seat for seat in range(SEATS) if source.random() < RESIGNS}
    gone: set[int] = set()
    chance = RandomChance(source)
    state = new_game(PRESETS["standard"], SEATS, "random", chance)
    moves: list[dealings.Happened] = []
    while state.phase is not Phase.OVER and len(moves) < MOST_MOVES:
        if len(moves) > RESIGNS_AFTER:
            gone |= quitting
        moves.append(_move(state, players, gone, source, chance))
        gone.update(player.seat for player in players if player.gives_up(state))
    winner = state.winner if state.phase is Phase.OVER else None
    return dealings.read(SEATS, winner, gone, moves)


def _friends(town: Town, people: Sequence[int], seat: int) -> dict[int, tuple[Way, bool]]:
    """By seat; of two who feed each other, the first gives."""
    return {
        people.index(other): (way, person == pair[0])
        for pair, way in town.ways.items()
        for person, other in (pair, pair[::-1])
        if person == people[seat] and other in people
    }


def _move(
    state: State, players: Sequence[Player], gone: set[int], source: Random, chance: RandomChance
) -> dealings.Happened:
    """Somebody's next move; what the rules refuse (a promise that was broken, say) is given up."""
    for seat in source.sample(range(SEATS), SEATS):
        view = player_view(state, seat)
        move = builder.choose(view, source) if seat in gone else players[seat].choose(view)
        if move is None:
            continue
        try:
            events = play(state, move, chance)
        except IllegalMove:
            move = _instead(move, view, source)
            events = play(state, move, chance)
        return dealings.Happened(seat, seat not in gone, [event.to_json() for event in events])
    raise AssertionError("Nobody has a move to make.")


def _instead(move: Move, view: View, source: Random) -> Move:
    if isinstance(move, ConfirmTrade):
        return give_up_trade(view, move)
    raise AssertionError(f"{move} was refused")


# The town


class Evening(NamedTuple):
    people: Sequence[int]
    game: dealings.Dealings


def play_games(town: Town, tables: int, seed: int) -> list[Evening]:
    source = Random(seed)  # noqa: S311 - a simulation
    evenings = []
    for _ in range(tables):
        people = town.gather(source)
        evenings.append(Evening(people, play_game(town, people, source)))
    return evenings


def figures(evenings: Sequence[Evening]) -> list[PairFigures]:
    """The most unusual pair first."""
    met: Counter[Two] = Counter()
    for people, _ in evenings:
        met.update(combinations(sorted(people), 2))
    ledger = collusion.Ledger([pair for pair, games in met.items() if games >= LEAST_GAMES])
    for people, game in evenings:
        ledger.add(people, game)
    return ledger.figures({})


def auc(cheating: Sequence[float], fair: Sequence[float]) -> float:
    """How likely a pair that cheats looks more unusual than one that does not."""
    above = sum((mine > theirs) + (mine == theirs) / 2 for mine in cheating for theirs in fair)
    return above / (len(cheating) * len(fair))


def measure() -> None:
    town = Town.of()
    started = perf_counter()
    evenings = play_games(town, TABLES, SEED)
    played = perf_counter()
    found = figures(evenings)
    taken = perf_counter() - played
    print(
        f"Collusion: {TABLES} games of {town.people} people, played in {played - started:.0f} s and read in "
        f"{taken:.2f} s; {len(found)} pairs met {LEAST_GAMES} times or more"
    )
    for way, _ in PAIRS:
        _tell(
            way.name,
            "plays fair" if way.is_fair else "cheats",
            found,
            [p for p, how in town.ways.items() if how is way],
        )
    _tell("met by chance, or in their circle", "plays fair", found, [f.pair for f in found if f.pair not in town.ways])

    cheats = {pair for pair, way in town.ways.items() if not way.is_fair}
    friends = town.ways.keys() - cheats
    cheating = [each.unusual for each in found if each.pair in cheats]
    fair = [each.unusual for each in found if each.pair not in cheats]
    area = auc(cheating, fair)
    verdict = "reached" if area >= AUC_GOAL else "goal missed"
    print(f"  a pair that cheats is above one that plays fair   {area:6.1%}  goal: at least {AUC_GOAL:.0%}, {verdict}")
    for most in (5, 10, len(cheating)):
        top = {each.pair for each in found[:most]}
        caught = len(top & cheats)
        print(
            f"  among the {most:2} most unusual: {caught:2} cheat (precision {caught / most:4.0%}, "
            f"recall {caught / len(cheating):4.0%}), {len(top & friends)} are friends who play fair"
        )
    strong = [each.unusual for each in found if town.ways.get(each.pair) is STRONG]
    verdict = "reached" if min(strong) > max(fair) else "goal missed"
    print(f"  the least unusual who feed and spare {min(strong):.1f}, who play fair at most {max(fair):.1f}: {verdict}")


def _tell(name: str, how: str, found: Sequence[PairFigures], pairs: Sequence[Two]) -> None:
    numbers = sorted(each.unusual for each in found if each.pair in pairs)
    games = [each.games for each in found if each.pair in pairs]
    print(
        f"  {name:35} {how:10} {len(numbers):3} pairs, {mean(games):4.0f} games each: "
        f"unusual {numbers[0]:4.1f} to {numbers[-1]:4.1f}, in the middle {median(numbers):4.1f}"
    )
