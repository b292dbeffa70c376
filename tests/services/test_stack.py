"""The full stack survives the death of a part, and leaves nothing behind."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.children import wait_until
from tests.sites import Site, full_stack, seconds_of_work

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with full_stack(tmp_path_factory.mktemp("stack")) as site:
        yield site


def process_of(stack: Site, name: str) -> int:
    """The latest: a process that ended is started again under another number."""
    return int(stack.find(rf"{name} runs as process (\d+)")[-1])


def socket_of(process: int) -> str:
    words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
    return words[words.index("--uds") + 1]


def answers(address: str) -> bool:
    """Asks the web process itself, past nginx."""
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(address)
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return line.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            return False


def descendants(process: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return children + [below for child in children for below in descendants(child)]


def has_ended(process: int) -> bool:
    return not Path(f"/proc/{process}").exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["dies", "is told to end"])
def test_visitors_notice_nothing_when_a_web_process(stack: Site, number: signal.Signals) -> None:
    statuses: list[int] = []
    over = threading.Event()

    def visit() -> None:
        # A steady stream that leaves the machine room to start a process.
        while not over.wait(0.02):
            statuses.append(stack.get("/"))

    visitor = threading.Thread(target=visit)
    visitor.start()
    try:
        victim = process_of(stack, "web-1")
        address = socket_of(victim)
        wait_until(lambda: len(statuses) > 20 and answers(address), "the stack is not at work")
        os.kill(victim, number)
        wait_until(lambda: has_ended(victim), "the process survived")
        wait_until(lambda: answers(address), "web-1 did not come back")
        # The pause before the start is a fifth of a second: the rest of the five that a restart may take is work.
        assert seconds_of_work(process_of(stack, "web-1")) < 4
    finally:
        over.set()
        visitor.join()
    assert process_of(stack, "web-1") != victim
    assert set(statuses) == {200}


@pytest.mark.parametrize("name", ["worker-1", "thinker", "beat"])
def test_the_processes_behind_the_scenes_come_back_too(stack: Site, name: str) -> None:
    victim = process_of(stack, name)
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: process_of(stack, name) != victim, f"{name} was not started again")


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    with full_stack(tmp_path) as stack:
        folder = Path(socket_of(process_of(stack, "web-1"))).parent
        processes = descendants(stack.process.pid)
        assert len(processes) > 6
        stack.process.send_signal(signal.SIGINT)
        assert stack.process.wait(timeout=30) == 0
    assert [process for process in processes if not has_ended(process)] == []
    assert not folder.exists()
