from django.urls import path

from games import views

urlpatterns = [
    path("<game:game_id>/", views.game, name="game"),
    path("<game:game_id>/picture.png", views.picture, name="game-picture"),
    path("<game:game_id>/statistics/", views.statistics, name="statistics"),
    path("<game:game_id>/move/", views.move, name="move"),
    path("<game:game_id>/advice/", views.advice, name="advice"),
    path("<game:game_id>/seat/", views.seat, name="seat"),
    path("<game:game_id>/agreements/", views.agreements, name="agreements"),
    path("<game:game_id>/orders/", views.orders, name="orders"),
]
