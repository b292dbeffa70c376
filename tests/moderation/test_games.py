"""What moderators find, see and do of games."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services, snapshots
from games.models import Game, GameSecret, Hand, Seat
from games.rules import Phase, to_act
from games.rules.records import result_of
from lobby import chat, rooms
from lobby.models import User
from moderation.audit import Act
from moderation.models import AuditLine, Case, Report
from tests.games.playing import ALICE, BOB, CHARLIE, look, new_game, seed_of, stored_state
from tests.staff import browser_of, make_staff

from .deciding_cases import case_of
from .game_pages import WHY, address, audited, finished, game_in, moderator_of, page_of, press, told

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ACTS = ("pause", "resume", "extend", "play-timeout", "stand-in/1", "abort", "verify")
LOOKS = ("whole", "export")


# The list


def listed(browser: Client, query: str = "") -> set[int]:
    answer = browser.get(f"/admin/games/game/?{query}")
    assert answer.status_code == 200, query
    found = [game.pk for game in answer.context["cl"].result_list]
    assert len(found) == len(set(found)), "a game is listed twice"
    return set(found)


def test_a_game_that_was_set_aside_is_listed_with_the_reason(moderator: Client) -> None:
    game, other = new_game(seed="admin", pace="normal"), new_game(seed="other")
    for _ in range(3):
        services.note_failure(game.pk, ZeroDivisionError("a defect"), now=timezone.now())
    page = moderator.get("/admin/games/game/?needs=attention").content.decode()
    assert "A task failed 3 times: ZeroDivisionError: a defect" in page
    assert str(other.pk) not in page


@pytest.mark.both_stacks
def test_games_are_found_by_what_they_are(moderator: Client) -> None:
    plain, live = new_game(seed=1), new_game("online", seed=2, pace="fast")
    days = new_game("three-player", seed=3, pace="3 days")
    services.pause(live.pk, now=timezone.now())
    Game.objects.filter(pk=plain.pk).update(failures=1)
    Game.objects.filter(pk=days.pk).update(phase="main", deadline=timezone.now() - timedelta(hours=1))
    wanted = {
        "": {plain.pk, live.pk, days.pk},
        "clock=none": {plain.pk},
        "clock=live": {live.pk},
        "clock=fast": {live.pk},
        "clock=days": {days.pk},
        "clock=3 days": {days.pk},
        "clock=1 day": set(),
        "book=online": {live.pk},
        "book=excellent": set(),
        "status__exact=paused": {live.pk},
        "status__exact=running": {plain.pk, days.pk},
        "phase__exact=main": {days.pk},
        "needs=failing": {plain.pk},
        "needs=overdue": {days.pk},
        "needs=attention": set(),
        "clock=days&book=three-player&phase__exact=main": {days.pk},
        # What no filter offers filters nothing.
        "clock=yesterday": {plain.pk, live.pk, days.pk},
    }
    assert {query: listed(moderator, query) for query in wanted} == wanted


def test_games_are_found_by_how_long_they_wait(moderator: Client) -> None:
    now = timezone.now()
    waits = {"minute": 0.01, "hours": 2, "day": 30, "week": 170}
    games = {}
    for name, hours in waits.items():
        games[name] = new_game(seed=name, pace="7 days").pk
        asked = Seat.objects.filter(game=games[name]).exclude(asked="")
        asked.update(awaited_since=now - timedelta(hours=hours))
    assert listed(moderator, "waiting=hour") == {games["hours"], games["day"], games["week"]}
    assert listed(moderator, "waiting=day") == {games["day"], games["week"]}
    assert listed(moderator, "waiting=days") == {games["week"]}


@pytest.mark.both_stacks
def test_games_are_found_by_number_and_by_who_plays(moderator: Client, alice: User, bob: User) -> None:
    first, second = new_game(seed=1, users=[alice, bob]), new_game(seed=2, seats=4)
    assert listed(moderator, f"q={first.pk}") == {first.pk}
    assert listed(moderator, f"q={str(first.pk)[:-1]}") == set()
    # Two seats of a game answer to it, and it is listed once.
    assert listed(moderator, "q=a") == {first.pk, second.pk}
    assert listed(moderator, "q=dana") == {second.pk}
    assert listed(moderator, "q=bob") == {first.pk, second.pk}
    # By the name that shows at the table alone: what staff sign in with is nobody's business.
    User.objects.filter(pk=bob.pk).update(username="robert")
    assert listed(moderator, "q=robert") == set()
    assert listed(moderator, "q=99999999999999999999") == set()


#: Whatever leads to the seed, the nonces, a hand, the deck or what comes of a game's dice.
PROBES = (
    "seed",
    "secret__seed",
    "gamesecret__seed",
    "_game_+__seed",
    "+__seed",
    "game__%2B__seed",
    "nonces",
    "secret__nonces",
    "+__nonces",
    "seat__nonce",
    "seat__hand__ore",
    "seat__cards__kind",
    "seat__orders",
    "seat__if_absent",
    "developmentcard__kind",
    "developmentcard__number",
    "dice_deck",
    "board_seed",
    "attention",
    "moves__draws",
    "pace__name",
    "clock",
    "needs",
    "waiting",
)
LOOKUPS = ("__startswith", "__gte", "__exact", "__isnull", "__0__gte")
#: What leads to a game from the rows of a list.
LISTS = {
    "games/game": "",
    "lobby/table": "game__",
    "lobby/chatline": "conversation__game__",
    "lobby/user": "seats__game__",
}


@pytest.mark.parametrize("lists", LISTS)
def test_no_query_string_tells_a_right_guess_at_a_secret_from_a_wrong_one(lists: str, dana: User) -> None:
    """Asked by somebody who may do everything: not even they have a filter for it."""
    User.objects.filter(pk=dana.pk).update(is_superuser=True)
    browser = browser_of(User.objects.get(pk=dana.pk))
    game = new_game(seed="probed")
    secret = seed_of(game)
    right, wrong = chr(secret[0]), chr(secret[0] ^ 1)
    for probe in PROBES:
        for lookup in LOOKUPS:
            answers = [
                browser.get(f"/admin/{lists}/", {f"{LISTS[lists]}{probe}{lookup}": guess}) for guess in (right, wrong)
            ]
            kinds = {(answer.status_code, answer.headers.get("Location", "").partition("?")[2]) for answer in answers}
            assert kinds <= {(400, ""), (302, "e=1")}, f"{probe}{lookup}: {kinds}"


def test_the_list_is_short_work_with_ten_thousand_games(moderator: Client, alice: User, bob: User) -> None:
    model = new_game(seed="many", pace="1 day")
    now = timezone.now()
    sitters = [(alice, "Alice", "", None), (bob, "Bob", "move", now - timedelta(hours=2)), (None, "Eve", "", None)]
    games = Game.objects.bulk_create(
        [
            Game(
                rules=model.rules,
                rules_version=1,
                layout="random",
                commitment="",
                pace=model.pace if number % 2 else None,
                phase="main",
                started_at=now - timedelta(minutes=number),
            )
            for number in range(10_000)
        ],
        batch_size=2_000,
    )
    Seat.objects.bulk_create(
        [
            Seat.in_game(
                game.pk, number, place=number, colour=number, user=user, name=name, asked=asked, awaited_since=since
            )
            for game in games
            for number, (user, name, asked, since) in enumerate(sitters)
        ],
        batch_size=5_000,
    )
    for query in (
        *("", "q=bob", f"q={model.pk}", "waiting=hour", "clock=days", "book=standard", "needs=overdue", "p=100"),
        "waiting=hour&clock=none&status__exact=running&q=alice",
    ):
        with CaptureQueriesContext(connection) as statements:
            assert moderator.get(f"/admin/games/game/?{query}").status_code == 200
        assert len(statements) < 15, query


# The page


def test_the_page_of_a_game_tells_who_plays_and_no_secret(moderator: Client) -> None:
    game = game_in(Phase.MAIN)
    services.replace_by_bot(game.pk, BOB, now=timezone.now())
    services.withdraw(game.pk, CHARLIE, now=timezone.now())
    page = page_of(moderator, game)
    assert "<dd>a stand-in</dd>" in page
    assert "<dd>Medium bot</dd>" in page
    assert "A stand-in is playing for Bob now." in page
    assert 'href="#terrain-' in page
    assert seed_of(game).hex() not in page
    for nonce in GameSecret.objects.get(game=game).nonces:
        assert nonce not in page
    assert "laid-open" not in page


def test_the_page_shows_the_log_the_chats_the_offers_and_what_was_reported(
    moderator: Client, alice: User, bob: User
) -> None:
    game = game_in(Phase.MAIN, users=[alice, bob])
    chat.say(rooms.of_players(game.pk), alice, "Anybody wheat?", now=timezone.now())
    case = Case.objects.create(person=bob, opened_at=timezone.now())
    Report.objects.create(
        case=case, by=alice, kind="stalling", text="He is asleep", made_at=timezone.now(), game=game, evidence={}
    )
    page = page_of(moderator, game)
    assert "Anybody wheat?" in page
    assert "He is asleep" in page
    for entry in look(game)["log"][-5:]:
        assert entry["text"].replace("'", "&#x27;") in page
    watchers = rooms.of_watchers(game.pk).conversation()
    watchers.lines.create(number=1, name="Somebody", text="Bob has it all", said_at=timezone.now())
    assert "Bob has it all" in page_of(moderator, game)


def test_whoever_lays_a_game_open_sees_every_hand_and_card_and_is_written_down(moderator: Client, dana: User) -> None:
    game = game_in(Phase.PLACING_FREE_ROADS)
    state = stored_state(game.pk)
    assert any(map(any, state.hands))
    answer = press(moderator, game, "whole")
    page = answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    assert page.count("<dt>Hand</dt>") == len(state.order)
    whole = answer.context["shown"].whole
    for seat in state.seats:
        hand = Hand.objects.get(seat=Seat.key(game.pk, seat))
        assert whole.seats[seat]["hand"]["ore"] == hand.ore
        assert len(whole.seats[seat]["cards"]) == len(state.cards[seat])
    assert audited() == [(Act.LOOKED_AT_GAME, WHY, {"version": game.version})]
    line = AuditLine.objects.get()
    assert (line.staff, line.game) == (dana.pk, game.pk)
    assert seed_of(game).hex() not in page
    assert "laid-open" not in page_of(moderator, game), "going back lays it open again"


def test_a_look_without_a_reason_is_refused_and_written_down(moderator: Client) -> None:
    game = game_in(Phase.MAIN)
    for why in ("", "   ", "x" * 1001):
        answer = press(moderator, game, "whole", why=why)
        assert answer.status_code == 302
    assert {act for act, _, _ in audited()} == {Act.WAS_REFUSED}


def test_of_a_finished_game_every_hand_is_open_to_all(moderator: Client, alice: User) -> None:
    game = finished(users=[alice])
    page = page_of(moderator, game)
    assert page.count("<dt>Hand</dt>") == 3
    assert "Lay everything open" not in page


def test_a_game_with_broken_rows_has_a_page_all_the_same(moderator: Client) -> None:
    game = game_in(Phase.MAIN)
    Hand.objects.filter(seat__game=game).delete()
    snapshots.drop(game.pk)
    assert "don’t make a game" in page_of(moderator, game)
    answer = press(moderator, game, "whole")
    assert told(answer) == ["The rows of this game don’t make a game: there’s nothing to lay open."]
    press(moderator, game, "verify")
    assert Game.objects.get(pk=game.pk).status == Game.Status.NEEDS_ATTENTION
    assert press(moderator, game, "abort").status_code == 302
    assert Game.objects.get(pk=game.pk).status == Game.Status.ABORTED


def test_the_page_takes_few_statements_however_long_the_game_is(moderator: Client, alice: User, bob: User) -> None:
    counts = []
    for game in (new_game(seed="short", users=[alice, bob]), game_in(Phase.PLACING_FREE_ROADS, users=[alice, bob])):
        for number in range(3):
            chat.say(rooms.of_players(game.pk), alice, f"line {number}", now=timezone.now() + timedelta(minutes=number))
        page_of(moderator, game)
        snapshots.drop(game.pk)
        with CaptureQueriesContext(connection) as statements:
            page_of(moderator, game)
        counts.append(len(statements))
    assert counts[0] == counts[1]
    assert counts[0] < 25


@pytest.mark.parametrize("number", ["0", "99999999999", "nonsense", "9" * 30, "-1", "1/../2"])
def test_of_a_game_that_is_not_there_there_is_no_page(moderator: Client, number: str) -> None:
    assert moderator.get(f"/admin/games/game/{number}/change/").status_code == 404
    for end in (*ACTS, *LOOKS):
        answer = moderator.post(f"/admin/games/game/{number}/{end}/", {"why": WHY}, follow=True)
        assert answer.status_code == 404
    assert AuditLine.objects.count() == 0


# Whoever plays


@pytest.mark.parametrize("how", ["plays", "has resigned", "has a stand-in", "is a superuser"])
def test_a_moderator_neither_looks_into_their_own_game_nor_acts_on_it(how: str, dana: User, alice: User) -> None:
    game = game_in(Phase.MAIN, users=[alice, dana])
    browser = moderator_of(dana)
    if how == "has resigned":
        services.withdraw(game.pk, 1, timezone.now())
    if how == "has a stand-in":
        services.replace_by_bot(game.pk, 1, timezone.now())
    if how == "is a superuser":
        User.objects.filter(pk=dana.pk).update(is_superuser=True)
    before = rows_of(game)
    for end in (*ACTS, "whole"):
        answer = press(browser, game, end)
        assert answer.status_code == 302
        assert told(answer)[-1].startswith("You have a seat in this game"), end
    assert rows_of(game) == before
    assert [act for act, _, _ in audited()] == [Act.WAS_REFUSED] * (len(ACTS) + 1)
    page = page_of(browser, game)
    assert "Lay everything open" not in page
    assert "Pause" not in page


def test_a_moderator_reads_of_their_own_game_what_players_read(dana: User, alice: User, bob: User) -> None:
    game = game_in(Phase.MAIN, users=[alice, dana])
    browser = moderator_of(dana)
    watchers = rooms.of_watchers(game.pk).conversation()
    watchers.lines.create(number=1, name="Somebody", text="Alice has it all", said_at=timezone.now())
    chat.say(rooms.of_players(game.pk), alice, "Hello everybody", now=timezone.now())
    case = Case.objects.create(person=dana, opened_at=timezone.now())
    Report.objects.create(
        case=case, by=alice, kind="stalling", text="Dana stalls", made_at=timezone.now(), game=game, evidence={}
    )
    services.set_aside(game.pk, "hand 7: ore is 3, not 2.", now=timezone.now())
    page = page_of(browser, game)
    assert "Hello everybody" in page
    for hidden in ("Alice has it all", "Dana stalls", "ore is 3"):
        assert hidden not in page, hidden
    assert "ore is 3" not in browser.get("/admin/games/game/").content.decode()
    other = page_of(moderator_of(bob), game)
    for shown in ("Alice has it all", "Dana stalls", "ore is 3"):
        assert shown in other, shown


def test_once_it_has_ended_a_game_is_open_to_those_who_played_it_too(dana: User) -> None:
    game = game_in(Phase.MAIN, users=[dana])
    services.abort(game.pk, now=timezone.now())
    answer = press(moderator_of(dana), game, "whole")
    assert answer.status_code == 200
    assert answer.content.decode().count("<dt>Hand</dt>") == 3


# What is done


def rows_of(game: Game) -> tuple[Any, ...]:
    """Whatever an act could change."""
    return (
        Game.objects.filter(pk=game.pk).values().get(),
        list(Seat.objects.filter(game=game).order_by("pk").values()),
        list(game.interventions.order_by("pk").values()),
        list(game.moves.order_by("pk").values("number", "kind", "by")),
    )


def test_players_read_what_moderators_did_and_neither_who_nor_why(moderator: Client, alice: User) -> None:
    game = game_in(Phase.MAIN, users=[alice])
    active = stored_state(game.pk).active
    name = Seat.objects.get(pk=Seat.key(game.pk, active)).name
    for end in ("extend", "play-timeout", "stand-in/1", "pause", "resume", "abort"):
        assert press(moderator, game, end).status_code == 302
    page = look(game)
    said = [entry["text"] for entry in page["log"] if "moderators" in entry["text"]]
    assert said == [
        f"The moderators gave {name} another hour.",
        f"The moderators had the clock play for {name}.",
        "The moderators let a stand-in play for Bob.",
        "The moderators paused the game.",
        "The moderators resumed the game.",
        "The moderators ended the game without a winner.",
    ]
    own = browser_of(alice).get(f"/games/{game.pk}/").content.decode()
    assert "The moderators paused the game." in own
    for secret in (WHY, "dana", "Dana mixes"):
        assert secret not in own
    assert [details.get("what") for _, _, details in audited()] == [
        *("extend", "play_timeout_now", "stand_in", "pause", "resume", "abort")
    ]
    assert {why for _, why, _ in audited()} == {WHY}


def test_a_stand_in_leaves_when_the_person_is_back(moderator: Client, alice: User) -> None:
    game = game_in(Phase.ROLLING, users=[alice])
    press(moderator, game, "stand-in/0")
    assert Seat.objects.get(game=game, number=ALICE).player == Seat.Player.STAND_IN
    assert told(press(moderator, game, "stand-in/0"))[-1] == "This seat is held by a bot for an absent person."
    services.give_back(game.pk, ALICE, timezone.now())
    assert Seat.objects.get(game=game, number=ALICE).player == Seat.Player.PERSON


def test_a_deadline_is_extended_by_what_was_chosen(moderator: Client) -> None:
    game = game_in(Phase.ROLLING)
    for by, hours in (("1h", 1), ("1d", 24), ("3d", 72)):
        before = Game.objects.get(pk=game.pk).deadline
        press(moderator, game, "extend", by=by)
        after = Game.objects.get(pk=game.pk).deadline
        assert before
        assert after
        assert after - before == timedelta(hours=hours)


@pytest.mark.parametrize("by", ["", "1y", "-1h", "3600"])
def test_no_other_extension_is_taken(moderator: Client, by: str) -> None:
    game = game_in(Phase.ROLLING)
    before = rows_of(game)
    assert told(press(moderator, game, "extend", by=by)) == ["Choose how much more time they get."]
    assert rows_of(game) == before


def test_a_deadline_is_not_put_off_for_ever(moderator: Client) -> None:
    game = game_in(Phase.ROLLING)
    for _ in range(4):
        press(moderator, game, "extend", by="3d")
    before = rows_of(game)
    assert "more than 14 days" in told(press(moderator, game, "extend", by="3d"))[-1]
    assert rows_of(game) == before


@pytest.mark.parametrize("seconds", [0, -60])
def test_time_is_not_taken_by_extending(seconds: int) -> None:
    game = game_in(Phase.ROLLING)
    with pytest.raises(services.BadExtension):
        services.extend(game.pk, timedelta(seconds=seconds), now=timezone.now())


def test_a_deadline_that_has_passed_is_extended_from_now(moderator: Client) -> None:
    game = game_in(Phase.ROLLING)
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - timedelta(days=2))
    press(moderator, game, "extend", by="1h")
    deadline = Game.objects.get(pk=game.pk).deadline
    assert deadline
    assert timedelta(minutes=59) < deadline - timezone.now() <= timedelta(hours=1)


def test_nobody_is_late_by_a_timeout_that_was_played_for_them(moderator: Client, alice: User) -> None:
    game = game_in(Phase.ROLLING, users=[alice], pace="")
    Seat.objects.filter(game=game).update(late=2)
    snapshots.drop(game.pk)
    press(moderator, game, "play-timeout")
    assert set(Seat.objects.filter(game=game).values_list("late", "player")) == {(2, "person")}
    move = game.moves.order_by("number").last()
    assert move
    assert (move.kind, move.by) == ("roll", "moderator")


def test_a_timeout_on_a_page_that_is_out_of_date_plays_for_nobody(moderator: Client) -> None:
    """Else it would be somebody else's turn that is played away."""
    game = game_in(Phase.ROLLING)
    seen = game.version
    services.play_timeout(game.pk, to_act(stored_state(game.pk))[0], version=seen, now=timezone.now())
    before = rows_of(game)
    for version in (seen, "", "nonsense", "-1", "9" * 40):
        answer = press(moderator, game, "play-timeout", version=version)
        assert answer.status_code == 302
        assert told(answer)
    assert rows_of(game) == before


def test_an_abort_wants_to_be_meant(moderator: Client) -> None:
    game = game_in(Phase.MAIN)
    before = rows_of(game)
    answer = press(moderator, game, "abort", confirmed="")
    assert told(answer) == ["An ended game stays ended: tick the box if you mean it."]
    assert rows_of(game) == before


@pytest.mark.parametrize("end", ["pause", "resume", "extend", "play-timeout", "stand-in/1", "abort"])
def test_what_is_asked_of_a_game_that_ended_meanwhile_is_refused_in_a_sentence(moderator: Client, end: str) -> None:
    game = game_in(Phase.MAIN)
    page_of(moderator, game)
    services.abort(game.pk, now=timezone.now())
    before = rows_of(game)
    answer = press(moderator, game, end)
    assert answer.status_code == 302
    (sentence,) = told(answer)
    assert sentence.endswith(".")
    assert rows_of(game) == before
    ((act, why, details),) = audited()
    assert (act, why, details["wanted"]) == (Act.WAS_REFUSED, sentence, details["wanted"])


def test_a_game_that_differs_from_its_log_is_told_and_set_aside(moderator: Client) -> None:
    game = game_in(Phase.MAIN)
    answer = press(moderator, game, "verify")
    assert "Every row is what the log says." in answer.content.decode()
    Hand.objects.filter(seat=Seat.key(game.pk, ALICE)).update(ore=17)
    answer = press(moderator, game, "verify")
    assert "ore is 17" in answer.content.decode()
    row = Game.objects.get(pk=game.pk)
    assert row.status == Game.Status.NEEDS_ATTENTION
    assert "ore is 17" in row.attention
    assert [details["found"] for _, _, details in audited()] == [0, 1]


def test_the_record_of_a_running_game_is_what_a_spectator_may_have(moderator: Client) -> None:
    game = game_in(Phase.MAIN)
    answer = press(moderator, game, "export")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="game-{game.pk}.json"'
    record = json.loads(answer.content)
    assert record["format"] == "catan-spectator-1"
    assert seed_of(game).hex() not in answer.content.decode()
    assert audited() == [(Act.EXPORTED_GAME, WHY, {"format": "catan-spectator-1"})]


def test_the_record_of_a_finished_game_is_whole(moderator: Client) -> None:
    game = finished()
    record = json.loads(press(moderator, game, "export").content)
    assert record["seed"] == seed_of(game).hex()
    assert record["result"] == json.loads(json.dumps(result_of(stored_state(game.pk))))


# Who may


@pytest.mark.parametrize("end", [*ACTS, *LOOKS])
def test_each_address_wants_its_own_permission_and_a_press(end: str, moderator: Client, alice: User) -> None:
    game = game_in(Phase.MAIN)
    before = rows_of(game)
    assert moderator.get(address(game, end)).status_code == 405
    plain = browser_of(make_staff(alice))
    assert press(plain, game, end).status_code == 403
    assert press(Client(), game, end).status_code == 302
    assert rows_of(game) == before
    assert AuditLine.objects.count() == 0


@pytest.mark.parametrize(
    ("given", "may"), [("act_on_games", ACTS), ("see_hidden", LOOKS), ("work_cases", ())], ids=lambda each: str(each)
)
def test_a_permission_opens_what_it_is_for(
    given: str, may: tuple[str, ...], alice: User, permit: Callable[[User, str], None]
) -> None:
    game = game_in(Phase.MAIN)
    make_staff(alice)
    permit(alice, "view_game")
    permit(alice, given)
    browser = browser_of(User.objects.get(pk=alice.pk))
    opened = [end for end in (*ACTS, *LOOKS) if press(browser, game, end, why="").status_code != 403]
    assert opened == list(may)


@pytest.fixture
def permit() -> Callable[[User, str], None]:
    from django.contrib.auth.models import Permission

    def give(person: User, code: str) -> None:
        person.user_permissions.add(Permission.objects.get(codename=code))

    return give


def test_nobody_reads_on_a_games_page_what_is_reported_of_themselves(dana: User, alice: User, bob: User) -> None:
    """Whoever watches is reported for what they say there."""
    make_staff(dana, "moderator")
    game = new_game(users=[alice, bob])
    case_of(dana, [alice], game=game)
    case_of(bob, [alice], game=game, kind="stalling")
    page = page_of(browser_of(dana), game)
    assert "about bob" in page
    assert "about dana" not in page


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("end", ["pause", "verify", "export", "whole"])
def test_a_reason_with_a_nul_is_a_reason(end: str, dana: User, alice: User) -> None:
    game = new_game(users=[alice])
    moderator = moderator_of(dana)
    moderator.post(address(game, end), {"why": "\0"})
    assert AuditLine.objects.get().act == Act.WAS_REFUSED
    moderator.post(address(game, end), {"why": "They asked\0 for it."})
    assert AuditLine.objects.latest("pk").why == "They asked for it."
