"""The sites that the browser looks at."""

from collections.abc import Iterator

import pytest

from tests.chromium import launch_options
from tests.sites import Site, embedded, full_stack, make_dana_staff


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
