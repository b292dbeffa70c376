"""How long players may take: one table of seconds, which a host reads and may change within bounds.

A game waits for one thing after another, and each has a clock of its own. A live game counts in
seconds, a game over days in hours; a game without a pace waits for ever.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, Self

from games.rules import Phase

PaceName = Literal["fast", "normal", "relaxed", "12 hours", "1 day", "3 days", "7 days"]
#: Where a pace is chosen by its name, none has this one.
NoClock = Literal[""]
BotSpeed = Literal["calm", "brisk", "at once"]

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


class PaceError(ValueError):
    """A pace that nobody can play at; the text says why."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds for each thing a game waits for."""

    name: PaceName
    placing: int
    rolling: int
    discarding: int
    robber: int
    free_roads: int
    turn: int
    answer: int

    @property
    def is_live(self) -> bool:
        return self.name in LIVE

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the most that any of the clocks may have."""
        return LIVE_BOUNDS if self.is_live else DAYS_BOUNDS

    @property
    def bounds_in_words(self) -> str:
        least, most = self.bounds
        return f"between {in_words(least)} and {in_words(most)}"

    @property
    def changed(self) -> dict[str, int]:
        """The clocks that the host has set otherwise than the pace says."""
        usual = PACES[self.name]
        return {clock: getattr(self, clock) for clock in CLOCKS if getattr(self, clock) != getattr(usual, clock)}

    def seconds(self, phase: Phase) -> int:
        """For the phase that a game is in."""
        seconds: int = getattr(self, _CLOCK_OF_PHASE[phase])
        return seconds

    def with_clocks(self, **seconds: int) -> Self:
        """This pace with other seconds; ``PaceError`` where they are out of bounds."""
        changed = type(self)(**(asdict(self) | seconds))
        least, most = self.bounds
        for clock, what in CLOCKS.items():
            if not least <= getattr(changed, clock) <= most:
                raise PaceError(f"{what}: choose {self.bounds_in_words}.")
        return changed

    def with_time(self, clock: str, text: str) -> Self:
        """This pace with another time for a clock, as people write it; ``PaceError`` says for which."""
        try:
            seconds = from_words(text)
        except PaceError as error:
            raise PaceError(f"{CLOCKS[clock]}: {error}") from error
        return self.with_clocks(**{clock: seconds})

    def to_json(self) -> dict[str, str | int]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read back what `to_json` wrote; ``PaceError`` for anything else.

        Seconds out of bounds are read all the same: a game keeps its pace when the bounds change.
        """
        if not isinstance(data, dict) or data.keys() != {field.name for field in fields(cls)}:
            raise PaceError("A pace is an object of its name and the seconds of every clock.")
        if not isinstance(data["name"], str) or data["name"] not in PACES:
            raise PaceError(f"There is no pace {data['name']!r}. Paces: {', '.join(PACES)}.")
        if any(type(data[clock]) is not int or data[clock] <= 0 for clock in CLOCKS):
            raise PaceError("A clock has a whole number of seconds.")
        return cls(**data)


#: What each clock is for.
CLOCKS: Final = {
    "placing": "Placing a piece in the beginning",
    "rolling": "Rolling the dice",
    "discarding": "Discarding on a seven",
    "robber": "Moving the robber, choosing a victim",
    "free_roads": "Placing a free road",
    "turn": "Trading and building in a turn",
    "answer": "Answering an offer",
}

_CLOCK_OF_PHASE: Final = {
    Phase.PLACING_SETTLEMENT: "placing",
    Phase.PLACING_ROAD: "placing",
    Phase.ROLLING: "rolling",
    Phase.DISCARDING: "discarding",
    Phase.MOVING_ROBBER: "robber",
    Phase.STEALING: "robber",
    Phase.PLACING_FREE_ROADS: "free_roads",
    Phase.MAIN: "turn",
}

LIVE_BOUNDS: Final = (5, 15 * MINUTE)
DAYS_BOUNDS: Final = (HOUR, 14 * DAY)


def _over_days(name: PaceName, a_move: int, answer: int) -> Pace:
    return Pace(name, *(a_move,) * 6, answer=answer)


#                                 placing rolling discarding robber free_roads turn answer
PACES: Final[Mapping[PaceName, Pace]] = {
    "fast": Pace("fast",               45,     10,        15,    15,        20,  60,    15),
    "normal": Pace("normal",           90,     20,        30,    30,        40, 120,    30),
    "relaxed": Pace("relaxed",        180,     45,        60,    60,        90, 300,    60),
    "12 hours": _over_days("12 hours", 12 * HOUR, answer=4 * HOUR),
    "1 day": _over_days("1 day", DAY, answer=8 * HOUR),
    "3 days": _over_days("3 days", 3 * DAY, answer=DAY),
    "7 days": _over_days("7 days", 7 * DAY, answer=2 * DAY),
}  # fmt: skip
LIVE: Final = ("fast", "normal", "relaxed")

#: The pace of a table whose host has picked none.
DEFAULT_PACE: Final[PaceName] = "normal"
#: What a live game is offered that shall be carried on over days.
USUAL_OVER_DAYS: Final[PaceName] = "1 day"

#: Seconds that a bot takes for one thing, by what the host chose: a person should see what was done last.
BOT_SPEEDS: Final[Mapping[BotSpeed, float]] = {"calm": 1.5, "brisk": 0.4, "at once": 0.0}
DEFAULT_BOT_SPEED: Final[BotSpeed] = "brisk"


# Seconds as people write and read them

_UNITS: Final = {"day": DAY, "hour": HOUR, "minute": MINUTE, "second": 1}
_WRITTEN_SHORT: Final = {"hr": "hour"}


def in_words(seconds: int) -> str:
    """1 minute 30 seconds; 12 hours; 3 days."""
    parts = []
    for unit, length in _UNITS.items():
        count, seconds = divmod(seconds, length)
        if count:
            parts.append(f"{count} {unit}" if count == 1 else f"{count} {unit}s")
    return " ".join(parts) or "0 seconds"


def from_words(text: str) -> int:
    """Seconds of "90", "90 s", "1:30", "1 min 30 s", "12 hours" or "3d"; ``PaceError`` for anything else."""
    text = text.strip().lower()
    if minutes := re.fullmatch(r"(\d{1,4}):([0-5]\d)", text):
        return int(minutes[1]) * MINUTE + int(minutes[2])
    if re.fullmatch(r"\d{1,7}", text):
        return int(text)
    if not re.fullmatch(r"(\d{1,7}\s*[a-z]{1,12}\s*){1,4}", text):
        raise PaceError("write a time like 45 seconds, 1:30, 2 minutes, 12 hours or 3 days.")
    return sum(int(count) * _length(unit) for count, unit in re.findall(r"(\d+)\s*([a-z]+)", text))


def _length(written: str) -> int:
    """Seconds of a unit that is written out or cut short: minutes, minute, min, m."""
    singular = written.removesuffix("s") or "s"
    singular = _WRITTEN_SHORT.get(singular, singular)
    for unit, length in _UNITS.items():
        if unit.startswith(singular):
            return length
    raise PaceError(f"“{written}” is no unit of time, but days, hours, minutes and seconds are.")
