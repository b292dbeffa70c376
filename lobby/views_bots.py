"""The page on which somebody makes theirs an account that a program plays."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.rules import Refusal
from games.web import status_of
from lobby import bot_accounts
from lobby.models import User
from lobby.signing_in import for_accounts


class DeclareForm(forms.Form):
    is_sure = forms.BooleanField(
        label="A program plays this account, and always will",
        error_messages={"required": "Tick the box to confirm: this can’t be taken back."},
    )


@never_cache
@for_accounts
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    person = request.user
    if not isinstance(person, User):
        raise Http404
    form, status = DeclareForm(), 200
    if request.method == "POST":
        form, status = DeclareForm(request.POST), 400
        try:
            if form.is_valid():
                bot_accounts.declare(person)
                messages.success(request, "This is a bot account from now on.")
                return redirect("account-bot")
        except Refusal as refusal:
            # The page says why.
            status = status_of(refusal)
    context = {"form": form, "why_not": bot_accounts.why_not(person)}
    return render(request, "account/bot.html", context, status=status)
