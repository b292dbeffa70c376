"""Pages about people: how somebody plays, and who plays best."""

from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from lobby import guests, leaderboards, profiles
from lobby.models import User
from lobby.rating_models import Kind


@never_cache
@require_safe
def player(request: HttpRequest, code: str) -> HttpResponse:
    person = get_object_or_404(User, code=code, is_guest=False, is_active=True)
    profile = profiles.profile_of(person, guests.visitor(request), timezone.now())
    return render(request, "lobby/profile.html", {"profile": profile})


@never_cache
@require_safe
def leaderboard(request: HttpRequest, kind: Kind) -> HttpResponse:
    try:
        shown = leaderboards.leaderboard(kind, request.GET.get("page", "1"), guests.visitor(request))
    except InvalidPage as error:
        raise Http404 from error
    return render(request, "lobby/leaderboard.html", {"shown": shown, "kinds": list(Kind)})
