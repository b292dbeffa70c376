"""The pages of the admin site. Django looks for them here."""

from moderation.admin import chats, games, people

__all__ = ["chats", "games", "people"]
