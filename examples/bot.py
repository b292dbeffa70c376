"""A bot for Online Catan: one file, Python's standard library, to read and to make better.

    python3 examples/bot.py --site http://127.0.0.1:8000 --token catan_…

docs/write-a-bot.md walks through it: the island, what the bot wants, how it talks to the site, how it finds a game. For
a bot of your own, keep the lower half and replace `choose`, which answers a page of a game with a move.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cached_property
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


class Plan(NamedTuple):
    """Something to build: what it is worth, all that it costs, and the move that begins it."""

    worth: float
    price: Counter[str]
    move: Json


class Position:
    """A page of a game, and what follows from it for our seat."""

    def __init__(self, page: Json) -> None:
        self.page = page
        self.me: Json = page["seats"][page["viewer"]]
        self.hand = Counter[str](self.me["hand"])
        self.costs = {name: Counter[str](cost) for name, cost in page["costs"].items()}
        self.owners: dict[int, Json] = {
            corner: seat for seat in page["seats"] for corner in seat["settlements"] + seat["cities"]
        }
        buildings = self.me["settlements"] + 2 * self.me["cities"]
        self.income = sum((self.yields(corner) for corner in buildings), Counter[str]())

    # The board

    def pips(self, number: int) -> int:
        """How many of the 36 rolls of two dice make a hex produce."""
        token = self.page["board"]["hexes"][number]["token"]
        return 6 - abs(7 - token) if token else 0

    def yields(self, corner: int) -> Counter[str]:
        """The cards that a settlement gets there in 36 rolls."""
        cards = Counter[str]()
        for number in HEXES_AT[corner]:
            cards[self.page["board"]["hexes"][number]["resource"]] += self.pips(number)
        return +cards

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

    # Plans

    def plans(self) -> Iterator[Plan]:
        """All that we could build, now or some day."""
        yield Plan(0.0, Counter(), {"kind": "end_turn"})
        for corner in self.me["settlements"] if self.me["cities_left"] else []:
            worth = CITY + PIP * self.yields(corner).total()
            yield Plan(worth, self.costs["city"], {"kind": "build_city", "vertex": corner})
        for corner, roads in self.corners_in_reach() if self.me["settlements_left"] else []:
            price = sum([self.costs["road"]] * len(roads), self.costs["settlement"])
            settle = {"kind": "build_settlement", "vertex": corner}
            move = {"kind": "build_road", "edge": roads[0]} if roads else settle
            yield Plan(SETTLEMENT + PIP * self.worth(corner), price, move)
        if self.page["deck"]:
            yield Plan(CARD, self.costs["development_card"], {"kind": "buy_card"})

    @cached_property
    def plan(self) -> Plan:
        """The best of them: worth much, and soon."""
        return max(self.plans(), key=lambda plan: plan.worth / (PATIENCE + self.wait(plan.price, self.hand)))

    def wait(self, price: Counter[str], hand: Counter[str]) -> float:
        """In about how many rolls we could pay, with the bank's help."""
        rates, missing, spare = self.me["rates"], price - hand, hand - price
        if not missing:
            return 0.0
        traded = sum(count / rates[name] for name, count in self.income.items())
        rolls = sum(
            36 * count / (self.income[name] * (1 - 1 / rates[name]) + traded + 0.1) for name, count in missing.items()
        )
        swaps = sum(count // rates[name] for name, count in spare.items())
        return float(rolls * max(0.0, 1 - swaps / missing.total()))

    # How good a move is. Only moves of the same moment are compared; what does no good is worse than nothing.

    def score(self, move: Json) -> float:
        phase, missing, spare = self.page["phase"], self.plan.price - self.hand, self.hand - self.plan.price
        is_too_much = self.hand.total() > self.page["rules"]["discard_limit"]
        match move:
            case {"kind": "build_settlement", "vertex": corner} if phase == "placing_settlement":
                return self.worth(corner)
            case {"kind": "build_road", "edge": path} if phase in ("placing_road", "placing_free_roads"):
                return self.leads_to(path)
            case {"kind": "move_robber", "hex": number}:
                return self.harm(number)
            case {"kind": "steal", "victim": victim}:
                seat = self.page["seats"][victim]
                return float(100 * seat["points"] + seat["hand_size"] if seat["hand_size"] else 0)
            case {"kind": "play_victory_point"}:
                return 100
            case {"kind": "play_knight"}:
                return 90 if phase == "main" or self.harm(self.page["robber"]) < 0 else -1
            case {"kind": "play_road_building"}:
                return 80 if self.plan.move["kind"] == "build_road" else -1
            case {"kind": "play_year_of_plenty", "resources": cards}:
                return 70 + (missing & Counter(cards)).total() if missing else -1
            case {"kind": "play_monopoly", "resource": name}:
                # Of the 19 cards of a resource, the others have what is neither ours nor the bank's.
                held = 19 - self.page["bank"][name] - self.hand[name]
                return 70 + held if missing[name] and held > 2 else -1
            case _ if move == self.plan.move:
                return 60
            case {"kind": "build_city" | "build_settlement" | "buy_card"} if is_too_much:
                # Before a seven takes half of what we save.
                return 50 if "vertex" in move else 40
            case {"kind": "trade_with_bank", "give": give, "paid": paid, "take": take}:
                return 30 - paid if missing[take] and spare[give] >= paid else -1
            case {"kind": "roll" | "skip_roll" | "stop_placing_roads" | "end_turn"}:
                return 0
        return -1

    def leads_to(self, path: int) -> float:
        """The best corner at a path's ends, or one path further."""
        near = [self.worth(end) for end in PATHS[path] if self.is_free(end)]
        far = [self.worth(other) for end in PATHS[path] for _, other in WAYS_FROM[end] if self.is_free(other)]
        return max([*near, *(0.7 * worth for worth in far)], default=0.0)

    def harm(self, number: int) -> float:
        """What the robber costs the others on a hex, the leaders most; less than nothing, if he costs us anything."""
        harm = 0
        for corner in CORNERS_OF[number]:
            if seat := self.owners.get(corner):
                cards = 2 if corner in seat["cities"] else 1
                harm += -50 if seat is self.me else cards * (seat["points"] + 1)
        return harm * self.pips(number)


def choose(page: Json) -> Json:
    """The move that answers a page on which something is asked of us."""
    position, choices = Position(page), page["choices"]
    if "discard" in choices:
        return discard(position, choices["discard"]["count"])
    if page["asked"] == "offer":
        return answer_offer(position)
    # A choice holds all that a move needs beside its kind; but offers would have to be made up, and we make none.
    moves = [{"kind": kind, **way} for kind, ways in choices.items() if kind not in MADE_UP for way in ways]
    return max(moves, key=position.score)


MADE_UP = ("offer_trade", "counter_offer")


def discard(position: Position, count: int) -> Json:
    """What the plan needs least, of what there is most of."""
    kept, lost = Counter(position.hand), Counter[str]()
    for _ in range(count):
        name = max(kept, key=lambda name: (kept[name] > 0, kept[name] - position.plan.price[name], kept[name]))
        kept[name] -= 1
        lost[name] += 1
    return {"kind": "discard", "resources": dict(lost)}


def answer_offer(position: Position) -> Json:
    """Yes if it brings our plan nearer, and nobody to their victory."""
    page, seat, price = position.page, position.me["seat"], position.plan.price
    asked = (offer for offer in page["offers"] if seat in offer["to"])
    offer = next(offer for offer in asked if seat not in offer["accepted"] + offer["rejected"])
    answer = {"offer": offer["number"]}
    after = position.hand + Counter(offer["gives"]) - Counter(offer["gets"])
    is_near_the_end = page["seats"][offer["maker"]]["points"] + 2 >= page["rules"]["points_to_win"]
    helps = position.wait(price, after) < position.wait(price, position.hand) and not is_near_the_end
    if helps and answer in page["choices"].get("accept_offer", []):
        return {"kind": "accept_offer", **answer}
    return {"kind": "reject_offer", **answer}


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
        self.status, self.code = refusal.code, document["code"]
        super().__init__(f"{self.status} {self.code}: {document['detail']}")


class Site:
    """The API, as somebody with a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address = f"{address.rstrip('/')}/api/v1/"
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None)

    def post(self, path: str, **body: Any) -> Any:
        return self._ask("POST", path, json.dumps(body).encode())

    def pages(self, game: int) -> Iterator[Json]:
        """The page of a game, and every newer one as soon as it is there."""
        seen, pauses = "", iter(PAUSES)
        while True:
            try:
                with self._open("GET", f"games/{game}/stream/{seen}", None) as stream:
                    for line in stream:
                        # Other lines say who comes and goes, or why the stream ends; half a line says nothing.
                        if line.endswith(b"\n") and (page := json.loads(line).get("page")):
                            yield page
                            # If the line is cut, the next stream goes on from here.
                            seen, pauses = f"?after={page['version']}&revision={page['revision']}", iter(PAUSES)
                raise ConnectionResetError("The stream has ended.")
            except CUT as cut:
                pause_after(cut, pauses)

    def _ask(self, method: str, path: str, body: bytes | None) -> Any:
        pauses = iter(PAUSES)
        while True:
            try:
                with self._open(method, path, body) as response:
                    return json.load(response)
            except CUT as cut:
                pause_after(cut, pauses)

    def _open(self, method: str, path: str, body: bytes | None) -> HTTPResponse:
        while True:
            try:
                request = Request(self.address + path, body, self.headers, method=method)
                response: HTTPResponse = urlopen(request, timeout=SILENCE)
                return response
            except HTTPError as refusal:
                # Too fast (429), or the site restarts (503): it says how many seconds to wait.
                wait = refusal.headers.get("Retry-After")
                if wait is None and refusal.code >= 500:
                    raise ConnectionError(f"The site has answered {refusal.code}.") from None
                if wait is None:
                    raise Problem(refusal) from None
                if int(wait) > 5:
                    print(f"{refusal.code} {refusal.reason}. Trying again in {wait} s.", file=sys.stderr)
                time.sleep(int(wait))


def pause_after(cut: Exception, pauses: Iterator[int]) -> None:
    seconds = next(pauses, None)
    if seconds is None:
        raise cut
    print(f"{cut} Trying again in {seconds} s.", file=sys.stderr)
    time.sleep(seconds)


@contextmanager
def unless_too_late() -> Iterator[None]:
    """Somebody may be quicker: what we wanted does not fit the game or table any more, and we look again."""
    try:
        yield
    except Problem as problem:
        if problem.status != 409:
            raise
        if problem.code != "stale_version":
            print(problem, file=sys.stderr)


def play(site: Site, game: int) -> Json:
    """Play a game to its end, and return its last page."""
    played = 0
    for page in site.pages(game):
        if page["status"] in ("over", "aborted"):
            return page
        with unless_too_late():
            if page["is_replaced"]:
                site.post(f"games/{game}/seat/", wish="take_back")
            # Where several discard at once, a page may come that does not know of our move yet.
            elif page["asked"] and page["version"] >= played:
                # Should the line be cut, we send the move again: by its id, it counts only once.
                move, name = choose(page), uuid.uuid4().hex
                answer = site.post(f"games/{game}/moves/", move=move, version=page["version"], client_id=name)
                played = answer["version"]
    raise AssertionError("A game has no other end.")


# --- How it finds a game. ---

#: Seconds between two looks at a table that waits for players.
LOOK_EVERY = 2
#: As many streams as the site lets a token have.
MOST_GAMES = 20


def sit_down(site: Site, told: argparse.Namespace) -> Iterator[str]:
    """At the tables that we are told of; their codes."""
    for code in told.table:
        yield site.post(f"tables/{code}/join/")["code"]
    for _ in range(told.open):
        visibility = "link" if told.fill else "public"
        yield site.post("tables/", visibility=visibility, bot_speed="at once")["code"]
    wanted = told.games
    while wanted:
        for table in site.get("tables/?mine=false&free=true&bots=true")["results"][:wanted]:
            with unless_too_late():
                yield site.post(f"tables/{table['code']}/join/")["code"]
                wanted -= 1
        time.sleep(LOOK_EVERY if wanted else 0)


def wait_for_start(site: Site, code: str, *, fill: bool) -> int:
    """Sit at a table until its game starts; start it, or say that we are ready, as soon as that makes sense."""
    while True:
        table = site.get(f"tables/{code}/")
        if table["game"] is not None:
            return int(table["game"])
        if table["own_chair"] is None:
            raise SystemExit(f"Our chair at table {code} has been given to somebody else.")
        is_full = all(chair["holder"] in ("person", "bot") for chair in table["chairs"])
        ready = [chair["number"] for chair in table["chairs"] if chair["ready"]]
        # Nobody starts a public table: its game starts with the last who is ready.
        may_start = table["is_host"] and table["options"]["visibility"] != "public"
        # The marks say which board and which options we have seen: both may change in this moment.
        with unless_too_late():
            if may_start and (is_full or fill):
                site.post(f"tables/{code}/start/", fill_with_bots=fill, board=table["board_mark"])
            elif table["own_chair"] not in ready and (is_full or ready):
                site.post(f"tables/{code}/ready/", board=table["board_mark"], terms=table["terms_mark"])
        time.sleep(LOOK_EVERY)


def result(page: Json) -> str:
    seats, winner = page["seats"], page["winner"]
    who = "nobody" if winner is None else "we" if winner == page["viewer"] else seats[winner]["name"]
    points = ", ".join(f"{seat['name']} {seat['points']}" for seat in seats)
    return f"Game {page['game']}: {who} won ({points})"


def main() -> None:
    said = argparse.ArgumentParser(
        description="A bot for Online Catan. It goes on with the games that it has begun, and plays those you name.",
        epilog="If there are none, it takes a free chair at one public table.",
    )
    said.add_argument("--site", default="http://127.0.0.1:8000", help="the site’s address")
    said.add_argument("--token", default=os.environ.get("CATAN_TOKEN"), help="or in the environment, as CATAN_TOKEN")
    said.add_argument("--table", nargs="+", default=[], metavar="CODE", help="sit down at these tables")
    said.add_argument("--open", type=int, default=0, metavar="N", help="open so many public tables")
    said.add_argument("--fill", action="store_true", help="start one’s own tables at once, with the site’s bots")
    said.add_argument("--games", type=int, default=0, metavar="N", help="take chairs at so many public tables")
    told = said.parse_args()
    if not told.token:
        said.error("a token is needed: make one in your account, under Programs")
    site = Site(told.site, told.token)
    try:
        print(f"{site.get('me/')['name']} is at {told.site}", flush=True)
        begun = [game["game"] for game in site.get("games/?mine=true&status=running&page_size=50")["results"]]
        told.games = told.games or int(not (begun or told.table or told.open))
        with ThreadPoolExecutor(MOST_GAMES) as at_once:
            games = [at_once.submit(play, site, game) for game in begun]
            for code in sit_down(site, told):
                print(f"At table {code}", flush=True)
                games.append(at_once.submit(lambda code: play(site, wait_for_start(site, code, fill=told.fill)), code))
            for game in as_completed(games):
                print(result(game.result()), flush=True)
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
