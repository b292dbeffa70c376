"""The site's addresses, and the floor: the least that any view does to change something lasting."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.http import require_POST

from catan_site.urls import handler500  # noqa: F401 - Django looks for it here
from games.models import Game, Intervention


@require_POST
def floor(request: HttpRequest, game_id: int) -> JsonResponse:
    """Lock a row, change it, add one."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        Game.objects.filter(pk=game_id).update(revision=F("revision") + 1)
        Intervention.objects.create(game=game, at=timezone.now(), after_move=game.version, revision=0, what="floor")
    return JsonResponse({"game": game_id})


urlpatterns = [
    path("floor/<int:game_id>/", floor),
    path("", include("catan_site.urls")),
]
