"""How long players may take: the table of seconds, its bounds, and times as people write them."""

import json
from typing import Any

import pytest

from games.paces import CLOCKS, DAY, DAYS_BOUNDS, HOUR, LIVE, LIVE_BOUNDS, PACES, Pace, PaceError, from_words, in_words
from games.rules import Phase


@pytest.mark.parametrize("pace", PACES.values(), ids=str)
def test_every_pace_keeps_its_own_bounds(pace: Pace) -> None:
    assert pace.with_clocks() == pace
    assert pace.changed == {}


def test_a_live_game_counts_in_seconds_and_one_over_days_in_hours() -> None:
    assert [name for name, pace in PACES.items() if pace.is_live] == [*LIVE]
    assert {pace.bounds for pace in PACES.values()} == {LIVE_BOUNDS, DAYS_BOUNDS}


def test_whatever_a_game_waits_for_has_a_clock() -> None:
    """All but an answer, which others owe while the turn goes on."""
    names = Pace("fast", 1, 2, 3, 4, 5, 6, 7)
    seconds = {names.seconds(phase) for phase in Phase if phase is not Phase.OVER}
    assert seconds == {1, 2, 3, 4, 5, 6}


def test_a_slower_pace_is_slower_by_every_clock() -> None:
    for faster, slower in zip([*PACES.values()], [*PACES.values()][1:], strict=False):
        assert all(getattr(faster, clock) < getattr(slower, clock) for clock in CLOCKS)


# The host's own times


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("name", PACES)
def test_every_clock_of_every_pace_may_have_the_least_and_the_most(name: str, clock: str) -> None:
    for seconds in PACES[name].bounds:
        assert PACES[name].with_clocks(**{clock: seconds}).changed == {clock: seconds}


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("name", PACES)
def test_less_than_the_least_and_more_than_the_most_is_refused_by_the_clocks_name(name: str, clock: str) -> None:
    least, most = PACES[name].bounds
    for seconds in (least - 1, most + 1, 0, -1):
        with pytest.raises(PaceError, match=f"^{CLOCKS[clock]}: choose between "):
            PACES[name].with_clocks(**{clock: seconds})


def test_the_bounds_are_told_in_words() -> None:
    with pytest.raises(PaceError, match=r"^Rolling the dice: choose between 5 seconds and 15 minutes\.$"):
        PACES["fast"].with_clocks(rolling=1)
    with pytest.raises(PaceError, match=r"^Answering an offer: choose between 1 hour and 14 days\.$"):
        PACES["1 day"].with_clocks(answer=15 * DAY)


def test_only_what_differs_from_the_pace_is_changed() -> None:
    pace = PACES["normal"].with_clocks(rolling=45, turn=120)
    assert pace.changed == {"rolling": 45}
    assert pace.with_clocks(rolling=20) == PACES["normal"]


def test_a_time_may_be_given_in_words_and_a_refusal_names_its_clock() -> None:
    assert PACES["normal"].with_time("turn", "2:30") == PACES["normal"].with_clocks(turn=150)
    with pytest.raises(PaceError, match=r"^Placing a free road: write a time like .*\.$"):
        PACES["normal"].with_time("free_roads", "a while")
    with pytest.raises(PaceError, match=r"^Placing a free road: “blinks” is no unit of time, .*\.$"):
        PACES["normal"].with_time("free_roads", "20 blinks")
    with pytest.raises(PaceError, match=r"^Placing a free road: choose between .*\.$"):
        PACES["normal"].with_time("free_roads", "20 hours")


# A pace in the database


@pytest.mark.parametrize("pace", [*PACES.values(), PACES["3 days"].with_clocks(answer=5 * HOUR)], ids=str)
def test_a_pace_is_read_back_as_it_was_written(pace: Pace) -> None:
    assert Pace.from_json(json.loads(json.dumps(pace.to_json()))) == pace


def test_a_game_keeps_a_pace_that_is_out_of_bounds_by_now() -> None:
    written = PACES["fast"].to_json() | {"rolling": 2}
    assert Pace.from_json(written).rolling == 2


FAST = PACES["fast"].to_json()


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "fast",
        60,
        {},
        {"name": "fast"},
        {clock: FAST[clock] for clock in CLOCKS},
        FAST | {"thinking": 60},
        FAST | {"name": "sluggish"},
        FAST | {"name": ["fast"]},
        FAST | {"name": None},
        FAST | {"turn": "60"},
        FAST | {"turn": 60.5},
        FAST | {"turn": True},
        FAST | {"turn": None},
        FAST | {"turn": 0},
        FAST | {"turn": -60},
    ],
    ids=repr,
)
def test_what_is_no_pace_is_refused_in_words(data: Any) -> None:
    with pytest.raises(PaceError, match=r"\.$"):
        Pace.from_json(data)


# Times as people write and read them


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (45, "45 seconds"),
        (60, "1 minute"),
        (90, "1 minute 30 seconds"),
        (121, "2 minutes 1 second"),
        (3600, "1 hour"),
        (12 * HOUR, "12 hours"),
        (DAY, "1 day"),
        (3 * DAY, "3 days"),
        (DAY + HOUR + 61, "1 day 1 hour 1 minute 1 second"),
    ],
)
def test_seconds_are_told_in_words(seconds: int, words: str) -> None:
    assert in_words(seconds) == words


def test_what_is_told_can_be_typed() -> None:
    for seconds in [*range(2 * HOUR), *range(2 * HOUR, 15 * DAY, 997)]:
        assert from_words(in_words(seconds)) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        (" 90 ", 90),
        ("90s", 90),
        ("90 s", 90),
        ("90 sec", 90),
        ("90 secs", 90),
        ("90 Seconds", 90),
        ("1:30", 90),
        ("0:05", 5),
        ("90:00", 5400),
        ("2m", 120),
        ("2 min", 120),
        ("2 mins", 120),
        ("2 MINUTES", 120),
        ("1 min 30 s", 90),
        ("1min30s", 90),
        ("1 minute\u00a030 seconds", 90),
        ("1h", HOUR),
        ("1 hr", HOUR),
        ("12 hrs", 12 * HOUR),
        ("12 hours", 12 * HOUR),
        ("3d", 3 * DAY),
        ("1 day 12 hours", 36 * HOUR),
        ("0", 0),
    ],
)
def test_a_time_is_read_however_people_write_it(text: str, seconds: int) -> None:
    assert from_words(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "soon", "s", "minutes", "a minute", "-5", "- 5 s", "+5", "1.5 hours", "1,5 h", "½ hour", "²"),
        *("1:3", "1:60", "1:2:3", ":30", "1:", "1e3", "0x10", "1 2", "5 s 5", "99999999", "9" * 5000),
        *("10 parsecs", "10 years", "10 months", "10 weeks", "5 secondss", "5 secondly", "1 s " * 5, "5\x00s"),
        *("5" + "s" * 100_000, "1s" * 100_000, "1 " * 100_000),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_time_is_refused_in_words(text: str) -> None:
    with pytest.raises(PaceError, match=r"^(write a time like |“\w+” is no unit of time, )"):
        from_words(text)
