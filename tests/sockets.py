"""A browser's end of a socket, without a browser or a server."""

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.test import Client

from catan_site.asgi import application

#: Seconds until a socket counts as silent, on a machine that has other things to do as well.
PATIENCE = 10


class Socket:
    """Opened with the cookies of a test client, so it belongs to whoever is signed in there.

    A program opens it without an origin, and says in a header who it is.
    """

    def __init__(
        self,
        client: Client,
        path: str,
        origin: str | None = "http://localhost",
        host: str = "localhost",
        scheme: str = "ws",
        authorization: str | None = None,
    ) -> None:
        cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in client.cookies.items())
        sent = {"host": host, "origin": origin, "cookie": cookies, "authorization": authorization}
        headers = {name: value for name, value in sent.items() if value is not None}
        scope = {
            "type": "websocket",
            "scheme": scheme,
            "path": path,
            "query_string": b"",
            "headers": [(name.encode(), value.encode("latin1")) for name, value in headers.items()],
            "subprotocols": [],
        }
        self.line = ApplicationCommunicator(application, scope)

    async def open(self) -> bool:
        """Whether the server let us in."""
        await self.line.send_input({"type": "websocket.connect"})
        return bool((await self.line.receive_output(PATIENCE))["type"] == "websocket.accept")

    async def receive(self) -> Any:
        return json.loads((await self.line.receive_output(PATIENCE))["text"])

    async def hear(self, kind: str) -> Any:
        """The next frame of a game's page, of this kind; that people come and go is told at any moment."""
        while (frame := await self.receive()).keys() <= {"watching", "presence"} and kind not in frame:
            pass
        assert kind in frame, frame
        return frame[kind]

    async def hears_nothing(self) -> bool:
        return bool(await self.line.receive_nothing())

    async def closed_with(self) -> int:
        """The code with which the server ends it, whatever it says before."""
        while (said := await self.line.receive_output(PATIENCE))["type"] != "websocket.close":
            pass
        code = int(said["code"])
        await self.line.send_input({"type": "websocket.disconnect", "code": code})
        await self.line.wait(3 * PATIENCE)
        return code

    async def close(self) -> None:
        await self.line.send_input({"type": "websocket.disconnect", "code": 1000})
        # By itself this waits a second, and then cuts short what a consumer still has to write down.
        await self.line.wait(3 * PATIENCE)
