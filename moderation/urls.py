from django.urls import URLPattern, path

from moderation import views_decisions, views_metrics, views_reports

urlpatterns: list[URLPattern] = [
    path("report/games/<game:game_id>/", views_reports.game, name="report-game"),
    path("report/games/<game:game_id>/seats/<int:seat>/", views_reports.seat, name="report-seat"),
    path("report/players/<slug:code>/", views_reports.player, name="report-player"),
    *views_reports.paths("report/games/<game:game_id>/chat/", "players"),
    *views_reports.paths("report/games/<game:game_id>/watchers/", "watchers"),
    *views_reports.paths("report/t/<slug:code>/chat/", "table"),
    path("account/reports/", views_reports.reports, name="reports"),
    path("account/reports/<int:report_id>/", views_reports.report, name="report"),
    path("account/moderators/", views_decisions.decisions, name="decisions"),
    path("account/moderators/<int:decision_id>/", views_decisions.decision, name="decision"),
    path("account/moderators/<int:decision_id>/appeal/", views_decisions.appeal, name="appeal"),
    # Where Prometheus looks by itself, without a slash at the end.
    path("metrics", views_metrics.metrics, name="metrics"),
]
