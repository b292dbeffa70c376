"""What people and bots are called."""

import re
import secrets
import unicodedata
from collections.abc import Collection
from typing import Final

LONGEST_NAME: Final = 20

_ANIMALS: Final = (
    *("Badger", "Beaver", "Crane", "Curlew", "Dormouse", "Falcon", "Fox", "Heron", "Hare", "Kestrel"),
    *("Lynx", "Marten", "Otter", "Owl", "Plover", "Puffin", "Raven", "Seal", "Stoat", "Swift"),
)
_BOTS: Final = (
    *("Agnes", "Bruno", "Clara", "Edgar", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Karla"),
    *("Leon", "Mila", "Nora", "Oskar", "Paula", "Quentin", "Rosa", "Simon", "Tilda", "Viktor"),
)

#: Letters by their category, which nonetheless show nothing.
BLANK_LETTERS: Final = "\u115f\u1160\u2800\u3164\uffa0"


class BadName(ValueError):
    """A name that others could not read, or could mistake."""


def clean(text: str) -> str:
    """The name as it is shown, or ``BadName`` with a sentence about what is wrong with it."""
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text)).strip(" ")
    if not name:
        raise BadName("Others need something to call you: please type a name.")
    if len(name) > LONGEST_NAME:
        raise BadName(f"A name has {LONGEST_NAME} characters at most: please shorten it.")
    if any(_is_invisible(character) for character in name):
        raise BadName("This name holds a character that cannot be seen: please type it anew.")
    if _has_piled_marks(name):
        raise BadName("This name piles up marks on a letter: please leave some out.")
    return name


def _is_invisible(character: str) -> bool:
    # Control and format characters (those that turn the writing direction among them), unassigned
    # ones, and every space but the ordinary one, which alone is told apart from nothing.
    category = unicodedata.category(character)
    return category[0] == "C" or (category[0] == "Z" and character != " ") or character in BLANK_LETTERS


def _has_piled_marks(name: str) -> bool:
    """Marks without a letter below them, or more than two on one."""
    kinds = "".join(" " if character == " " else unicodedata.category(character)[0] for character in name)
    return " M" in f" {kinds}" or "MMM" in kinds


def is_same(one: str, other: str) -> bool:
    """Whether people would take two names for one."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def for_guest() -> str:
    """A friendly name for somebody who was not asked for one."""
    return f"Guest {secrets.choice(_ANIMALS)}"


def for_bot(taken: Collection[str]) -> str:
    """A bot's name that nobody at the table has."""
    return secrets.choice([name for name in _BOTS if not any(is_same(name, other) for other in taken)])
