"""Our own drawings as PNG, for the previews of links: those who show them read neither SVG nor stylesheets.

A drawing is made of the templates and the stylesheets of the pages. What turns it into PNG (`games/raster.py`) knows
no custom properties, so they are resolved here. Nobody keeps the machine busy by asking for pictures: the last ones are
kept, others are drawn one at a time and so many a minute, and who is too many gets the picture that all links share.
"""

import hashlib
import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from threading import Lock, Semaphore
from typing import Final, NamedTuple

import structlog
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import add_never_cache_headers, get_conditional_response, patch_cache_control

from games.models import StrengthOfBot

WIDTH: Final = 1200
HEIGHT: Final = 630

#: Seconds for which others may keep a picture. Its address changes with what it shows.
_MAX_AGE: Final = 3600

log = structlog.get_logger(__name__)


class Sitter(NamedTuple):
    """Somebody in a picture; points are for those who play already."""

    colour: str
    name: str
    points: int | None = None
    is_bot_account: bool = False
    strength: StrengthOfBot = ""


def answer(request: HttpRequest, template: str, context: Mapping[str, object], now: datetime) -> HttpResponse:
    """The picture of a drawing, or nothing new to those who have it."""
    drawing = _drawing(template, context)
    tag = f'"{hashlib.sha256(drawing.encode()).hexdigest()[:20]}"'
    found: HttpResponse | None = get_conditional_response(request, etag=tag)
    if found is None:
        picture = PAINTER.paint(tag, drawing, now)
        if picture is None:
            instead = redirect(static("site/preview.png"))
            add_never_cache_headers(instead)
            return instead
        found = HttpResponse(picture, content_type="image/png", headers={"ETag": tag})
    patch_cache_control(found, public=True, max_age=_MAX_AGE)
    return found


class Painter:
    """Draws what it has not drawn lately, within bounds."""

    #: How many pictures are kept; each has some 300 kB.
    kept = 40
    #: How many may be drawn at once, after which there is one more with each period.
    burst = 10
    period = timedelta(seconds=2)
    #: Seconds after which a drawing is given up.
    patience = 10

    def __init__(self) -> None:
        self._pictures: dict[str, bytes] = {}
        self._is_free_at: datetime | None = None
        self._easel = Lock()
        # One is drawn while one waits: the other threads are for those who play.
        self._queue = Semaphore(2)

    def paint(self, key: str, drawing: str, now: datetime) -> bytes | None:
        """The picture; ``None`` if there is too much to draw, or the drawing failed."""
        if picture := self._pictures.get(key):
            return picture
        if not self._queue.acquire(blocking=False):
            return None
        try:
            with self._easel:
                # Whoever was before may have asked for the same.
                return self._pictures.get(key) or self._paint(key, drawing, now)
        finally:
            self._queue.release()

    def _paint(self, key: str, drawing: str, now: datetime) -> bytes | None:
        is_free_at = max(now, self._is_free_at or now) + self.period
        if is_free_at > now + self.burst * self.period:
            return None
        self._is_free_at = is_free_at
        picture = self._rastered(drawing)
        if picture is not None:
            self._pictures[key] = picture
            if len(self._pictures) > self.kept:
                del self._pictures[next(iter(self._pictures))]
        return picture

    def _rastered(self, drawing: str) -> bytes | None:
        command = [sys.executable, "-m", "games.raster"]
        try:
            done = subprocess.run(
                command,
                input=drawing.encode(),
                cwd=settings.BASE_DIR,
                capture_output=True,
                check=True,
                timeout=self.patience,
            )
        except (OSError, subprocess.SubprocessError):
            log.exception("picture_failed")
            return None
        return done.stdout


PAINTER: Final = Painter()


# The drawing

#: What a colour of a seat or of a resource is on the group that has it; the parts of the group inherit it.
_INHERITED: Final = {
    "--seat": ("fill",),
    "--outline": ("stroke", "color"),
    "--resource": ("fill",),
    "--on-resource": ("color",),
}


def _drawing(template: str, context: Mapping[str, object]) -> str:
    everything = {**context, "width": WIDTH, "height": HEIGHT, "icons": _icons(), "styles": _styles()}
    # What pages take from the file of icons stands in the picture itself.
    return re.sub(r'href="[^"#]+#', 'href="#icon-', render_to_string(template, everything))


@cache
def _styles() -> str:
    """The board's stylesheet by day, with the colours of seats and resources as what can be inherited."""
    coloured = [
        f".{name} {{ {_inheritable(properties)} }}"
        for name, properties in re.findall(r"^\.((?:seat|resource)-\w+) \{([^}]*)\}", _read("site.css"), re.MULTILINE)
    ]
    # What stays unresolved is one of those colours.
    board = re.sub(r"(?<=[{;])[^{};]*var\(--[\w-]+\)[^;}]*;", "", _resolved(_read("board.css")))
    return "\n".join([*coloured, _resolved(render_to_string("games/picture.css")), board])


def _inheritable(properties: str) -> str:
    declared = re.findall(r"(--[\w-]+): ([^;]+);", _resolved(properties))
    return " ".join(f"{name}: {value};" for key, value in declared for name in _INHERITED.get(key, ()))


@cache
def _icons() -> str:
    """The resources' icons, for the harbors."""
    fills = dict(re.findall(r"^\.resource-(\w+) .*--icon-fill: ([^;]+);", _read("site.css"), re.MULTILINE))
    icons = re.findall(r'<symbol id="(\w+)"(.*)</symbol>', _read("icons.svg"))
    return "".join(
        f'<symbol id="icon-{name}"{drawn.replace("var(--icon-fill, none)", fills[name])}</symbol>'
        for name, drawn in icons
        if name in fills
    )


def _resolved(text: str) -> str:
    """With the values of the tokens instead of their names."""
    tokens = _tokens()
    return re.sub(r"var\((--[\w-]+)\)", lambda named: tokens.get(named[1], named[0]), text)


@cache
def _tokens() -> dict[str, str]:
    by_day = re.sub(r"light-dark\(([^,()]+), [^()]+\)", r"\1", _read("tokens.css"))
    return dict(re.findall(r"(--[\w-]+): ([^;]+);", by_day))


def _read(name: str) -> str:
    return Path(str(finders.find(f"site/{name}"))).read_text()
