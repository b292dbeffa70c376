from django.contrib import admin
from django.urls import include, path

from catan_site import sharing, views
from lobby import views_account

handler400 = views.misunderstood
handler500 = views.failed
# Not Django's: allauth looks for it here.
handler429 = views_account.slow_down

urlpatterns = [
    path("", include("lobby.urls")),
    path("", include("moderation.urls")),
    path("", include("api.urls_programs")),
    path("api/", include("api.urls")),
    path("games/", include("games.urls")),
    path("manifest.webmanifest", sharing.manifest, name="manifest"),
    path("service-worker.js", sharing.service_worker, name="service-worker"),
    path("offline/", sharing.offline, name="offline"),
    path("robots.txt", sharing.robots),
    path("status/", views.status, name="status"),
    path("status/round-trip/", views.start_round_trip, name="start-round-trip"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("admin/", admin.site.urls),
]
