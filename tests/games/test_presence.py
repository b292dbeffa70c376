"""Who is there, who lost the connection, and what becomes of their offers."""

from __future__ import annotations

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.test import Client
from django.utils import timezone

from games import broadcast, selectors, services, snapshots, tasks, words_clocks
from games.models import Connection, Game, Move, Presence, Seat
from games.rules import moves as m
from games.selectors import UNSEEN_AFTER
from games.services import presence
from games.services.presence import LOST_AFTER
from games.services.uptime import GRACE
from games.words_clocks import AWAY_AFTER
from lobby.models import User
from tests.sockets import Socket

from .conftest import Clock
from .playing import ALICE, BOB, CHARLIE, lay_out, look, new_game, time_out_until
from .test_clocks import in_main_phase

pytestmark = [pytest.mark.both_stacks, pytest.mark.django_db(transaction=True)]

TEN_SECONDS = LOST_AFTER.total_seconds()


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return new_game(seed="presence", users=[alice, bob], pace="normal")


def is_here(game: Game, seat: int = ALICE) -> bool:
    return look(game)["seats"][seat]["presence"]["state"] == ""


def test_whoever_never_opened_the_page_is_not_there(game: Game) -> None:
    assert look(game)["seats"][ALICE]["presence"]["state"] == "away"


def test_whoever_opens_the_page_is_there(game: Game, alice: User, clock: Clock) -> None:
    presence.arrive(game.pk, alice.pk, "a tab", clock.now)
    assert is_here(game)
    assert not is_here(game, BOB)


def test_a_reload_is_not_noticed_by_anybody(game: Game, alice: User, clock: Clock) -> None:
    presence.arrive(game.pk, alice.pk, "a tab", clock.now)
    presence.leave("a tab", clock.now)
    clock.move(TEN_SECONDS - 1)
    tasks.sweep()
    assert is_here(game)
    presence.arrive(game.pk, alice.pk, "the tab again", clock.now)
    clock.move(60)
    tasks.note_lost(Seat.key(game.pk, ALICE))
    presence.keep_connections(clock.now)
    tasks.sweep()
    assert is_here(game)


def test_whoever_is_gone_for_ten_seconds_has_lost_the_connection(game: Game, alice: User, clock: Clock) -> None:
    presence.arrive(game.pk, alice.pk, "a tab", clock.now)
    gone_at = clock.move(100)
    presence.leave("a tab", gone_at)
    clock.move(TEN_SECONDS)
    tasks.note_lost(Seat.key(game.pk, ALICE))
    shown = look(game, BOB)["seats"][ALICE]["presence"]
    assert (shown["state"], shown["words"]) == ("lost", "offline")
    assert shown["then_at"] == gone_at + AWAY_AFTER
    assert words_clocks.at(shown, gone_at + AWAY_AFTER)["state"] == "away"


def test_the_sweep_finds_who_is_gone_when_no_task_does(game: Game, alice: User, clock: Clock) -> None:
    presence.arrive(game.pk, alice.pk, "a tab", clock.now)
    presence.leave("a tab", clock.now)
    clock.move(TEN_SECONDS)
    tasks.sweep()
    assert not is_here(game)


def test_with_a_second_tab_open_one_is_still_there(game: Game, alice: User, clock: Clock) -> None:
    for tab in ("one", "another"):
        presence.arrive(game.pk, alice.pk, tab, clock.now)
    presence.leave("one", clock.now)
    clock.move(60)
    presence.keep_connections(clock.now)
    tasks.sweep()
    assert is_here(game)
    presence.leave("another", clock.now)
    clock.move(TEN_SECONDS)
    tasks.sweep()
    assert not is_here(game)


def test_pages_of_a_server_that_restarts_have_longer_to_come_back(game: Game, alice: User, clock: Clock) -> None:
    presence.arrive(game.pk, alice.pk, "a tab", clock.now)
    presence.leave("a tab", clock.now, for_restart=True)
    clock.move(TEN_SECONDS + GRACE.total_seconds() - 1)
    tasks.sweep()
    assert is_here(game)
    clock.move(1)
    tasks.sweep()
    assert not is_here(game)


def test_the_connections_of_a_web_process_that_died_are_not_believed_for_ever(
    game: Game, alice: User, bob: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    presence.arrive(game.pk, alice.pk, "on the one that dies", clock.now)
    monkeypatch.setattr(presence, "PROCESS", "another process")
    presence.arrive(game.pk, bob.pk, "on the one that lives", clock.now)
    clock.move(UNSEEN_AFTER.total_seconds() + 1)
    presence.keep_connections(clock.now)
    tasks.sweep()
    clock.move(TEN_SECONDS)
    tasks.sweep()
    assert not is_here(game, ALICE)
    assert is_here(game, BOB)


def test_spectators_are_not_missed(game: Game, charlie: User, clock: Clock) -> None:
    presence.arrive(game.pk, charlie.pk, "a tab", clock.now)
    presence.arrive(game.pk, None, "a stranger's tab", clock.now)
    assert not Connection.objects.exists()
    presence.leave("a stranger's tab", clock.now)


def with_offer(game: Game) -> None:
    """Alice and Bob each have an offer on the table."""
    state = time_out_until(game.pk, lambda state: state.turn > 0).copy()
    in_main_phase(state)
    state.active = ALICE
    lay_out(game.pk, state)
    version = Game.objects.get(pk=game.pk).version
    services.play_move(
        game.pk,
        m.OfferTrade(ALICE, (BOB, CHARLIE), (1, *(0,) * 9), (0, 1, *(0,) * 8)),
        version=version,
        now=timezone.now(),
    )
    counter = m.CounterOffer(BOB, 0, (0, 0, 1, *(0,) * 7), (0, 0, 0, 1, *(0,) * 6))
    services.play_move(game.pk, counter, version=version + 1, now=timezone.now())


def lose(game: Game, user: User, clock: Clock) -> None:
    presence.arrive(game.pk, user.pk, "a tab", clock.now)
    presence.leave("a tab", clock.now)
    clock.move(TEN_SECONDS)
    seat = selectors.seat_of(game.pk, user.pk)
    assert seat is not None
    tasks.note_lost(Seat.key(game.pk, seat))


def makers(game: Game) -> list[int]:
    return [offer.maker for offer in snapshots.read(game.pk)[1].state.offers]


def test_in_a_live_game_the_offers_of_whoever_lost_the_connection_are_withdrawn(
    game: Game, bob: User, clock: Clock
) -> None:
    with_offer(game)
    assert makers(game) == [ALICE, BOB]
    lose(game, bob, clock)
    assert makers(game) == [ALICE]
    move = Move.objects.filter(game=game).latest("number")
    assert (move.kind, move.by, move.seat.number) == ("withdraw_offer", Move.By.CONNECTION, BOB)
    assert "Bob lost the connection." in [entry["text"] for entry in look(game, ALICE)["log"]]


def test_in_a_game_over_days_offers_stay(alice: User, bob: User, clock: Clock) -> None:
    game = new_game(seed="presence", users=[alice, bob], pace="1 day")
    with_offer(game)
    lose(game, alice, clock)
    assert makers(game) == [ALICE, BOB]
    assert not is_here(game)


def test_a_paused_game_is_left_as_it_is(game: Game, alice: User, clock: Clock) -> None:
    with_offer(game)
    services.pause(game.pk, now=timezone.now())
    lose(game, alice, clock)
    assert makers(game) == [ALICE, BOB]


# Over the socket


@async_to_sync
async def heard_about(watcher: Client, comer: Client, game: Game) -> list[object]:
    """What somebody at the page hears when another opens it."""
    path = f"/ws/games/{game.pk}/"
    watching, coming = Socket(watcher, path), Socket(comer, path)
    assert await watching.open()
    heard = [await watching.receive()]
    heard.append(await watching.receive())
    assert await coming.open()
    heard.append(await watching.receive())
    await coming.close()
    await watching.close()
    return heard


def test_everybody_at_the_page_is_told_who_comes(game: Game, alice: User, bob: User) -> None:
    watcher, comer = Client(), Client()
    watcher.force_login(alice)
    comer.force_login(bob)
    greeting, own, others = heard_about(watcher, comer, game)
    here = {"state": "", "words": "", "short": "", "then": None, "then_at": None}
    assert greeting == {"greeting": {"version": 0, "revision": 0, "chat": 0, "watching": "", "waiting": 0}}
    assert own == {"presence": {"seat": ALICE, "presence": here}}
    assert others == {"presence": {"seat": BOB, "presence": here}}
    assert not Connection.objects.exists()
    assert Presence.objects.filter(lost_due__isnull=False).count() == 2


def test_whoever_is_cut_off_by_an_error_is_missed_like_anybody_else(game: Game, alice: User, client: Client) -> None:
    client.force_login(alice)

    @async_to_sync
    async def scenario() -> None:
        socket = Socket(client, f"/ws/games/{game.pk}/")
        assert await socket.open()
        await socket.receive()
        await socket.receive()
        await get_channel_layer().group_send(broadcast.game_group(game.pk), {"type": "nobody.understands"})
        with pytest.raises(ValueError, match="No handler"):
            await socket.line.wait(10)

    scenario()
    assert not Connection.objects.exists()
    assert Presence.objects.get(seat__user=alice).lost_due
