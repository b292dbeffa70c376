"""What somebody wants to be told: the form of its page."""

from datetime import time
from typing import Any, ClassVar

from django import forms

from games.rules import Refusal
from lobby.models import NoticeWishes
from lobby.notice_models import ALL_WISHES, Way
from lobby.notices import hours, wishing

_LATE, _EARLY = time(22), time(7)
#: What a browser sends; of seconds nobody knows anything (lobby/notices/hours.py).
_MINUTES = "%H:%M"


def _clock(label: str) -> forms.TimeField:
    widget = forms.TimeInput({"type": "time"}, _MINUTES)
    return forms.TimeField(label=label, required=False, input_formats=[_MINUTES], widget=widget)


class NoticesForm(forms.Form):
    #: The ways that the page showed: what somebody wished of others stays as it was.
    shown = forms.MultipleChoiceField(choices=Way.choices, required=False)
    wish = forms.MultipleChoiceField(choices=[(each, each) for each in sorted(ALL_WISHES)], required=False)
    even_when_looking = forms.BooleanField(
        label="Tell me even when I’m looking at the game",
        help_text="Otherwise you’re told nothing about a game that’s on your screen.",
        required=False,
    )
    zone = forms.CharField(label="Time zone", max_length=60)
    has_quiet_hours = forms.BooleanField(label="Quiet hours: don’t send me anything", required=False)
    quiet_from = _clock("from")
    quiet_until = _clock("until")

    PLAIN: ClassVar = ("zone", "even_when_looking")

    def __init__(self, kept: NoticeWishes, said: Any) -> None:
        quiet = {"quiet_from": kept.quiet_from or _LATE, "quiet_until": kept.quiet_until or _EARLY}
        has_quiet_hours = kept.quiet_from is not None
        initial = {name: getattr(kept, name) for name in self.PLAIN} | quiet | {"has_quiet_hours": has_quiet_hours}
        super().__init__(said, initial=initial)
        self._person = kept.person_id

    def clean_zone(self) -> str:
        try:
            return hours.zone_called(self.cleaned_data["zone"])
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        if said.get("has_quiet_hours") and not self.errors:
            first, last = said.get("quiet_from"), said.get("quiet_until")
            if first is None or last is None:
                raise forms.ValidationError("Quiet hours need a beginning and an end: please enter both.")
            if first == last:
                raise forms.ValidationError(
                    "Quiet hours can’t begin and end at the same time: please change one of them."
                )
        return said

    def save(self) -> None:
        said = self.cleaned_data
        with wishing.changing(self._person) as kept:
            elsewhere = [each for each in kept.wishes if each.partition("-")[0] not in said["shown"]]
            here = [each for each in said["wish"] if each.partition("-")[0] in said["shown"]]
            kept.wishes = sorted({*elsewhere, *here})
            for name in self.PLAIN:
                setattr(kept, name, said[name])
            has_quiet_hours = said["has_quiet_hours"]
            kept.quiet_from = said["quiet_from"] if has_quiet_hours else None
            kept.quiet_until = said["quiet_until"] if has_quiet_hours else None
