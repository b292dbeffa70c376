"""How unusual it looks what two players did for each other, over all games that they played together.

Four favours are measured, each as a number of standard deviations from what is usual: cards given away in trades,
thefts that were not committed, games won by whoever is fed, and games that one resigned and the other then won. What
is usual comes from all games, and from what these two do in games without each other: somebody may be generous with
everybody, strong, or not worth robbing.

To be together is no offence. Friends meet at most of their tables, trade more with each other than with others, and
share an address; they come out even. So that alone adds nothing: it makes favours more telling, by half at most.

``unusual`` is the length of what is left of the four once one deviation of each is forgiven, times `certainty`, times
that. It is about 0 to 1 for ordinary pairs, and grows with the root of the number of games for those who cheat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from statistics import median
from typing import Final, TypeAlias

from typing_extensions import TypedDict

from moderation.dealings import Dealings, Trade

PersonId: TypeAlias = int
#: Two people, the lower number first.
Two: TypeAlias = tuple[PersonId, PersonId]
#: Where somebody stood among those who could be robbed: how many there were, were ahead of them, and were even.
Standing: TypeAlias = tuple[int, int, int]

#: Games together that say nothing, whatever happened in them: anything happens once.
SAY_NOTHING: Final = 3
#: A trade counts as this uneven at most, so that no single one decides.
MOST_A_TRADE: Final = 4
#: Trades elsewhere that it takes to believe half of how generous somebody is, and how generous they may be, in cards a
#: trade: who has several to feed them looks as if everybody were generous to them.
TRADES_TO_KNOW: Final = 10
MOST_GENEROUS: Final = 0.5
#: Trades in which nobody gave more than they got, taken for granted for every pair.
EVEN_TRADES: Final = 4
#: How uneven a trade usually is at least, in cards, and trades of others that it takes to believe half of how uneven
#: theirs are.
LEAST_SPREAD: Final = 0.7
TRADES_FOR_SPREAD: Final = 20
#: Thefts elsewhere that it takes to believe half of how seldom somebody is robbed, and how far that may go.
THEFTS_TO_KNOW: Final = 20
ROBBED: Final = (0.7, 1.4)
#: Wins to expect elsewhere, by chance, that it takes to believe half of how strong somebody is.
WINS_TO_KNOW: Final = 2
#: Games elsewhere that it takes to believe half of how often somebody resigns.
GAMES_TO_KNOW: Final = 20
#: How much all that is no favour adds to favours.
COMPANY_ADDS: Final = 0.5
#: So far from the usual, in deviations, nobody is told apart from an ordinary pair.
FORGIVEN: Final = 1.0
#: Pairs that it takes to believe half of how far apart pairs are beyond chance. Where few meet often, all may cheat.
PAIRS_TO_KNOW: Final = 30
#: By how much a median distance is less than a standard deviation.
MEDIAN_TO_DEVIATION: Final = 1.4826


class Scores(TypedDict):
    """How far from usual, in standard deviations; more is more suspicious."""

    balance: float
    spared: float
    wins: float
    resigned: float


class Figures(TypedDict):
    """What the number is made of, in the order of the two."""

    #: Trades between them, what the first gave more than they got in them, and what would be usual, give or take.
    trades: int
    given: int
    usual_given: float
    give_or_take: float
    #: Trades of either with others at the same tables.
    trades_elsewhere: int
    #: Of the offers that they made each other, how many they accepted and how many they declined; of all others'.
    answers: list[int]
    answers_to_others: list[int]
    #: How often each robbed the other, could have, and would usually.
    robbed: list[int]
    thefts: list[int]
    usually_robbed: list[float]
    wins: list[int]
    usual_wins: list[float]
    #: Games that one resigned and the other won.
    helped: int
    usually_helped: float
    #: All games of each.
    games: list[int]
    shared_addresses: int
    scores: Scores
    #: From 0 to 1: how much of their time here they spend with each other.
    company: float


@dataclass(frozen=True, slots=True)
class PairFigures:
    pair: Two
    games: int
    unusual: float
    #: What the first gave more than they got, in cards a game.
    balance: float
    figures: Figures


# Sums over games


@dataclass(slots=True)
class _Robbed:
    """How somebody was robbed: thefts that could have hit them, by where they stood, and those that did."""

    chances: Counter[Standing] = field(default_factory=Counter)
    times: int = 0

    def add(self, standing: Standing, was_hit: bool) -> None:
        self.chances[standing] += 1
        self.times += was_hit


@dataclass(slots=True)
class _Person:
    games: int = 0
    wins: int = 0
    #: Wins to expect if all at a table were equally strong.
    even_wins: float = 0.0
    resigned: int = 0
    trades: int = 0
    given: int = 0
    answers: list[int] = field(default_factory=lambda: [0, 0])
    robbed: _Robbed = field(default_factory=_Robbed)


@dataclass(slots=True)
class _Pair:
    games: int = 0
    even_wins: float = 0.0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    resigned: list[int] = field(default_factory=lambda: [0, 0])
    helped: int = 0
    trades: int = 0
    #: What the first gave more, with each trade as uneven as counts, the sum of the squares of that, and in all.
    given: int = 0
    squares: int = 0
    cards: int = 0
    trades_elsewhere: int = 0
    #: Which share of the trades of these two would be with each other, summed over games.
    even_share: float = 0.0
    answers: list[int] = field(default_factory=lambda: [0, 0])
    #: The first by the second, and the second by the first.
    robbed: tuple[_Robbed, _Robbed] = field(default_factory=lambda: (_Robbed(), _Robbed()))


class Ledger:
    """All games are added once; then each pair is held against them."""

    def __init__(self, pairs: Collection[Two]) -> None:
        """Sums are kept for these pairs alone: most people meet once."""
        self._people: dict[PersonId, _Person] = {}
        self._pairs: dict[Two, _Pair] = {pair: _Pair() for pair in pairs}
        self._trades, self._squares = 0, 0
        self._theft_chances: Counter[Standing] = Counter()
        self._theft_hits: Counter[Standing] = Counter()
        self._games, self._resigned = 0, 0

    # Adding a game

    def add(self, people: Sequence[PersonId | None], game: Dealings) -> None:
        """The people are those on the seats; nobody stands for a bot, or for somebody who is not known any more."""
        present = [(seat, person) for seat, person in enumerate(people) if person is not None]
        for seat, person in present:
            self._add_person(self._people.setdefault(person, _Person()), seat, game)
        for (seat, person), (other_seat, other) in combinations(present, 2):
            pair = self._pairs.get((min(person, other), max(person, other)))
            if pair is not None:
                seats = (seat, other_seat) if person < other else (other_seat, seat)
                _add_pair(pair, seats, game)
        self._add_trades(people, game)
        self._add_thefts(people, game)

    def _add_person(self, person: _Person, seat: int, game: Dealings) -> None:
        person.games += 1
        person.wins += game.winner == seat
        person.even_wins += 1 / game.seats
        person.resigned += seat in game.gave_up
        self._games += 1
        self._resigned += seat in game.gave_up
        for (asked, _), (yes, no) in game.answers.items():
            if asked == seat:
                _count(person.answers, yes, no)

    def _add_trades(self, people: Sequence[PersonId | None], game: Dealings) -> None:
        for trade in game.trades:
            given = _given(trade)
            self._trades += 1
            self._squares += given * given
            for seat, gave in ((trade.giver, given), (trade.taker, -given)):
                if (person := people[seat]) is not None:
                    self._people[person].trades += 1
                    self._people[person].given += gave

    def _add_thefts(self, people: Sequence[PersonId | None], game: Dealings) -> None:
        for theft in game.thefts:
            for seat, person in enumerate(people):
                if seat == theft.thief:
                    continue
                standing, was_hit = _standing(theft.points, theft.thief, seat), seat == theft.victim
                self._theft_chances[standing] += 1
                self._theft_hits[standing] += was_hit
                if person is None:
                    continue
                self._people[person].robbed.add(standing, was_hit)
                thief = people[theft.thief]
                pair = None if thief is None else self._pairs.get((min(person, thief), max(person, thief)))
                if pair is not None and thief is not None:
                    pair.robbed[person > thief].add(standing, was_hit)

    # What is usual

    def _spread(self, pair: _Pair) -> float:
        """How uneven the trades of all others are, in cards."""
        squares = self._squares - pair.squares + TRADES_FOR_SPREAD * LEAST_SPREAD**2
        return max(LEAST_SPREAD, sqrt(squares / (self._trades - pair.trades + TRADES_FOR_SPREAD)))

    def _generosity(self, person: PersonId, trades: int, given: int) -> tuple[float, float]:
        """What somebody gives more than they get, in cards a trade, without so many trades; and how sure that is."""
        sums = self._people[person]
        known = sums.trades - trades + TRADES_TO_KNOW
        generous = (sums.given - given) / known
        return max(-MOST_GENEROUS, min(MOST_GENEROUS, generous)), 1 / known

    def _expected_thefts(self, chances: Mapping[Standing, int]) -> float:
        return sum(count * self._theft_hits[place] / self._theft_chances[place] for place, count in chances.items())

    def _usually_robbed(self, person: PersonId, by_other: _Robbed) -> float:
        """How often the other would have robbed them, if they had done as everybody does with this person."""
        expected = self._expected_thefts(by_other.chances)
        robbed = self._people[person].robbed
        elsewhere = self._expected_thefts(robbed.chances) - expected
        least, most = ROBBED
        seldom = (robbed.times - by_other.times + THEFTS_TO_KNOW) / (elsewhere + THEFTS_TO_KNOW)
        return expected * max(least, min(most, seldom))

    def _usual_wins(self, person: PersonId, pair: _Pair, wins: int) -> tuple[float, float]:
        """How many of their games together somebody would usually win, and the variance of that."""
        sums = self._people[person]
        known = sums.even_wins - pair.even_wins + WINS_TO_KNOW
        strength = (sums.wins - wins + WINS_TO_KNOW) / known
        expected = min(pair.even_wins * strength, 0.9 * pair.games)
        return expected, expected * (1 - expected / pair.games) + expected**2 / known

    def _resigns(self, person: PersonId, pair: _Pair, resigned: int) -> float:
        """How likely somebody is to resign a game, by their games without the other."""
        sums = self._people[person]
        usual = self._resigned / self._games
        return (sums.resigned - resigned + GAMES_TO_KNOW * usual) / (sums.games - pair.games + GAMES_TO_KNOW)

    # The pairs

    def figures(self, shared_addresses: Mapping[Two, int]) -> list[PairFigures]:
        """Of all pairs that met at least once, the most unusual first."""
        found = [
            (two, pair, self._figures(two, pair, shared_addresses.get(two, 0)))
            for two, pair in self._pairs.items()
            if pair.games
        ]
        spreads = _spreads([figures["scores"] for _, _, figures in found])
        return sorted(
            (
                PairFigures(two, pair.games, unusual(pair.games, figures, spreads), pair.cards / pair.games, figures)
                for two, pair, figures in found
            ),
            key=lambda each: (-each.unusual, each.pair),
        )

    def _figures(self, two: Two, pair: _Pair, shared_addresses: int) -> Figures:
        first, second = two
        usual_given, give_or_take = self._usual_given(two, pair)
        robbed = [sums.times for sums in pair.robbed]
        thefts = [sums.chances.total() for sums in pair.robbed]
        usually_robbed = [self._usually_robbed(person, sums) for person, sums in zip(two, pair.robbed, strict=True)]
        wins = [self._usual_wins(person, pair, won) for person, won in zip(two, pair.wins, strict=True)]
        usual_wins = [expected for expected, _ in wins]
        usually_helped = sum(
            self._resigns(person, pair, resigned) * expected
            for person, resigned, expected in zip(two, pair.resigned, reversed(usual_wins), strict=True)
        )
        surplus = pair.given - usual_given
        # Whoever is fed should win more, and the other less.
        fed = [-1, 1] if surplus > 0 else [1, -1]
        gained = sum(sign * (won - expected) for sign, won, expected in zip(fed, pair.wins, usual_wins, strict=True))
        balance = abs(surplus) / give_or_take
        scores: Scores = {
            "balance": balance,
            "spared": (sum(usually_robbed) - sum(robbed))
            / sqrt(1 + sum(_binomial(usual, of) for usual, of in zip(usually_robbed, thefts, strict=True))),
            # Strong players win too: it tells no more than the cards do of who is fed.
            "wins": min(balance, gained / sqrt(1 + sum(variance for _, variance in wins))),
            "resigned": (pair.helped - usually_helped) / sqrt(usually_helped + 0.5),
        }
        people = self._people[first], self._people[second]
        others = [sum(person.answers[yes_or_no] for person in people) - pair.answers[yes_or_no] for yes_or_no in (0, 1)]
        games = [person.games for person in people]
        company = (pair.games / min(games) + _closeness(pair) + (shared_addresses > 0)) / 3
        return {
            "trades": pair.trades,
            "given": pair.cards,
            "usual_given": usual_given,
            "give_or_take": give_or_take,
            "trades_elsewhere": pair.trades_elsewhere,
            "answers": list(pair.answers),
            "answers_to_others": others,
            "robbed": robbed,
            "thefts": thefts,
            "usually_robbed": usually_robbed,
            "wins": list(pair.wins),
            "usual_wins": usual_wins,
            "helped": pair.helped,
            "usually_helped": usually_helped,
            "games": games,
            "shared_addresses": shared_addresses,
            "scores": scores,
            "company": company,
        }

    def _usual_given(self, two: Two, pair: _Pair) -> tuple[float, float]:
        """What the first would usually have given more than they got in these trades, and give or take how much."""
        first, second = two
        generous, unsure = self._generosity(first, pair.trades, pair.given)
        other_generous, other_unsure = self._generosity(second, pair.trades, -pair.given)
        doubt = pair.trades + EVEN_TRADES + pair.trades**2 * (unsure + other_unsure)
        return pair.trades * (generous - other_generous), self._spread(pair) * sqrt(doubt)


def _add_pair(pair: _Pair, seats: tuple[int, int], game: Dealings) -> None:
    first, second = seats
    pair.games += 1
    pair.even_wins += 1 / game.seats
    for place, seat in enumerate(seats):
        pair.wins[place] += game.winner == seat
        pair.resigned[place] += seat in game.gave_up
        pair.helped += seat in game.gave_up and game.winner == seats[1 - place]
    for trade in game.trades:
        between = {trade.giver, trade.taker} & {first, second}
        if len(between) == 2:
            sign = 1 if trade.giver == first else -1
            pair.trades += 1
            pair.given += sign * _given(trade)
            pair.squares += _given(trade) ** 2
            pair.cards += sign * (trade.given - trade.got)
        else:
            pair.trades_elsewhere += len(between)
    others = game.seats - 2
    pair.even_share += 1 / (1 + 2 * others)
    for asked, maker in ((first, second), (second, first)):
        _count(pair.answers, *game.answers.get((asked, maker), (0, 0)))


def _count(counts: list[int], yes: int, no: int) -> None:
    counts[0] += yes
    counts[1] += no


def _given(trade: Trade) -> int:
    """What its maker gave more than they got, as far as a single trade counts."""
    return max(-MOST_A_TRADE, min(MOST_A_TRADE, trade.given - trade.got))


def _standing(points: Sequence[int], thief: int, seat: int) -> Standing:
    others = [shown for other, shown in enumerate(points) if other != thief]
    ahead = sum(shown > points[seat] for shown in others)
    return len(others), ahead, others.count(points[seat])


def _binomial(expected: float, of: int) -> float:
    return expected * max(0.0, 1 - expected / of) if of else 0.0


def _closeness(pair: _Pair) -> float:
    """From 0 to 1: how much more they trade with each other than with others at the same tables."""
    usual = pair.even_share / pair.games
    share = (pair.trades + EVEN_TRADES * usual) / (pair.trades + pair.trades_elsewhere + EVEN_TRADES)
    return max(0.0, share - usual) / (1 - usual) if usual < 1 else 0.0


# The number


def certainty(games: int) -> float:
    """From 0 to 1: what so many games can tell."""
    return max(0.0, 1 - SAY_NOTHING / games)


def unusual(games: int, figures: Figures, spreads: Scores) -> float:
    favours = sqrt(sum(max(0.0, score - FORGIVEN) ** 2 for score in _standardised(figures["scores"], spreads)))
    return favours * certainty(games) * (1 + COMPANY_ADDS * figures["company"])


def _standardised(scores: Scores, spreads: Scores) -> Iterable[float]:
    return (
        scores["balance"] / spreads["balance"],
        scores["spared"] / spreads["spared"],
        scores["wins"] / spreads["wins"],
        scores["resigned"] / spreads["resigned"],
    )


def _spreads(scores: Sequence[Scores]) -> Scores:
    """How far pairs are from usual where more is in people than chance can tell. The median is not moved by those who
    cheat."""

    def spread(values: list[float]) -> float:
        known = len(values) / (len(values) + PAIRS_TO_KNOW)
        return 1 + known * max(0.0, MEDIAN_TO_DEVIATION * median(map(abs, values)) - 1) if values else 1.0

    return {
        "balance": spread([each["balance"] for each in scores]),
        "spared": spread([each["spared"] for each in scores]),
        "wins": spread([each["wins"] for each in scores]),
        "resigned": spread([each["resigned"] for each in scores]),
    }
