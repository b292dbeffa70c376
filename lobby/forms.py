"""What people send about tables, checked for its shape."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from django import forms
from django.forms.boundfield import BoundField

from games import paces
from games.bots import Strength
from games.paces import CLOCKS, DEFAULT_BOT_SPEED, BotSpeed, NoClock, Pace, PaceError, PaceName, in_words
from games.page import COLOURS
from games.rules import PRESETS, Malformed, RuleSet
from games.rules.boards import Layout
from games.rules.ruleset import OPTIONS, Option, Preset, Value, read_changes
from lobby import names
from lobby.accounts import accounts_called
from lobby.choices import BOARDS, BOT_SPEED_CHOICES, FIRST_LOOKS, PACE_CHOICES, RULE_BOOKS, STRENGTH_CHOICES
from lobby.company import BOTS, SPECTATORS, USUAL_COMPANY, VISIBILITIES, Company, said
from lobby.models import User

#: What a table plays by until its host says otherwise.
USUAL_RULES: Final = PRESETS["standard"]
USUAL_BOARD: Final = "balanced"


class NameField(forms.CharField):
    """What a guest wants to be called."""

    def __init__(self, **kwargs: Any) -> None:
        # Longer input is not cut by the browser: the refusal says why.
        super().__init__(label="Your name", max_length=1000, strip=False, **kwargs)
        self.widget.attrs |= {"autocomplete": "nickname"}

    def clean(self, value: Any) -> str:
        try:
            name = names.clean(super().clean(value))
        except names.BadName as error:
            raise forms.ValidationError(str(error)) from error
        if accounts_called(name):
            raise forms.ValidationError(names.TAKEN)
        return name


def guest_name(text: str) -> str:
    """What a guest has said to be called, outside a form; ``Malformed`` with a sentence about what is wrong with it."""
    try:
        return NameField().clean(text)
    except forms.ValidationError as error:
        raise Malformed(str(error.messages[0]), "name") from error


class ChairField(forms.IntegerField):
    """The number of a chair; whether the table has as many, the services know."""

    def __init__(self, **kwargs: Any) -> None:
        nowhere = dict.fromkeys(("required", "invalid", "min_value"), "This table has no such chair.")
        super().__init__(min_value=0, error_messages=nowhere, **kwargs)


class SitDownForm(forms.Form):
    """A chair, and for guests the name to sit there under."""

    name = NameField(error_messages={"required": "Others need something to call you: please type a name."})
    chair = ChairField(required=False)

    def __init__(self, data: Any, person: User) -> None:
        super().__init__(data)
        self._person = person
        if not person.is_guest:
            del self.fields["name"]

    @property
    def shown_name(self) -> str:
        name: str = self.cleaned_data.get("name", self._person.shown_name)
        return name

    @property
    def number(self) -> int | None:
        number: int | None = self.cleaned_data["chair"]
        return number


class ChairForm(forms.Form):
    chair = ChairField()

    @property
    def number(self) -> int:
        number: int = self.cleaned_data["chair"]
        return number


class BotsForm(forms.Form):
    """How strong somebody wants bots to be; whoever does not say so wants them as before."""

    strength = forms.ChoiceField(
        choices=list(STRENGTH_CHOICES.items()),
        required=False,
        error_messages={"invalid_choice": "Choose an easy, a medium or a hard bot."},
    )

    @property
    def wanted(self) -> Strength | None:
        strength: Strength | Literal[""] = self.cleaned_data["strength"]
        return strength or None


class BotForm(ChairForm, BotsForm):
    """Which chair a bot gets."""


class ColourForm(forms.Form):
    colour = forms.TypedChoiceField(
        choices=list(enumerate(COLOURS)),
        coerce=int,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "There is no such colour: please choose another."),
    )


class SwapForm(ChairForm):
    other = ChairField()


class LetBackForm(forms.Form):
    removal = forms.IntegerField(
        min_value=1,
        max_value=2**63 - 1,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), "Choose who you want to let back in."
        ),
    )


class InviteForm(forms.Form):
    name = forms.CharField(
        max_length=1000, error_messages={"required": "Type the name of the person you want to invite."}
    )


class FindForm(forms.Form):
    """At which pace somebody wants to play, and for guests the name to sit down under."""

    pace = forms.ChoiceField(
        choices=[(name, choice) for name, choice in PACE_CHOICES.items() if name],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose one of the paces."),
    )
    name = NameField(error_messages={"required": "Others need something to call you: please type a name."})

    def __init__(self, data: Any, person: User) -> None:
        super().__init__(data, initial={"pace": paces.DEFAULT_PACE, "name": person.name})
        if not person.is_guest:
            del self.fields["name"]


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option's field, which of its values the rule book says, and for a number what it counts."""

    field: BoundField
    by_the_book: str
    counts: str


@dataclass(frozen=True, slots=True)
class ShownClock:
    """A clock's field, what is written in it, and the time that it usually has at the pace shown."""

    field: BoundField
    text: str
    usual: str

    @property
    def is_changed(self) -> bool:
        return self.text != self.usual


class Wish(NamedTuple):
    """How the host wants the game to be played."""

    rules: RuleSet
    layout: Layout
    pace: Pace | None
    bot_speed: BotSpeed
    company: Company
    board_seen: bool


class TableForm(forms.Form):
    """The options of a table.

    The page shows each option as it stands in one rule book, `shown_preset`. Somebody without scripts who
    picks another book leaves those values as they are; so only what differs from the book shown is the
    host's own wish, and it is applied to the book picked. It is the same with the times of a pace.
    """

    preset = forms.ChoiceField(label="Rules", choices=list(RULE_BOOKS.items()))
    shown_preset = forms.ChoiceField(choices=list(RULE_BOOKS.items()), required=False)
    layout = forms.ChoiceField(label="Board", choices=list(BOARDS.items()), required=False)
    board_seen = forms.ChoiceField(label="Before the game", choices=list(FIRST_LOOKS.items()), required=False)
    pace = forms.ChoiceField(label="Pace", choices=list(PACE_CHOICES.items()), required=False)
    shown_pace = forms.ChoiceField(choices=list(PACE_CHOICES.items()), required=False)
    bot_speed = forms.ChoiceField(label="Bots", choices=list(BOT_SPEED_CHOICES.items()), required=False)
    rated = forms.BooleanField(required=False)
    visibility = forms.ChoiceField(label="Who can come", choices=list(VISIBILITIES.items()), required=False)
    bots = forms.ChoiceField(label="Bots at the table", choices=list(BOTS.items()), required=False)
    spectators = forms.ChoiceField(label="Spectators", choices=list(SPECTATORS.items()), required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        rules: RuleSet = USUAL_RULES,
        layout: Layout = USUAL_BOARD,
        pace: Pace | None = None,
        bot_speed: BotSpeed = DEFAULT_BOT_SPEED,
        company: Company = USUAL_COMPANY,
        board_seen: bool = False,
        guest_name: str | None = None,
    ) -> None:
        self.shown_rules = rules
        self.own_times = {clock: in_words(seconds) for clock, seconds in pace.changed.items()} if pace else {}
        initial = {
            "preset": rules.preset,
            "shown_preset": rules.preset,
            "layout": layout,
            "board_seen": said(board_seen),
            "pace": pace.name if pace else "",
            "bot_speed": bot_speed,
            **company.as_sent,
            "rated": company.rated,
        }
        super().__init__(data, initial=initial)
        for option in OPTIONS:
            self.fields[option.name] = _option_field(option)
            self.initial[option.name] = _text(option.of(rules))
        for clock, what in CLOCKS.items():
            self.fields[clock_field(clock)] = forms.CharField(label=what, required=False)
        if guest_name is not None:
            self.fields["name"] = NameField(initial=guest_name)

    @property
    def wish(self) -> Wish:
        """What a valid form says."""
        sent = self.cleaned_data
        company = Company(sent["visibility"], sent["bots"] == "yes", sent["spectators"] == "yes", sent["rated"])
        is_seen = sent["board_seen"] == "yes"
        return Wish(sent["rules"], sent["layout"], sent["clocks"], sent["bot_speed"], company, is_seen)

    def with_wishes(self) -> "TableForm":
        """This form again, showing the rule book that was picked with the host's wishes in it."""
        return TableForm(**self.wish._asdict(), guest_name=self.cleaned_data.get("name"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "preset" in cleaned:
            shown = PRESETS[cleaned.get("shown_preset") or cleaned["preset"]]
            wishes = {
                option.name: cleaned[option.name]
                for option in OPTIONS
                if cleaned.get(option.name) is not None and cleaned[option.name] != option.of(shown)
            }
            cleaned["rules"] = PRESETS[cleaned["preset"]].with_options(**read_changes(wishes))
        cleaned["clocks"] = self._clean_pace()
        for choice in ("layout", "board_seen", "bot_speed", *USUAL_COMPANY.as_sent):
            cleaned[choice] = cleaned.get(choice) or self.initial[choice]
        return cleaned

    def _clean_pace(self) -> Pace | None:
        """The pace picked, with every time that the host has written otherwise than the page showed it.

        Somebody who sends no pace at all leaves it as it is.
        """
        cleaned = self.cleaned_data
        name = cleaned.get("pace", "") if "pace" in self.data else self.initial["pace"]
        shown = paces.PACES.get(cleaned.get("shown_pace", ""))
        written = {clock: cleaned.get(clock_field(clock), "") for clock in CLOCKS}
        self.own_times = {clock: text for clock, text in written.items() if text and _differs(shown, clock, text)}
        picked = paces.PACES.get(name)
        if picked is None:
            return None
        for clock, text in self.own_times.items():
            try:
                picked = picked.with_time(clock, text)
            except PaceError as error:
                self.add_error(clock_field(clock), str(error))
        return picked

    @property
    def is_unusual(self) -> bool:
        """Whether anything but the name and the pace is wrong, or not what most tables play by."""
        if self.errors.keys() - {"name", "pace"}:
            return True
        chosen = self.cleaned_data if self.is_bound else {**self.initial, "rules": self.shown_rules}
        usual = {
            "rules": USUAL_RULES,
            "layout": USUAL_BOARD,
            "board_seen": said(False),
            "bot_speed": DEFAULT_BOT_SPEED,
            **USUAL_COMPANY.as_sent,
        }
        return bool(self.own_times) or any(chosen[name] != value for name, value in usual.items())

    @property
    def seats(self) -> ShownOption:
        return next(self._shown(option) for option in OPTIONS if option.name == "most_seats")

    @property
    def house_rules(self) -> Iterator[ShownOption]:
        return (self._shown(option) for option in OPTIONS if option.name != "most_seats")

    @property
    def pace_shown(self) -> PaceName | NoClock:
        """The pace whose times are on the page: the one picked, also where what was sent showed another."""
        picked = self["pace"].value()
        return picked if picked in PACE_CHOICES else ""

    @property
    def clocks(self) -> Iterator[ShownClock]:
        usual = at_the_pace(self.pace_shown)
        for clock in CLOCKS:
            name = clock_field(clock)
            yield ShownClock(self[name], self.own_times.get(clock, usual[name]), usual[name])

    @property
    def bounds(self) -> str:
        return at_the_pace(self.pace_shown)["bounds"]

    def _shown(self, option: Option) -> ShownOption:
        book = self["shown_preset"].value()
        by_book = by_the_book(book if book in PRESETS else "standard")
        return ShownOption(self[option.name], by_book[option.name], option.sentence.format("this many"))


def by_the_book(preset: Preset) -> dict[str, str]:
    """The options of a rule book, as the fields of the form write them."""
    return {option.name: _text(option.of(PRESETS[preset])) for option in OPTIONS}


def at_the_pace(name: PaceName | NoClock) -> dict[str, str]:
    """The times of a pace, as the fields of the form write them, and their bounds; no clock has none."""
    pace = paces.PACES[name] if name else None
    times = {clock_field(clock): in_words(getattr(pace, clock)) if pace else "" for clock in CLOCKS}
    return times | {"bounds": pace.bounds_in_words if pace else ""}


def clock_field(clock: str) -> str:
    """The name of a clock's field: an option of the rules may have the clock's own name."""
    return f"clock_{clock}"


def _differs(shown: Pace | None, clock: str, text: str) -> bool:
    try:
        return shown is None or shown.with_time(clock, text) != shown
    except PaceError:
        return True


def _option_field(option: Option) -> forms.TypedChoiceField:
    sentences: dict[Value, str] = dict(option.values) or {number: str(number) for number in option.numbers or ()}
    by_text = {_text(value): value for value in sentences}
    return forms.TypedChoiceField(
        label=option.title,
        choices=[(text, sentences[value]) for text, value in by_text.items()],
        coerce=by_text.__getitem__,
        empty_value=None,
        required=False,
        error_messages={"invalid_choice": f"{option.title}: this is not one of the choices."},
    )


def _text(value: Value) -> str:
    return str(value).lower()
