"""Make the key with which a server's messages to browsers are signed."""

from typing import Any

from django.core.management.base import BaseCommand

from catan_site import environment


class Command(BaseCommand):
    help = (
        "Prints the two settings that a server needs to tell people on their devices what waits for them. Put them "
        "into its environment and restart it. A site on one's own machine makes its key by itself."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("# A new key loses every browser that was told so far: make one once, and keep it.")
        self.stdout.write(f"VAPID_PRIVATE_KEY={environment.new_push_key()}")
        self.stdout.write("# Whom a push service turns to when something is wrong with what the site sends.")
        self.stdout.write("VAPID_CONTACT=mailto:you@catan.example")
