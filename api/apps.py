from django.apps import AppConfig


class ApiConfig(AppConfig):
    """What programs use, and the site's own pages: `/api/v1/`."""

    name = "api"

    def ready(self) -> None:
        from api import receivers

        assert receivers  # noqa: S101 - importing it is what connects the signals
