"""What people send about tables, checked for its shape."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from games import paces
from games.paces import Pace
from games.rules import PRESETS, RuleSet
from games.rules.ruleset import OPTIONS, Option, Value
from lobby import names
from lobby.choices import BOARDS, PACES, RULE_BOOKS
from lobby.models import User


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
        if User.objects.filter(is_guest=False, username__iexact=name).exists():
            raise forms.ValidationError("Somebody with an account goes by this name: please take another one.")
        return name


class SitDownForm(forms.Form):
    """A chair, and for guests the name to sit there under."""

    name = NameField(error_messages={"required": "Others need something to call you: please type a name."})
    chair = forms.IntegerField(required=False, min_value=0, error_messages={"invalid": "This table has no such chair."})

    def __init__(self, data: Any, person: User) -> None:
        super().__init__(data)
        if not person.is_guest:
            del self.fields["name"]


class ChairForm(forms.Form):
    chair = forms.IntegerField(min_value=0)


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option's field, which of its values the rule book says, and for a number what it counts."""

    field: BoundField
    by_the_book: str
    counts: str


class TableForm(forms.Form):
    """The options of a table.

    The page shows each option as it stands in one rule book, `shown_preset`. Somebody without scripts who
    picks another book leaves those values as they are; so only what differs from the book shown is the
    host's own wish, and it is applied to the book picked.
    """

    preset = forms.ChoiceField(label="Rules", choices=list(RULE_BOOKS.items()))
    shown_preset = forms.ChoiceField(choices=list(RULE_BOOKS.items()), required=False)
    layout = forms.ChoiceField(label="Board", choices=list(BOARDS.items()), required=False)
    pace = forms.ChoiceField(label="Pace", choices=list(PACES.items()), required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        rules: RuleSet = PRESETS["standard"],
        layout: str = "balanced",
        pace: Pace | None = None,
        guest_name: str | None = None,
    ) -> None:
        self.shown_rules = rules
        initial = {
            "preset": rules.preset,
            "shown_preset": rules.preset,
            "layout": layout,
            "pace": pace.name if pace else "",
        }
        super().__init__(data, initial=initial)
        for option in OPTIONS:
            self.fields[option.name] = _option_field(option)
            self.initial[option.name] = _text(getattr(rules, option.name))
        if guest_name is not None:
            self.fields["name"] = NameField(initial=guest_name)

    def with_wishes(self) -> "TableForm":
        """This form again, showing the rule book that was picked with the host's wishes in it."""
        wish = self.cleaned_data
        return TableForm(rules=wish["rules"], layout=wish["layout"], pace=wish["clocks"], guest_name=wish.get("name"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "preset" in cleaned:
            shown = PRESETS[cleaned.get("shown_preset") or cleaned["preset"]]
            wishes = {
                option.name: cleaned[option.name]
                for option in OPTIONS
                if cleaned.get(option.name) is not None and cleaned[option.name] != getattr(shown, option.name)
            }
            cleaned["rules"] = PRESETS[cleaned["preset"]].with_options(**wishes)
        cleaned["clocks"] = paces.PACES.get(cleaned.get("pace") or "")
        cleaned["layout"] = cleaned.get("layout") or self.initial["layout"]
        return cleaned

    @property
    def seats(self) -> ShownOption:
        return next(self._shown(option) for option in OPTIONS if option.name == "most_seats")

    @property
    def house_rules(self) -> Iterator[ShownOption]:
        return (self._shown(option) for option in OPTIONS if option.name != "most_seats")

    def _shown(self, option: Option) -> ShownOption:
        book = self["shown_preset"].value()
        by_book = by_the_book(book if book in PRESETS else "standard")
        return ShownOption(self[option.name], by_book[option.name], option.sentence.format("this many"))


def by_the_book(preset: str) -> dict[str, str]:
    """The options of a rule book, as the fields of the form write them."""
    return {option.name: _text(getattr(PRESETS[preset], option.name)) for option in OPTIONS}


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
