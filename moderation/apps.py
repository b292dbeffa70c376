from django.apps import AppConfig
from django.contrib.admin import apps as admin_pages


class ModerationConfig(AppConfig):
    """What keeps the place fair: reports, what is decided about them, and the pages of those who decide."""

    name = "moderation"

    def ready(self) -> None:
        from moderation import receivers

        assert receivers  # noqa: S101 - importing it is what connects the signals


class StaffPagesConfig(admin_pages.AdminConfig):
    """Django's admin, as this site has it."""

    default = False
    default_site = "moderation.site.StaffSite"
