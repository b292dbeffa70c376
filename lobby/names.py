"""What people and bots are called."""

import re
import secrets
import unicodedata
from collections.abc import Collection, Mapping
from itertools import pairwise
from string import ascii_uppercase
from typing import Final

from games.bots import Strength

LONGEST_NAME: Final = 20

_ANIMALS: Final = (
    *("Badger", "Beaver", "Crane", "Curlew", "Dormouse", "Falcon", "Fox", "Heron", "Hare", "Kestrel"),
    *("Lynx", "Marten", "Otter", "Owl", "Plover", "Puffin", "Raven", "Seal", "Stoat", "Swift"),
)
#: A bot is known by its name: whoever has met Poppy knows what to expect of her.
BOTS: Final[Mapping[Strength, tuple[str, ...]]] = {
    "easy": (
        *("Alfie", "Benny", "Daisy", "Ellie", "Freddie", "Hattie", "Josie", "Kitty", "Lottie", "Monty"),
        *("Ollie", "Poppy", "Pippa", "Teddy", "Winnie", "Ziggy"),
    ),
    "medium": (
        *("Agnes", "Bruno", "Clara", "Edgar", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Karla"),
        *("Leon", "Mila", "Nora", "Oskar", "Paula", "Quentin", "Rosa", "Simon", "Tilda", "Viktor"),
    ),
    "hard": (
        *("Augusta", "Balthasar", "Cassandra", "Cornelius", "Hadrian", "Isolde", "Leopold", "Magnus", "Octavia"),
        *("Ptolemy", "Lysander", "Sebastian", "Sibyl", "Thaddeus", "Theodora", "Wilhelmina"),
    ),
}

#: Letters, symbols and marks by their category, which nonetheless show nothing.
BLANK_LETTERS: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159\U00016fe4"

#: They choose between two drawings of the character before them, which only symbols have.
_SYMBOL_STYLES: Final = "\ufe0e\ufe0f"

#: Small ones are smaller, and no more.
_COPTIC: Final = "ALFA=A VIDA=B SIMA=C EIE=E HATE=H IAUDA=I KAPA=K MI=M NI=N O=O RO=P TAU=T KHI=X UA=Y ZATA=Z"
_CHEROKEE: Final = (
    "GO=A YV=B TLI=C A=D GV=E NAH=G WA=G MI=H V=i GU=J TSO=K TLE=L LU=M TLV=P E=R SV=R DU=S I=T DO=V LA=W TA=W GI=Y "
    "MU=Y NO=Z"
)

#: Letters by Unicode's name for them, and the Latin letter that they are taken for.
_TAKEN_FOR: Final = {
    "CYRILLIC CAPITAL LETTER": (
        "A=A VE=B IE=E ZE=3 KA=K EM=M EN=H O=O ER=P ES=C TE=T U=Y HA=X STRAIGHT U=Y DZE=S JE=J QA=Q WE=W SHHA=H "
        "BYELORUSSIAN-UKRAINIAN I=I IZHITSA=V KOMI SJE=G"
    ),
    "CYRILLIC SMALL LETTER": (
        "A=a IE=e KA=k O=o ER=p ES=c U=y HA=x STRAIGHT U=y DZE=s JE=j QA=q WE=w SHHA=h KOMI DE=d "
        "BYELORUSSIAN-UKRAINIAN I=i PALOCHKA=l IZHITSA=v OMEGA=w IOTA=i"
    ),
    "CYRILLIC LETTER": "PALOCHKA=I",
    "GREEK CAPITAL LETTER": (
        "ALPHA=A BETA=B EPSILON=E ZETA=Z ETA=H IOTA=I KAPPA=K MU=M NU=N OMICRON=O RHO=P TAU=T UPSILON=Y CHI=X"
    ),
    "GREEK SMALL LETTER": "ALPHA=a GAMMA=y IOTA=i KAPPA=k NU=v OMICRON=o RHO=p UPSILON=u CHI=x",
    "GREEK": "LUNATE SIGMA SYMBOL=c CAPITAL LUNATE SIGMA SYMBOL=C",
    "ARMENIAN CAPITAL LETTER": "OH=O SEH=U TIWN=S LIWN=L",
    "ARMENIAN SMALL LETTER": "OH=o SEH=u VO=n HO=h ZA=q CO=g YI=j",
    "LATIN CAPITAL LETTER": "IOTA=l",
    "LATIN SMALL LETTER": "ALPHA=a DOTLESS I=i SCRIPT G=g IOTA=i",
    "LATIN LETTER": "DENTAL CLICK=l",
    "LATIN LETTER SMALL CAPITAL": (
        "A=a B=b C=c D=d E=e F=f G=g H=h I=i J=j K=k L=l M=m N=n O=o P=p Q=q R=r S=s T=t U=u V=v W=w Y=y Z=z"
    ),
    "LISU LETTER": (
        "A=A BA=B CA=C DA=D E=E TSA=F GA=G XA=H I=I JA=J KA=K LA=L MA=M NA=N O=O PA=P ZHA=R SA=S TA=T U=U HA=V WA=W "
        "SHA=X YA=Y DZA=Z"
    ),
    **dict.fromkeys(("COPTIC CAPITAL LETTER", "COPTIC SMALL LETTER"), _COPTIC),
    **dict.fromkeys(("CHEROKEE LETTER", "CHEROKEE SMALL LETTER"), _CHEROKEE),
}
_LATIN: Final = {
    ord(unicodedata.lookup(f"{kind} {name}")): latin
    for kind, pairs in _TAKEN_FOR.items()
    for name, latin in re.findall("([A-Z -]+)=(.) ?", pairs)
} | {
    # White letters in black circles and squares.
    first + number: letter
    for first in (0x1F150, 0x1F170)
    for number, letter in enumerate(ascii_uppercase)
}
#: Which of these is meant is often anybody's guess.
_ALIKE: Final = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o", " ": None})

#: One answer, whoever has the name: those at a table, and accounts by the name that they show. Sign-in names are
#: compared with nothing, so nobody learns here whether there is one.
TAKEN: Final = "Somebody else goes by this name, or one that looks like it: please choose another."


#: What a seat and its lines are called once their person has deleted the account.
SOMEBODY: Final = "Somebody"


class BadName(ValueError):
    """A name that others could not read, or could mistake."""


def clean(text: str) -> str:
    """The name as it is shown, or ``BadName`` with a sentence about what is wrong with it."""
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text)).strip(" ")
    if not name:
        raise BadName("Others need something to call you: please type a name.")
    if len(name) > LONGEST_NAME:
        raise BadName(f"A name can have {LONGEST_NAME} characters at most: please shorten it.")
    if any(_is_invisible(*pair) for pair in pairwise(f" {name}")):
        raise BadName("This name contains an invisible character: please type it again.")
    if _has_piled_marks(name):
        raise BadName("This name piles up marks on a letter: please leave some out.")
    if is_same(name, "You"):
        raise BadName("“You” is what the game calls whoever is reading: please choose another name.")
    if is_same(name, SOMEBODY):
        raise BadName("“Somebody” is what the site calls people who have left: please choose another name.")
    return name


def _is_invisible(before: str, character: str) -> bool:
    # Control and format characters (those that turn the writing direction among them), unassigned
    # ones, and every space but the ordinary one, which alone is told apart from nothing.
    category = unicodedata.category(character)
    if character in _SYMBOL_STYLES:
        return unicodedata.category(before)[0] != "S"
    is_control = category[0] == "C" or (category[0] == "Z" and character != " ")
    return is_control or character in BLANK_LETTERS or "VARIATION SELECTOR" in unicodedata.name(character, "")


def _has_piled_marks(name: str) -> bool:
    """Marks without a letter below them, or more than two on one."""
    kinds = "".join(" " if character == " " else unicodedata.category(character)[0] for character in name)
    return " M" in f" {kinds}" or "MMM" in kinds


def is_same(one: str, other: str) -> bool:
    """Whether people would take two names for one."""
    return any(mine == theirs for mine, theirs in zip(keys(one), keys(other), strict=True))


def keys(name: str) -> tuple[str, str]:
    """What a name reads like and what it looks like. Who has either in common with another is taken for them.

    It needs both: a small Greek nu reads like the capital and looks like a v, while the capital looks like an N.
    """
    return _folded(name), _shape(name)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _shape(name: str) -> str:
    """What a name looks like at a glance, in small Latin letters where it can be."""
    # Some are taken for one letter and made of another.
    letters = unicodedata.normalize("NFKD", name.translate(_LATIN)).translate(_LATIN)
    dotted_once = re.sub("([ij])\u0307", r"\1", letters)
    return "".join(letter for letter in dotted_once.casefold().translate(_ALIKE) if letter not in _SYMBOL_STYLES)


def for_guest() -> str:
    """A friendly name for somebody who was not asked for one."""
    return f"Guest {secrets.choice(_ANIMALS)}"


def for_bot(strength: Strength, taken: Collection[str]) -> str:
    """The name of a bot of this strength that nobody at the table has."""
    return secrets.choice([name for name in BOTS[strength] if not any(is_same(name, other) for other in taken)])
