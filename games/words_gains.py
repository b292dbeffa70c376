"""Why a bot would make a move, in words: what each part of its valuation means on this board, for this seat.

A gain (`bots.considering`) becomes numbers, resources, harbors and names that a person sees in front of them. One that
nothing on the table shows is passed over: a reason is short, and true for whoever looks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.bots.considering import GainKind
from games.bots.position import COSTS, Position, missing
from games.rules import Move, RuleSet, View
from games.rules.awards import SHORTEST_LONGEST_ROAD, SMALLEST_LARGEST_ARMY, longest_road_length
from games.rules.boards import PIPS
from games.rules.cards import RESOURCE_NAMES, RESOURCE_SUPPLY, Counts, named
from games.rules.moves import (
    AcceptOffer,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ConfirmTrade,
    CounterOffer,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    RejectOffer,
    Steal,
    TradeWithBank,
)
from games.rules.state import OfferView
from games.rules.topology import EDGE_VERTICES, NEIGHBORS, VERTEX_HEXES, bit_set, distance
from games.rules.views import SeatView
from games.words import Teller, cards_held, listing
from games.words_help import has_largest_army

#: As much of a reason as one reads at a glance.
MOST_SENTENCES: Final = 3
#: Further than so many roads from Longest Road, nobody counts them.
NEAR: Final = 2
USUAL_RATE: Final = 4

_PIECES: Final = {
    "road": "a road",
    "settlement": "a settlement",
    "city": "a city",
    "development_card": "a development card",
}

#: What is named, of pieces that are equally near.
_WORTH: Final = ("city", "settlement", "development_card", "road")

#: What is said of moves whose gains nothing on the table shows.
_WITHOUT_GAINS: Final = {
    "roll": "Nothing is worth doing before the roll.",
    "skip_roll": "Without a roll there is no seven.",
    "end_turn": "Your cards are worth more to you later.",
    "stop_placing_roads": "Another road leads nowhere you need to go.",
    "reject_offer": "It does not bring your next piece nearer.",
    "withdraw_offer": "The cards are worth more in your hand.",
}
_BETTER_PLACED: Final = "It leaves you better placed."


@dataclass(frozen=True)
class Telling:
    """Tells a player of one move that they could make."""

    teller: Teller
    position: Position
    move: Move

    def reason(self, gains: Iterable[GainKind]) -> str:
        """The gains in their order, as far as the table shows them."""
        told = dict.fromkeys(filter(None, (_GAINS[kind](self) for kind in gains)))
        return " ".join([*told][:MOST_SENTENCES]) or _WITHOUT_GAINS.get(self.move.kind, _BETTER_PLACED)

    # Each kind of gain; nothing where the table does not show it

    def points(self) -> str:
        scored = 1 if isinstance(self.move, BuildSettlement | BuildCity | PlayVictoryPoint) else 0
        scored += 2 * (self._takes_longest_road() + self._takes_largest_army())
        points = self.me["points"] + scored
        if scored and points >= int(self.view["rules"]["points_to_win"]):
            return "It wins the game."
        if isinstance(self.move, BuyCard):
            return "It may be a victory point."
        is_setup = self.view["turn"] == 0
        return f"It brings you to {_so_many(points, 'point')}." if scored and not is_setup else ""

    def production(self) -> str:
        match self.move:
            case BuildSettlement(vertex=vertex):
                rolls = sum(PIPS[token] for token in {token for _, token in self._yields(vertex)})
                return f"It brings cards on {rolls} of 36 rolls." if rolls else ""
            case BuildCity(vertex=vertex):
                return f"Twice the cards from {self._yields_in_words(vertex)}." if self._yields(vertex) else ""
        return ""

    def variety(self) -> str:
        if not isinstance(self.move, BuildSettlement):
            return ""
        resources = {resource for resource, _ in self._yields(self.move.vertex)}
        if last := self._last_free():
            return last
        if not self.position.products:
            return "It brings three different resources." if len(resources) > 2 else ""
        new = [name for name in RESOURCE_NAMES if name in resources - self.position.products]
        return f"Your first {listing(new)}." if new else ""

    def harbor(self) -> str:
        match self.move:
            case BuildSettlement(vertex=vertex) if vertex in self._harbors:
                kind = self._harbors[vertex]
                return f"The bank then gives any card for {'3 of a kind' if kind == 'generic' else f'2 {kind}'}."
            case BuildRoad(edge=edge):
                reached = [self._harbors[end] for end in self._opened_by(edge) if end in self._harbors]
                names = ["a 3:1 harbor" if kind == "generic" else f"a 2:1 {kind} harbor" for kind in reached]
                return f"It leads to {names[0]}." if names else ""
            case TradeWithBank(paid=paid) if paid < USUAL_RATE:
                return f"Your harbor makes it {paid} for 1."
        return ""

    def site(self) -> str:
        match self.move:
            case BuildRoad(edge=edge):
                best = self._best(self._opened_by(edge))
                if best is None:
                    return ""
                there = self._corner_in_words(best)
                return f"It reaches {there}." if best in EDGE_VERTICES[edge] else f"One road further lies {there}."
            case BuildSettlement(vertex=vertex):
                best = self._best([other for other in self._free_beside(vertex) if distance(vertex, other) == 2])
                return "" if best is None else f"Two roads further lies {self._corner_in_words(best)}."
            case PlayRoadBuilding():
                return "Two free roads towards your next settlement."
        return ""

    def longest_road(self) -> str:
        match self.move:
            case BuildRoad() if self._road_length > self.me["road_length"]:
                return self._longer_road()
            case BuildSettlement(vertex=vertex):
                cut = [shown["seat"] for shown in self.position.others if self._is_cut(shown, vertex)]
                return f"It cuts {self.name(cut[0])}’s road." if cut else ""
            case PlayRoadBuilding():
                return "Two free roads for Longest Road."
        return ""

    def largest_army(self) -> str:
        match self.move:
            case PlayKnight() if self._army_is_played:
                return self._larger_army()
            case BuyCard() if self._knights_short:
                return "It may be a knight, for Largest Army."
        return ""

    def development_cards(self) -> str:
        return "Development cards can’t be stolen or discarded." if isinstance(self.move, BuyCard) else ""

    def hand(self) -> str:
        held, limit = self.me["hand_size"], int(self.view["rules"]["discard_limit"])
        match self.move:
            case BuildSettlement() | BuildCity() | BuildRoad() | BuyCard() if held > limit:
                return f"You hold {cards_held(held)}: a seven would cost you {held // 2}."
            case Steal(victim=victim):
                return f"{self.subject(victim)} holds {cards_held(self._seat(victim)['hand_size'])}."
            case PlayMonopoly(resource=resource):
                name = RESOURCE_NAMES[resource]
                others = RESOURCE_SUPPLY - self.view["bank"][name] - self.position.hand[name]
                return f"The others hold {others} {name} together."
            case EndTurn():
                return self._short_of(self.position.hand, self.position.goals(), "You")
            case Discard(resources=resources):
                return self._short_of(self._hand_with({}, named(resources)), self.position.goals(), "Then you")
        given, got = self.traded
        after = self._hand_with(got, given)
        nearer = [goal for goal in self.position.goals() if _lacks(goal, after) < _lacks(goal, self.position.hand)]
        return self._short_of(after, nearer, "Then you")

    def robber(self) -> str:
        match self.move:
            case MoveRobber(hex=h):
                return " ".join(filter(None, [self._blocks(h), self._frees()]))
            case Steal(victim=victim):
                return self._standing(victim)
            case PlayKnight():
                return self._frees() or "It moves the robber and takes a card."
        return ""

    def denial(self) -> str:
        match self.move:
            case BuildSettlement(vertex=vertex):
                rivals = self._rivals([vertex])
                return self._last_free() or (f"{rivals} could settle there too." if rivals else "")
            case BuildRoad(edge=edge):
                rivals = self._rivals(self._opened_by(edge))
                return f"{rivals} could get there first." if rivals else ""
            case RejectOffer(offer=number):
                maker = self.offer(number)["maker"]
                return self._standing(maker) if self._leads(self._seat(maker)) else ""
        return ""

    # What is seen

    @property
    def view(self) -> View:
        return self.position.view

    @property
    def me(self) -> SeatView:
        return self.position.me

    def name(self, seat: int) -> str:
        return self.teller.name(seat)

    def subject(self, seat: int) -> str:
        return self.teller.subject(seat)

    def hex_name(self, h: int) -> str:
        shown = self.view["board"]["hexes"][h]
        name = f"the {shown['token']} {shown['resource']}" if shown["resource"] else f"the {shown['terrain']}"
        _, _, which = self.teller.places.hexes[h].partition(", ")
        return f"{name}, {which}" if which else name

    def offer(self, number: int) -> OfferView:
        return next(offer for offer in self.view["offers"] if offer["number"] == number)

    def robbed(self, h: int) -> list[SeatView]:
        """Whom the robber would harm on a hex, whoever is ahead first."""
        there = [(shown, count) for shown, count in self.position.buildings_at(h) if shown is not self.me]
        return [shown for shown, _ in sorted(there, key=lambda each: (-each[0]["points"], -each[1]))]

    @property
    def traded(self) -> tuple[Counts, Counts]:
        """What a move takes from the hand, and what it brings."""
        match self.move:
            case OfferTrade(gives=gives, gets=gets) | CounterOffer(gives=gives, gets=gets):
                return named(gives), named(gets)
            case TradeWithBank(give=give, paid=paid, take=take):
                return {RESOURCE_NAMES[give]: paid}, {RESOURCE_NAMES[take]: 1}
            case AcceptOffer(offer=number) | ConfirmTrade(offer=number):
                offer = self.offer(number)
                is_own = offer["maker"] == self.position.seat
                return (offer["gives"], offer["gets"]) if is_own else (offer["gets"], offer["gives"])
            case PlayYearOfPlenty(resources=resources):
                return {}, named(resources)
        return {}, {}

    def _seat(self, seat: int) -> SeatView:
        return self.view["seats"][seat]

    # Corners

    def _yields(self, vertex: int) -> list[tuple[str, int]]:
        """What a corner produces and on which numbers, what comes most often first."""
        hexes = (self.view["board"]["hexes"][h] for h in VERTEX_HEXES[vertex])
        found = [(shown["resource"], shown["token"]) for shown in hexes if shown["resource"] and shown["token"]]
        return sorted(found, key=lambda each: (-PIPS[each[1]], each))

    def _yields_in_words(self, vertex: int) -> str:
        """6 and 9 grain and 4 brick."""
        tokens: dict[str, list[str]] = {}
        for resource, token in self._yields(vertex):
            tokens.setdefault(resource, []).append(f"{token}")
        return listing([f"{listing(on)} {resource}" for resource, on in tokens.items()])

    def _corner_in_words(self, vertex: int) -> str:
        return f"a corner with {self._yields_in_words(vertex) or 'nothing but the desert'}"

    def _free_beside(self, vertex: int) -> list[int]:
        """Where somebody can still settle once this corner is built on."""
        return [other for other in self.position.free_vertices if distance(vertex, other) > 1]

    def _last_free(self) -> str:
        """What nobody else can get any more."""
        if not isinstance(self.move, BuildSettlement):
            return ""
        vertex = self.move.vertex
        left = {resource for other in self._free_beside(vertex) for resource, _ in self._yields(other)}
        last = {resource for resource, _ in self._yields(vertex)} - left
        return f"The last free {listing([name for name in RESOURCE_NAMES if name in last])}." if last else ""

    def _best(self, vertices: Sequence[int]) -> int | None:
        return max(sorted(vertices), key=self.position.worth, default=None)

    @cached_property
    def _harbors(self) -> Mapping[int, str]:
        """The kinds of harbors by the corners at which they are."""
        if self.view["rules"]["maritime_trade"] == "none":
            return {}
        return {end: dock["kind"] for dock in self.view["board"]["harbors"] for end in EDGE_VERTICES[dock["edge"]]}

    # Roads

    def _opened_by(self, edge: int) -> list[int]:
        """The ends of a path where one can settle then, or else those that are one road further."""
        free = self.position.free_vertices
        if ends := [end for end in EDGE_VERTICES[edge] if end in free]:
            return ends
        own = {*self.me["settlements"], *self.me["cities"], *_corners(self.me)}
        heads = [end for end in EDGE_VERTICES[edge] if end not in own | self._held_by_others]
        return [other for end in heads for _, other in NEIGHBORS[end] if other in free]

    @cached_property
    def _held_by_others(self) -> set[int]:
        return {vertex for shown in self.position.others for vertex in shown["settlements"] + shown["cities"]}

    def _rivals(self, vertices: Iterable[int]) -> str:
        """Who has a road that touches one of these corners."""
        wanted = {*vertices}
        return listing([self.name(shown["seat"]) for shown in self.position.others if wanted & _corners(shown)])

    def _is_cut(self, shown: SeatView, vertex: int) -> bool:
        """Whether somebody's road is shorter with a building of ours on this corner."""
        others = (each for each in self.view["seats"] if each is not shown)
        blocked = {vertex, *(corner for each in others for corner in each["settlements"] + each["cities"])}
        return longest_road_length(bit_set(shown["roads"]), bit_set(blocked)) < shown["road_length"]

    @cached_property
    def _road_length(self) -> int:
        """Ours, after the move."""
        if not isinstance(self.move, BuildRoad):
            return self.me["road_length"]
        return longest_road_length(bit_set([*self.me["roads"], self.move.edge]), bit_set(self._held_by_others))

    @property
    def _road_to_beat(self) -> int:
        holder = self.view["longest_road"]
        longest = max(shown["road_length"] for shown in self.position.others)
        return max(SHORTEST_LONGEST_ROAD, 1 + (longest if holder is None else self._seat(holder)["road_length"]))

    def _takes_longest_road(self) -> bool:
        return self.view["longest_road"] != self.position.seat and self._road_length >= self._road_to_beat

    def _longer_road(self) -> str:
        if self.view["longest_road"] == self.position.seat:
            return f"It makes your Longest Road {self._road_length} long."
        if self._takes_longest_road():
            return f"It takes Longest Road{self._from(self.view['longest_road'])}: 2 points."
        short = self._road_to_beat - self._road_length
        return f"Then you are {_so_many(short, 'road')} from Longest Road." if short <= NEAR else ""

    # Knights

    @property
    def _army_is_played(self) -> bool:
        """Where it is held instead, a knight that is played does not count any more."""
        return self.view["rules"]["largest_army"] == "knights_played"

    @property
    def _knights_short(self) -> int:
        """How many more knights take Largest Army; none for whoever has it, and where there is none."""
        if self.view["largest_army"] == self.position.seat or not has_largest_army(
            RuleSet.from_json(self.view["rules"])
        ):
            return 0
        most = max(shown["knights"] or 0 for shown in self.position.others)
        return max(SMALLEST_LARGEST_ARMY, most + 1) - (self.me["knights"] or 0)

    def _takes_largest_army(self) -> bool:
        return self._army_is_played and isinstance(self.move, PlayKnight) and self._knights_short == 1

    def _larger_army(self) -> str:
        if self.view["largest_army"] == self.position.seat:
            return "It keeps Largest Army yours."
        if self._takes_largest_army():
            return f"It takes Largest Army{self._from(self.view['largest_army'])}: 2 points."
        return f"Then you are {_so_many(self._knights_short - 1, 'knight')} from Largest Army."

    def _from(self, holder: int | None) -> str:
        return "" if holder is None else f" from {self.name(holder)}"

    # The robber and whom it harms

    def _blocks(self, h: int) -> str:
        robbed = self.robbed(h)
        if not robbed:
            return "It harms nobody there."
        first = robbed[0]
        lead = f", who leads with {_so_many(first['points'], 'point')}" if self._leads(first) else ""
        # The last of them is the one of whom more is said.
        return f"It blocks {listing([self.name(shown['seat']) for shown in (*robbed[1:], first)])}{lead}."

    def _frees(self) -> str:
        """What the robber keeps from us where it stands."""
        robber = self.view["robber"]
        is_ours = any(shown is self.me for shown, _ in self.position.buildings_at(robber))
        if not is_ours or self.view["board"]["hexes"][robber]["resource"] is None:
            return ""
        return f"It frees your {self.hex_name(robber).removeprefix('the ')}."

    def _leads(self, shown: SeatView) -> bool:
        return shown["points"] > max(each["points"] for each in self.view["seats"] if each is not shown)

    def _standing(self, seat: int) -> str:
        shown = self._seat(seat)
        verb = "leads with" if self._leads(shown) else "has"
        return f"{self.subject(seat)} {verb} {_so_many(shown['points'], 'point')}."

    # Cards

    def _hand_with(self, got: Counts, given: Counts) -> Counts:
        return {name: count + got.get(name, 0) - given.get(name, 0) for name, count in self.position.hand.items()}

    def _short_of(self, hand: Counts, goals: Sequence[str], who: str) -> str:
        """How far a hand is from the piece that it is nearest to; nothing for one with no card of it."""
        goal = min(goals, key=lambda each: (_lacks(each, hand), _WORTH.index(each)), default=None)
        if goal is None or _lacks(goal, hand) == sum(COSTS[goal].values()):
            return ""
        if not _lacks(goal, hand):
            return f"{who} can pay for {_PIECES[goal]}."
        return f"{who} are {_so_many(_lacks(goal, hand), 'card')} short of {_PIECES[goal]}."


_GAINS: Final[Mapping[GainKind, Callable[[Telling], str]]] = {
    "points": Telling.points,
    "production": Telling.production,
    "variety": Telling.variety,
    "harbor": Telling.harbor,
    "site": Telling.site,
    "longest_road": Telling.longest_road,
    "largest_army": Telling.largest_army,
    "cards": Telling.development_cards,
    "hand": Telling.hand,
    "robber": Telling.robber,
    "denial": Telling.denial,
}


def _corners(shown: SeatView) -> set[int]:
    """The corners that somebody's roads touch."""
    return {end for edge in shown["roads"] for end in EDGE_VERTICES[edge]}


def _lacks(goal: str, hand: Counts) -> int:
    return sum(missing(goal, hand).values())


def _so_many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
