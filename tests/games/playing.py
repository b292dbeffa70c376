"""Games in the database, played through the services as people and clocks play them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from random import Random

from django.utils import timezone

from games import awaited, selectors, services, snapshots, store
from games.bots import DEFAULT, Strength, builder
from games.models import Game, GameSecret
from games.paces import PACES
from games.page import Mark, Page, page_of
from games.rules import Move, Phase, RuleSet, State, player_view, to_act
from games.services import Entrant, Played
from games.store import OfferClock
from lobby.models import User
from tests.rules.agreement import is_promise_broken
from tests.rules.strategies import eager_move

CAST = ("Alice", "Bob", "Charlie", "Dana")
ALICE, BOB, CHARLIE, DANA = range(4)


def new_game(
    rules: str = "standard",
    *,
    seats: int = 3,
    layout: str = "random",
    seed: object = 0,
    users: Sequence[User] = (),
    bots: Collection[int] = (),
    strength: Strength = DEFAULT,
    pace: str = "",
    bot_speed: str = "calm",
    board_seed: bytes | None = None,
) -> Game:
    """A game of the cast, by rules in their text form; with the same seed it is dealt and rolled the same."""
    users_of_seats = [*users, *[None] * seats]
    players = [
        Entrant(
            name,
            user_id=user and user.pk,
            strength=strength if seat in bots else "",
            is_bot_account=user is not None and user.is_bot,
            nonce=f"{name} mixes",
        )
        for seat, (name, user) in enumerate(zip(CAST[:seats], users_of_seats, strict=False))
    ]
    return services.start_game(
        RuleSet.from_text(rules),
        layout,
        players,
        pace=PACES.get(pace),
        bot_speed=bot_speed,
        seed=hashlib.sha256(repr(seed).encode()).digest(),
        board_seed=board_seed,
        now=timezone.now(),
    )


def look(game: Game, viewer: int | None = None, after: tuple[int, int] | None = None) -> Page:
    """The page as somebody sees it now, with what happened after a version and revision."""
    mark: Mark | None = None if after is None else {"version": after[0], "revision": after[1]}
    return page_of(selectors.scene(game.pk, after=mark, now=timezone.now()), viewer)


def seed_of(game: Game) -> bytes:
    return bytes(GameSecret.objects.get(game=game).seed)


def stored_state(game_id: int) -> State:
    """What the rows say, whatever this process remembers."""
    return store.load(Game.objects.get(pk=game_id)).state


def lay_out(game_id: int, wanted: State) -> None:
    """Have the rows say this, though no log leads to it."""
    before = stored_state(game_id)
    clocks = {offer.number: OfferClock(timezone.now(), None) for offer in wanted.offers}
    Game.objects.filter(pk=game_id).update(**store.save(game_id, before, wanted, clocks))
    sitters = store.load(Game.objects.get(pk=game_id)).sitters
    store.save_sitters(game_id, sitters, awaited.seated(sitters, wanted, timezone.now()))
    snapshots.drop(game_id)


def time_out(game_id: int) -> Played:
    """The clock of the first seat that the game waits for runs out."""
    _, snapshot = snapshots.read(game_id)
    return services.play_timeout(game_id, to_act(snapshot.state)[0], version=snapshot.version, now=timezone.now())


def time_out_until(game_id: int, reached: Callable[[State], bool]) -> State:
    """Nobody does anything: hands grow, and sooner or later a seven is rolled."""
    while not reached(state := snapshots.read(game_id)[1].state):
        time_out(game_id)
    return state


def play_on(game_id: int, source: Random, most_moves: int) -> int:
    """Everybody plays, more or less wisely, at most so many moves; tells how many there were.

    Now and then a clock runs out, the process forgets the game, the game is paused, or a bot stands
    in for somebody.
    """
    _, snapshot = snapshots.read(game_id)
    state, first = snapshot.state, snapshot.version
    for version in range(first, first + most_moves):
        if state.phase is Phase.OVER:
            return version - first
        _disturb(game_id, source)
        if source.random() < 0.04:
            played = services.play_timeout(game_id, source.choice(to_act(state)), version=version, now=timezone.now())
        else:
            move = some_move(state, source)
            played = services.play_move(
                game_id, move, version=version, client_id=f"{source.random()}", now=timezone.now()
            )
        state = played.state
    return most_moves


def some_move(state: State, source: Random) -> Move:
    """Mostly what leads to the end of the game, often anything else that is legal."""
    if source.random() < 0.7:
        for seat in source.sample(state.seats, len(state.seats)):
            move = builder.choose(player_view(state, seat), source)
            # Nobody can see that a promise no longer holds, before it is refused.
            if move and not is_promise_broken(state, move):
                return move
    return eager_move(state, source)


def _disturb(game_id: int, source: Random) -> None:
    what = source.random()
    if what < 0.04:
        snapshots.drop(game_id)
    elif what < 0.05:
        services.pause(game_id, now=timezone.now())
        services.resume(game_id, now=timezone.now())
    elif what < 0.06:
        seat = source.randrange(3)
        services.replace_by_bot(game_id, seat, now=timezone.now())
        services.give_back(game_id, seat, now=timezone.now())
