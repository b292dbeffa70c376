from django.urls import URLPattern, path

from moderation import views_decisions

urlpatterns: list[URLPattern] = [
    path("account/moderators/", views_decisions.decisions, name="decisions"),
    path("account/moderators/<int:decision_id>/", views_decisions.decision, name="decision"),
    path("account/moderators/<int:decision_id>/appeal/", views_decisions.appeal, name="appeal"),
]
