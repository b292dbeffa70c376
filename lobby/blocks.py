"""Who does not want to meet whom. A block works both ways: neither is brought to the other."""

from django.db.models import Q

from lobby.models import Block, User


def kept_apart_from(person: User) -> set[int]:
    """Whom this person has blocked, and who has blocked them."""
    if not person.pk:
        return set()
    pairs = Block.objects.filter(Q(by=person) | Q(whom=person)).values_list("by_id", "whom_id")
    return {user_id for pair in pairs for user_id in pair} - {person.pk}
