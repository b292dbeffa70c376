"""Games for the browser to look at, made in a site's folder while the site runs.

    DATA_DIR=… python -m tests.browser.making

reads wishes from its input, such as {"rules": "standard points_to_win=8", "seed": 28}, one a line, and answers each
with the game's number and a session for each seat. With "until", the game is played on until that kind of move, or
all of several kinds, is possible for somebody, or to its end, and "seat" tells for whom; with "several", until it is
possible for two at once. With "every_card", that seat then holds a development card of every kind, and of each resource
as many as "hand" says; with "alone", bots play all the others from then on; "people" says how many people still play,
that seat's and those after it. Clocks start after that: "pace" and
"clocks" say how long they are, "left" how many seconds those that run now have left. "if_absent" is what that seat
wants then; with "replaced", a stand-in plays it already; with "away", it has missed three deadlines. With "resting",
everybody has left. "same" names somebody who has the first seat in every game that names them. With "accounts", all
have one, and an address that they have confirmed: alice@catan.example; "programs" are seats whose accounts programs
play. "staff" names a group: a member
of it, who has given their second factor, has the last session, after those of the seats.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import secrets
import subprocess
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.sites import ROOT, UNSET

CAST = ("Alice", "Bob", "Charlie", "Dana")


@dataclass(frozen=True)
class Made:
    """A game, and what signs each of its players in."""

    game: int
    sessions: list[str]
    seat: int

    def cookie(self, seat: int, address: str) -> dict[str, str]:
        return {"name": "sessionid", "value": self.sessions[seat], "url": address}


class Maker:
    """A process that makes games in one folder. To start it takes longer than a game, so it stays for the next ones."""

    #: One is enough: tests that share a site come one after another.
    at_hand: Maker | None = None

    def __init__(self, data: Path) -> None:
        self.data = data
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.making"],
            cwd=ROOT,
            env={**os.environ, **UNSET, "DATA_DIR": str(data)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @classmethod
    def of(cls, data: Path) -> Maker:
        if cls.at_hand is None or cls.at_hand.data != data:
            cls.end()
            cls.at_hand = Maker(data)
        return cls.at_hand

    @classmethod
    def end(cls) -> None:
        """It ends with its input, so also with whoever started it."""
        maker, cls.at_hand = cls.at_hand, None
        if maker is not None:
            maker.process.communicate()

    def make(self, wish: dict[str, Any]) -> Made:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{json.dumps(wish)}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "failed" in answer:
            raise AssertionError(f"The game could not be made:\n{answer['failed']}")
        return Made(**answer)


atexit.register(Maker.end)


def make_games(data: Path, *wishes: dict[str, Any]) -> list[Made]:
    """The games that were wished for, in a site's folder."""
    maker = Maker.of(data)
    return [maker.make(wish) for wish in wishes]


def _main() -> None:
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "catan_site.settings"
    os.environ["LOG_LEVEL"] = "ERROR"
    django.setup()
    from django.db import connection

    # Nothing here outlives the machine's power, so nothing waits for the disk.
    connection.cursor().execute("PRAGMA synchronous=OFF")
    # What is printed on the way is not taken for an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        try:
            answer = _make(**json.loads(line))
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), file=answers, flush=True)


def _make(
    rules: str = "standard",
    layout: str = "balanced",
    seats: int = 4,
    seed: int = 0,
    until: str = "",
    after: int = 0,
    several: bool = False,
    every_card: bool = False,
    hand: int = 0,
    alone: bool = False,
    people: int = 0,
    same: str = "",
    accounts: bool = False,
    programs: Sequence[int] = (),
    staff: str = "",
    **clocks: Any,
) -> dict[str, Any]:
    from django.utils import timezone

    from games import services
    from games.rules import RuleSet
    from lobby.models import User

    # Guests, since nobody else could be called Alice on a site where an account shows that name. Each game has its own:
    # what somebody says or whom they mute in one is no matter of another.
    users = [_account(name) if accounts else User.guest(name) for name in CAST[:seats]]
    if not accounts:
        User.objects.bulk_create(users)
    for program in programs:
        users[program] = User.objects.create_user(f"program-{secrets.token_hex(8)}", is_bot=True)
    if same:
        known = User.objects.filter(username=f"same-{same}").first()
        if known is None:
            User.objects.filter(pk=users[0].pk).update(username=f"same-{same}")
        users[0] = known or users[0]
    game = services.start_game(
        RuleSet.from_text(rules),
        layout,
        [
            services.Entrant(name, user_id=user.pk, is_bot_account=user.is_bot, nonce=name)
            for name, user in zip(CAST, users, strict=False)
        ],
        seed=hashlib.sha256(f"{seed}".encode()).digest(),
        now=timezone.now(),
    )
    seat = _play_until(game.pk, until, after, several, Random(seed)) if until else 0
    if every_card:
        _deal(game.pk, seat, hand)
    people = 1 if alone else people or seats
    for after_seat in range(people, seats):
        services.withdraw(game.pk, (seat + after_seat) % seats, now=timezone.now())
    if clocks:
        _set_clocks(game.pk, seat, **clocks)
    sessions = [_session(user) for user in users]
    if staff:
        sessions.append(_session(_member_of(staff), has_second_factor=True))
    return {"game": game.pk, "sessions": sessions, "seat": seat}


def _account(name: str) -> Any:
    from allauth.account.models import EmailAddress

    from lobby.models import User

    user = User.objects.create_user(name.lower(), name=name)
    EmailAddress.objects.create(user=user, email=f"{name.lower()}@catan.example", verified=True, primary=True)
    return user


def _member_of(group: str) -> Any:
    from lobby.models import User
    from tests.staff import make_staff

    return make_staff(User.objects.get_or_create(username=f"{group}-of-all-tests")[0], group)


def _play_until(game_id: int, kinds: str, after: int, several: bool, source: Random) -> int:
    """The bots play, through the service, until these kinds of move are possible for somebody; whose they are."""
    from django.utils import timezone

    from games import services, snapshots
    from games.bots import builder
    from games.rules import Phase, player_view

    seats = range(len(snapshots.read(game_id)[1].state.order))
    while True:
        _, snapshot = snapshots.read(game_id)
        state = snapshot.state
        if state.phase is Phase.OVER:
            return state.winner
        if snapshot.version >= after:
            asked = [seat for seat in seats if {*kinds.split()} <= player_view(state, seat)["choices"].keys()]
            if len(asked) > several:
                return asked[0]
        asked = [seat for seat in seats if state.offers and seat != state.active] + [*seats]
        chosen = (builder.choose(player_view(state, seat), source) for seat in asked)
        services.play_move(game_id, next(move for move in chosen if move), version=snapshot.version, now=timezone.now())


def _deal(game_id: int, seat: int, hand: int) -> None:
    """Of each kind of development card the first that lies in the deck, as if bought long ago, and resources."""
    from games import snapshots, store
    from games.rules.cards import CARD_NAMES
    from games.rules.state import derive
    from games.services.locking import locked, write_game

    with locked(game_id) as game:
        before = snapshots.of(game).state
        after = before.copy()
        others = [other for other in after.seats if other != seat]
        while len({after.deck[card] for card in after.cards[seat]}) < len(CARD_NAMES):
            kind = after.deck[after.dealt]
            is_wanted = kind not in {after.deck[card] for card in after.cards[seat]}
            after.cards[seat if is_wanted else others[after.dealt % len(others)]].append(after.dealt)
            after.bought_on[after.dealt] = 1
            after.dealt += 1
        for resource, held in enumerate(after.hands[seat]):
            after.bank[resource] += held - hand
            after.hands[seat][resource] = hand
        derive(after)
        write_game(game, store.save(game_id, before, after, {}) | {"revision": game.revision + 1})


def _set_clocks(
    game_id: int,
    seat: int,
    pace: str,
    clocks: dict[str, int] | None = None,
    left: int | None = None,
    if_absent: str | None = None,
    replaced: bool = False,
    away: bool = False,
    resting: bool = False,
) -> None:
    """Let the game have clocks from now on."""
    from datetime import timedelta

    from django.utils import timezone

    from games import services, snapshots
    from games.models import ABSENT_AFTER, Seat, TradeOffer
    from games.paces import PACES
    from games.services.locking import locked, start_clocks, write_game
    from games.services.resting import rest

    with locked(game_id) as game:
        if if_absent:
            Seat.objects.filter(pk=Seat.key(game_id, seat)).update(if_absent=if_absent)
        if away:
            Seat.objects.filter(pk=Seat.key(game_id, seat)).update(late=ABSENT_AFTER, if_absent=Seat.IfAbsent.WAIT)
        write_game(game, {"pace": PACES[pace].with_clocks(**clocks or {}).to_json(), "revision": game.revision + 1})
        snapshot = snapshots.of(game)
        start_clocks(game, snapshot, timezone.now())
        if left is not None:
            at = timezone.now() + timedelta(seconds=left)
            TradeOffer.objects.filter(game=game, is_open=True).update(answers_due=at)
            write_game(game, {"deadline": at, "answers_due": game.answers_due and at})
        if resting:
            rest(game, snapshot, timezone.now())
    if replaced:
        services.replace_by_bot(game_id, seat, now=timezone.now())


def _session(user: Any, *, has_second_factor: bool = False) -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from tests.staff import note_second_factor

    session = SessionStore()
    session[SESSION_KEY] = f"{user.pk}"
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    if has_second_factor:
        note_second_factor(session, user)
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    _main()
