from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """People and the tables they meet at."""

    name = "lobby"
