"""What the database promises, on SQLite and on PostgreSQL alike."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from lobby.models import User

WRITERS, ROUNDS = 8, 10


@pytest.mark.both_stacks
@pytest.mark.django_db(transaction=True)
def test_writers_queue_instead_of_failing() -> None:
    User.objects.create(username="alice", first_name="0")

    def count(_: int) -> None:
        try:
            for _ in range(ROUNDS):
                with transaction.atomic():
                    alice = User.objects.select_for_update().get(username="alice")
                    alice.first_name = str(int(alice.first_name) + 1)
                    alice.save()
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(count, range(WRITERS)))
    assert User.objects.get().first_name == str(WRITERS * ROUNDS)
