"""The pages of the admin site. Django looks for them here."""

from moderation.admin import audit, cases, chats, games, pairs, people

__all__ = ["audit", "cases", "chats", "games", "pairs", "people"]
