"""Tables over HTTP: from an empty one to a game, as programs do it."""

from __future__ import annotations

from base64 import b64encode
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.table_serializers import NewTableSerializer
from games.models import Game, Seat
from games.paces import CLOCKS, DEFAULT_PACE, PACES
from games.rules import PRESETS
from games.rules.ruleset import OPTIONS, Option
from lobby import blocks, meeting, services
from lobby.company import Company
from lobby.models import Chair, Removal, Table, User
from tests.api.programs import Program, refusal, wrong_fields
from tests.clock import Clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def alices(alice: User) -> Program:
    return Program(alice)


@pytest.fixture
def bobs(bob: User) -> Program:
    return Program(bob)


@pytest.fixture
def charlies(charlie: User) -> Program:
    return Program(charlie)


@pytest.fixture
def code(alices: Program) -> str:
    """A table by link, which Alice has opened."""
    return str(alices.done("tables/")["code"])


def holders(table: dict[str, Any]) -> list[str]:
    return [chair["name"] or chair["holder"] for chair in table["chairs"]]


# From a table to its game


@pytest.mark.both_stacks
def test_three_accounts_meet_at_a_public_table_and_the_last_who_is_ready_starts_the_game(
    alices: Program, bobs: Program, charlies: Program, bob: User
) -> None:
    opened = alices.done("tables/", visibility="public", pace="fast", rated=True, board_seen=True)
    code = opened["code"]
    assert (opened["host"], opened["is_host"], opened["own_chair"], opened["game"]) == ("alice", True, 0, None)
    [listed] = bobs.get("tables/", pace="fast", rated="true", free="true").json()["results"]
    assert (listed["code"], listed["is_host"], listed["own_chair"]) == (code, False, None)
    assert bobs.done(f"tables/{code}/join/", chair=2)["own_chair"] == 2
    table = charlies.done(f"tables/{code}/join/")
    assert holders(table) == ["alice", "charlie", "bob", "free"]
    assert [chair["player"] for chair in table["chairs"]][2] == bob.code
    marks = {"board": table["board_mark"], "terms": table["terms_mark"]}
    for program in (alices, bobs):
        assert program.done(f"tables/{code}/ready/", ready=True, **marks)["game"] is None
    begun = charlies.done(f"tables/{code}/ready/", ready=True, **marks)
    game = Game.objects.get()
    assert begun["game"] == game.pk
    assert [seat.user_id for seat in game.seat_set.order_by("number")].count(bob.pk) == 1
    assert alices.get(f"games/{game.pk}/").json()["viewer"] is not None
    assert alices.get("tables/").json()["results"] == []


def test_a_host_fills_up_with_bots_and_starts(alices: Program, code: str) -> None:
    begun = alices.done(f"tables/{code}/start/", fill_with_bots=True)
    assert begun["game"] == Game.objects.get().pk
    assert Seat.objects.filter(game=begun["game"], user=None).count() == 3
    again = alices.done(f"tables/{code}/start/")
    assert again["game"] == begun["game"], "pressed twice, one game"
    assert refusal(alices.post(f"tables/{code}/join/")) == (409, "already_started")


def test_playing_at_once_against_bots(alices: Program) -> None:
    assert wrong_fields(alices.post("play-now/", pace="fast")) == ["pace"]
    answer = alices.post("play-now/")
    assert (answer.status_code, answer.json()) == (201, {"game": Game.objects.get().pk})


def test_programs_choose_how_strong_bots_are(alices: Program, code: str) -> None:
    def strengths(table: Any) -> list[str]:
        return [chair["strength"] for chair in table["chairs"]]

    assert strengths(alices.done(f"tables/{code}/add-bot/", chair=1)) == ["", "medium", "", ""]
    assert strengths(alices.done(f"tables/{code}/add-bot/", chair=1, strength="hard")) == ["", "hard", "", ""]
    assert strengths(alices.done(f"tables/{code}/add-bot/", chair=2)) == ["", "hard", "hard", ""], "as chosen last"
    game = alices.done(f"tables/{code}/start/", fill_with_bots=True, strength="easy")["game"]
    assert [seat["strength"] for seat in alices.get(f"games/{game}/").json()["seats"]] == ["", "hard", "hard", "easy"]
    [listed] = alices.get("games/?mine=true").json()["results"]
    assert [player["strength"] for player in listed["players"]] == ["", "hard", "hard", "easy"]
    at_once = alices.post("play-now/", strength="medium").json()["game"]
    assert {seat.strength for seat in Seat.objects.filter(game=at_once)} == {"", "medium"}


def test_two_who_look_for_a_game_find_each_other(alices: Program, bobs: Program) -> None:
    found = alices.done("find/", pace="1 day")
    assert (found["options"]["pace"], found["options"]["visibility"]) == ("1 day", "public")
    assert bobs.done("find/", pace="1 day")["code"] == found["code"]
    assert bobs.done("find/", pace="fast")["code"] != found["code"]


def test_everything_that_a_host_arranges(alices: Program, bobs: Program, bob: User, charlie: User, code: str) -> None:
    charlie.name = "Charlie"
    charlie.save()
    bobs.done(f"tables/{code}/join/")
    assert holders(alices.done(f"tables/{code}/add-bot/", chair=3))[3] not in ("free", "")
    swapped = alices.done(f"tables/{code}/swap/", chair=1, other=2)
    assert holders(swapped)[1:3] == ["free", "bob"]
    assert bobs.done(f"tables/{code}/colour/", colour="white")["chairs"][2]["colour"] == "white"
    invited = alices.done(f"tables/{code}/invite/", name="Charlie")
    assert (invited["chairs"][1]["holder"], invited["chairs"][1]["name"]) == ("invited", "Charlie")
    removed = alices.done(f"tables/{code}/free-chair/", chair=2)
    assert [one["name"] for one in removed["removals"]] == ["bob"]
    seen_by_bob = bobs.get(f"tables/{code}/").json()
    assert (seen_by_bob["is_removed"], seen_by_bob["removals"]) == (True, []), "the host alone is told who"
    assert refusal(bobs.post(f"tables/{code}/join/")) == (403, "asked_to_leave")
    alices.done(f"tables/{code}/let-back/", removal=removed["removals"][0]["removal"])
    bobs.done(f"tables/{code}/join/")
    handed = alices.done(f"tables/{code}/hand-over/", chair=2)
    assert (handed["host"], handed["is_host"], handed["removals"]) == ("bob", False, [])


def test_who_leaves_last_leaves_nothing(alices: Program, bobs: Program, code: str) -> None:
    bobs.done(f"tables/{code}/join/")
    assert alices.done(f"tables/{code}/leave/")["host"] == "bob"
    answer = bobs.post(f"tables/{code}/leave/")
    assert (answer.status_code, answer.content) == (204, b"")
    assert not Table.objects.exists()


def test_who_leaves_a_table_for_invited_people_sees_it_no_longer(alices: Program, bobs: Program, bob: User) -> None:
    bob.name = "Bob"
    bob.save()
    code = alices.done("tables/", visibility="invited")["code"]
    alices.done(f"tables/{code}/invite/", name="Bob")
    assert bobs.done(f"tables/{code}/join/")["own_chair"] == 1
    assert bobs.post(f"tables/{code}/leave/").status_code == 204
    assert refusal(bobs.get(f"tables/{code}/")) == (404, "no_such_table")


def test_looking_at_a_table_notes_that_one_is_there(alices: Program, bobs: Program, code: str, clock: Clock) -> None:
    clock.move(60)
    bobs.get(f"tables/{code}/")
    assert Chair.objects.get(number=0).seen_at != clock.now
    alices.get(f"tables/{code}/")
    assert Chair.objects.get(number=0).seen_at == clock.now


def test_whoever_sits_down_and_never_looks_does_not_keep_the_chair_for_ever(
    alices: Program, bobs: Program, charlies: Program, clock: Clock
) -> None:
    code = alices.done("find/", pace="fast")["code"]
    assert bobs.done("find/", pace="fast")["code"] == code
    charlies.done(f"tables/{code}/join/")
    clock.move((meeting.GONE_AFTER + timedelta(seconds=1)).total_seconds())
    alices.get(f"tables/{code}/")
    meeting.free_chairs_of_those_gone(clock.now)
    assert holders(alices.get(f"tables/{code}/").json()) == ["alice", "free", "free", "free"]


def test_a_bot_account_is_labelled_wherever_programs_read_of_it(
    alices: Program, bobs: Program, bob: User, code: str
) -> None:
    User.objects.filter(pk=bob.pk).update(is_bot=True)
    table = bobs.done(f"tables/{code}/join/")
    assert [chair["is_bot_account"] for chair in table["chairs"]] == [False, True, False, False]
    game = alices.done(f"tables/{code}/start/", fill_with_bots=True)["game"]
    [listed] = alices.get("games/").json()["results"]
    for people in (listed["players"], alices.get(f"games/{game}/").json()["seats"]):
        assert [one["name"] for one in people if one["is_bot_account"]] == ["bob"]
    for path in (f"players/{bob.code}/", "me/"):
        assert bobs.get(path).json()["is_bot_account"] is True
        assert Program().get(path).json().get("is_bot_account") is (path != "me/")


# Options


def test_a_table_is_as_usual_until_something_is_said(alices: Program) -> None:
    table = alices.done("tables/")
    assert table["options"] == {
        "preset": "standard",
        "house_rules": {},
        "layout": "balanced",
        "board_seen": False,
        "pace": DEFAULT_PACE,
        "clocks": {},
        "bot_speed": "brisk",
        "visibility": "link",
        "bots_allowed": True,
        "spectators_allowed": True,
        "rated": False,
    }
    assert table["rules"] == PRESETS["standard"].to_json()
    assert table["times"] == {clock: getattr(PACES[DEFAULT_PACE], clock) for clock in CLOCKS}
    assert (table["board"], table["board_mark"]) == (None, "")


UNUSUAL = {
    "preset": "excellent",
    "house_rules": {"points_to_win": 12, "robber": False, "turn_order": "seat_order", "most_seats": 3},
    "layout": "random",
    "board_seen": True,
    "pace": "3 days",
    "clocks": {"turn": 3600, "answer": 7200},
    "bot_speed": "calm",
    "visibility": "invited",
    "bots_allowed": False,
    "spectators_allowed": False,
    "rated": True,
}


def test_what_is_told_of_the_options_is_what_was_sent_and_can_be_sent_again(alices: Program) -> None:
    table = alices.done("tables/", **UNUSUAL)
    code = table["code"]
    assert table["options"] == UNUSUAL
    assert table["rules"]["points_to_win"] == 12
    assert (table["times"]["turn"], table["times"]["placing"]) == (3600, PACES["3 days"].placing)
    assert len(table["chairs"]) == 3
    assert len(table["board"]["hexes"]) == 19
    assert table["board_mark"] == Table.objects.get().board_mark
    again = alices.post(f"tables/{code}/options/", table["options"], method="put")
    assert (again.status_code, again.json()["options"]) == (200, UNUSUAL)


def test_options_are_changed_all_at_once(alices: Program) -> None:
    code = alices.done("tables/", **UNUSUAL)["code"]
    answer = alices.post(f"tables/{code}/options/", {"preset": "online", "pace": None}, method="put").json()
    assert answer["options"]["preset"] == "online"
    assert (answer["options"]["pace"], answer["times"]) == (None, None)
    assert (answer["options"]["visibility"], answer["options"]["house_rules"]) == ("link", {})


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_takes_each_of_its_values_and_no_other(option: Option) -> None:
    values = [value for value, _ in option.values] or list(option.numbers or ())
    strangers = [None, "nonsense", -1, 99, 1.5, [], {}, "7", *((0, 1) if type(values[0]) is bool else (True, "true"))]
    for value in (*values, *strangers):
        read = NewTableSerializer(data={"house_rules": {option.name: value}})
        if value in strangers and not (type(value) is bool and value in values):
            assert (read.is_valid(), list(read.errors.get("house_rules", ()))) == (False, [option.name]), value
        else:
            assert read.is_valid(), (value, read.errors)
            assert option.of(read.validated_data["wish"].rules) == value


WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"preset": "chess"}, ["preset"]),
    ({"preset": None}, ["preset"]),
    ({"layout": ""}, ["layout"]),
    ({"board_seen": "yes"}, ["board_seen"]),
    ({"pace": "none"}, ["pace"]),
    ({"pace": ["fast"]}, ["pace"]),
    ({"pace": "fast", "clocks": {"turn": 1}}, ["clocks.turn"]),
    ({"pace": "fast", "clocks": {"turn": 3600}}, ["clocks.turn"]),
    ({"clocks": {"turn": "60"}}, ["clocks.turn"]),
    ({"clocks": {"lunch": 60}}, ["clocks.lunch"]),
    ({"pace": None, "clocks": {"turn": 60}}, ["clocks"]),
    ({"clocks": 60}, ["clocks"]),
    ({"house_rules": {"points": 12}}, ["house_rules.points"]),
    ({"house_rules": []}, ["house_rules"]),
    ({"bot_speed": "asleep"}, ["bot_speed"]),
    ({"visibility": "secret"}, ["visibility"]),
    ({"bots_allowed": 1}, ["bots_allowed"]),
    ({"spectators_allowed": None}, ["spectators_allowed"]),
    ({"rated": "true"}, ["rated"]),
    ({"points_to_win": 12}, ["points_to_win"]),
    ({"wish": {}}, ["wish"]),
    ({"layout": "\ud800"}, ["layout"]),
    ({"\ud800": 1}, ["\\ud800"]),
    ({"layout": "\x00", "preset": 1}, ["preset", "layout"]),
]


def test_what_does_not_fit_is_named(alices: Program, code: str) -> None:
    for sent, fields in WRONG:
        for answer in (alices.post("tables/", sent), alices.post(f"tables/{code}/options/", sent, method="put")):
            assert wrong_fields(answer) == fields, sent
    assert Table.objects.count() == 1


def test_a_time_out_of_bounds_is_refused_as_on_the_page(alices: Program) -> None:
    answer = alices.post("tables/", {"pace": "fast", "clocks": {"turn": 3600}})
    [error] = answer.json()["errors"]
    assert error["detail"] == "Trading and building in a turn: choose between 5 seconds and 15 minutes."


#: By the action, what it takes, and what it does not.
SENT_TO_ACTIONS: dict[str, tuple[dict[str, Any], dict[str, list[Any]]]] = {
    "join": ({}, {"chair": [-1, "1", 1.5, True, None], "name": ["Alice", 7, None], "seat": [1]}),
    "ready": ({}, {"ready": ["no", 0, None], "board": [None, 1, "\x00"], "terms": [None, 1, "\ud800"]}),
    "start": ({}, {"fill_with_bots": ["yes", None], "board": [None, 1], "strength": ["", None]}),
    "add-bot": ({"chair": 3}, {"chair": [-1, "3", None, [3]], "strength": ["", "harder", 1, None], "bot": [1]}),
    "free-chair": ({"chair": 3}, {"chair": [-1, "3", None]}),
    "colour": ({"colour": "white"}, {"colour": ["green", 2, None, "\ud800"]}),
    "swap": ({"chair": 1, "other": 2}, {"chair": [-1], "other": ["2", None]}),
    "hand-over": ({"chair": 1}, {"chair": [-1, "1"]}),
    "let-back": ({"removal": 1}, {"removal": [0, "1", 2**63, None]}),
    "invite": ({"name": "Bob"}, {"name": ["", " ", "\x00", "\ud800", 7, None, "x" * 1001]}),
    "leave": ({}, {"chair": [0]}),
    "shuffle": ({}, {"layout": ["random"]}),
    "chat": ({"text": "Hello"}, {"text": ["", "\x00", "\ud800", 7, None, "x" * 301], "seat": [1]}),
}


@pytest.mark.slow
@pytest.mark.parametrize("action", SENT_TO_ACTIONS)
@pytest.mark.both_stacks
def test_what_is_sent_to_an_action_is_strict(alices: Program, code: str, action: str) -> None:
    fits, misfits = SENT_TO_ACTIONS[action]
    for field, values in misfits.items():
        for value in values:
            answer = alices.post(f"tables/{code}/{action}/", {**fits, field: value})
            assert wrong_fields(answer) == [field], value
    for needed in fits:
        assert needed in wrong_fields(alices.post(f"tables/{code}/{action}/", {}))
    for body in ("[]", "1", '"x"', "null"):
        answer = alices.post(f"tables/{code}/{action}/", body)
        assert answer.status_code == 400 or (body == "null" and not fits), body
    assert refusal(alices.post(f"tables/{code}/{action}/", "{")) == (400, "parse_error")


def test_numbers_of_chairs_that_are_not_there_are_refused(alices: Program, code: str) -> None:
    for chair in (4, 10**30):
        for action in ("join", "add-bot", "free-chair", "hand-over"):
            assert refusal(alices.post(f"tables/{code}/{action}/", chair=chair)) == (409, "no_such_chair")


# Refusals


def test_what_only_the_host_does_is_refused_to_others(alices: Program, bobs: Program, code: str) -> None:
    bobs.done(f"tables/{code}/join/")
    host_only = {action: SENT_TO_ACTIONS[action][0] for action in ("add-bot", "free-chair", "swap", "hand-over")}
    for action, sent in (host_only | {"let-back": {"removal": 1}, "invite": {"name": "x"}, "start": {}}).items():
        assert refusal(bobs.post(f"tables/{code}/{action}/", sent)) == (403, "not_host")
    assert refusal(bobs.post(f"tables/{code}/shuffle/")) == (403, "not_host")
    assert refusal(bobs.post(f"tables/{code}/options/", {}, method="put")) == (403, "not_host")


def test_what_needs_a_chair_is_refused_without_one(alices: Program, bobs: Program, code: str) -> None:
    for action, sent in {"leave": {}, "ready": {}, "colour": {"colour": "white"}}.items():
        assert refusal(bobs.post(f"tables/{code}/{action}/", sent)) == (403, "not_seated")


def test_a_chair_that_somebody_has_is_taken(alices: Program, bobs: Program, code: str) -> None:
    assert refusal(bobs.post(f"tables/{code}/join/", chair=0)) == (409, "chair_taken")
    assert refusal(alices.post(f"tables/{code}/add-bot/", chair=0)) == (409, "chair_taken")
    for chair in (1, 2, 3):
        alices.done(f"tables/{code}/add-bot/", chair=chair)
    assert refusal(bobs.post(f"tables/{code}/join/")) == (409, "chair_taken")


def test_two_are_too_few(alices: Program, bobs: Program, code: str) -> None:
    bobs.done(f"tables/{code}/join/")
    assert refusal(bobs.post(f"tables/{code}/ready/")) == (409, "too_few_players")
    assert refusal(alices.post(f"tables/{code}/start/")) == (409, "too_few_players")


def test_nobody_agrees_to_a_board_or_options_that_they_have_not_seen(alices: Program, bobs: Program) -> None:
    table = alices.done("tables/", board_seen=True, house_rules={"most_seats": 3})
    code, old = table["code"], {"board": table["board_mark"], "terms": table["terms_mark"]}
    bobs.done(f"tables/{code}/join/")
    alices.done(f"tables/{code}/add-bot/", chair=2)
    new = alices.done(f"tables/{code}/shuffle/")
    assert new["board"] != table["board"]
    assert refusal(bobs.post(f"tables/{code}/ready/", **old)) == (409, "board_changed")
    assert refusal(bobs.post(f"tables/{code}/ready/", board=new["board_mark"], terms="x")) == (409, "options_changed")
    assert refusal(alices.post(f"tables/{code}/start/", board=old["board"])) == (409, "board_changed")
    assert bobs.done(f"tables/{code}/ready/", **old | {"board": new["board_mark"]})["chairs"][1]["ready"] is True
    assert bobs.done(f"tables/{code}/ready/", ready=False)["chairs"][1]["ready"] is False
    assert alices.done(f"tables/{code}/start/", board=new["board_mark"])["game"]


def test_how_many_tables_one_may_open_is_limited(alices: Program, settings: LazySettings) -> None:
    settings.MOST_OPEN_TABLES = 1
    alices.done("tables/")
    answer = alices.post("tables/")
    assert refusal(answer) == (429, "too_fast")
    assert int(answer["Retry-After"]) > 0


@pytest.mark.parametrize("path", ["tables/", "find/", "play-now/", "tables/{}/join/", "tables/{}/leave/"])
def test_who_has_not_said_who_they_are_changes_nothing(code: str, path: str) -> None:
    before = (Table.objects.get().version, User.objects.count())
    answer = Program().post(path.format(code))
    assert answer.status_code in (401, 403)
    assert answer.json()["code"] == "not_authenticated"
    assert (Table.objects.get().version, User.objects.count()) == before


def test_what_a_page_of_ours_sends_needs_its_token(alice: User) -> None:
    program = Program(alice)
    program.client.handler.enforce_csrf_checks = True
    answer = program.post("tables/")
    assert refusal(answer) == (403, "csrf")
    assert "Reload" in answer.json()["detail"], "somebody reads it on a page that was drawn before they signed in"
    assert not Table.objects.exists()


# Guests


def test_a_guest_with_a_session_does_what_accounts_do_and_says_what_to_call_them(alices: Program) -> None:
    guest = Program()
    guest.client.post("/t/new/", {"preset": "standard", "name": "Wanda"})
    code = alices.done("tables/")["code"]
    who = guest.get("me/").json()
    assert (who["name"], who["is_guest"], who["code"]) == ("Wanda", True, None)
    assert holders(guest.done(f"tables/{code}/join/"))[1] == "Wanda"
    moved = guest.done(f"tables/{code}/join/", chair=2, name="Wendy")
    assert (holders(moved)[2], moved["chairs"][2]["player"]) == ("Wendy", None)
    for name in ("", " ", "x" * 21, "You"):
        assert wrong_fields(guest.post(f"tables/{code}/join/", name=name)) == ["name"]
    assert refusal(guest.post("tables/", rated=True)) == (403, "account_needed")


def test_a_guest_does_not_go_by_the_name_of_an_account(alices: Program, alice: User, code: str) -> None:
    guest = Program()
    guest.client.post("/t/new/", {"preset": "standard", "name": "Wanda"})
    alice.name = "Wanda"
    alice.save()
    assert wrong_fields(guest.post("find/")) == ["name"]
    assert guest.done("find/", name="Wilma")["chairs"][0]["name"] == "Wilma"


def test_an_account_goes_by_its_own_name(alices: Program, code: str) -> None:
    for path in ("tables/", "find/", f"tables/{code}/join/"):
        assert wrong_fields(alices.post(path, name="Alicia")) == ["name"]


# What may be seen


def test_a_table_for_invited_people_is_not_there_for_others(alices: Program, bobs: Program) -> None:
    code = alices.done("tables/", visibility="invited")["code"]
    for program in (bobs, Program()):
        for path in (f"tables/{code}/", f"tables/{code}/chat/", "tables/nowhere/", "tables/nowhere/chat/"):
            assert refusal(program.get(path)) == (404, "no_such_table")
    for action, (sent, _) in SENT_TO_ACTIONS.items():
        assert refusal(bobs.post(f"tables/{code}/{action}/", sent)) == (404, "no_such_table")
    assert bobs.get("tables/").json()["results"] == []
    assert [table["code"] for table in alices.get("tables/").json()["results"]] == [code]


def test_once_the_game_has_begun_a_table_leads_to_it_those_who_may_watch(alices: Program, bobs: Program) -> None:
    opened, closed = (alices.done("tables/", spectators_allowed=allowed)["code"] for allowed in (True, False))
    for code in (opened, closed):
        game = alices.done(f"tables/{code}/start/", fill_with_bots=True)["game"]
        assert alices.get(f"tables/{code}/").json()["game"] == game
    assert bobs.get(f"tables/{opened}/").json()["game"] == Game.objects.get(table__code=opened).pk
    assert refusal(bobs.get(f"tables/{closed}/")) == (404, "no_such_table")
    assert refusal(bobs.post(f"tables/{closed}/start/")) == (404, "no_such_table")


def test_no_answer_about_a_table_holds_a_seed(alices: Program, bobs: Program) -> None:
    table = alices.done("tables/", board_seen=True)
    seed = bytes(Table.objects.get().board_seed or b"").hex()
    begun = alices.post(f"tables/{table['code']}/start/", fill_with_bots=True, board=table["board_mark"])
    answers = [begun, *(program.get(f"tables/{table['code']}/") for program in (alices, bobs, Program()))]
    for answer in answers:
        assert answer.status_code == 200
        assert seed not in answer.content.decode()
        assert answer.json()["board"] is None, "the game shows it"
        assert answer["Cache-Control"] == "private, no-store"


# The list


@pytest.fixture
def tables(alice: User, bob: User, clock: Clock) -> dict[str, Table]:
    """Of Alice's, but for Bob's own; each a minute after the one before."""

    def opened(host: User, rules: str, pace: str | None, **company: Any) -> Table:
        clock.move(60)
        wanted = Company(**{"visibility": "public", **company})
        clocks = PACES[pace] if pace else None  # type: ignore[index]
        return services.open_table(
            host,
            host.shown_name,
            PRESETS[rules],
            "balanced",
            clocks,
            company=wanted,
            now=clock.now,  # type: ignore[index]
        )

    found = {
        "usual": opened(alice, "standard", "normal"),
        "hidden": opened(alice, "standard", "normal", visibility="link"),
        "rated": opened(alice, "standard", "1 day", rated=True),
        "people": opened(alice, "online", None, bots_allowed=False),
        "own": opened(bob, "three-player", "normal", visibility="link"),
        "full": opened(alice, "excellent", "fast"),
        "begun": opened(alice, "standard", "fast"),
    }
    Chair.objects.filter(table=found["full"], user=None).update(bot=True, strength="medium", name="Bruno")
    services.start(found["begun"].code, alice, fill_with_bots=True, now=clock.now)
    for minutes, table in enumerate(found.values()):
        Table.objects.filter(pk=table.pk).update(opened_at=clock.now + timedelta(minutes=minutes))
    return found


LISTS: list[tuple[dict[str, str], list[str]]] = [
    ({}, ["full", "own", "people", "rated", "usual"]),
    ({"mine": "true"}, ["own"]),
    ({"mine": "false"}, ["full", "people", "rated", "usual"]),
    ({"rules": "standard"}, ["rated", "usual"]),
    ({"rules": "online"}, ["people"]),
    ({"pace": "normal"}, ["own", "usual"]),
    ({"pace": "none"}, ["people"]),
    ({"rated": "true"}, ["rated"]),
    ({"rated": "false", "mine": "false"}, ["full", "people", "usual"]),
    ({"bots": "true"}, ["full", "own", "rated", "usual"]),
    ({"bots": "false"}, ["people"]),
    ({"free": "true"}, ["own", "people", "rated", "usual"]),
    ({"free": "false"}, ["full"]),
    ({"pace": "normal", "rules": "three-player", "free": "true"}, ["own"]),
]


@pytest.mark.both_stacks
def test_open_tables_are_listed_the_newest_first(tables: dict[str, Table], bobs: Program) -> None:
    names = {table.code: name for name, table in tables.items()}
    for query, expected in LISTS:
        listed = bobs.get("tables/", **query).json()["results"]
        assert [names[table["code"]] for table in listed] == expected, query


def test_nobody_in_particular_is_told_of_public_tables_alone(tables: dict[str, Table]) -> None:
    listed = Program().get("tables/").json()["results"]
    assert {table["code"] for table in listed} == {tables[name].code for name in ("full", "people", "rated", "usual")}
    assert Program().get("tables/", mine="true").json()["results"] == []


def test_a_filter_that_means_nothing_is_named(alices: Program) -> None:
    for names, values in {
        ("mine", "rated", "bots", "free"): ("", "yes", "1", "True", "\x00"),
        ("rules", "pace"): ("", "chess", "\x00", "Normal"),
    }.items():
        for name in names:
            for value in values:
                assert wrong_fields(alices.get("tables/", **{name: value})) == [name], value


def test_tables_of_those_whom_one_has_blocked_are_not_listed(
    tables: dict[str, Table], alice: User, bob: User, alices: Program, bobs: Program, clock: Clock
) -> None:
    blocks.block(bob, alice, now=clock.now)
    assert [table["code"] for table in bobs.get("tables/").json()["results"]] == [tables["own"].code]
    assert tables["usual"].code in [table["code"] for table in alices.get("tables/").json()["results"]]


def test_the_list_comes_in_pages(tables: dict[str, Table], bobs: Program) -> None:
    seen: list[str] = []
    address = "/api/v1/tables/?page_size=2"
    while address:
        answer = bobs.client.get(address).json()
        assert len(answer["results"]) <= 2
        seen += [table["code"] for table in answer["results"]]
        address = answer["next"]
    assert seen == [tables[name].code for name in LISTS[0][1]]
    for size in ("0", "51", "-1", "x", ""):
        assert wrong_fields(bobs.get("tables/", page_size=size)) == ["page_size"]


MADE_UP = ["x", "p=x", "p=%00", "o=x", "p=2026-01-01", "p=2026-01-01T00:00:00", "p=2026-99-01T00:00:00Z"]
MADE_UP += ["p=0001-01-01T00:00:00+14:00", "p=9999-12-31T23:59:59-14:00", "p=\ud800", "r=1&p=1&o=-1"]


@pytest.mark.both_stacks
@pytest.mark.parametrize("what", ["tables", "games"])
def test_a_cursor_that_was_made_up_is_no_error_of_ours(alices: Program, code: str, what: str) -> None:
    alices.done(f"tables/{code}/start/", fill_with_bots=True)
    for text in MADE_UP:
        cursor = b64encode(text.encode("utf-8", "surrogatepass")).decode()
        for sent in (text.encode("utf-8", "replace"), cursor, quote(cursor)):
            assert alices.get(f"{what}/", cursor=sent).status_code in (200, 404), text


@pytest.mark.parametrize("what", ["tables", "games"])
def test_a_list_takes_the_same_statements_however_long_it_is(
    alice: User, bob: User, alices: Program, clock: Clock, what: str
) -> None:
    def more(times: int) -> None:
        for _ in range(times):
            table = services.open_table(
                bob, "bob", PRESETS["standard"], "balanced", None, company=Company("invited"), now=clock.now
            )
            Chair.objects.filter(table=table, number=1).update(user=alice, name="alice")
            if what == "games":
                services.start(table.code, bob, fill_with_bots=True, now=clock.now)

    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert alices.get(f"{what}/").json()["results"]
        return len(asked)

    more(1)
    statements()
    few = statements()
    more(4)
    assert statements() == few <= 8


def test_a_table_takes_the_same_statements_however_many_sit_there(
    alices: Program, bobs: Program, charlies: Program, code: str
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert alices.get(f"tables/{code}/").status_code == 200
        return len(asked)

    statements()
    alone = statements()
    for program in (bobs, charlies):
        program.done(f"tables/{code}/join/")
    assert statements() == alone


def test_the_way_in_leads_to_everything(alices: Program) -> None:
    ways = alices.get("").json()
    ladders = ways.pop("leaderboards")
    assert {"tables", "games", "find", "play_now", "me"} <= ways.keys()
    for address in (*ways.values(), *ladders.values()):
        assert alices.client.get(address).status_code in (200, 405)


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_a_refused_request_leaves_the_table_as_it_was(alice: User, bob: User) -> None:
    alices, bobs = Program(alice), Program(bob)
    code = alices.done("tables/", board_seen=True)["code"]
    before = (Table.objects.values().get(), list(Chair.objects.values()), list(Removal.objects.values()))
    for action, (sent, _) in SENT_TO_ACTIONS.items():
        if action != "join":
            assert bobs.post(f"tables/{code}/{action}/", sent).status_code in (403, 409)
    assert (Table.objects.values().get(), list(Chair.objects.values()), list(Removal.objects.values())) == before
