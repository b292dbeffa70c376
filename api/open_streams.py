"""The streams that this process holds, for the server that ends them before itself.

Nothing here needs the site: a server's process knows of its streams before it has loaded that.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stream(Protocol):
    is_left: bool

    def shutdown(self) -> None:
        """Ends it, as uvicorn ends a socket: its client comes back."""


class OpenStreams:
    def __init__(self) -> None:
        self.held: set[Stream] = set()
        self.is_shut = False

    @contextmanager
    def holding(self, stream: Stream) -> Iterator[None]:
        self.held.add(stream)
        try:
            if self.is_shut:
                stream.shutdown()
            yield
        finally:
            self.held.discard(stream)

    def going_on(self) -> list[Stream]:
        """Those that have not been told to end."""
        return [stream for stream in self.held if not stream.is_left]

    def shut(self) -> None:
        """All at once, and whoever still comes as well: one that stayed open would keep the server from ending."""
        self.is_shut = True
        for stream in self.going_on():
            stream.shutdown()


open_streams = OpenStreams()
