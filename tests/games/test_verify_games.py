"""Rows that were changed behind the services' back are found, named, and put aside."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.utils import timezone

from games import services, snapshots
from games.models import (
    Building,
    DevelopmentCard,
    Edge,
    Game,
    GameSecret,
    Hand,
    Harbor,
    Hex,
    Intervention,
    Move,
    OfferAnswer,
    Road,
    Seat,
    TradeOffer,
    Vertex,
)
from games.rules import RULES_VERSION
from games.rules import moves as m
from tests.sites import ROOT

from .playing import ALICE, BOB, new_game, play_on, time_out
from .processes import environment

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOVES = 50


def verify(capsys: pytest.CaptureFixture[str], **options: object) -> tuple[int, str]:
    """The command's exit code and what it printed."""
    code = 0
    try:
        call_command("verify_games", **options)
    except SystemExit as ended:
        code = ended.code  # type: ignore[assignment]
    return code, capsys.readouterr().out


@pytest.fixture
def game() -> Game:
    """In the middle of a game."""
    game = new_game("three-player", seed="tampering")
    play_on(game.pk, Random(3), MOVES)
    return game


def of(game: Game, number: int) -> int:
    return Seat.key(game.pk, number)


def a_card_too_many(game: Game) -> None:
    Hand.objects.filter(seat=of(game, ALICE)).update(ore=F("ore") + 1)


def a_card_missing_in_the_bank(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(bank_wool=F("bank_wool") - 1)


def a_stolen_road(game: Game) -> None:
    Road.objects.filter(pk=Road.objects.filter(seat=of(game, ALICE)).first().pk).update(seat=of(game, BOB))  # type: ignore[union-attr]


def a_building_too_many(game: Game) -> None:
    free = Vertex.objects.filter(game=game, building__isnull=True).first()
    Building.objects.create(vertex=free, seat_id=of(game, ALICE), kind=Building.Kind.SETTLEMENT)


def a_settlement_that_became_a_city(game: Game) -> None:
    first = Building.objects.filter(seat__game=game, kind=Building.Kind.SETTLEMENT).first()
    Building.objects.filter(pk=first.pk).update(kind=Building.Kind.CITY)  # type: ignore[union-attr]


def a_road_that_is_gone(game: Game) -> None:
    Road.objects.filter(seat=of(game, BOB)).first().delete()  # type: ignore[union-attr]


def a_changed_card(game: Game) -> None:
    card = DevelopmentCard.objects.filter(game=game).exclude(kind="victory_point").last()
    DevelopmentCard.objects.filter(pk=card.pk).update(kind="victory_point")  # type: ignore[union-attr]


def a_card_that_nobody_bought(game: Game) -> None:
    DevelopmentCard.objects.filter(game=game, number=24).update(holder=of(game, ALICE), bought_on=1)


def a_changed_token(game: Game) -> None:
    Hex.objects.filter(game=game, token=11).update(token=3)


def a_changed_terrain(game: Game) -> None:
    Hex.objects.filter(game=game, terrain="fields").update(terrain="hills")


def a_changed_harbor(game: Game) -> None:
    Harbor.objects.filter(edge__game=game, kind="generic").update(kind="ore")


def a_moved_robber(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(robber=Hex.objects.filter(game=game, terrain="hills").first())


def an_award_for_nothing(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(largest_army=of(game, ALICE))


def a_version_bumped(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(version=F("version") + 1)


def the_last_move_deleted(game: Game) -> None:
    Move.objects.filter(game=game, number=MOVES).delete()


def a_move_deleted(game: Game) -> None:
    Move.objects.filter(game=game, number=20).delete()


def a_changed_roll(game: Game) -> None:
    Move.objects.filter(game=game, kind="roll", number=first_roll(game)).update(draws=[0, 0, 0])


def a_changed_event(game: Game) -> None:
    Move.objects.filter(game=game, number=1).update(events=[])


def a_changed_move(game: Game) -> None:
    row = Move.objects.get(game=game, number=1)
    Move.objects.filter(pk=row.pk).update(payload={"vertex": (row.payload["vertex"] + 1) % 54})


def a_move_without_meaning(game: Game) -> None:
    Move.objects.filter(game=game, number=1).update(payload=["nonsense"])


def a_move_of_another_games_seat(game: Game) -> None:
    other = Seat.objects.exclude(game=game).get(number=Move.objects.get(game=game, number=1).seat.number)
    Move.objects.filter(game=game, number=1).update(seat=other)


def a_move_that_claims_to_be_a_timeout(game: Game) -> None:
    Move.objects.filter(game=game, number=first_roll(game)).update(by=Move.By.TIMEOUT, kind="end_turn")


def a_changed_seed(game: Game) -> None:
    GameSecret.objects.filter(game=game).update(seed=bytes(32))


def a_missing_seed(game: Game) -> None:
    GameSecret.objects.filter(game=game).delete()


def a_board_of_another_seed(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(board_seed=bytes(32))


def a_changed_nonce(game: Game) -> None:
    GameSecret.objects.filter(game=game).update(nonces=["another", "Bob mixes", "Charlie mixes"])


def a_changed_order_of_play(game: Game) -> None:
    Seat.objects.filter(pk=of(game, ALICE)).update(place=7)


def a_roll_for_the_first_turn_that_nobody_made(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(rolls=[{"0": 12, "1": 2, "2": 2}])


def changed_rules(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(rules=game.rules | {"discard_limit": "many"})


def a_changed_offer(game: Game) -> None:
    TradeOffer.objects.filter(game=game, number=0).update(gives={"ore": 9})


def a_changed_answer(game: Game) -> None:
    answer = OfferAnswer.objects.filter(offer__game=game).first()
    other = "accepted" if answer.answer != "accepted" else "rejected"  # type: ignore[union-attr]
    OfferAnswer.objects.filter(pk=answer.pk).update(answer=other)  # type: ignore[union-attr]


def an_offer_deleted(game: Game) -> None:
    TradeOffer.objects.filter(game=game, number=0).delete()


def a_vertex_between_other_hexes(game: Game) -> None:
    Vertex.objects.get(game=game, number=30).hexes.clear()


def an_edge_that_leads_elsewhere(game: Game) -> None:
    Edge.objects.filter(game=game, number=0).update(end=Vertex.key(game.pk, 53))


def first_roll(game: Game) -> int:
    return Move.objects.filter(game=game, kind="roll").order_by("number").values_list("number", flat=True)[0]


#: What was done to the rows, and what the report says of it.
TAMPERINGS: list[tuple[Callable[[Game], None], str]] = [
    (a_card_too_many, "hand .*: ore is"),
    (a_card_missing_in_the_bank, "game: bank_wool is"),
    (a_stolen_road, "road .*: seat_id is"),
    (a_building_too_many, "building .*: there should be no such row"),
    (a_settlement_that_became_a_city, "building .*: kind is 'city'"),
    (a_road_that_is_gone, "road .*: the row is missing"),
    (a_changed_card, "developmentcard .*: kind is 'victory_point'"),
    (a_card_that_nobody_bought, "developmentcard .*: holder_id is"),
    (a_changed_token, "hex .*: token is 3"),
    (a_changed_terrain, "hex .*: terrain is 'hills'"),
    (a_changed_harbor, "harbor .*: kind is 'ore'"),
    (a_moved_robber, "game: robber_id is"),
    (an_award_for_nothing, "game: largest_army_id is"),
    (a_version_bumped, f"at version {MOVES + 1}, its log has {MOVES} moves"),
    (the_last_move_deleted, f"at version {MOVES}, its log has {MOVES - 1} moves"),
    (a_move_deleted, "Move 20 is missing"),
    (a_changed_roll, "draws other numbers"),
    (a_changed_event, "Move 1 has other events"),
    (a_changed_move, "Move 1 "),
    (a_move_without_meaning, "log cannot be read"),
    (a_move_of_another_games_seat, "Move 1 "),
    (a_move_that_claims_to_be_a_timeout, "is not what a timeout does"),
    (a_changed_seed, "The seed is not the one that was committed to"),
    (a_missing_seed, "The seed is missing"),
    (a_board_of_another_seed, "Move "),
    (a_changed_nonce, "."),
    (a_changed_order_of_play, "The order of play"),
    (a_roll_for_the_first_turn_that_nobody_made, "The rolls for the first turn"),
    (changed_rules, "Discard limit"),
    (a_changed_offer, "tradeoffer .*: gives is"),
    (a_changed_answer, "offeranswer .*: answer is"),
    (an_offer_deleted, "tradeoffer .*: the row is missing"),
    (a_vertex_between_other_hexes, "vertex_hexes .*: the row is missing"),
    (an_edge_that_leads_elsewhere, "edge .*: end_id is"),
]


@pytest.mark.parametrize(("tamper", "said"), TAMPERINGS, ids=[tamper.__name__ for tamper, _ in TAMPERINGS])
def test_a_game_that_was_tampered_with_is_found_and_put_aside(
    game: Game, tamper: Callable[[Game], None], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = new_game(seed="untouched")
    tamper(game)
    code, printed = verify(capsys)
    assert code == 1
    reported = [line for line in printed.splitlines() if line.startswith("game ")]
    assert reported == [f"game {game.pk} differs from its log:"]
    assert any(re.search(said, line) for line in printed.splitlines()[1:]), printed
    assert "2 games checked, 1 differ." in printed

    game.refresh_from_db()
    assert game.status == Game.Status.NEEDS_ATTENTION
    assert game.attention
    assert game.attention in printed.replace("\n  ", "\n")
    assert Intervention.objects.get(game=game, what="set_aside").why == game.attention
    with pytest.raises(services.SetAside):
        services.play_move(game.pk, m.Roll(ALICE), version=game.version, now=timezone.now())
    assert time_out(other.pk).version == 1


def test_a_game_that_was_put_right_again_goes_on(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    a_card_too_many(game)
    assert verify(capsys)[0] == 1
    Hand.objects.filter(seat=of(game, ALICE)).update(ore=F("ore") - 1)
    assert verify(capsys) == (0, "1 games checked, 0 differ.\n")
    services.resume(game.pk, now=timezone.now())
    assert play_on(game.pk, Random(9), 10) == 10
    assert verify(capsys)[0] == 0


def test_what_another_process_put_right_counts_in_this_one(game: Game) -> None:
    """This process has read the false rows and remembers them; nothing but their repair has happened since."""
    a_card_too_many(game)
    snapshots.drop(game.pk)
    _, false = snapshots.read(game.pk)
    elsewhere("manage.py", "verify_games", code=1)
    Hand.objects.filter(seat=of(game, ALICE)).update(ore=F("ore") - 1)
    code = "from django.utils.timezone import now; from games.services import resume; "
    elsewhere("manage.py", "shell", "--no-imports", "-c", f"{code} resume({game.pk}, now=now())")
    _, true = snapshots.read(game.pk)
    assert sum(true.state.hands[ALICE]) == sum(false.state.hands[ALICE]) - 1
    time_out(game.pk)
    call_command("verify_games")


def elsewhere(*words: str, code: int = 0) -> None:
    done = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert done.returncode == code, done.stderr


def test_rows_that_make_no_game_put_it_aside_when_it_is_played() -> None:
    """Nobody had to run verify_games: the first move that reads the rows finds it."""
    game = new_game(seed="no game")
    time_out(game.pk)
    snapshots.drop(game.pk)
    Hand.objects.filter(seat=of(game, ALICE)).delete()
    with pytest.raises(services.SetAside):
        services.play_move(game.pk, m.Roll(ALICE), version=1, now=timezone.now())
    game.refresh_from_db()
    assert game.status == Game.Status.NEEDS_ATTENTION
    with pytest.raises(services.SetAside):
        services.resume(game.pk, now=timezone.now())


def test_games_are_checked_while_people_play(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    """A move between two of the command's queries is no difference, and does not keep it from writing."""
    busy = [new_game(seed=number) for number in range(3)]
    a_card_too_many(game)
    done = threading.Event()

    def play() -> None:
        try:
            # Faster than any people, but not so that the logs outgrow the command.
            while not done.wait(0.01):
                for other in busy:
                    time_out(other.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play)
        try:
            reports = [verify(capsys) for _ in range(5)]
        finally:
            done.set()
        playing.result()
    for code, printed in reports:
        assert code == 1
        assert [line for line in printed.splitlines() if "differs" in line] == [f"game {game.pk} differs from its log:"]


def test_only_the_named_game_is_checked(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    other = new_game(seed="other")
    a_card_too_many(game)
    assert verify(capsys, game=other.pk) == (0, "1 games checked, 0 differ.\n")
    assert verify(capsys, game=game.pk)[0] == 1


def test_a_game_that_does_not_exist_is_one_clear_line() -> None:
    with pytest.raises(CommandError, match=r"^There is no game 12\.$"):
        call_command("verify_games", game=12)


def test_only_games_that_are_being_played_are_checked_before_a_deployment(capsys: pytest.CaptureFixture[str]) -> None:
    ended, paused, _running = (new_game(seed=number) for number in range(3))
    services.abort(ended.pk, now=timezone.now())
    services.pause(paused.pk, now=timezone.now())
    assert verify(capsys, active=True) == (0, "2 games checked, 0 differ.\n")


def test_a_game_of_other_rules_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    game = new_game()
    Game.objects.filter(pk=game.pk).update(rules_version=RULES_VERSION + 1)
    code, printed = verify(capsys, active=True)
    assert code == 1
    assert f"started under version {RULES_VERSION + 1} of the rules, this is version {RULES_VERSION}" in printed
    assert Game.objects.get(pk=game.pk).status == Game.Status.RUNNING


def test_a_tampered_game_that_is_over_is_named_and_stays_over(capsys: pytest.CaptureFixture[str]) -> None:
    game = new_game("standard points_to_win=8", seed="over")
    play_on(game.pk, Random(1), 3_000)
    a_card_too_many(game)
    assert verify(capsys)[0] == 1
    assert Game.objects.get(pk=game.pk).status == Game.Status.OVER
