"""Refusals: stable codes, sentences for people, and a test that asks for each."""

from pathlib import Path

import pytest

from games.rules import IllegalMove
from games.rules.refusals import SENTENCES

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("code", SENTENCES)
def test_a_refusal_has_a_code_and_a_sentence(code):
    refusal = IllegalMove(code)
    assert (refusal.code, refusal.sentence) == (code, SENTENCES[code])
    assert str(refusal) == f"{code}: {refusal.sentence}"
    assert code == code.lower()
    assert refusal.sentence[0].isupper()
    assert refusal.sentence.endswith(".")


def test_no_two_refusals_say_the_same():
    assert len(set(SENTENCES.values())) == len(SENTENCES)


def test_every_refusal_is_asked_for_by_a_test():
    texts = [path.read_text() for folder in ("rules", "sources") for path in (TESTS / folder).rglob("*.py")]
    assert [code for code in SENTENCES if not any(f'"{code}"' in text for text in texts)] == []
