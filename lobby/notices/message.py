"""What somebody is told, whichever way it goes to them, and what can become of it on that way."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One message to one person. It says nothing that others at the game do not know."""

    #: The same whenever it is tried again, so that whoever receives it twice can tell.
    key: str
    #: A short line: "Your turn in a game with Bob and Charlie".
    title: str
    #: A sentence for each thing that it tells of; of a digest, several.
    lines: tuple[str, ...]
    #: Where it leads, with scheme and host.
    url: str


class Gone(Exception):
    """Nobody is at this address any more, nor will be: it is to be forgotten."""


class Unheard(Exception):
    """It was handed over, and the answer did not come: whoever sends it again may send it twice."""


class TryLater(Exception):
    """It could not be delivered; the text says why, for the log and the owner of the address.

    Whatever it is, it is so for the whole lane: a server that is down, or has no time.
    """


class TurnedAway(TryLater):
    """This address alone is not served now: others of its lane are."""


class NoAnswer(TryLater):
    """Nobody answered in time."""


class Silence(NoAnswer):
    """Nobody answered in time, and whoever is there may have the message."""


class TooMany(TryLater):
    """The host wants fewer messages, whoever they are for."""
