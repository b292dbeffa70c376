"""What the page says about time and absence: clocks, the last call, and whose seat is empty.

The server says it once, when it draws the page; the browser counts on and fills in these same words.
"""

import math
from datetime import datetime, timedelta
from typing import Any, Final

from games.paces import DAY, HOUR, MINUTE

#: A running clock with no more than this share of its time left is short.
SHORT: Final = 0.2

#: Gone for less than this, somebody has lost the connection; then they are away.
AWAY_AFTER: Final = timedelta(minutes=2)

#: What a clock shows: in seconds when it is near, in days when it is far. The first that fits.
FACES: Final = (
    (DAY, "{days} d {hours} h"),
    (HOUR, "{hours} h {minutes} m"),
    (0, "{minutes}:{seconds}"),
)

#: The same in a sentence, in the first unit of which there are two.
AMOUNTS: Final = ((DAY, "{count} days"), (HOUR, "{count} hours"), (MINUTE, "{count} minutes"), (1, "{count} seconds"))
ONE_SECOND: Final = "1 second"

#: What is said when one's own clock is short, by what it is for.
LAST_CALLS: Final = {
    "placing_settlement": "Only {time} left for your settlement.",
    "placing_road": "Only {time} left for your road.",
    "rolling": "Only {time} left for your roll.",
    "discarding": "Only {time} left to discard.",
    "moving_robber": "Only {time} left to move the robber.",
    "stealing": "Only {time} left to choose a victim.",
    "placing_free_roads": "Only {time} left for your free roads.",
    "main": "Only {time} left for your turn.",
    "answer": "Only {time} left for your answer.",
}
TIME_IS_UP: Final = "Time is up."

#: What the game wants of the viewer, as the window's title and the list of one's games say it.
ASKS: Final = {"move": "Your move", "discard": "Discard", "offer": "An offer for you"}

#: What a seat's card says below the name; nothing about others who are there.
SEAT_STATES: Final = {"you": "you", "bot": "bot", "stand_in": "stand-in", "lost": "offline", "away": "away"}

SAVED: Final = "Saved."


def phrases() -> dict[str, Any]:
    """For the browser, which counts on."""
    return {
        "short": SHORT,
        "faces": FACES,
        "amounts": AMOUNTS,
        "one_second": ONE_SECOND,
        "last_calls": LAST_CALLS,
        "time_is_up": TIME_IS_UP,
        "asks": ASKS,
        "seat_states": SEAT_STATES,
        "away_after": AWAY_AFTER.total_seconds(),
        "saved": SAVED,
    }


def face(clock: dict[str, Any] | None, now: datetime) -> dict[str, Any] | None:
    """A clock as it is drawn: its text, the share that is left, whether it stands still or is short."""
    if clock is None:
        return None
    stands_still = "left" in clock
    left = clock["left"] if stands_still else (datetime.fromisoformat(clock["ends"]) - now).total_seconds()
    share = max(0.0, min(1.0, left / clock["of"]))
    seconds = max(0, math.ceil(left))
    return {
        "seconds": seconds,
        "text": _text(seconds),
        "percent": round(100 * share),
        "stands_still": stands_still,
        "is_short": not stands_still and share <= SHORT,
    }


def _text(seconds: int) -> str:
    pattern = next(pattern for least, pattern in FACES if seconds >= least)
    return pattern.format(
        days=seconds // DAY,
        hours=seconds % DAY // HOUR,
        minutes=seconds % HOUR // MINUTE,
        seconds=f"{seconds % MINUTE:02}",
    )


def last_call(view: dict[str, Any], shown: dict[str, Any] | None) -> str:
    """What is said beside the prompt when the viewer's own clock is short; nothing before that."""
    if shown is None or not shown["is_short"]:
        return ""
    seconds = shown["seconds"]
    if seconds == 0:
        return TIME_IS_UP
    wanted = view["phase"] if view["viewer"] in view["to_act"] else "answer"
    amounts = (pattern.format(count=seconds // unit) for unit, pattern in AMOUNTS if seconds >= 2 * unit)
    return LAST_CALLS[wanted].format(time=next(amounts, ONE_SECOND))


def asked(page: dict[str, Any]) -> str:
    """What the game wants of the viewer: a move, an answer to an offer, or nothing now."""
    if page["status"] != "running" or page["is_replaced"]:
        return ""
    you, view = page["you"], page["view"]
    if you in view["to_act"]:
        return "move"
    unanswered = (you in {*offer["to"]} - {*offer["accepted"]} - {*offer["rejected"]} for offer in view["offers"])
    return "offer" if any(unanswered) else ""


def seat_state(seat: dict[str, Any], you: int | None, now: datetime) -> str:
    """Who plays a seat, or why nobody does; whoever looks at the page is there."""
    if seat["player"] != "person":
        return str(seat["player"])
    if seat["seat"] == you:
        return "you"
    if seat["is_here"]:
        return ""
    is_lost = seat["gone_at"] and now - datetime.fromisoformat(seat["gone_at"]) < AWAY_AFTER
    return "lost" if is_lost else "away"
