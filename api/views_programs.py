"""One's programs: the tokens they are known by, made and revoked."""

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from api import tokens
from api.forms import TokenForm
from games.rules import Refusal
from games.rules.numbers import whole_number
from games.web import MOST_DIGITS, status_of
from lobby.models import User
from lobby.signing_in import for_accounts


@never_cache
@for_accounts
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _draw(request, TokenForm())
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _draw(request, form, status=HTTPStatus.BAD_REQUEST)
    answer: HttpResponse = _make(request, form)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]
@sensitive_variables()
def _make(request: HttpRequest, form: TokenForm) -> HttpResponse:
    """The page that this draws is the only one that ever shows the token. Who leads elsewhere would have to keep it."""
    try:
        _, text = tokens.make(_person(request), **form.cleaned_data, now=timezone.now())
    except Refusal as refusal:
        form.add_error(None, refusal.sentence)
        return _draw(request, form, status=status_of(refusal))
    return _draw(request, TokenForm(), new=text)


def _draw(request: HttpRequest, form: TokenForm, new: str = "", status: int = HTTPStatus.OK) -> HttpResponse:
    context = {
        "form": form,
        "tokens": _person(request).tokens.order_by("-pk"),
        "new": new,
    }
    return render(request, "api/programs.html", context, status=status)


@never_cache
@for_accounts
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """One of one's tokens, or all."""
    person = _person(request)
    if "all" in request.POST:
        tokens.revoke_all(person)
        messages.success(request, "All your tokens have been revoked.")
    else:
        revoked = tokens.revoke(person, whole_number(request.POST.get("token", ""), digits=MOST_DIGITS) or 0)
        messages.success(request, f"{revoked.name} has been revoked." if revoked else "That token is already gone.")
    return redirect("programs")


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
