"""Why something is not done at a table, as far as a program does well to tell it apart."""

from games.rules import Refusal
from games.rules.refusals import Forbidden


class NotHost(Forbidden):
    code = "not_host"


class NotSeated(Forbidden):
    code = "not_seated"


class AskedToLeave(Forbidden):
    code = "asked_to_leave"


class AccountNeeded(Forbidden):
    code = "account_needed"


class AlreadyStarted(Refusal):
    code = "already_started"


class ChairTaken(Refusal):
    code = "chair_taken"


class NoSuchChair(Refusal):
    code = "no_such_chair"


class NameTaken(Refusal):
    code = "name_taken"


class TooFewPlayers(Refusal):
    code = "too_few_players"


class BoardChanged(Refusal):
    """Somebody agrees to another board than the one that the table has now."""

    code = "board_changed"


class OptionsChanged(Refusal):
    """The same with the options."""

    code = "options_changed"
