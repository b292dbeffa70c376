from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """People and the tables they meet at."""

    name = "lobby"

    def ready(self) -> None:
        # Models cannot be imported before all apps are known.
        from games.signals import game_ended
        from lobby.tasks import queue_rating

        game_ended.connect(queue_rating)
