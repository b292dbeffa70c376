"""The game design document: what everybody has at hand beside the board."""

import re

import pytest
from django.test import Client

from tests.games.playing import new_game, time_out_until
from tests.rules.table import CARD, CITY, ROAD, SETTLEMENT

pytestmark = pytest.mark.django_db

PRESET = "standard"


def costs_shown_to(user, game):
    """The table of costs on a page of the game, in the part that needs no script."""
    client = Client()
    if user:
        client.force_login(user)
    page = client.get(f"/games/{game.pk}/").content.decode()
    about = re.search(r'<details class="about" id="about"[^>]*>(.*)', page, re.DOTALL)[1]
    table = re.search(r'<table class="costs">(.*?)</table>', about, re.DOTALL)[1]
    rows = re.findall(r'<th scope="row">([^<]*).*?<td>(.*?)</td>', table, re.DOTALL)
    resource = re.compile(r'aria-label="(\w+)".*?<b>(\d+)</b>', re.DOTALL)
    return {title.strip(): {name: int(count) for name, count in resource.findall(price)} for title, price in rows}


def test_everybody_has_the_building_costs_at_hand(alice, bob, charlie):
    """From the setup on and whoever's turn it is; spectators too."""
    users = [alice, bob, charlie]
    game = new_game(PRESET, users=users)
    for turn in (0, 1):
        time_out_until(game.pk, lambda state, turn=turn: state.turn >= turn)
        for user in (*users, None):
            assert costs_shown_to(user, game) == {
                "Road": ROAD,
                "Settlement": SETTLEMENT,
                "City": CITY,
                "Development card": CARD,
            }
