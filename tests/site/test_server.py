"""How a web process of a server starts."""

import os

import pytest

from catan_site import server


def test_a_process_that_loads_the_site_gently_then_serves_as_fast_as_any() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    server.import_gently()
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_a_site_that_cannot_be_loaded_ends_its_process_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "APPLICATION", "catan_site.no_such_module:application")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        server.import_gently()
