"""The host reads the times of a pace and changes them within bounds, with scripts and without."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.models import Game
from games.paces import CLOCKS, DAY, HOUR, PACES, in_words
from lobby import choices
from lobby.choices import agreed_clocks, pace_tables
from lobby.forms import at_the_pace
from lobby.models import Table
from tests.lobby.conftest import opened

OUT_OF_BOUNDS = [
    ("normal", "4 seconds", "between 5 seconds and 15 minutes"),
    ("normal", "15:01", "between 5 seconds and 15 minutes"),
    ("fast", "0", "between 5 seconds and 15 minutes"),
    ("relaxed", "1 day", "between 5 seconds and 15 minutes"),
    ("12 hours", "59 minutes", "between 1 hour and 14 days"),
    ("7 days", "14 days 1 second", "between 1 hour and 14 days"),
    ("1 day", "30", "between 1 hour and 14 days"),
    ("3 days", "9999999 days", "between 1 hour and 14 days"),
]
NONSENSE = ["soon", "-5", "5 blinks", "1.5 hours", "<b>1</b>", "9" * 100, "½"]


def shown(pace: str, **written: str) -> dict[str, str]:
    """What a page that shows the times of a pace sends, with what the host has written into it."""
    times = {name: text for name, text in at_the_pace(pace).items() if name != "bounds"}
    return {"preset": "standard", "shown_pace": pace} | times | written


def inputs(page: str) -> Iterator[tuple[str, str, bool]]:
    """Each clock's input on a page: its name, what is written in it, and whether it is marked as changed."""
    for classes, name, text in re.findall(r'<input class="(time[^"]*)"[^>]* name="(\w+)" value="([^"]*)"', page):
        yield name, text, "by-the-book" not in classes


def problems(page: str) -> list[str]:
    return re.findall(r"Problem:</span> ([^<]*)</p>", page)


# Picking a pace


def test_every_pace_can_be_chosen() -> None:
    assert set(choices.PACE_CHOICES) == {"", *PACES}


@pytest.mark.parametrize("pace", PACES)
def test_a_pace_alone_is_the_whole_choice(client: Client, db: None, pace: str) -> None:
    assert opened(client, preset="standard", pace=pace).pace == PACES[pace]


@pytest.mark.parametrize("pace", PACES)
def test_what_a_page_shows_comes_back_as_it_was(client: Client, db: None, pace: str) -> None:
    assert opened(client, pace=pace, **shown(pace)).pace == PACES[pace]


@pytest.mark.parametrize("before", ["", "fast", "3 days"])
@pytest.mark.parametrize("pace", PACES)
def test_another_pace_picked_without_scripts_is_that_pace(client: Client, db: None, before: str, pace: str) -> None:
    """The page showed the times of the one before, and they come back unchanged with the other one's name."""
    assert opened(client, pace=pace, **shown(before)).pace == PACES[pace]


@pytest.mark.parametrize("before", ["", "normal", "7 days"])
def test_without_a_clock_nothing_that_is_written_counts(client: Client, db: None, before: str) -> None:
    written = {"clock_turn": "3 minutes", "clock_rolling": "soon", "clock_answer": "99 days"}
    assert opened(client, pace="", **shown(before, **written)).pace is None


# The host's own times


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize(("pace", "text", "seconds"), [("normal", "1:11", 71), ("3 days", "50 hours", 50 * HOUR)])
def test_every_single_clock_can_be_changed(
    client: Client, db: None, pace: str, text: str, seconds: int, clock: str
) -> None:
    table = opened(client, pace=pace, **shown(pace, **{f"clock_{clock}": text}))
    assert table.pace == PACES[pace].with_clocks(**{clock: seconds})


def test_several_clocks_are_changed_at_once_and_an_empty_one_is_as_usual(client: Client, db: None) -> None:
    written = {"clock_turn": " 3 MIN ", "clock_rolling": "45", "clock_robber": "", "clock_answer": "   "}
    table = opened(client, pace="normal", **shown("normal", **written))
    assert table.pace == PACES["normal"].with_clocks(turn=180, rolling=45)


def test_a_usual_time_in_other_words_is_no_change(client: Client, db: None) -> None:
    table = opened(client, pace="normal", **shown("normal", clock_turn="2:00"))
    assert table.pace == PACES["normal"]


def test_the_robbers_clock_is_not_the_rule_about_the_robber(client: Client, db: None) -> None:
    table = opened(client, pace="fast", robber="false", **shown("fast", clock_robber="1 minute"))
    assert table.pace == PACES["fast"].with_clocks(robber=60)
    assert not table.rule_set.robber


def test_what_the_host_changed_is_carried_into_the_other_pace(client: Client, db: None) -> None:
    live = opened(client, pace="relaxed", **shown("normal", clock_turn="4 minutes", clock_rolling="45 seconds"))
    assert live.pace == PACES["relaxed"].with_clocks(turn=240, rolling=45)
    over_days = opened(client, pace="3 days", **shown("7 days", clock_answer="12 hours"))
    assert over_days.pace == PACES["3 days"].with_clocks(answer=12 * HOUR)


@pytest.mark.parametrize(("pace", "text", "bounds"), OUT_OF_BOUNDS)
def test_a_time_out_of_bounds_opens_no_table_and_is_explained(
    client: Client, db: None, pace: str, text: str, bounds: str
) -> None:
    page = client.post("/t/new/", {"name": "Alice", "pace": pace} | shown(pace, clock_rolling=text)).content.decode()
    assert problems(page) == [f"Rolling the dice: choose {bounds}."]
    assert ("clock_rolling", text, True) in inputs(page), "what was typed is shown again"
    assert not Table.objects.exists()


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_opens_no_table_and_is_explained(client: Client, db: None, text: str) -> None:
    sent = {"name": "Alice", "pace": "fast"} | shown("fast", clock_turn=text)
    page = client.post("/t/new/", sent).content.decode()
    assert [problem.startswith("Trading and building in a turn: ") for problem in problems(page)] == [True]
    assert ("clock_turn", text.replace("<", "&lt;").replace(">", "&gt;"), True) in inputs(page)
    assert page.count('aria-invalid="true"') == 1
    assert not Table.objects.exists()


def test_every_clock_that_cannot_be_is_named(client: Client, db: None) -> None:
    sent = shown("fast", clock_turn="1 hour", clock_rolling="soon", clock_answer="20 seconds")
    page = client.post("/t/new/", {"name": "Alice", "pace": "fast"} | sent).content.decode()
    assert [problem.partition(":")[0] for problem in problems(page)] == [CLOCKS["rolling"], CLOCKS["turn"]]
    assert {name: text for name, text, is_changed in inputs(page) if is_changed} == {
        "clock_rolling": "soon",
        "clock_turn": "1 hour",
        "clock_answer": "20 seconds",
    }


def test_seconds_are_not_carried_into_a_game_over_days_in_silence(client: Client, db: None) -> None:
    """Without scripts, the host is told and finds the other pace's times, with the own one among them."""
    sent = {"name": "Alice", "pace": "1 day"} | shown("normal", clock_rolling="1 minute")
    page = client.post("/t/new/", sent).content.decode()
    assert problems(page) == ["Rolling the dice: choose between 1 hour and 14 days."]
    assert '<input type="hidden" name="shown_pace" value="1 day">' in page
    assert {name: text for name, text, _ in inputs(page)} == {
        f"clock_{clock}": in_words(getattr(PACES["1 day"], clock)) for clock in CLOCKS
    } | {"clock_rolling": "1 minute"}


# The page of the options


@pytest.mark.parametrize("pace", PACES)
def test_the_page_shows_the_times_of_the_pace_picked_before_anything_is_decided(
    client: Client, db: None, pace: str
) -> None:
    sent = {"name": "Alice", "pace": pace, "show": ""} | shown("")
    page = client.post("/t/new/", sent).content.decode()
    assert not Table.objects.exists()
    assert f'<input type="hidden" name="shown_pace" value="{pace}">' in page
    assert PACES[pace].bounds_in_words in page
    assert list(inputs(page)) == [(f"clock_{clock}", in_words(getattr(PACES[pace], clock)), False) for clock in CLOCKS]


def test_the_hosts_own_times_are_shown_with_the_pace_picked(client: Client, db: None) -> None:
    sent = {"name": "Alice", "pace": "relaxed", "show": ""} | shown("normal", clock_rolling="1:30", clock_turn="5 min")
    page = client.post("/t/new/", sent).content.decode()
    assert list(inputs(page))[1] == ("clock_rolling", "1 minute 30 seconds", True)
    assert list(inputs(page))[5] == ("clock_turn", "5 minutes", False), "the usual time of this pace"
    assert "usually 45 seconds" in strip_tags(page)


def test_a_table_without_a_clock_has_no_times(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", pace="")
    page = alice_browser.get(f"/t/{table.code}/options/").content.decode()
    assert '<input type="hidden" name="shown_pace" value="">' in page
    assert list(inputs(page)) == [(f"clock_{clock}", "", False) for clock in CLOCKS]


def test_the_options_page_shows_the_times_that_are_agreed(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", pace="1 day", clock_answer="6 hours")
    page = alice_browser.get(f"/t/{table.code}/options/").content.decode()
    assert list(inputs(page))[-2:] == [("clock_turn", "1 day", False), ("clock_answer", "6 hours", True)]
    assert "usually 8 hours" in strip_tags(page)


def test_every_time_of_every_pace_can_be_read_before_picking_one(client: Client, db: None) -> None:
    page = client.get("/t/new/").content.decode()
    for table in pace_tables():
        assert table.bounds in page
        for what, times in table.rows:
            cells = "".join(f"<td>{time}</td>" for time in times)
            assert f'<th scope="row">{what}</th>{cells}' in page


def test_paces_stand_side_by_side_with_those_of_their_kind() -> None:
    live, over_days = pace_tables()
    assert (live.paces, live.bounds) == (["Fast", "Normal", "Relaxed"], "between 5 seconds and 15 minutes")
    assert (over_days.paces, over_days.bounds) == (
        ["Twice daily", "Daily", "Unhurried", "Weekly"],
        "between 1 hour and 14 days",
    )
    assert live.rows[1] == ("Rolling the dice", ["10 seconds", "20 seconds", "45 seconds"])
    assert over_days.rows[-1] == ("Answering an offer", ["4 hours", "8 hours", "1 day", "2 days"])


def test_the_sentence_of_a_pace_tells_its_time_for_a_turn() -> None:
    for name, pace in PACES.items():
        assert choices.PACE_CHOICES[name].sentence.startswith(in_words(pace.turn))


# What the table plays by


def test_the_host_changes_times_and_everybody_reads_them(
    table: Table, alice_browser: Client, visitors: Callable[[], Client]
) -> None:
    alice_browser.post(f"/t/{table.code}/options/", {"pace": "normal"} | shown("", clock_rolling="1:30"))
    for address in (f"/t/{table.code}/", f"/t/{table.code}/now/"):
        page = visitors().get(address).content.decode()
        assert "<strong>Normal</strong> Usually 2 minutes a turn." in page
        assert "<strong>Rolling the dice</strong> 1 minute 30 seconds instead of 20 seconds." in page
        assert page.count("instead of") == 1
        for clock in agreed_clocks(PACES["normal"].with_clocks(rolling=90)):
            assert re.search(rf"{clock.title}.*<td>{clock.time}</td>", page)


def test_a_table_at_its_usual_pace_has_nothing_changed(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", pace="fast")
    page = alice_browser.get(f"/t/{table.code}/").content.decode()
    assert "<strong>Fast</strong> 1 minute a turn." in page
    assert "<td>45 seconds</td>" in page
    assert "instead of" not in page
    assert "changed" not in page


def test_a_table_without_a_clock_tells_of_none(alice_browser: Client) -> None:
    table = opened(alice_browser, preset="standard", pace="")
    page = alice_browser.get(f"/t/{table.code}/").content.decode()
    assert "<strong>No clock</strong> No time limit." in page
    assert "Time limits" not in page


def test_a_refused_change_leaves_the_table_as_it_was(table: Table, alice_browser: Client) -> None:
    alice_browser.post(f"/t/{table.code}/options/", {"pace": "normal"} | shown("normal", clock_turn="3 minutes"))
    before = Table.objects.values().get()
    sent = {"pace": "fast", "preset": "online"} | shown("normal", clock_turn="3 hours")
    page = alice_browser.post(f"/t/{table.code}/options/", sent).content.decode()
    assert problems(page) == ["Trading and building in a turn: choose between 5 seconds and 15 minutes."]
    assert Table.objects.values().get() == before


def test_times_once_changed_can_be_as_usual_again(table: Table, alice_browser: Client) -> None:
    for text, turn in [("3 minutes", 180), ("2 minutes", 120), ("3 minutes", 180), ("", 120)]:
        alice_browser.post(f"/t/{table.code}/options/", {"pace": "normal"} | shown("normal", clock_turn=text))
        table.refresh_from_db()
        assert table.pace == PACES["normal"].with_clocks(turn=turn)


def test_the_game_is_played_at_the_pace_of_the_table(table: Table, alice_browser: Client) -> None:
    sent = {"pace": "7 days"} | shown("7 days", clock_turn="10 days", clock_answer="1 day")
    alice_browser.post(f"/t/{table.code}/options/", sent)
    alice_browser.post(f"/t/{table.code}/start/", {"fill_with_bots": "yes"})
    assert Game.objects.get().pace == PACES["7 days"].with_clocks(turn=10 * DAY, answer=DAY).to_json()
