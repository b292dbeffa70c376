"""What happened, and who may know it.

A move's outcome is a list of events. Each says in ``public`` what the whole table sees; what only
some seats may know, such as the name of a stolen card, stands in ``secret`` with its audience.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from typing_extensions import TypedDict

from .cards import Counts

#: What may be told of an event. Its kind says which of them it has.
Told = TypedDict(
    "Told",
    {
        "turn": int,
        "dice": list[int],
        "resources": Counts,
        "lacking": list[str],
        "hex": int,
        "vertex": int,
        "edge": int,
        # Where the robber came from, or who held an award before.
        "from": int,
        "victim": int,
        "partner": int,
        "count": int,
        "resource": str,
        "card": str,
        "offer": int,
        "answers": int | None,
        "to": list[int],
        "gives": Counts,
        "gets": Counts,
        "points": int,
        # Before the first move.
        "rolls": dict[int, int],
        "again": list[int],
        "order": list[int],
        # Beside the moves: what somebody proposed, see games.services.agreements.
        "proposal": str,
        "pace": str,
        "whom": int,
        "absent": list[int],
        "unopposed": bool,
        # What those were given who got more time.
        "seconds": int,
    },
    total=False,
)

#: Most events hide nothing.
_NO_SECRET: Final[Told] = {}


class _Head(TypedDict):
    kind: str
    # The seat it happened to, or that did it.
    seat: int


# An event as one viewer sees it.
class Seen(_Head, Told):
    pass


class WrittenEvent(_Head):
    """An event as it is written down, secrets too: for the server's own log."""

    public: Told
    secret: Told
    audience: list[int]


class Event(NamedTuple):
    kind: str
    #: The seat it happened to, or that did it.
    seat: int
    public: Told
    secret: Told = _NO_SECRET
    #: The seats that may see the secret part.
    audience: tuple[int, ...] = ()

    def seen_by(self, viewer: int | None) -> Seen:
        """The event as one seat sees it; ``None`` is a spectator."""
        secret = self.secret if viewer in self.audience else _NO_SECRET
        return {"kind": self.kind, "seat": self.seat, **self.public, **secret}

    def to_json(self) -> WrittenEvent:
        return {
            "kind": self.kind,
            "seat": self.seat,
            "public": self.public,
            "secret": self.secret,
            "audience": list(self.audience),
        }

    @staticmethod
    def from_json(data: WrittenEvent) -> Event:
        return Event(data["kind"], data["seat"], data["public"], data["secret"], tuple(data["audience"]))
