"""A bot for Online Catan: one file, Python's standard library, to read and to make better.

    python examples/bot.py --site http://127.0.0.1:8000 --token catan_…

docs/write-a-bot.md walks through it. From top to bottom: the island, what the bot wants, how it chooses a move, how it
talks to the site, how it finds a table. To write a bot of your own, keep the lower half and replace `choose`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

#: What comes as JSON is used as it comes.
Json = dict[str, Any]

# --- The island: always the same shape. Hexes, corners and paths are numbered row by row, from the top left. ---

_CENTERS = [(2 * x - length + 1, 3 * row) for row, length in enumerate((3, 4, 5, 4, 3)) for x in range(length)]
_RING = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
_PLACES = sorted({(y + dy, x + dx) for x, y in _CENTERS for dx, dy in _RING})

CORNERS_OF = [[_PLACES.index((y + dy, x + dx)) for dx, dy in _RING] for x, y in _CENTERS]
PATHS = sorted({(min(pair), max(pair)) for ring in CORNERS_OF for pair in zip(ring, ring[1:] + ring[:1], strict=True)})
HEXES_AT = [[number for number, ring in enumerate(CORNERS_OF) if corner in ring] for corner in range(54)]
#: From each corner, the paths that leave it and the corner at the other end of each.
WAYS_FROM = [[(path, a + b - corner) for path, (a, b) in enumerate(PATHS) if corner in (a, b)] for corner in range(54)]

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")


def pips(token: int | None) -> int:
    """In how many of the 36 rolls of two dice a number comes up."""
    return 6 - abs(7 - token) if token else 0


# --- What the bot wants. Change these numbers first, and see what becomes of it. ---

#: What a city, a settlement and a card are worth in themselves, and each pip of what a building yields.
CITY, SETTLEMENT, CARD, PIP = 10.0, 10.0, 8.0, 0.5
#: What a corner is worth beside its pips: a resource that we do not have yet, a harbor of three for one, and a harbor
#: of two for one for each pip of its resource.
NEW_RESOURCE, HARBOR, OWN_HARBOR = 2.0, 1.5, 0.25
#: Rolls that do not matter: with few, it takes what it gets soon; with many, it waits for what is worth most.
PATIENCE = 6.0
#: How many roads it looks ahead for a corner.
FAR = 3
#: How many cards a Monopoly must bring at least.
WORTH_A_MONOPOLY = 3


class Plan(NamedTuple):
    """Something to build: what it is worth, all that it costs, and the move that begins it."""

    worth: float
    price: Counter[str]
    move: Json


class Position:
    """A page of the game, and what follows from it for our seat."""

    def __init__(self, page: Json) -> None:
        self.page = page
        self.phase: str = page["phase"]
        self.choices: Json = page["choices"]
        self.me: Json = page["seats"][page["viewer"]]
        self.hand: Counter[str] = Counter(self.me["hand"])
        self.costs = {name: Counter[str](cost) for name, cost in page["costs"].items()}
        self.owners: dict[int, Json] = {
            corner: seat for seat in page["seats"] for corner in seat["settlements"] + seat["cities"]
        }
        self.income = Counter[str]()
        for corner in self.me["settlements"] + 2 * self.me["cities"]:
            self.income += self.yields(corner)

    def yields(self, corner: int) -> Counter[str]:
        """The cards that a settlement gets there in 36 rolls."""
        cards = Counter[str]()
        for shown in (self.page["board"]["hexes"][number] for number in HEXES_AT[corner]):
            if shown["resource"]:
                cards[shown["resource"]] += pips(shown["token"])
        return cards

    def worth(self, corner: int) -> float:
        """What it is worth to settle there."""
        cards = self.yields(corner)
        worth = cards.total() + NEW_RESOURCE * sum(not self.income[name] for name in cards)
        for harbor in self.page["board"]["harbors"]:
            if corner in PATHS[harbor["edge"]]:
                kind = harbor["kind"]
                worth += HARBOR if kind == "generic" else OWN_HARBOR * (self.income + cards)[kind]
        return worth

    def is_free(self, corner: int) -> bool:
        """Nobody has built there or next to it."""
        return corner not in self.owners and not any(other in self.owners for _, other in WAYS_FROM[corner])

    def plans(self) -> Iterator[Plan]:
        """All that we could build, now or some day."""
        if self.me["cities_left"]:
            for corner in self.me["settlements"]:
                worth = CITY + PIP * self.yields(corner).total()
                yield Plan(worth, self.costs["city"], {"kind": "build_city", "vertex": corner})
        if self.me["settlements_left"]:
            for corner, roads in self.corners_in_reach():
                price = sum([self.costs["road"]] * len(roads), self.costs["settlement"])
                settle = {"kind": "build_settlement", "vertex": corner}
                move = {"kind": "build_road", "edge": roads[0]} if roads else settle
                yield Plan(SETTLEMENT + PIP * self.worth(corner), price, move)
        if self.page["deck"]:
            yield Plan(CARD, self.costs["development_card"], {"kind": "buy_card"})

    def corners_in_reach(self) -> Iterator[tuple[int, list[int]]]:
        """Free corners, each with the roads that lead there from ours: the fewest there can be."""
        paved = {path for seat in self.page["seats"] for path in seat["roads"]}
        found: dict[int, list[int]] = {corner: [] for path in self.me["roads"] for corner in PATHS[path]}
        # What is found on the way is looked at in its turn, so near corners come before far ones.
        queue = list(found)
        for corner in queue:
            roads = found[corner]
            if self.is_free(corner):
                yield corner, roads
            if len(roads) == min(FAR, self.me["roads_left"]) or self.owners.get(corner, self.me) is not self.me:
                continue
            for path, other in WAYS_FROM[corner]:
                if path not in paved and other not in found:
                    found[other] = [*roads, path]
                    queue.append(other)

    def wait(self, price: Counter[str], hand: Counter[str]) -> float:
        """In about how many rolls we could pay, with the bank's help."""
        rates, missing, spare = self.me["rates"], price - hand, hand - price
        if not missing:
            return 0.0
        traded = {name: self.income[name] / rates[name] for name in RESOURCES}
        rolls = sum(
            36 * count / (self.income[name] + sum(traded.values()) - traded[name] + 0.1)
            for name, count in missing.items()
        )
        swaps = sum(count // rates[name] for name, count in spare.items())
        return float(rolls * max(0.0, 1 - swaps / missing.total()))

    def plan(self) -> Plan:
        """The best of them: worth much, and soon."""
        nothing = Plan(0.0, Counter(), {"kind": "end_turn"})
        return max(
            self.plans(),
            key=lambda plan: plan.worth / (PATIENCE + self.wait(plan.price, self.hand)),
            default=nothing,
        )


# --- How it chooses: always among the page's choices, so it never makes an illegal move on purpose. ---


def choose(page: Json) -> Json:
    """The move that we answer a page with that asks something of us."""
    position = Position(page)
    if "discard" in position.choices:
        return discard(position)
    if page["asked"] == "offer":
        return answer_offer(position)
    for decide in (place, move_robber, steal, play_card, build, trade_with_bank):
        if move := decide(position):
            return move
    kinds = ("roll", "end_turn", *position.choices)
    return first_of(position, next(kind for kind in kinds if position.choices.get(kind)))


def first_of(position: Position, kind: str) -> Json:
    return {"kind": kind, **position.choices[kind][0]}


def best_of(position: Position, kind: str, key: Callable[[Json], Any]) -> Json:
    """A choice holds all that the move needs beside its kind."""
    best: Json = max(position.choices[kind], key=key)
    return {"kind": kind, **best}


def place(position: Position) -> Json | None:
    """What is free: the first two settlements, their roads, and those of a card."""
    if position.phase == "placing_settlement":
        return best_of(position, "build_settlement", lambda way: position.worth(way["vertex"]))
    if position.phase not in ("placing_road", "placing_free_roads") or "build_road" not in position.choices:
        return None

    def leads_to(way: Json) -> float:
        """The best corner at its ends, or one path further."""
        ends = PATHS[way["edge"]]
        near = [position.worth(end) for end in ends if position.is_free(end)]
        far = [position.worth(corner) for end in ends for _, corner in WAYS_FROM[end] if position.is_free(corner)]
        return max([*near, *(0.7 * worth for worth in far)], default=0.0)

    return best_of(position, "build_road", leads_to)


def move_robber(position: Position) -> Json | None:
    """To the hex that costs the leaders most, and us nothing."""
    if "move_robber" not in position.choices:
        return None

    def harm(way: Json) -> float:
        owners = [(corner, position.owners[corner]) for corner in CORNERS_OF[way["hex"]] if corner in position.owners]
        harms = [
            -50 if seat is position.me else (2 if corner in seat["cities"] else 1) * (seat["points"] + 1)
            for corner, seat in owners
        ]
        return sum(harms) * pips(position.page["board"]["hexes"][way["hex"]]["token"])

    return best_of(position, "move_robber", harm)


def steal(position: Position) -> Json | None:
    if "steal" not in position.choices:
        return None

    def prize(way: Json) -> tuple[bool, int, int]:
        victim = position.page["seats"][way["victim"]]
        return victim["hand_size"] > 0, victim["points"], victim["hand_size"]

    return best_of(position, "steal", prize)


def discard(position: Position) -> Json:
    """What the plan needs least, of what there is most of."""
    kept, price, lost = Counter(position.hand), position.plan().price, Counter[str]()
    for _ in range(position.choices["discard"]["count"]):
        name = max(kept, key=lambda name: (kept[name] > 0, kept[name] - price[name], kept[name]))
        kept[name] -= 1
        lost[name] += 1
    return {"kind": "discard", "resources": dict(lost)}


def play_card(position: Position) -> Json | None:
    choices = position.choices
    if "play_victory_point" in choices:
        return first_of(position, "play_victory_point")
    is_robbed = any(position.owners.get(corner) is position.me for corner in CORNERS_OF[position.page["robber"]])
    if "play_knight" in choices and (is_robbed or position.phase == "main"):
        return first_of(position, "play_knight")
    if position.phase != "main":
        return None
    plan = position.plan()
    missing = plan.price - position.hand
    if "play_road_building" in choices and plan.move["kind"] == "build_road":
        return first_of(position, "play_road_building")
    if "play_year_of_plenty" in choices and missing:
        return best_of(position, "play_year_of_plenty", lambda way: (missing & Counter(way["resources"])).total())
    if "play_monopoly" in choices and missing:
        # Of 19 cards of each kind, those that are neither ours nor in the bank are the others'.
        held = {name: 19 - position.page["bank"][name] - position.hand[name] for name in missing}
        if max(held.values()) >= WORTH_A_MONOPOLY:
            return best_of(position, "play_monopoly", lambda way: held.get(way["resource"], 0))
    return None


def build(position: Position) -> Json | None:
    """What we plan, if we can pay for it; with many cards in hand something else, before a seven takes them."""
    if position.phase != "main":
        return None
    plans = [position.plan()]
    if position.hand.total() > position.page["rules"]["discard_limit"]:
        others = (plan for plan in position.plans() if plan.move["kind"] != "build_road")
        plans += sorted(others, reverse=True, key=lambda plan: plan.worth)
    for plan in plans:
        kind, place = plan.move["kind"], {name: plan.move[name] for name in plan.move if name != "kind"}
        if place in position.choices.get(kind, []):
            return plan.move
    return None


def trade_with_bank(position: Position) -> Json | None:
    """What the plan has no use for, for what it lacks."""
    price = position.plan().price
    missing, spare = price - position.hand, position.hand - price
    trades: list[Json] = position.choices.get("trade_with_bank", [])
    useful = [way for way in trades if missing[way["take"]] and spare[way["give"]] >= way["paid"]]
    if not useful:
        return None
    return {"kind": "trade_with_bank", **min(useful, key=lambda way: (way["paid"], position.income[way["take"]]))}


def answer_offer(position: Position) -> Json:
    """Yes if it brings our plan nearer, and nobody to their victory."""
    seat, price = position.me["seat"], position.plan().price
    asked = (offer for offer in position.page["offers"] if seat in offer["to"])
    offer = next(offer for offer in asked if seat not in offer["accepted"] + offer["rejected"])
    number, maker = offer["number"], position.page["seats"][offer["maker"]]
    if {"offer": number} in position.choices.get("accept_offer", []):
        after = position.hand + Counter(offer["gives"]) - Counter(offer["gets"])
        is_near_the_end = maker["points"] + 2 >= position.page["rules"]["points_to_win"]
        if position.wait(price, after) < position.wait(price, position.hand) and not is_near_the_end:
            return {"kind": "accept_offer", "offer": number}
    return {"kind": "reject_offer", "offer": number}


# --- How it talks to the site. ---

#: Seconds of silence after which a line counts as cut: a stream says every 15 s that it is alive.
SILENCE = 40
#: Seconds to wait after the first cut, the second, and so on; then it gives up.
PAUSES = (1, 1, 2, 4, 8, 15, 30, 60)
#: What is raised by a line that is cut, or never comes about.
CUT = (OSError, HTTPException)


class Problem(Exception):
    """The site did not do what was asked: a code for us, and a sentence for people."""

    def __init__(self, refusal: HTTPError) -> None:
        document = json.load(refusal)
        self.status, self.code, self.detail = refusal.code, document["code"], document["detail"]
        super().__init__(f"{self.status} {self.code}: {self.detail}")


class Site:
    """The API, as somebody with a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address = f"{address.rstrip('/')}/api/v1/"
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None)

    def post(self, path: str, **body: Any) -> Any:
        return self._ask("POST", path, body)

    def pages(self, game: int) -> Iterator[Json]:
        """The page of a game, and every newer one as soon as it is there."""
        seen, pauses = "", iter(PAUSES)
        while True:
            try:
                with self._open("GET", f"games/{game}/stream/{seen}") as stream:
                    for line in stream:
                        # Other lines say who comes and goes, that the stream is alive, or why it ends.
                        if page := json.loads(line).get("page"):
                            yield page
                            # If the line is cut, the next stream goes on from here.
                            seen, pauses = f"?after={page['version']}&revision={page['revision']}", iter(PAUSES)
                    raise ConnectionResetError("The stream has ended.")
            except CUT as cut:
                pause_after(cut, pauses)

    def _ask(self, method: str, path: str, body: Json | None) -> Any:
        pauses = iter(PAUSES)
        while True:
            try:
                with self._open(method, path, body) as response:
                    return json.load(response)
            except CUT as cut:
                pause_after(cut, pauses)

    def _open(self, method: str, path: str, body: Json | None = None) -> HTTPResponse:
        data = None if body is None else json.dumps(body).encode()
        while True:
            try:
                request = Request(self.address + path, data, self.headers, method=method)
                response: HTTPResponse = urlopen(request, timeout=SILENCE)
                return response
            except HTTPError as refusal:
                # Too fast (429), or the site restarts (503): it says how many seconds to wait.
                wait = refusal.headers.get("Retry-After")
                if wait is None:
                    raise Problem(refusal) from None
                time.sleep(int(wait))


def pause_after(cut: Exception, pauses: Iterator[int]) -> None:
    seconds = next(pauses, None)
    if seconds is None:
        raise cut
    print(f"{cut} Trying again in {seconds} s.", file=sys.stderr)
    time.sleep(seconds)


def play(site: Site, game: int) -> Json:
    """Play a game to its end, and return its last page."""
    played = 0
    for page in site.pages(game):
        if page["status"] in ("over", "aborted"):
            return page
        try:
            if page["is_replaced"]:
                site.post(f"games/{game}/seat/", wish="take_back")
            # Where several discard at once, a page may come that does not know of our move yet.
            elif page["asked"] and page["version"] >= played:
                # Should the line be cut, we send the move again: by its id, it counts only once.
                move, name = choose(page), uuid.uuid4().hex
                answer = site.post(f"games/{game}/moves/", move=move, version=page["version"], client_id=name)
                played = answer["version"]
        except Problem as problem:
            # Somebody was quicker, and the page is out of date: the next one is on its way.
            if problem.status != 409:
                raise
            if problem.code != "stale_version":
                print(f"Game {game}: {problem}", file=sys.stderr)
    raise AssertionError("Streams have no other end.")


# --- How it finds a game. ---

#: Seconds between two looks at tables that wait for players.
LOOK_EVERY = 2
#: The site lets a token have as many streams.
MOST_GAMES = 20


def tables(site: Site, told: argparse.Namespace) -> Iterator[str]:
    """Sit down where we are told to, and tell the codes of these tables."""
    for code in told.table:
        yield site.post(f"tables/{code}/join/")["code"]
    for _ in range(told.open):
        visibility = "link" if told.fill else "public"
        yield site.post("tables/", visibility=visibility, bot_speed="at once")["code"]
    wanted = told.games
    while wanted:
        for table in site.get("tables/?mine=false&free=true&bots=true")["results"][:wanted]:
            # Somebody may be quicker.
            with suppress_conflict():
                yield site.post(f"tables/{table['code']}/join/")["code"]
                wanted -= 1
        time.sleep(LOOK_EVERY if wanted else 0)


@contextmanager
def suppress_conflict() -> Iterator[None]:
    try:
        yield
    except Problem as problem:
        if problem.status != 409:
            raise


def wait_for_start(site: Site, code: str, fill: bool) -> int:
    """Sit at a table until its game starts; start it, or say that we are ready, as soon as that makes sense."""
    while True:
        table = site.get(f"tables/{code}/")
        if table["game"] is not None:
            return int(table["game"])
        if table["own_chair"] is None:
            raise SystemExit(f"We have lost our chair at table {code}.")
        is_full = all(chair["holder"] in ("person", "bot") for chair in table["chairs"])
        is_ours = table["is_host"] and table["options"]["visibility"] != "public"
        ready = [chair["number"] for chair in table["chairs"] if chair["ready"]]
        # The marks say which board and which options we have seen: both may change in this moment.
        with suppress_conflict():
            if is_ours and (is_full or fill):
                site.post(f"tables/{code}/start/", fill_with_bots=fill, board=table["board_mark"])
            elif table["own_chair"] not in ready and (is_full or ready):
                site.post(f"tables/{code}/ready/", board=table["board_mark"], terms=table["terms_mark"])
        time.sleep(LOOK_EVERY)


def result(page: Json) -> str:
    seats, winner = page["seats"], page["winner"]
    points = ", ".join(f"{seat['name']} {seat['points']}" for seat in seats)
    who = "nobody" if winner is None else "we" if winner == page["viewer"] else seats[winner]["name"]
    return f"Game {page['game']}: {who} won ({points})"


def main() -> None:
    said = argparse.ArgumentParser(
        description="A bot for Online Catan. It goes on with the games that it has begun, and plays those you name.",
        epilog="If you name none, it takes a free chair at one public table.",
    )
    said.add_argument("--site", default="http://127.0.0.1:8000", help="the site’s address")
    said.add_argument("--token", default=os.environ.get("CATAN_TOKEN"), help="or in the environment, as CATAN_TOKEN")
    said.add_argument("--table", nargs="+", default=[], metavar="CODE", help="sit down at these tables")
    said.add_argument("--open", type=int, default=0, metavar="N", help="open so many public tables")
    said.add_argument("--fill", action="store_true", help="start one’s tables at once, with the site’s bots")
    said.add_argument("--games", type=int, default=0, metavar="N", help="take chairs at so many public tables")
    told = said.parse_args()
    if not told.token:
        said.error("a token is needed: make one in your account, under Programs")
    site = Site(told.site, told.token)
    try:
        print(f"{site.get('me/')['name']} is at {told.site}", flush=True)
        begun = [game["game"] for game in site.get("games/?mine=true&status=running&page_size=50")["results"]]
        if not (begun or told.table or told.open):
            told.games = told.games or 1
        with ThreadPoolExecutor(MOST_GAMES) as at_once:
            games = [at_once.submit(play, site, game) for game in begun]
            for code in tables(site, told):
                print(f"At table {code}", flush=True)
                games.append(at_once.submit(lambda code: play(site, wait_for_start(site, code, told.fill)), code))
            for game in as_completed(games):
                print(result(game.result()), flush=True)
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
