"""Why a request is refused, beside what the rules refuse."""

from typing import Final

from games.rules import Refusal


class NotNow(Refusal):
    """A request that does not fit the game as it stands, whatever the rules say of the move."""


class StaleVersion(NotNow):
    """The move was made on a picture of the game that is out of date."""

    code = "stale_version"

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__("The game has moved on: look at what happened, then choose again.")


class NotRunning(NotNow):
    code = "not_running"


class SetAside(NotNow):
    code = "needs_attention"


class ClientIdTaken(NotNow):
    code = "client_id_taken"


class NothingToDo(NotNow):
    code = "nothing_to_do"


class NotYourSeat(NotNow):
    """Somebody else plays the seat now: a stand-in for its person, or the person instead of a bot."""

    code = "not_your_seat"


class AlreadyProposed(NotNow):
    code = "already_proposed"


class NoSuchProposal(NotNow):
    """It was decided, has lapsed, or never was."""

    code = "no_such_proposal"


class NotAway(NotNow):
    """Only those are removed who have been away for long."""

    code = "not_away"


NOT_SEATED: Final = "You have no seat in this game: you can watch it, not play it."
SET_ASIDE: Final = "This game has been set aside for a look: nothing is lost, please wait."
