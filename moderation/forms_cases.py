"""What moderators fill in: a decision, and a sentence for whoever is told."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms

from games.models import Game
from lobby.models import ChatLine
from moderation import deciding
from moderation.deciding import Measure
from moderation.models import LONGEST_TEXT, Case, Decision, Report

Kind = Decision.Kind

_PERIODS: Final = [("", "No"), *((name, name.capitalize()) for name in deciding.PERIODS)]


def told(label: str, help_text: str, *, required: bool = True) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        max_length=LONGEST_TEXT,
        required=required,
        widget=forms.Textarea({"rows": 4}),
        error_messages={"required": "Please write a sentence or two."},
    )


class Choices(forms.CheckboxSelectMultiple):
    """Of rows, each with its own words."""

    use_fieldset = True


class DecisionForm(forms.Form):
    """All that can be decided of a case; what does not fit it is not asked."""

    warn = forms.BooleanField(label="Warn", required=False)
    lines = forms.TypedMultipleChoiceField(label="Hide lines", coerce=int, required=False, widget=Choices)
    mute = forms.ChoiceField(label="Mute: no chat", choices=_PERIODS, required=False)
    ban = forms.ChoiceField(label="Ban: no access", choices=_PERIODS, required=False)
    reset_name = forms.BooleanField(label="Reset the name", required=False)
    games = forms.TypedMultipleChoiceField(label="Annul rated games", coerce=int, required=False, widget=Choices)
    reason = told("Reason", "The person reads this. If you dismiss the reports, only your colleagues do.")
    answer = told("Answer to those who reported", "Leave it empty for the usual sentence.", required=False)
    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, case: Case, reports: Sequence[Report], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lines, games = deciding.lines_to_hide(case, reports), deciding.games_to_annul(case, reports)
        self.fields["lines"].choices = [(line.pk, _line(line)) for line in lines]  # type: ignore[attr-defined]
        self.fields["games"].choices = [(game.pk, _game(game)) for game in games]  # type: ignore[attr-defined]
        if case.person is None:
            for name in ("warn", "mute", "ban", "reset_name"):
                del self.fields[name]
        for name, rows in (("lines", lines), ("games", games)):
            if not rows:
                del self.fields[name]

    def measures(self) -> list[Measure]:
        said = self.cleaned_data
        found = [
            Measure(kind) for kind, name in ((Kind.WARN, "warn"), (Kind.RESET_NAME, "reset_name")) if said.get(name)
        ]
        if said.get("lines"):
            found.append(Measure(Kind.HIDE_LINES, lines=tuple(said["lines"])))
        for kind, name in ((Kind.MUTE, "mute"), (Kind.BAN, "ban")):
            if said.get(name):
                found.append(Measure(kind, period=said[name]))
        return [*found, *(Measure(Kind.ANNUL_GAME, game=game) for game in said.get("games", []))]


def _line(line: ChatLine) -> str:
    return f"“{line.text}”"


def _game(game: Game) -> str:
    return f"Game {game.pk}" + ("" if game.status == Game.Status.OVER else ", which is still being played")


class WhyForm(forms.Form):
    why = told("Why", "The person reads this.")


class AnswerForm(forms.Form):
    answer = told("Your answer", "The person reads this.")
