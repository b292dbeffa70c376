"""Counting cards: which resource cards each seat may hold, and how likely each way is.

Everything that moves resource cards is public but for one thing: which card was stolen, when the viewer is
neither thief nor victim. So what is counted is what every seat holds in any case, and beside it the cases
in which the thefts may have left the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nlargest
from random import Random
from typing import Final, TypeAlias, cast

from games.rules.cards import RESOURCE_NAMES, RESOURCES, Counts, Resource, Resources

#: What every seat holds beyond what is sure: five counts a seat, one seat after the other.
Case: TypeAlias = tuple[int, ...]

#: More cases are not kept; the least likely are dropped.
MOST_CASES: Final = 400
#: So many hands are dealt for each seat when what was dropped turns out to have been the truth.
DEALS: Final = 60

_KINDS: Final = len(RESOURCE_NAMES)
_PLACES: Final = {name: place for place, name in enumerate(RESOURCE_NAMES)}


class HandCount:
    """The hands of a table as one seat can know them: its own, and what the others may hold.

    In all cases a seat holds equally many cards, and all seats together equally many of each resource.
    """

    def __init__(self, own: int, seats: int) -> None:
        self.own = own
        self.seats = seats
        #: What each seat holds in any case; as in a case, five counts a seat.
        self.sure = [0] * (_KINDS * seats)
        #: How likely each case is. The least of any count over all cases is zero.
        self.cases: dict[Case, float] = {(0,) * len(self.sure): 1.0}
        #: Cases have been dropped, so the truth may not be among those that are left.
        self.has_dropped = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HandCount) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    # What is known of the hands

    def size(self, seat: int) -> int:
        """How many cards the seat holds."""
        start = _KINDS * seat
        one_case = next(iter(self.cases))
        return sum(self.sure[start : start + _KINDS]) + sum(one_case[start : start + _KINDS])

    def hands(self, seat: int) -> dict[Resources, float]:
        """The hands that the seat may hold, and how likely each is."""
        if seat == self.own or len(self.cases) == 1:
            return {self._hand(seat, next(iter(self.cases))): 1.0}
        start = _KINDS * seat
        likely: dict[Case, float] = {}
        for case, weight in self.cases.items():
            doubtful = case[start : start + _KINDS]
            likely[doubtful] = likely.get(doubtful, 0.0) + weight
        brick, lumber, wool, grain, ore = self.sure[start : start + _KINDS]
        return {
            (brick + a, lumber + b, wool + c, grain + d, ore + e): weight for (a, b, c, d, e), weight in likely.items()
        }

    def sample(self, source: Random) -> list[Resources]:
        """The hands of all seats in one case, each case as often as it is likely."""
        if len(self.cases) == 1:
            case = next(iter(self.cases))
        else:
            (case,) = source.choices(list(self.cases), list(self.cases.values()))
        return [self._hand(seat, case) for seat in range(self.seats)]

    def _hand(self, seat: int, case: Case) -> Resources:
        start = _KINDS * seat
        end = start + _KINDS
        held = [sure + doubtful for sure, doubtful in zip(self.sure[start:end], case[start:end], strict=True)]
        return cast("Resources", tuple(held))

    # What happens to them

    def gain(self, seat: int, counts: Counts) -> None:
        for place, count in _places(seat, counts):
            self.sure[place] += count

    def lose(self, seat: int, counts: Counts) -> None:
        """The seat lays down cards that it must have held."""
        self.show(seat, counts)
        for place, count in _places(seat, counts):
            self.sure[place] -= count

    def show(self, seat: int, counts: Counts) -> None:
        """The seat turns out to hold these cards, at the least."""
        lacking = [(place, count - self.sure[place]) for place, count in _places(seat, counts)]
        lacking = [(place, count) for place, count in lacking if count > 0]
        if lacking:
            cases = {
                case: weight
                for case, weight in self.cases.items()
                if all(case[place] >= count for place, count in lacking)
            }
            self._settle(cases or self._deal_anew(dict(_places(seat, counts))))

    def pass_hidden(self, thief: int, victim: int) -> None:
        """One card out of a hand, each as likely as any other; nobody says which."""
        lost, won = _KINDS * victim, _KINDS * thief
        cases: dict[Case, float] = {}
        for case, weight in self.cases.items():
            for resource in RESOURCES:
                held = self.sure[lost + resource] + case[lost + resource]
                if held:
                    counts = list(case)
                    counts[lost + resource] -= 1
                    counts[won + resource] += 1
                    moved = tuple(counts)
                    cases[moved] = cases.get(moved, 0.0) + weight * held
        self._settle(cases)

    def pass_seen(self, thief: int, victim: int, resource: Resource) -> None:
        """One card out of a hand that the viewer has seen: likelier out of a hand with more of its kind."""
        lost = _KINDS * victim + resource
        cases = {
            case: weight * (self.sure[lost] + case[lost])
            for case, weight in self.cases.items()
            if self.sure[lost] + case[lost]
        }
        self._settle(cases or self._deal_anew({lost: 1}))
        self.sure[lost] -= 1
        self.sure[_KINDS * thief + resource] += 1

    def monopolize(self, taker: int, resource: Resource, counts: Mapping[int, int]) -> None:
        """All others hand over what they hold of a resource; whoever is not named held none."""
        held = {_KINDS * seat + resource: counts.get(seat, 0) for seat in range(self.seats) if seat != taker}
        cases = {
            case: weight
            for case, weight in self.cases.items()
            if all(self.sure[place] + case[place] == count for place, count in held.items())
        }
        left = self._total(resource) - sum(held.values())
        self._settle(cases or self._deal_anew({**held, _KINDS * taker + resource: left}))
        for place in held:
            self.sure[place] = 0
        self.sure[_KINDS * taker + resource] += sum(held.values())

    # The cases

    def _settle(self, cases: dict[Case, float]) -> None:
        """Go on with these cases; what all of them agree on is sure."""
        if len(cases) > MOST_CASES:
            self.has_dropped = True
            cases = dict(nlargest(MOST_CASES, cases.items(), key=lambda item: item[1]))
        least = [min(counts) for counts in zip(*cases, strict=True)]
        if any(least):
            self.sure = [sure + count for sure, count in zip(self.sure, least, strict=True)]
            cases = {
                tuple([count - lowest for count, lowest in zip(case, least, strict=True)]): weight
                for case, weight in cases.items()
            }
        total = sum(cases.values())
        self.cases = {case: weight / total for case, weight in cases.items()}

    def _total(self, resource: Resource) -> int:
        one_case = next(iter(self.cases))
        return sum(self.sure[resource::_KINDS]) + sum(one_case[resource::_KINDS])

    def _deal_anew(self, laid: Mapping[int, int]) -> dict[Case, float]:
        """Cases for when none is left, since the true one was dropped: the cards that the others hold, dealt to them.

        ``laid`` is what is known to lie in which place. Always the same deals for the same table.
        """
        own_start = _KINDS * self.own
        own = self.sure[own_start : own_start + _KINDS]
        others = [seat for seat in range(self.seats) if seat != self.own]
        sizes = {seat: self.size(seat) - _laid_for(seat, laid) for seat in others}
        first = [0] * len(self.sure)
        for place, count in laid.items():
            if place // _KINDS != self.own:
                first[place] = count
        pool = [
            resource
            for resource in RESOURCES
            for _ in range(self._total(resource) - own[resource] - sum(first[resource::_KINDS]))
        ]
        self.sure = [0] * len(self.sure)
        self.sure[own_start : own_start + _KINDS] = own
        # Chance that everybody may guess, since it decides nothing in the game.
        source = Random(0)  # noqa: S311
        cases: dict[Case, float] = {}
        for _ in range(DEALS):
            source.shuffle(pool)
            dealt, counts = 0, first[:]
            for seat in others:
                for resource in pool[dealt : dealt + sizes[seat]]:
                    counts[_KINDS * seat + resource] += 1
                dealt += sizes[seat]
            case = tuple(counts)
            cases[case] = cases.get(case, 0.0) + 1.0
        return cases


def _places(seat: int, counts: Counts) -> Iterator[tuple[int, int]]:
    """Where the resources among some cards are counted."""
    for name, count in counts.items():
        if name in _PLACES:
            yield _KINDS * seat + _PLACES[name], count


def _laid_for(seat: int, laid: Mapping[int, int]) -> int:
    return sum(count for place, count in laid.items() if place // _KINDS == seat)
