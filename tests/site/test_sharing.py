"""The site on a home screen, in the preview of a link, for robots, and without a line."""

from __future__ import annotations

import json
import re
import struct
from html import unescape
from pathlib import Path
from urllib.robotparser import RobotFileParser

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from games import pictures
from games.models import Game
from lobby.models import Table

#: What all icons together, and the picture of a link, may weigh in bytes.
MOST_ICONS, MOST_PREVIEW = 80_000, 250_000


def file_of(address: str) -> Path:
    found = finders.find(address.removeprefix(f"/{settings.STATIC_URL.strip('/')}/"))
    assert found, address
    return Path(found)


def size_of(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def metas(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in found}


@pytest.fixture
def addresses(client: Client, db: None) -> dict[str, str]:
    """A table, and a game."""
    client.post("/t/new/", {"preset": "standard", "name": "Alice"})
    table = Table.objects.get()
    client.post("/play-now/")
    return {"table": f"/t/{table.code}/", "game": f"/games/{Game.objects.get().pk}/"}


# On a home screen


def test_the_site_can_be_put_on_a_home_screen(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    told = answer.json()
    assert (told["name"], told["start_url"], told["scope"], told["display"]) == ("Online Catan", "/", "/", "standalone")
    assert {told["theme_color"], told["background_color"]} <= {"#ffffff", "#fbf7ec"}
    for icon in told["icons"]:
        width, height = size_of(file_of(icon["src"]).read_bytes())
        assert icon["sizes"] == f"{width}x{height}"
    assert {(icon["sizes"], icon["purpose"]) for icon in told["icons"]} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }


def test_every_page_names_its_manifest_its_icons_and_its_colours(client: Client, db: None) -> None:
    for address in ("/", "/sign-in/", "/no-such-page/", "/offline/"):
        page = client.get(address).content.decode()
        assert '<link rel="manifest" href="/manifest.webmanifest">' in page
        touch = re.search(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
        assert touch
        assert size_of(file_of(touch[1]).read_bytes()) == (180, 180)
        tints = re.findall(r'<meta name="theme-color" content="(#\w+)" media="\(prefers-color-scheme: (\w+)\)"', page)
        assert [scheme for _, scheme in tints] == ["light", "dark"]


def test_icons_are_light() -> None:
    icons = list((Path(settings.BASE_DIR) / "static/site").glob("icon-*.png"))
    assert len(icons) == 4
    assert sum(icon.stat().st_size for icon in icons) <= MOST_ICONS


# The preview of a link


def test_every_link_that_is_sent_has_a_preview_with_a_picture(client: Client, addresses: dict[str, str]) -> None:
    for address in ("/", *addresses.values()):
        told = metas(client.get(address, headers={"host": "localhost"}).content.decode())
        assert told["description"] == told["og:description"]
        assert told["og:title"]
        picture = told["og:image"].removeprefix("http://localhost")
        assert picture.startswith("/"), "robots read whole addresses alone"
        size = pictures.WIDTH, pictures.HEIGHT
        if address == "/":
            shown = file_of(picture).read_bytes()
            size = size_of(shown)
            assert len(shown) <= MOST_PREVIEW
        assert (told["og:image:width"], told["og:image:height"]) == tuple(map(str, size))
        assert told["og:image:alt"]
        assert told["twitter:card"] == "summary_large_image"
    assert metas(client.get(addresses["table"]).content.decode())["og:title"] == "Alice’s table"


def test_no_search_finds_a_table_or_a_game(client: Client, addresses: dict[str, str]) -> None:
    for address in addresses.values():
        assert metas(client.get(address).content.decode())["robots"] == "noindex"
    assert "robots" not in metas(client.get("/").content.decode())


def test_robots_may_read_the_front_page_and_nothing_that_people_play(client: Client, addresses: dict[str, str]) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    rules = RobotFileParser()
    rules.parse(answer.content.decode().splitlines())
    assert rules.can_fetch("*", "/")
    assert rules.can_fetch("*", "/static/site/site.css")
    for address in (*addresses.values(), "/api/v1/games/1/", "/admin/", "/status/"):
        assert not rules.can_fetch("*", address)
    assert rules.can_fetch("Twitterbot", addresses["table"]), "it draws the preview of a link"
    assert not rules.can_fetch("Twitterbot", "/api/v1/games/1/")


# Without a line


def test_the_offline_page_is_the_same_for_everybody_and_needs_only_what_is_kept(client: Client, dana: object) -> None:
    stranger = client.get("/offline/").content
    client.force_login(dana)  # type: ignore[arg-type]
    page = client.get("/offline/").content
    assert page == stranger
    kept = json.loads(client.get("/service-worker.js").content.decode().partition(" = ")[2].partition(";\n")[0])
    assert kept["offline"] == "/offline/"
    used = re.findall(r'<(?:link rel="stylesheet"|img|script)[^>]*? (?:href|src)="([^"]+)"', page.decode())
    assert used
    assert set(used) <= {*kept["files"]}


def test_only_the_offline_page_and_its_files_are_kept(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    script = answer.content.decode()
    kept = json.loads(script.partition(" = ")[2].partition(";\n")[0])
    assert all(file_of(address).suffix in (".css", ".svg") for address in kept["files"])
    assert len(re.findall(r"\.add(?:All)?\(|\.put\(", script)) == 1


def test_the_policy_was_not_loosened_for_it(client: Client) -> None:
    policy = client.get("/offline/")["Content-Security-Policy"]
    assert policy.count("'self'") == 2
    assert "worker-src" not in policy, "the default, this site alone, holds for it"
