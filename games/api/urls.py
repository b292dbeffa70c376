from django.urls import path

from games.api import views

urlpatterns = [
    path("games/<game:game_id>/", views.GameView.as_view(), name="api-game"),
    path("games/<game:game_id>/moves/", views.MovesView.as_view(), name="api-moves"),
    path("games/<game:game_id>/seat/", views.SeatView.as_view(), name="api-seat"),
    path("games/<game:game_id>/agreements/", views.AgreementsView.as_view(), name="api-agreements"),
    path("games/<game:game_id>/orders/", views.OrdersView.as_view(), name="api-orders"),
    # Programs get their answer as JSON, also when they ask for what no game is called.
    path("<path:anything>", views.NothingHere.as_view()),
]
