"""A part that is down is named, and nothing else about it is told."""

import pytest

from tests.services.watched import watched

pytestmark = pytest.mark.services


def test_each_part_that_is_down_is_named() -> None:
    with watched() as site:
        well = {"status": "ok", "database": "ok", "channel_layer": "ok", "broker": "ok"}
        assert site.state("/readyz") == (200, well)
        site.redis.close()
        redis_is_down = {"status": "failed", "channel_layer": "failed", "broker": "failed"}
        assert site.state("/readyz") == (503, well | redis_is_down)
        site.stop_postgresql()
        assert site.state("/readyz") == (503, dict.fromkeys(well, "failed"))
        assert site.is_alive()
