"""What moderators see of games, and what they can do to them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Game
from lobby.models import User

from .playing import BOB, new_game, seed_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def moderator(dana: User) -> Client:
    User.objects.filter(pk=dana.pk).update(is_superuser=True)
    browser = Client()
    browser.force_login(User.objects.get(pk=dana.pk))
    return browser


def test_a_game_that_was_set_aside_is_listed_with_the_reason(moderator: Client) -> None:
    game = new_game(seed="admin", pace="normal")
    for _ in range(3):
        services.note_failure(game.pk, ZeroDivisionError("a defect"), now=timezone.now())
    page = moderator.get("/admin/games/game/?status__exact=needs_attention").content.decode()
    assert "A task failed 3 times: ZeroDivisionError: a defect" in page


@pytest.mark.parametrize(
    ("action", "status"),
    [("pause", Game.Status.PAUSED), ("abort", Game.Status.ABORTED)],
)
def test_a_moderator_pauses_and_aborts(moderator: Client, action: str, status: Game.Status) -> None:
    game = new_game(seed="admin", pace="normal")
    moderator.post("/admin/games/game/", {"action": action, "_selected_action": game.pk})
    game.refresh_from_db()
    assert game.status == status
    assert game.interventions.get().why == "by dana"


def test_a_game_that_has_had_its_attention_goes_on(moderator: Client) -> None:
    game = new_game(seed="admin", pace="normal")
    services.set_aside(game.pk, "somebody looks", now=timezone.now())
    moderator.post("/admin/games/game/", {"action": "resume", "_selected_action": game.pk})
    game.refresh_from_db()
    assert (game.status, game.failures) == (Game.Status.RUNNING, 0)
    assert game.deadline


def test_the_page_of_a_game_tells_who_plays_and_no_secret(moderator: Client) -> None:
    game = new_game(seed="admin", pace="normal")
    services.replace_by_bot(game.pk, BOB, now=timezone.now())
    page = moderator.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert "a bot for an absent person" in page
    assert "replace_by_bot" in page
    assert seed_of(game).hex() not in page
