"""The pages of the admin site. Django looks for them here."""

from moderation.admin import appeals, audit, cases, chats, decisions, games, pairs, people

__all__ = ["appeals", "audit", "cases", "chats", "decisions", "games", "pairs", "people"]
