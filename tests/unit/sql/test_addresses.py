"""The address of a server: what is wrong with it is told, and its password never."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gotgan.errors import DatabaseUnavailable, SettingsError
from gotgan.settings import Secret, Settings
from gotgan.sql import Database

_WITHOUT_DRIVER = """
import sys
sys.modules["psycopg"] = None
from gotgan.errors import SettingsError
from gotgan.settings import Secret, Settings
from gotgan.sql import Database
try:
    Database.open(Settings(database=Secret("postgresql://me:hush@127.0.0.1:1/name")))
except SettingsError as error:
    print(error)
"""


def _told(error: BaseException | None) -> str:
    """All that a traceback would show."""
    said = []
    while error is not None:
        said.append(str(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n".join(said)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hush@host:port/name",
        "postgresql://me:hush@hush@host/name",
        "me:hush@host",
    ],
    ids=["a port that is none", "an at in the password", "no address at all"],
)
def test_an_address_that_cannot_be_one_is_refused_without_being_repeated(address: str) -> None:
    with pytest.raises(SettingsError, match="GOTGAN_DATABASE is not valid") as caught:
        Database.open(Settings(database=Secret(address)))
    assert "hush" not in _told(caught.value)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://me:hush@127.0.0.1:1/name", "the database name at 127.0.0.1"),
        ("postgresql://127.0.0.1:1/name?password=hush", "the database name at 127.0.0.1"),
        ("postgresql://me:hush@127.0.0.1:1/name?colour=red", 'invalid connection option "colour"'),
        ("postgres://me:hush@127.0.0.1:1/name", "GOTGAN_DATABASE is right"),
    ],
    ids=["nobody there", "a password at the end", "an unknown option", "the short scheme"],
)
def test_a_server_that_cannot_be_reached_is_told_of_without_the_password(
    address: str, told: str
) -> None:
    with (
        Database.open(Settings(database=Secret(address))) as database,
        pytest.raises(DatabaseUnavailable, match=told) as caught,
    ):
        database.prepare()
    assert caught.value.retry
    assert "hush" not in _told(caught.value)


def test_a_missing_driver_is_named() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_DRIVER], capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert "pip install 'gotgan[postgres]'" in done.stdout
