"""PostgreSQL, as we connect to it: by psycopg, in one zone, and never waiting for ever."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from gotgan.errors import SettingsError
from gotgan.settings import Secret

__all__ = ["server_engine"]

_REACHED_WITHIN: Final = 10
_SESSION: Final = "SET TIME ZONE '{zone}'; SET lock_timeout = '30s'"
"""So that a time without a zone is the same in TIMESTAMP, TIMESTAMPTZ and now(), and a writer waits
as long as in SQLite."""


def server_engine(address: Secret, zone: str) -> Engine:
    """A server; a connection that broke while nobody used it is replaced unseen."""
    try:
        engine = create_engine(
            _url(address),
            hide_parameters=True,
            pool_pre_ping=True,
            connect_args={"connect_timeout": _REACHED_WITHIN},
        )
    except ImportError as missing:
        raise SettingsError(
            "GOTGAN_DATABASE names a PostgreSQL server, which needs one more package; "
            "run pip install 'gotgan[postgres]'"
        ) from missing

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute(_SESSION.format(zone=zone))
        connection.commit()

    return engine


def _url(address: Secret) -> URL:
    """The address; what is wrong with it is not repeated, because a password may be in it."""
    try:
        url = make_url(address.reveal())
    except (ArgumentError, ValueError):
        url = None
    if url is None or "@" in (url.host or ""):
        raise SettingsError(
            "GOTGAN_DATABASE cannot be used: write postgresql://user:password@host:5432/name, "
            "and in a password %40 for @, %3A for : and %2F for /"
        )
    return url.set(drivername="postgresql+psycopg")
