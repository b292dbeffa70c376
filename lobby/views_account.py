"""Pages of accounts: allauth's, with what the site adds, and those that allauth does not have."""

from typing import Any

from allauth.account import views as account
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.rules.numbers import whole_number
from games.rules.refusals import TooFast
from games.web import MOST_DIGITS
from lobby import guests, hearing, holidays, leaving, limits, moving, names, recovery, restrictions
from lobby.models import User
from lobby.notices import ways
from lobby.signing_in import SignedUpAlready, for_accounts, guest_of
from lobby.views import ask_for_patience

# Signing up and in


class SignUp(account.SignupView):  # type: ignore[misc]
    def get_initial(self) -> dict[str, Any]:
        """A guest may go on under the same name, if it is one of their own choice."""
        guest = guest_of(self.request)
        chosen = guest is not None and not guest.name.startswith("Guest ")
        return {**super().get_initial(), "username": guest.name if guest and chosen else ""}

    def form_valid(self, form: forms.Form) -> HttpResponse:
        try:
            with limits.room_for_account(guests.address_of(self.request), timezone.now()):
                answer: HttpResponse = super().form_valid(form)
                return answer
        except TooFast as refusal:
            return ask_for_patience(self.request, refusal)
        except IntegrityError:
            # Two took the name at once, and the other was a moment earlier.
            form.add_error("username", names.TAKEN)
        except SignedUpAlready:
            form.add_error(None, "You’ve already signed up in another tab: please sign in.")
        refused: HttpResponse = self.form_invalid(form)
        return refused


class SignIn(account.LoginView):  # type: ignore[misc]
    """For so many guesses an address: axes slows those down who guess at one name."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            limits.count_sign_in(guests.address_of(request), timezone.now())
        except TooFast as refusal:
            return locked_out(request, seconds=refusal.retry_after)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: forms.Form) -> HttpResponse:
        limits.forgive_sign_in(guests.address_of(self.request), timezone.now())
        answer: HttpResponse = super().form_valid(form)
        return answer


def locked_out(
    request: HttpRequest, *args: Any, seconds: int = limits.SIGN_IN_RESTS.seconds, **kwargs: Any
) -> HttpResponse:
    """What someone sees who mistyped a password too often."""
    page = render(request, "account/locked_out.html", status=429)
    page["Retry-After"] = str(seconds)
    return page


def slow_down(request: HttpRequest) -> HttpResponse:
    """What allauth's own limits lead to: so many changed passwords, mails and the like in a minute."""
    return ask_for_patience(
        request, TooFast("You’ve done that too often: please wait a minute, then try again.", limits.A_WHILE)
    )


class SignOut(account.LogoutView):  # type: ignore[misc]
    """A guest who signed out could never come back to their seats."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if isinstance(request.user, User) and request.user.is_guest:
            return redirect("account")
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer


class ConfirmAddress(account.ConfirmEmailView):  # type: ignore[misc]
    def logout_other_user(self, confirmation: Any) -> None:
        """Whoever has the mail may confirm it, whoever is signed in: nobody is signed out by a link."""


class ChangePassword(account.PasswordChangeView):  # type: ignore[misc]
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _person(request).has_usable_password():
            return redirect("account_reset_password")
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer


# The account itself


@never_cache
@login_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    person = _person(request)
    if person.is_guest:
        return render(request, "account/guest.html", {"has_link": hasattr(person, "recovery_link")})
    context = {
        "address": EmailAddress.objects.filter(user=person).order_by("-verified").first(),
        "has_second_factor": Authenticator.objects.filter(user=person).exists(),
        "sessions": UserSession.objects.filter(user=person).count(),
        "holiday": holidays.current(person, timezone.now()),
    }
    return render(request, "account/overview.html", context)


@never_cache
@for_accounts
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """Where somebody is signed in; one of them, or all but this one, can be ended."""
    person = _person(request)
    if request.method == "POST":
        others = UserSession.objects.filter(user=person).exclude(session_key=request.session.session_key)
        if "session" in request.POST:
            others = others.filter(pk=whole_number(request.POST["session"], digits=MOST_DIGITS))
        ended = list(others)
        for session in ended:
            _end(session)
        hearing.recall(person.pk)
        messages.success(request, "One session was ended." if len(ended) == 1 else f"{len(ended)} sessions were ended.")
        return redirect("account-sessions")
    found = sorted(UserSession.objects.purge_and_list(person), key=lambda session: session.created_at, reverse=True)
    return render(request, "account/sessions.html", {"sessions": found, "own": request.session.session_key})


def _end(session: UserSession) -> None:
    """The device it was on is told nothing any more."""
    ways.remove_device(session.user, ways.device_of(session._session_store(session.session_key)))
    session.end()


@never_cache
@login_required
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """All that the site keeps of whoever asks, as a file."""
    answer = JsonResponse(leaving.kept_of(_person(request)), json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = 'attachment; filename="online-catan.json"'
    return answer


class DeleteForm(forms.Form):
    password = forms.CharField(
        label="Password", strip=False, widget=forms.PasswordInput({"autocomplete": "current-password"})
    )

    def __init__(self, person: User, *args: Any) -> None:
        super().__init__(*args)
        self._person = person

    def clean_password(self) -> str:
        adapter = get_adapter()
        if not adapter.reauthenticate(self._person, self.cleaned_data["password"]):
            raise adapter.validation_error("incorrect_password")
        return ""


@never_cache
@for_accounts
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    person = _person(request)
    form = DeleteForm(person, request.POST or None)
    if form.is_valid():
        leaving.delete(person, timezone.now())
        logout(request)
        messages.success(request, "Your account has been deleted. Thank you for playing.")
        return redirect("front")
    return render(request, "account/delete.html", {"form": form})


# A guest's link


@never_cache
@require_POST
def make_link(request: HttpRequest) -> HttpResponse:
    """The page that this draws is the only one that ever shows the link."""
    person = request.user
    if not isinstance(person, User) or not person.is_guest:
        return redirect("account")
    link = reverse("guest-link", args=[recovery.make(person, timezone.now())])
    return render(request, "account/guest_link.html", {"link": request.build_absolute_uri(link)})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def follow_link(request: HttpRequest, token: str) -> HttpResponse:
    """Looking at a link does nothing, since programs do that too; only the button of its page does."""
    guest = recovery.guest_of(token)
    if guest is None:
        return render(request, "account/guest_link_old.html", status=404)
    if restrictions.is_banned(guest, timezone.now()):
        # Nor does whoever opens it with an account of theirs get the guest's games, and the ban.
        return render(
            request,
            "account/guest_link_banned.html",
            {"until": restrictions.in_words(guest.banned_until or restrictions.FOR_GOOD)},
            status=403,
        )
    person = request.user if isinstance(request.user, User) else None
    if request.method != "POST":
        return render(request, "account/guest_link_follow.html", {"guest": guest, "person": person})
    _become(request, guest, person)
    return redirect("front")


def _become(request: HttpRequest, guest: User, person: User | None) -> None:
    """This device is the guest from now on. Whoever was here before loses nothing: an account takes the guest's things,
    and another guest's come along."""
    if person is not None and person.pk != guest.pk:
        giver, taker = (person, guest) if person.is_guest else (guest, person)
        moving.move(giver, taker, timezone.now())
        if taker == person:
            messages.success(request, "These games and tables now belong to your account.")
            return
    guests.keep_signed_in(request, guest)


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
