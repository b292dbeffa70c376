"""Messages from threads to sockets."""

import asyncio
import time

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from games import broadcast

pytestmark = pytest.mark.both_stacks


def test_a_message_from_a_thread_wakes_the_servers_loop() -> None:
    @async_to_sync
    async def seconds_until_heard() -> float:
        broadcast.use_running_loop()
        layer = get_channel_layer()
        channel = await layer.new_channel()
        await layer.group_add("table.1", channel)
        waiting = asyncio.create_task(layer.receive(channel))
        await asyncio.sleep(0)  # The loop now waits for this message and for nothing else.
        sent = time.monotonic()
        await asyncio.gather(asyncio.to_thread(broadcast.send, "table.1", {"type": "hint"}), waiting)
        return time.monotonic() - sent

    assert seconds_until_heard() < 0.25


def test_a_process_that_serves_nobody_can_send_too() -> None:
    # The loop of the test above, or none at all, is not running now.
    broadcast.check()
    broadcast.send("table.1", {"type": "hint"})
