"""What the lobby tells those above it."""

from typing import Final

from django.dispatch import Signal

#: ``person``, ``address`` and ``now``: somebody is here for the first time on this day. Sent once the request has been
#: answered; a receiver that fails is logged and changes nothing.
visited: Final = Signal()
