"""Mona and Milo are moderators of whom nobody complains; ``moderator`` is the browser of Dana, who is one too."""

import pytest
from django.test import Client

from lobby.models import User
from tests.moderation import deciding_cases
from tests.staff import browser_of, make_staff


@pytest.fixture
def mona(db: None) -> User:
    return deciding_cases.moderator("Mona")


@pytest.fixture
def milo(db: None) -> User:
    return deciding_cases.moderator("Milo")


@pytest.fixture
def moderator(dana: User) -> Client:
    return browser_of(make_staff(dana, "moderator"))
