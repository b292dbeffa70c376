"""A name is what others read: nothing in it may be invisible or pretend to be somebody."""

from itertools import combinations

import pytest
from django.test import Client

from games.bots import STRENGTHS, Strength
from lobby import names
from lobby.models import Table, User
from lobby.names import BadName
from lobby.templatetags.directions import isolated_names


@pytest.mark.parametrize(
    "name", ["A", "Alice", "Zoë", "Ægir", "Дарья", "小明", "O'Neil", "x" * 20, "🦊", "❤\ufe0f", "שרה", "Yours"]
)
def test_ordinary_names_stay_as_they_are(name: str) -> None:
    assert names.clean(name) == name


def test_spaces_around_and_between_are_tidied() -> None:
    assert names.clean("  Alice   of  Ore ") == "Alice of Ore"


@pytest.mark.parametrize("name", ["", " ", "    "])
def test_a_name_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(BadName, match="please type a name"):
        names.clean(name)


def test_twenty_characters_are_a_name_and_twenty_one_are_not() -> None:
    assert names.clean("x" * 20)
    with pytest.raises(BadName, match="20 characters at most"):
        names.clean("x" * 21)


@pytest.mark.parametrize(
    "name",
    [
        *("Ali\u200bce", "\u202eecilA", "Alice\u2066", "Alice\x00", "Ali\nce", "Ali\tce", "Alice\u00ad", "\ufeffAlice"),
        *("Alice\u00a0B", "Alice\u3000", "\u3164", "\u2800", "\u115f", "Alice\ue000", "Ali\u2028ce", "Ali\U000e0041ce"),
        *("Alice\ufe0f", "A\ufe00lice", "Alice\U000e0100", "Ali\u034fce", "\u180b", "\U0001d159", "Alice\u2003"),
        *("\u2067Alice", "Alice\u061c", "\u200fAlice", "\u2003", "\t", "\u00a0"),
    ],
)
def test_what_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(BadName, match="invisible character"):
        names.clean(name)


@pytest.mark.parametrize("name", ["A" + "\u0300\u0301\u0302\u0303", "\u0301Alice", "Alice \u0301"])
def test_piled_up_marks_are_refused(name: str) -> None:
    with pytest.raises(BadName, match="marks"):
        names.clean(name)


@pytest.mark.parametrize("name", ["You", "YOU", "yоu", "Ｙｏｕ", "ʏᴏᴜ", "Υου", "y0u", "🅨🅞🅤"])
def test_nobody_is_called_as_the_game_calls_its_reader(name: str) -> None:
    with pytest.raises(BadName, match="“You”"):
        names.clean(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Alice", other) for other in ("alice", "ALICE", "Ａlice", "Аlice", "ΑLICE", "АLICЕ", "Al1ce", "AIice")),
        *(("Bob", other) for other in ("Bоb", "B0B", "ВOВ", "Βοb")),
        *(("Alice", other) for other in ("ꓮꓡꓲꓚꓰ", "Ali\u0307ce", "Alı\u0307ce", "Ⲁⅼiⲥe", "Aǀice", "Aliϲe", "AlᎥce")),
        *(("Bob", other) for other in ("ꓐob", "ᏴOᏴ", "Ⲃⲟb", "Bօb")),
        *(("Kim", "Ꮶim"), ("Laura", "ʟᴀᴜʀᴀ"), ("Fox", "ꜰᴏx"), ("Sam", "ꜱᴀᴍ"), ("Benjamin", "Benj\u0307amin")),
        *(("Дарья", "дарья"), ("Mary Ann", "Maryann"), ("Zoë", "Zoё"), ("❤", "❤\ufe0f")),
    ],
)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert names.is_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("Alice", "Alicia"), ("Zoe", "Zoë"), ("Дарья", "Марья"), ("Bob", "Rob"), ("İpek", "Ipek")]
)
def test_names_that_people_tell_apart_are_not(one: str, other: str) -> None:
    assert not names.is_same(one, other)


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Waiting for שרה. 2 chairs are free.", "Waiting for <bdi>שרה</bdi>. 2 chairs are free."),
        ("Waiting for דן שרה and Bob.", "Waiting for <bdi>דן שרה</bdi> and Bob."),
        ("سارة won.", "<bdi>سارة</bdi> won."),
        ("<b>Alice</b> won.", "&lt;b&gt;Alice&lt;/b&gt; won."),
        ("Everybody is here.", "Everybody is here."),
    ],
)
def test_a_name_from_right_to_left_turns_nothing_else_in_a_sentence(sentence: str, shown: str) -> None:
    assert isolated_names(sentence) == shown


def test_the_table_tells_so_for_whom_it_waits(table: Table, alice_browser: Client) -> None:
    User.objects.create_user("sarah", name="שרה")
    alice_browser.post(f"/t/{table.code}/invite/", {"name": "שרה"})
    assert "Waiting for <bdi>שרה</bdi>. 2 chairs are free." in alice_browser.get(f"/t/{table.code}/").content.decode()


def test_a_guests_made_up_name_is_a_good_one() -> None:
    for _ in range(50):
        made_up = names.for_guest()
        assert names.clean(made_up) == made_up


@pytest.mark.parametrize("strength", STRENGTHS)
def test_four_bots_have_four_names(strength: Strength) -> None:
    taken: list[str] = []
    for _ in range(4):
        taken.append(names.for_bot(strength, taken))
    assert len(set(taken)) == 4


def test_a_bots_name_tells_its_strength() -> None:
    pairs = combinations([name for strength in STRENGTHS for name in names.BOTS[strength]], 2)
    assert not [pair for pair in pairs if names.is_same(*pair)]
    assert all(names.clean(name) == name for strength in STRENGTHS for name in names.BOTS[strength])
    assert min(len(names.BOTS[strength]) for strength in STRENGTHS) >= 12
