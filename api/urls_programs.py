"""The address of one's programs, among those of one's account."""

from django.urls import path

from api import views_programs as views

urlpatterns = [
    path("account/programs/", views.programs, name="programs"),
    path("account/programs/revoke/", views.revoke, name="programs-revoke"),
]
