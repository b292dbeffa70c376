from django.urls import include, path
from rest_framework.routers import SimpleRouter

from api.games import Games
from api.root import Me, NothingHere, Root

router = SimpleRouter(use_regex_path=False)
router.register("", Root, basename="root")
router.register("me", Me, basename="me")
router.register("games", Games, basename="game")

urlpatterns = [
    path("v1/", include((router.urls, "v1"))),
    # Programs get their answer as they expect it, also where there is nothing.
    path("<path:anything>", NothingHere.as_view()),
]
