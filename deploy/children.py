"""Child processes that never outlive whoever started them."""

import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

START_LIMIT = 90.0
STOP_LIMIT = 30.0


def start(
    command: Sequence[str | Path],
    *,
    log: Path | None = None,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    owner: str | None = None,
    last_signal: signal.Signals = signal.SIGTERM,
) -> "subprocess.Popen[bytes]":
    """Starts a program, as another user if told so.

    The kernel sends it the last signal when this process ends, however it ends. It gets a session of its own,
    so that Ctrl-C reaches it only through us, in the order we choose.
    """
    guard = ["setpriv", "--pdeathsig", last_signal.name.removeprefix("SIG")]
    if owner:
        guard += ["--reuid", owner, "--regid", owner, "--init-groups"]
    with open(log, "ab") if log else nullcontext() as output:
        return subprocess.Popen(
            [*guard, *map(str, command)],
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,
        )


def stop(*processes: "subprocess.Popen[bytes]", last_signal: signal.Signals = signal.SIGTERM) -> None:
    """Asks all of them first, then waits for each: together they take as long as the slowest."""
    for process in processes:
        process.send_signal(last_signal)
    for process in processes:
        try:
            process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def running(
    name: str,
    command: Sequence[str | Path],
    *,
    log: Path,
    answers: Callable[[], bool],
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    owner: str | None = None,
    last_signal: signal.Signals = signal.SIGTERM,
) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that is there, and answers, while the block runs."""
    process = start(
        command, log=log, cwd=cwd or log.parent, environment=environment, owner=owner, last_signal=last_signal
    )
    try:
        wait_until(lambda: process.poll() is not None or answers(), f"{name} did not answer; see {log}")
        if process.poll() is not None:
            raise RuntimeError(f"{name} ended at once:\n{log.read_text(errors='replace')[-2000:]}")
        yield process
    finally:
        stop(process, last_signal=last_signal)


def wait_until(condition: Callable[[], bool], complaint: str, limit: float = START_LIMIT) -> None:
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{complaint} (waited {limit:g} s)")
        time.sleep(0.02)


def free_port() -> int:
    """Not one that the kernel picks: those it also gives to outgoing connections, before our program gets to listen."""
    while True:
        port = 10_000 + secrets.randbelow(20_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
