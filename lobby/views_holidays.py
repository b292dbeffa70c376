"""The page on which somebody takes a holiday, and comes back from one."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import dateformat, timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.rules import Refusal
from games.rules.numbers import whole_number
from games.web import MOST_DIGITS, status_of
from lobby import holidays
from lobby.models import Holiday, User

DATE: Final = "j F Y"


class HolidayForm(forms.Form):
    first = forms.DateField(label="First day", widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    last = forms.DateField(
        label="Last day",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text="Your holiday ends when this day does, in UTC.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.error_messages |= {
                "required": "Please choose a day.",
                "invalid": "This isn’t a date: write it like 2026-12-31.",
            }


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    person = request.user
    if not isinstance(person, User):
        raise Http404
    if person.is_guest:
        messages.info(request, holidays.FOR_ACCOUNTS)
        return redirect("account")
    if request.method == "POST" and "end" in request.POST:
        return _end(request, person)
    form = HolidayForm(request.POST or None, initial={"first": timezone.now().date()})
    status = 200
    if request.method == "POST":
        status = 400
        try:
            if form.is_valid():
                taken = holidays.take(person, form.cleaned_data["first"], form.cleaned_data["last"], timezone.now())
                messages.success(request, _taken(taken))
                return redirect("account-holidays")
        except Refusal as refusal:
            form.add_error(None, str(refusal))
            status = status_of(refusal)
    context = {"form": form, **holidays.page_of(person, timezone.now())}
    return render(request, "account/holidays.html", context, status=status)


def _end(request: HttpRequest, person: User) -> HttpResponse:
    now = timezone.now()
    number = whole_number(request.POST["end"], digits=MOST_DIGITS)
    ended = None if number is None else holidays.end(person, number, now)
    if ended is None:
        has_been = number is not None and Holiday.objects.filter(person=person, pk=number).exists()
        messages.info(request, "That holiday is already over." if has_been else "There is no such holiday to end.")
    elif ended.begins_at < now:
        messages.success(request, "Welcome back: your clocks run again.")
    else:
        messages.success(request, "The holiday has been called off.")
    return redirect("account-holidays")


def _taken(holiday: Holiday) -> str:
    last = dateformat.format(holiday.last_day, DATE)
    if holiday.begins_at <= timezone.now():
        return f"You are on holiday until the end of {last}. Your clocks stand still."
    return f"Your holiday is planned: from {dateformat.format(holiday.first_day, DATE)} to the end of {last}."
