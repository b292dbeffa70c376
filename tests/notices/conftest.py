"""Whoever listens on this machine, and leave to send there."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.notices.listening import StandIn, listening


@pytest.fixture
def stand_in(settings: LazySettings) -> Iterator[StandIn]:
    settings.NOTICES_TO_LOOPBACK = True
    settings.NOTICE_SECONDS = 5
    with listening() as found:
        yield found
