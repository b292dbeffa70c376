"""What people read is written by the server: scripts only say which sentence, and fill its gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.sites import ROOT

STATIC = ROOT / "static"
SCRIPTS = [str(file.relative_to(STATIC)) for file in sorted(STATIC.rglob("*.js"))]

#: They look like words for people, and are words for the browser.
FOR_THE_BROWSER = {
    "theme={}; Path=/; SameSite=Lax; Max-Age={}{}",
    "; Secure",
    "not all",
    *("Enter", "Escape"),
}

COMMENT_OR_QUOTE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[`{}]""", re.DOTALL)
TEXT_OF_A_TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^\\`$])*", re.DOTALL)

#: A word with a capital, or two words, one of which may be a gap: not `seat-{}`, `{}px`, `.place .legal` or `POST`.
CAPITALIZED = re.compile(r"(?<![\w.#-])[A-Z][a-z]+(?![\w-])")
TWO_WORDS = re.compile(r"(?<![\w.#-])(?:[a-z]+[,:]? (?:[a-z]+|\{\})|\{\} [a-z]+)(?![\w-])", re.IGNORECASE)
A_WORD_FOR_PEOPLE = re.compile(r"[a-z]+ ?[.!?…]$", re.IGNORECASE)


def literals(source: str) -> Iterator[str]:
    """Every string of a script, with {} for the gaps of a template; comments are left out."""
    yield from _literals(source, 0, [])


def _literals(source: str, start: int, ends: list[int]) -> Iterator[str]:
    """Up to the brace that closes what was open at the start, whose place is added to the ends."""
    depth = 0
    while found := COMMENT_OR_QUOTE.search(source, start):
        start = found.end()
        match found[0][0]:
            case "{":
                depth += 1
            case "}" if depth == 0:
                break
            case "}":
                depth -= 1
            case "`":
                text = ""
                while True:
                    plain = TEXT_OF_A_TEMPLATE.match(source, start)
                    assert plain
                    text, start = text + plain[0], plain.end()
                    if source[start] == "`":
                        break
                    yield from _literals(source, start + len("${"), ends)
                    text, start = text + "{}", ends.pop()
                start += 1
                yield text
            case '"' | "'":
                yield found[0][1:-1]
    ends.append(start)


def for_people(literal: str) -> bool:
    if literal in FOR_THE_BROWSER:
        return False
    return any(look.search(literal) for look in (CAPITALIZED, TWO_WORDS, A_WORD_FOR_PEOPLE))


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_sentence_is_made_in_a_script(script: str) -> None:
    assert [literal for literal in literals((STATIC / script).read_text()) if for_people(literal)] == []


@pytest.mark.parametrize(
    "source",
    [
        'button.textContent = "Copied";',
        "x = 'new in the chat'",
        "x = `usually ${usual}`",
        "x = `${count} new`",
        "x = `${shown ? `${a + { b: 1 }.b}px` : `Nothing was sent`}px`",
        "x = `It took ${time} ms.`",
        'x = ok ? "" : "late."',
        'x = "On its way …"',
        'x = "Time: over"',
    ],
)
def test_a_sentence_is_recognized(source: str) -> None:
    assert [literal for literal in literals(source) if for_people(literal)]


@pytest.mark.parametrize(
    "source",
    [
        '// Say "Not a word" `of this`\n',
        '/* "Not a word"\n of `this` */',
        'fetch(form.action, { method: "POST", headers: { Accept: "application/json" } })',
        'html("span", { class: `log-seat seat-${colour}` })',
        'matchMedia("(prefers-reduced-motion: reduce)")',
        'piece.animate({ translate: ["0 -40px", `${x}px ${y}px`] })',
        'list.querySelector(".place.legal, details[open]")',
        'board.setAttribute("viewBox", `${x} ${y} ${width} ${height}`)',
    ],
)
def test_what_is_for_the_browser_is_left_alone(source: str) -> None:
    assert not [literal for literal in literals(source) if for_people(literal)]
