"""Why a request is refused, beside what the rules refuse."""

from typing import Final


class Refused(Exception):
    """A request that does not fit the game as it stands; nothing was changed."""

    code = "refused"

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


class StaleVersion(Refused):
    """The move was made on a picture of the game that is out of date."""

    code = "stale_version"

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__("The game has moved on: look at what happened, then choose again.")


class NotRunning(Refused):
    code = "not_running"


class SetAside(Refused):
    code = "needs_attention"


class ClientIdTaken(Refused):
    code = "client_id_taken"


class NothingToDo(Refused):
    code = "nothing_to_do"


class NotYourSeat(Refused):
    """Somebody else plays the seat now: a stand-in for its person, or the person instead of a bot."""

    code = "not_your_seat"


SET_ASIDE: Final = "This game has been set aside for a look: nothing is lost, please wait."
