from django.urls import include, path, re_path
from rest_framework.routers import SimpleRouter

from api.games import Games
from api.people import Leaderboards, Players
from api.root import Me, NothingHere, Root, page_of_yesterday
from api.schema import views
from api.tables import Find, PlayNow, Tables

router = SimpleRouter(use_regex_path=False)
router.register("", Root, basename="root")
router.register("me", Me, basename="me")
router.register("tables", Tables, basename="table")
router.register("find", Find, basename="find")
router.register("play-now", PlayNow, basename="play-now")
router.register("games", Games, basename="game")
router.register("players", Players, basename="player")
router.register("leaderboards", Leaderboards, basename="leaderboard")

urlpatterns = [
    path("v1/", include(([*router.urls, path("schema/", views.Schema.as_view(), name="schema")], "v1"))),
    path("docs/", views.docs, name="api-docs"),
    re_path(r"^games/", page_of_yesterday, name="page-of-yesterday"),
    # Programs get their answer as they expect it, also where there is nothing: an address may hold any character.
    re_path(r"^[\s\S]*$", NothingHere.as_view(), name="nothing-here"),
]
