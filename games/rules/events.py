"""What happened, and who may know it.

A move's outcome is a list of events. Each says in ``public`` what the whole table sees; what only
some seats may know, such as the name of a stolen card, stands in ``secret`` with its audience.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Required, cast

from typing_extensions import TypedDict

from .cards import Counts

#: Most events hide nothing.
_NO_SECRET: Final[dict[str, Any]] = {}

#: An event as one viewer sees it. Its kind says which of the rest it has.
Seen = TypedDict(
    "Seen",
    {
        "kind": Required[str],
        "seat": Required[int],
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
    },
    total=False,
)


class Event(NamedTuple):
    kind: str
    #: The seat it happened to, or that did it.
    seat: int
    public: dict[str, Any]
    secret: dict[str, Any] = _NO_SECRET
    #: The seats that may see the secret part.
    audience: tuple[int, ...] = ()

    def seen_by(self, viewer: int | None) -> Seen:
        """The event as one seat sees it; ``None`` is a spectator."""
        seen = {"kind": self.kind, "seat": self.seat, **self.public}
        if viewer in self.audience:
            seen.update(self.secret)
        return cast("Seen", seen)

    def to_json(self) -> dict[str, Any]:
        """The whole event, secrets too: for the server's own log."""
        return {
            "kind": self.kind,
            "seat": self.seat,
            "public": self.public,
            "secret": self.secret,
            "audience": list(self.audience),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> Event:
        return Event(data["kind"], data["seat"], data["public"], data["secret"], tuple(data["audience"]))
