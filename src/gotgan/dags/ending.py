"""How a task that did not work out ends, in Airflow's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from airflow.sdk.exceptions import AirflowFailException

from gotgan.domains.market.steps import failure_of
from gotgan.errors import DatabaseUnavailable, GotganError

__all__ = ["noted", "passing"]


@contextmanager
def noted(note: Callable[[GotganError], None]) -> Iterator[None]:
    """Have an error noted, and fail at once: when to try again is for the gate to say.

    Only a database that is away cannot be told anything; then Airflow tries the task once more.
    """
    try:
        yield
    except DatabaseUnavailable:
        raise
    except Exception as error:
        failure = failure_of(error)
        note(failure)
        raise _for_good(failure) from error


@contextmanager
def passing() -> Iterator[None]:
    """Let Airflow try again only what may pass by itself; a block or a wrong password does not."""
    try:
        yield
    except GotganError as error:
        if error.retry:
            raise
        raise _for_good(error) from error


def _for_good(error: GotganError) -> AirflowFailException:
    return AirflowFailException(f"{error.message} [{error.code}]")
