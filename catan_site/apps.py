from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The site itself: how it starts, whether it is well."""

    name = "catan_site"

    def ready(self) -> None:
        from catan_site import vitals

        vitals.watch()
