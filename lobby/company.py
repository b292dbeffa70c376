"""In which company a table plays: who finds it, whether bots and spectators may come, and whether it is for ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from games.words_rules import Choice

Visibility = Literal["link", "public", "invited"]

VISIBILITIES: Final[Mapping[Visibility, Choice]] = {
    "link": Choice("By link", "Anyone with the link can sit down."),
    "public": Choice("Public", "Listed on the front page: anybody can sit down. It starts once everybody is ready."),
    "invited": Choice("Invited only", "Nobody else can see the table, not even with the link."),
}

#: Whether bots may sit here, by what the form sends.
BOTS: Final[Mapping[str, Choice]] = {
    "yes": Choice("Bots may play", "The host can give free chairs to bots, and bot accounts can sit down."),
    "no": Choice("People only", "No bot takes a chair."),
}

SPECTATORS: Final[Mapping[str, Choice]] = {
    "yes": Choice("Spectators welcome", "Anyone with the link to the game can watch."),
    "no": Choice("No spectators", "Only the players see the game."),
}


@dataclass(frozen=True, slots=True)
class Company:
    visibility: Visibility = "link"
    bots_allowed: bool = True
    spectators_allowed: bool = True
    rated: bool = False

    @property
    def doors(self) -> Choice:
        return VISIBILITIES[self.visibility]

    @property
    def bots(self) -> Choice:
        return BOTS[said(self.bots_allowed)]

    @property
    def spectators(self) -> Choice:
        return SPECTATORS[said(self.spectators_allowed)]

    @property
    def as_sent(self) -> dict[str, str]:
        """What the fields of a form hold in which one of several is chosen."""
        return {
            "visibility": self.visibility,
            "bots": said(self.bots_allowed),
            "spectators": said(self.spectators_allowed),
        }


def said(allowed: bool) -> str:
    """What a form sends of two choices."""
    return "yes" if allowed else "no"


USUAL_COMPANY: Final = Company()
