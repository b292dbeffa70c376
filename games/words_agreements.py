"""What is said of proposals: on their cards, and in the log."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from games.paces import LIVE
from games.rules.events import Seen

if TYPE_CHECKING:
    from games.words import Teller

#: What somebody has said to a proposal.
ANSWERS: Final = {"accepted": "agrees", "rejected": "is against it", "none": "has not answered yet"}

BUTTONS: Final = {"agree": "Agree", "decline": "Decline"}
#: What no means when it comes from whoever made the proposal, or is to be removed.
TAKE_BACK: Final = "Take it back"
I_AM_HERE: Final = "I’m here"

RESTS: Final = "Everybody has left, so the game rests."
RESTS_FOR_YOU: Final = "Everybody had left, so the game rests."


def at_pace(name: str) -> str:
    """How a game is played at a pace, after "carry on" or "goes on"."""
    return f"live, at a {name} pace" if name in LIVE else f"over days, with {name} for each move"


def wanted(teller: "Teller", kind: str, pace: str, whom: int | None) -> str:
    """What a proposal is, after "proposes" or "agreed"."""
    if kind == "pace":
        return f"to carry on {at_pace(pace)}"
    if kind == "remove" and whom is not None:
        return f"to remove {teller.name(whom)}"
    return "to stop this game without a winner"


def proposes(teller: "Teller", by: int, kind: str, pace: str, whom: int | None) -> str:
    """A proposal as its card shows it, with what would come of it."""
    verb = "propose" if by == teller.viewer else "proposes"
    return f"{teller.subject(by)} {verb} {wanted(teller, kind, pace, whom)}{_MEANS.get(kind, '')}."


_MEANS: Final = {
    "stop": ", so that it counts for nobody",
    "remove": " after three missed deadlines; a bot would play on",
}


def objections(teller: "Teller", absent: Sequence[int], silent: Sequence[int], *, is_agreed: bool) -> str:
    """When a proposal is carried out that somebody who is away, or was, has not agreed to."""
    if is_agreed:
        return f"The others agree. It happens when the time is up, {_unless(teller, absent, silent)}."
    who = teller.all_of(absent)
    verb = "is" if len(absent) == 1 and absent[0] != teller.viewer else "are"
    what = f"if the others agree, it happens when the time is up, {_unless(teller, absent, ())}."
    return f"{who[:1].upper()}{who[1:]} {verb} away: {what}"


def _unless(teller: "Teller", absent: Sequence[int], silent: Sequence[int]) -> str:
    """Whoever has come back and not answered may object like those who are still away."""
    who = [*absent, *silent]
    ending = "" if who[-1] == teller.viewer else "s"
    comes_back = "" if silent else f"come{ending} back and "
    return f"unless {' or '.join(map(teller.name, who))} {comes_back}object{ending}"


def answer(teller: "Teller", seat: int, said: str) -> str:
    return f"{teller.names[seat]} {ANSWERS[said]}"


# In the log


def _wanted(teller: "Teller", event: Seen) -> str:
    return wanted(teller, event["proposal"], event.get("pace", ""), event.get("whom"))


def _said(verb: str) -> "Callable[[Teller, Seen], str]":
    return lambda teller, event: f"{teller.subject(event['seat'])} {verb} {_wanted(teller, event)}."


def _ended(how: str) -> "Callable[[Teller, Seen], str]":
    return lambda teller, event: f"The proposal {_wanted(teller, event)}{how}"


def _awaits_objections(teller: "Teller", event: Seen) -> str:
    unless = _unless(teller, event["absent"], ())
    return f"The others agreed {_wanted(teller, event)}. It happens when the time to answer is up, {unless}."


def _changes_pace(_teller: "Teller", event: Seen) -> str:
    how = "Nobody objected in time" if event.get("unopposed") else "Everybody agreed"
    return f"{how}: the game goes on {at_pace(event['pace'])}."


def _stops(_teller: "Teller", event: Seen) -> str:
    stop = "Nobody objected in time" if event.get("unopposed") else "Everybody agreed to stop"
    return f"{stop}: the game ends without a winner."


def _removed(teller: "Teller", event: Seen) -> str:
    verb = "were" if event["seat"] == teller.viewer else "was"
    return f"{teller.subject(event['seat'])} {verb} removed by vote; a bot plays on."


def _goes_on(teller: "Teller", event: Seen) -> str:
    verb = "are" if event["seat"] == teller.viewer else "is"
    return f"{teller.subject(event['seat'])} {verb} back: the game goes on."


SENTENCES: "Final[Mapping[str, Callable[[Teller, Seen], str]]]" = {
    "propose": _said("proposed"),
    "agree": _said("agreed"),
    "decline": _said("declined"),
    "take_back": _said("took back the proposal"),
    "lapse": _ended(" has lapsed: not everybody answered in time."),
    "void": _ended(" is off."),
    "await_objections": _awaits_objections,
    "change_pace": _changes_pace,
    "stop": _stops,
    "remove": _removed,
    "rest": lambda _teller, _event: RESTS,
    "go_on": _goes_on,
}
