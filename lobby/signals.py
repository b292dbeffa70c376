"""What the lobby tells whatever stands above it, which it knows nothing of.

Most are sent within the transaction of what they tell of: a receiver writes its own rows, and should it fail, so does
the change.
"""

from typing import Any, Final

from django.dispatch import Signal

from lobby.models import User

#: ``guest`` and ``account``: whatever was the guest’s becomes the account’s. Sent before anything is locked:
#: what stands above the lobby has locks that come before those of games, tables and people.
person_moving: Final = Signal()

#: ``person``: the site is about to forget them. Sent before anything is locked, too, while what they said and played
#: can still be found by their row.
person_leaving: Final = Signal()

#: ``person``: asks for all that is kept of them. A receiver answers with parts of the file, by name.
person_asking: Final = Signal()

#: ``person``, ``address`` and ``now``: somebody is here for the first time on this day. Sent once the request has been
#: answered; a receiver that fails is logged and changes nothing.
visited: Final = Signal()


def send(signal: Signal, **what: Any) -> list[Any]:
    return [answer for _, answer in signal.send(User, **what)]
