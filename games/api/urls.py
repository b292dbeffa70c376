from django.urls import path

from games.api import views

urlpatterns = [
    path("games/<game:game_id>/", views.GameView.as_view(), name="api-game"),
    path("games/<game:game_id>/moves/", views.MovesView.as_view(), name="api-moves"),
    path("games/<game:game_id>/seat/", views.SeatView.as_view(), name="api-seat"),
    # Programs get their answer as JSON, also when they ask for what no game is called.
    path("<path:anything>", views.NothingHere.as_view()),
]
