from django.urls import path

from moderation import views_metrics

urlpatterns = [
    # Where Prometheus looks by itself, without a slash at the end.
    path("metrics", views_metrics.metrics, name="metrics"),
]
