"""Servers for tests are gone when the tests are, however those ended."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings

from deploy import throwaway
from deploy.children import start, wait_until
from tests.sites import ROOT, run

pytestmark = pytest.mark.services

TELL = "import os; print(os.environ['DATABASE_URL'], os.environ['REDIS_URL'], flush=True)"


def is_listening(url: str) -> bool:
    try:
        socket.create_connection(("127.0.0.1", urlsplit(url).port or 0)).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.parametrize("ending", ["", "; raise SystemExit(3)"], ids=["success", "failure"])
def test_they_are_gone_after(ending: str) -> None:
    done = run(sys.executable, "-m", "deploy.throwaway", sys.executable, "-c", TELL + ending)
    assert done.returncode == (3 if ending else 0)
    urls = done.stdout.split()
    assert len(urls) == 2
    assert not any(map(is_listening, urls))


@pytest.fixture
def folder() -> Iterator[Path]:
    with throwaway.folder() as home:
        yield home


def test_they_are_gone_even_when_nobody_could_tidy_up(folder: Path) -> None:
    told = folder / "told"
    command = [sys.executable, "-m", "deploy.throwaway", sys.executable, "-c", TELL + "; import signal; signal.pause()"]
    tests = start(command, log=told, cwd=ROOT, environment={"TMPDIR": str(folder)})
    try:
        wait_until(lambda: len(told.read_text().split()) == 2, "the services did not start")
        urls = told.read_text().split()
        assert all(map(is_listening, urls))
    finally:
        tests.kill()
        tests.wait()
    wait_until(lambda: not any(map(is_listening, urls)), "a service outlived the tests")


def test_each_of_pytests_processes_has_a_redis_database_of_its_own(worker_id: str) -> None:
    number = 0 if worker_id == "master" else int(worker_id.removeprefix("gw")) + 1
    assert settings.REDIS_URL.endswith(f"/{number}")
