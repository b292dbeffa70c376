"""What everybody at a game's page is told once it has changed: each their own page, made once."""

import json
from collections.abc import Callable
from functools import cached_property

from games import broadcast
from games.page import Page, Scene, dumps, page_of


class News:
    """The pages of a game after a change: the answer for whoever made it, and for everybody by their sockets."""

    def __init__(self, read: Callable[[], Scene]) -> None:
        self._read = read
        self._pages: dict[int | None, Page] = {}

    @cached_property
    def scene(self) -> Scene:
        return self._read()

    def page(self, viewer: int | None) -> Page:
        if viewer not in self._pages:
            self._pages[viewer] = page_of(self.scene, viewer)
        return self._pages[viewer]

    @property
    def here(self) -> list[int]:
        """The seats whose people have the game's page open."""
        return [seat.number for seat in self.scene.seats if seat.user_id and seat.presence.is_here]

    def send(self) -> None:
        """To everybody who is there: those who watch see one and the same page."""
        scene, here = self.scene, self.here
        viewers = {scene.viewer(scene.seats[number].user_id) for number in here} | {None}
        pages: broadcast.GamePages = {
            "type": "game.pages",
            "mark": json.dumps({"mark": scene.mark}),
            "pages": {broadcast.page_key(viewer): dumps({"page": self.page(viewer)}) for viewer in viewers},
        }
        broadcast.send(broadcast.game_group(scene.game.pk), pages)
