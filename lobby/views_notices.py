"""What somebody is told: the page where they choose it, and where the links of the mails lead."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from lobby.forms_notices import NoticesForm
from lobby.models import NoticeWishes, User
from lobby.notice_models import Kind, PaceKind, Way, wish
from lobby.notices import hours, links, mail, wishing
from lobby.notices.reaching import WAYS
from lobby.signing_in import for_accounts


@dataclass(frozen=True, slots=True)
class Cell:
    value: str
    label: str
    is_wished: bool


@dataclass(frozen=True, slots=True)
class Section:
    """A way to somebody, and what they hear by it."""

    way: Way
    is_open: bool
    rows: list[tuple[str, list[Cell]]]


@never_cache
@for_accounts
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    person = request.user
    if not isinstance(person, User):
        raise Http404
    kept = NoticeWishes.objects.filter(person=person).first()
    wishes = kept or NoticeWishes(person=person)
    form = NoticesForm(wishes, request.POST or None)
    if form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("account-notices")
    chosen = form.data.getlist("wish") if form.is_bound else wishes.wishes  # type: ignore[attr-defined]
    context = {
        "form": form,
        "sections": [_section(way, person, chosen) for way in WAYS],
        "paces": PaceKind,
        "zones": hours.zones(),
        "is_new": kept is None,
        "address": mail.address_of(person),
    }
    return render(request, "account/notices.html", context, status=400 if form.is_bound else 200)


def _section(way: Way, person: User, chosen: Iterable[str]) -> Section:
    rows = [
        (
            kind.label,
            [
                Cell(value, f"{way.label}, {pace.label.lower()}: {kind.label}", value in chosen)
                for pace in PaceKind
                for value in [wish(way, pace, kind)]
            ],
        )
        for kind in Kind
    ]
    return Section(way, bool(WAYS[way].addresses(person)), rows)


# Links of mails


@never_cache
@require_safe
def follow(request: HttpRequest, token: str) -> HttpResponse:
    """To the game, for whom the mail was for; whoever is not signed in does so on the way."""
    led = links.opened(token)
    if led is None:
        return render(request, "notices/old_link.html", status=404)
    if isinstance(request.user, User) and request.user.pk == led.person.pk:
        return redirect(led.path)
    if isinstance(request.user, User):
        return render(request, "notices/not_for_you.html", {"led": led}, status=403)
    # Not back to this address: the log would have it as a part of the sign-in page's.
    return redirect_to_login(led.path)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def end(request: HttpRequest, token: str) -> HttpResponse:
    """No more mails, without signing in: by the button of this page, or by that of a mail program (RFC 8058).

    Looking does nothing, since programs that check links do that too. The token is what a form's would be.
    """
    person = links.ended(token)
    if person is None:
        return render(request, "notices/old_link.html", status=404)
    if request.method == "POST":
        _end_mails(person)
    return render(request, "notices/end.html", {"is_done": request.method == "POST"})


def _end_mails(person: User) -> None:
    with wishing.changing(person.pk) as kept:
        kept.wishes = [each for each in kept.wishes if not each.startswith(f"{Way.MAIL}-")]
