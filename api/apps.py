from django.apps import AppConfig


class ApiConfig(AppConfig):
    """What programs use, and the site's own pages: `/api/v1/`."""

    name = "api"
