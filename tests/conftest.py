"""What all tests share."""

from __future__ import annotations

import functools
import signal
from collections.abc import Iterator

import botocore.session
import pytest
from hypothesis import settings

from tests import matrix

# How long an example takes says more about the machine than about the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

pytest_addoption = matrix.add_option
pytest_collection_modifyitems = matrix.select
collect_ignore = ["airflow"]  # it has an environment of its own: make test-airflow


@pytest.fixture(scope="session", autouse=True)
def _services_are_read_once() -> Iterator[None]:
    """Let all clients of boto3 share what it knows of AWS: each would read it from files anew."""
    shared = functools.cache(botocore.session.create_loader)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.session, "create_loader", shared)
        yield


@pytest.fixture(scope="session", autouse=True)
def _commands_print_the_same_everywhere() -> Iterator[None]:
    """Let language and colours of commands not depend on the terminal that the tests run in."""
    names = "GOTGAN_LANGUAGE LC_ALL LC_MESSAGES LANG TERM NO_COLOR FORCE_COLOR"
    with pytest.MonkeyPatch.context() as patch:
        for name in names.split():
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _interrupts_arrive() -> None:
    """Let programs that are started here be interrupted, also where a shell has us ignore that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
