"""The pages of the admin site. Django looks for them here."""

from moderation.admin import cases, chats, games, people

__all__ = ["cases", "chats", "games", "people"]
