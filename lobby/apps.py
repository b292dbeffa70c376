from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """People and the tables they meet at."""

    name = "lobby"

    def ready(self) -> None:
        from lobby import receivers

        assert receivers  # noqa: S101 - importing it is what connects the signals
