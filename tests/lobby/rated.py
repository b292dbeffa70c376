"""Games that are over, among people with accounts, made in a moment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random

from django.db import transaction

from games import services, snapshots
from games.models import ABSENT_AFTER, Game, Move, Seat
from games.paces import PaceName
from games.rules import RandomChance, default_move, play, to_act
from games.rules import moves as m
from games.rules.topology import VERTICES, members
from lobby.models import RatedGame, RatedResult, Rating, Table, User
from tests.games.playing import lay_out, new_game, stored_state
from tests.games.test_clocks import in_main_phase

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@transaction.atomic
def finished(
    people: Sequence[User],
    others: Iterable[int] = (6, 4, 3),
    *,
    at: datetime | int = NOON,
    pace: str = "normal",
    rated: bool = True,
    rules: str = "standard",
    resigned: Collection[int] = (),
    replaced: Collection[int] = (),
    returned: Collection[int] = (),
    away: Collection[int] = (),
    removed: Collection[int] = (),
    carried_on: PaceName | None = None,
) -> Game:
    """The first of these people has won with ten points; the others, in their order, have as many as said.

    It ended at this moment, or so many minutes after noon. A site that runs beside us sees it over, and moves nothing.
    """
    ended_at = NOON + timedelta(minutes=at) if isinstance(at, int) else at
    game = nearly_won(people, others, pace=pace, rated=rated, rules=rules)
    for seat in resigned:
        services.withdraw(game.pk, seat, now=ended_at)
    for seat in (*replaced, *returned):
        services.replace_by_bot(game.pk, seat, now=ended_at)
    for seat in returned:
        services.give_back(game.pk, seat, now=ended_at)
    if carried_on:
        services.propose_pace(game.pk, 0, carried_on, ended_at)
        agree(game, range(1, len(people)), ended_at)
    for seat in (*away, *removed):
        Seat.objects.filter(pk=Seat.key(game.pk, seat)).update(late=ABSENT_AFTER)
        snapshots.drop(game.pk)
    for seat in removed:
        services.propose_removal(game.pk, 0, seat, ended_at)
        agree(game, set(range(1, len(people))) - {*away, *removed}, ended_at)
    win(game, ended_at, Move.By.STAND_IN if 0 in replaced else Move.By.BOT if 0 in resigned else Move.By.PLAYER)
    return game


def nearly_won(
    people: Sequence[User],
    others: Iterable[int] = (6, 4, 3),
    *,
    pace: str = "normal",
    rated: bool = True,
    rules: str = "standard",
) -> Game:
    """It is the turn of the first of these people, who needs no more than the city that they can build."""
    game = new_game(f"{rules} turn_order=seat_order", seats=len(people), seed="rated", users=people, pace=pace)
    Table.objects.create(host=people[0], rules=game.rules, layout=game.layout, rated=rated, game=game)
    state = stored_state(game.pk)
    while state.turn == 0:
        chance = RandomChance(Random(state.placements))
        move = default_move(state, to_act(state)[0], chance)
        assert move is not None
        play(state, move, chance)
    in_main_phase(state)
    state.hands[0][-1] += 1
    state.bank[-1] -= 1
    free = [vertex for vertex in VERTICES if not sum(state.settlements) >> vertex & 1]
    for seat, points in enumerate([9, *list(others)[: len(people) - 1]]):
        cities, settlements = divmod(points - 2, 2)
        for _ in range(cities):
            state.cities[seat] |= 1 << free.pop()
        for _ in range(settlements):
            state.settlements[seat] |= 1 << free.pop()
    lay_out(game.pk, state)
    return game


def win(game: Game, now: datetime, by: Move.By = Move.By.PLAYER) -> None:
    game.refresh_from_db()
    corner = members(stored_state(game.pk).settlements[0])[0]
    services.play_move(game.pk, m.BuildCity(0, corner), version=game.version, now=now, by=by)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER


def agree(game: Game, seats: Iterable[int], now: datetime) -> None:
    """To the one thing that is proposed, until it is decided."""
    proposal = game.proposals.latest("pk")
    for seat in seats:
        with suppress(services.NoSuchProposal):
            services.answer(game.pk, seat, proposal.pk, True, now)


def everything() -> tuple[list[object], ...]:
    """All figures there are, to the last bit."""
    figures = ("mu", "sigma", "games")
    return (
        list(Rating.objects.order_by("person", "kind").values_list("person", "kind", *figures)),
        list(RatedGame.objects.order_by("ended_at", "game").values_list("game", "kind", "ended_at")),
        list(
            RatedResult.objects.order_by("rated_game", "person").values_list(
                "rated_game", "person", "rank", "mu_before", "sigma_before", *figures
            )
        ),
    )
