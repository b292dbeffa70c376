"""Several ask for tokens, or with one, at once."""

import pytest
from django.core.cache import cache
from django.utils import timezone

from api import tokens
from api.models import Token
from lobby.models import User
from tests.lobby.test_races import all_at_once

pytestmark = [pytest.mark.both_stacks, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PRESSES = 6


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    cache.clear()


def make(person: User) -> tuple[Token, str]:
    return tokens.make(person, "My bot", "play", now=timezone.now())


def test_of_many_tokens_made_at_once_none_passes_the_limit(alice: User) -> None:
    for _ in range(tokens.MOST_TOKENS - 2):
        make(alice)
    answers = all_at_once([lambda: make(alice)] * PRESSES)
    assert sum(isinstance(answer, tokens.TooManyTokens) for answer in answers) == PRESSES - 2
    assert alice.tokens.count() == tokens.MOST_TOKENS


def test_of_many_requests_at_once_each_is_known_and_the_use_is_noted(alice: User) -> None:
    text, now = make(alice)[1], timezone.now()
    answers = all_at_once([lambda: tokens.holder(text, now)] * PRESSES)
    assert [answer.person for answer in answers] == [alice] * PRESSES
    assert Token.objects.get().last_used_at == now


def test_a_token_that_is_revoked_while_it_is_used_stays_revoked(alice: User) -> None:
    token, text = make(alice)
    calls = [lambda: tokens.holder(text, timezone.now())] * (PRESSES - 1)
    all_at_once([*calls, lambda: tokens.revoke(alice, token.pk)])
    assert not Token.objects.exists()
    assert tokens.holder(text, timezone.now()) is None
