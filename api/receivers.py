"""What the lobby asks: what is kept of somebody."""

from typing import Any

from django.dispatch import receiver

from lobby import signals
from lobby.models import User


@receiver(signals.person_asking)
def tell_what_is_kept(person: User, **_: Any) -> dict[str, Any]:
    return {
        "tokens": [
            {"name": name, "scope": scope, "ends_in": hint, "made": made_at, "last_used": last_used_at}
            for name, scope, hint, made_at, last_used_at in person.tokens.order_by("pk").values_list(
                "name", "scope", "hint", "made_at", "last_used_at"
            )
        ],
    }
