"""What the tests of the web share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gotgan.fetch import Web
from tests.unit.fetch import serving
from tests.unit.fetch.serving import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that answers what it is told."""
    with serving.server() as told:
        yield told


@pytest.fixture
def web(server: Server) -> Iterator[Web]:
    """The web, in which site.test is the server."""
    with serving.opened(server) as web:
        yield web
