"""The ASGI application: pages and sockets."""

import os

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import path, re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catan_site.settings")
pages = get_asgi_application()

# These need the apps, which the line above loads.
from django.conf import settings  # noqa: E402

from catan_site import pulse  # noqa: E402
from catan_site.charsets import ReadableHeaders  # noqa: E402
from catan_site.compression import CompressedFiles  # noqa: E402
from catan_site.consumers import NowhereConsumer, StatusConsumer  # noqa: E402
from catan_site.origins import OwnPagesOnly  # noqa: E402
from games import broadcast  # noqa: E402
from lobby.consumers import GamePageConsumer, TableConsumer  # noqa: E402

# Django's types know only pages as the end of a path.
sockets = URLRouter(
    [
        path("ws/status/", StatusConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
        path("ws/games/<game:game_id>/", GamePageConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
        path("ws/tables/<slug:code>/", TableConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
        # Left alone, the router raises an error for an address that it does not know.
        re_path("", NowhereConsumer.as_asgi()),  # type: ignore[arg-type,list-item]
    ]
)

router = ProtocolTypeRouter(
    {
        "http": ReadableHeaders(
            CompressedFiles(pages, settings.STATIC_URL) if settings.ON_OWN_MACHINE else pages,
        ),
        "websocket": OwnPagesOnly(AuthMiddlewareStack(sockets)),
    }
)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    broadcast.use_running_loop()
    if scope["type"] == "lifespan":
        await pulse.lifespan(receive, send)
    else:
        await router(scope, receive, send)
