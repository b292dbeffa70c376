from django.apps import AppConfig


class ApiConfig(AppConfig):
    """What programs use, and the site's own pages: `/api/v1/`."""

    name = "api"

    def ready(self) -> None:
        from api import receivers
        from api.schema import security

        # Importing them is what connects the signals, and tells the schema of our ways to be known.
        assert receivers  # noqa: S101
        assert security  # noqa: S101
