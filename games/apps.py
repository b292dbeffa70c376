from django.apps import AppConfig
from django.urls import register_converter

from games.converters import GameConverter


class GamesConfig(AppConfig):
    """Games that are being played or were."""

    name = "games"

    def ready(self) -> None:
        register_converter(GameConverter, "game")
