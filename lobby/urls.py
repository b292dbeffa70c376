from django.contrib.auth.views import LogoutView
from django.urls import path

from lobby import views, views_chat, views_meeting

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
    path("t/<slug:code>/swap/", views_meeting.swap, name="swap-chairs"),
    path("t/<slug:code>/hand-over/", views_meeting.hand_over, name="hand-over"),
    path("t/<slug:code>/invite/", views_meeting.invite, name="invite"),
    path("games/<game:game_id>/chat/", views_chat.talk, name="chat"),
    path("games/<game:game_id>/chat/lines/", views_chat.lines, name="chat-lines"),
    path("sign-in/", views.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]
