"""The ASGI application: pages, streams and sockets."""

import os

import django
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")
django.setup(set_prefix=False)

# These need the apps, which the line above loads.
from django.conf import settings  # noqa: E402

from api.gapless import Gapless  # noqa: E402
from api.stream import Streams  # noqa: E402
from catan_site import lifespan  # noqa: E402
from catan_site.charsets import ReadableHeaders  # noqa: E402
from catan_site.consumers import NowhereConsumer, StatusConsumer  # noqa: E402
from catan_site.doorway import Doorway  # noqa: E402
from catan_site.files import Files  # noqa: E402
from catan_site.handler import Pages  # noqa: E402
from catan_site.origins import OwnPagesOnly  # noqa: E402
from catan_site.visitors import Known  # noqa: E402
from games import broadcast  # noqa: E402
from lobby.consumers import FrontConsumer, GamePageConsumer, TableConsumer  # noqa: E402

# Django's types know only pages as the end of a path.
sockets = URLRouter(
    [
        path("ws/status/", StatusConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
        path("ws/front/", FrontConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
        path("ws/games/<game:game_id>/", GamePageConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
        path("ws/tables/<slug:code>/", TableConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
        # Left alone, the router raises an error for an address that it does not know.
        re_path("", NowhereConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
    ]
)

#: One for sockets and streams: both count, and both are known or kept out, in the same way.
door = Doorway(Known(Gapless(sockets)))

pages = ReadableHeaders(Streams(Pages(), door))

router = ProtocolTypeRouter(
    {
        "http": Files(pages) if settings.ON_OWN_MACHINE else pages,
        "websocket": OwnPagesOnly(door),
    }
)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    broadcast.use_running_loop()
    if scope["type"] == "lifespan":
        await lifespan.live(receive, send)
    else:
        await router(scope, receive, send)
