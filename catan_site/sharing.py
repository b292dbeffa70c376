"""The site on a home screen, without a line, and for robots."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

ICONS: Final = (("192", "any"), ("512", "any"), ("maskable-512", "maskable"))

#: What the page needs that says that one is offline; nothing else is ever kept.
SHELL: Final = ("site/tokens.css", "site/site.css", "site/board.css", "site/favicon.svg")


@cache_control(max_age=24 * 3600)
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a home screen wants to know of the site."""
    told: dict[str, Any] = {
        "id": reverse("front"),
        "name": "Online Catan",
        "short_name": "Catan",
        "description": "Play Catan in the browser, against bots or with friends.",
        "lang": "en",
        "start_url": reverse("front"),
        "scope": reverse("front"),
        "display": "standalone",
        "background_color": "#fbf7ec",
        "theme_color": "#ffffff",
        "icons": [
            {
                "src": static(f"site/icon-{name}.png"),
                "sizes": "x".join([name.removeprefix("maskable-")] * 2),
                "type": "image/png",
                "purpose": purpose,
            }
            for name, purpose in ICONS
        ],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@never_cache
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that answers when the site cannot: from the root, since it may only speak for what lies below it."""
    return HttpResponse(_worker(), content_type="text/javascript")


@cache
def _worker() -> str:
    """Made once: browsers look for a newer one with every page."""
    kept = {
        "version": hashlib.sha256(_offline_page().encode()).hexdigest()[:12],
        "offline": reverse("offline"),
        "files": [static(name) for name in SHELL],
        "icon": static("site/icon-192.png"),
        "renewal": reverse("push-renewal"),
    }
    script = Path(str(finders.find("site/service-worker.js"))).read_text()
    return f"const KEPT = {json.dumps(kept)};\n{script}"


@never_cache
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    return HttpResponse(_offline_page())


@cache
def _offline_page() -> str:
    """The same for everybody: it is kept where whoever uses the browser next can see it."""
    return render_to_string("site/offline.html")


@cache_control(max_age=24 * 3600)
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return render(request, "site/robots.txt", content_type="text/plain; charset=utf-8")
