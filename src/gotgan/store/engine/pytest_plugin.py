"""Fixtures of pytest: a store for each test, under boto3, over HTTP or in process.

Every run of pytest loads this module, so it imports nothing of the engine. The engine is made once;
each test that uses a fixture is rolled back to what ``dynamodb_setup`` has made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gotgan.store.engine import Client, Engine


@pytest.fixture(scope="session")
def dynamodb_setup() -> Callable[[Client], object]:
    """Override this to return a function that makes the tables and items all tests start with."""
    return lambda _client: None


@pytest.fixture(scope="session")
def _dynamodb_start(dynamodb_setup: Callable[[Client], object]) -> Iterator[Engine]:
    from gotgan.store.engine import Client, Engine  # noqa: PLC0415 - only for runs that use it

    with Engine(None) as engine:
        dynamodb_setup(Client(engine))
        yield engine


@pytest.fixture(scope="session")
def _dynamodb_url(_dynamodb_start: Engine) -> Iterator[str]:
    from gotgan.store.engine.http import background_server  # noqa: PLC0415 - as above

    with background_server(_dynamodb_start) as url:
        yield url


@pytest.fixture(scope="session")
def _dynamodb_boto3(_dynamodb_start: Engine) -> tuple[Any, Any, Any]:
    from gotgan.store.engine.attach import attach  # noqa: PLC0415 - as above

    boto3 = pytest.importorskip("boto3")
    session = attach(boto3.Session(region_name="us-east-1"), _dynamodb_start)
    return session, session.client("dynamodb"), session.resource("dynamodb")


@pytest.fixture
def dynamodb_engine(_dynamodb_start: Engine) -> Iterator[Engine]:
    """The engine; what the test writes is undone after it."""
    with _dynamodb_start.rolled_back():
        yield _dynamodb_start


@pytest.fixture
def dynamodb_session(
    dynamodb_engine: Engine,  # noqa: ARG001 - rolls back
    _dynamodb_boto3: tuple[Any, Any, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    """A session of boto3 whose clients run on the engine, without a port; it is the default one."""
    session = _dynamodb_boto3[0]
    monkeypatch.setattr("boto3.DEFAULT_SESSION", session)
    return session


@pytest.fixture
def dynamodb_client(dynamodb_session: Any, _dynamodb_boto3: tuple[Any, Any, Any]) -> Any:  # noqa: ARG001
    """A client of boto3 on the engine, without a port."""
    return _dynamodb_boto3[1]


@pytest.fixture
def dynamodb_resource(dynamodb_session: Any, _dynamodb_boto3: tuple[Any, Any, Any]) -> Any:  # noqa: ARG001
    """A resource of boto3 on the engine, without a port."""
    return _dynamodb_boto3[2]


@pytest.fixture
def dynamodb_endpoint(
    dynamodb_engine: Engine,  # noqa: ARG001 - rolls back
    _dynamodb_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """The URL of the engine over HTTP; AWS's SDKs in programs that the test starts use it, too."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", _dynamodb_url)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    return _dynamodb_url
