"""What a server runs is what `make stack` runs."""

from django.conf import settings

from deploy.units import processes


def test_the_units_name_two_web_processes_two_workers_one_for_bots_and_one_beat() -> None:
    found = processes({"/srv/catan/.venv/bin": "/here", "/run/catan": "/sockets"})
    assert [process.name for process in found] == ["web-1", "web-2", "worker-1", "worker-2", "thinker", "beat"]
    assert found[1].command == ("/here/python", "-m", "catan_site.server", "--uds", "/sockets/web-2.sock")
    assert not any("/srv/" in word or "%" in word for process in found for word in process.command)


def test_one_worker_takes_the_queue_in_which_bots_think_and_nothing_else() -> None:
    taken = {process.name: process.command for process in processes({}) if "--queues" in process.command}
    assert list(taken) == ["thinker"]
    assert taken["thinker"][taken["thinker"].index("--queues") + 1] == settings.THINKING_QUEUE
