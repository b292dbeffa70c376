from django.urls import path

from lobby import urls_account, views, views_chat, views_meeting, views_people
from lobby.rating_models import Kind

urlpatterns = [
    path("", views.front, name="front"),
    path("now/", views_meeting.front_now, name="front-now"),
    path("play-now/", views.play_now, name="play-now"),
    path("find/", views_meeting.find, name="find"),
    path("t/new/", views.new_table, name="new-table"),
    path("t/rematch/<game:game_id>/", views.rematch, name="rematch"),
    path("t/<slug:code>/", views.table, name="table"),
    path("t/<slug:code>/picture.png", views.picture, name="table-picture"),
    path("t/<slug:code>/now/", views.table_now, name="table-now"),
    path("t/<slug:code>/options/", views.options, name="table-options"),
    path("t/<slug:code>/sit-down/", views.sit_down, name="sit-down"),
    path("t/<slug:code>/stand-up/", views.stand_up, name="stand-up"),
    path("t/<slug:code>/add-bot/", views.add_bot, name="add-bot"),
    path("t/<slug:code>/free-chair/", views.free_chair, name="free-chair"),
    path("t/<slug:code>/start/", views.start, name="start-table"),
    path("t/<slug:code>/ready/", views_meeting.ready, name="ready"),
    path("t/<slug:code>/colour/", views_meeting.colour, name="choose-colour"),
    path("t/<slug:code>/shuffle/", views_meeting.shuffle, name="shuffle-board"),
    path("t/<slug:code>/swap/", views_meeting.swap, name="swap-chairs"),
    path("t/<slug:code>/hand-over/", views_meeting.hand_over, name="hand-over"),
    path("t/<slug:code>/let-back/", views_meeting.let_back, name="let-back"),
    path("t/<slug:code>/invite/", views_meeting.invite, name="invite"),
    path("games/next/", views_meeting.next_game, name="next-game"),
    *views_chat.paths("games/<game:game_id>/chat/", "players"),
    *views_chat.paths("games/<game:game_id>/watchers/", "watchers"),
    *views_chat.paths("t/<slug:code>/chat/", "table"),
    path("people/blocked/", views_chat.blocked, name="blocked"),
    path("players/<slug:code>/", views_people.player, name="player"),
    path("leaderboard/", views_people.leaderboard, {"kind": Kind.LIVE}, name="leaderboard-live"),
    path("leaderboard/days/", views_people.leaderboard, {"kind": Kind.DAYS}, name="leaderboard-days"),
    path("leaderboard/bots/", views_people.leaderboard, {"kind": Kind.BOTS}, name="leaderboard-bots"),
    *urls_account.urlpatterns,
]
