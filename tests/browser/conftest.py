"""The sites that the browser looks at: one of each kind for all tests of a process."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.chromium import PATIENCE, launch_options
from tests.sites import Site, embedded, full_stack, make_dana_staff

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    return launch_options()


@pytest.fixture(scope="session")
def embedded_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("embedded")
    with embedded(data) as site:
        make_dana_staff(data)
        yield site


@pytest.fixture(scope="session")
def full_stack_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with full_stack(tmp_path_factory.mktemp("stack")) as site:
        yield site
