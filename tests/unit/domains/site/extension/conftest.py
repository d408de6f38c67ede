"""The package of the documentation, installed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.domains.site.extension.packages import documented, install


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of ``sys.path`` with the package of the documentation."""
    return install(tmp_path_factory.mktemp("packages"), documented(), "events = my_site:Events")
