"""What all claims share, wherever they are stored: the ID of their owner, and their end."""

from __future__ import annotations

import os
import secrets
import socket
from datetime import datetime, timedelta
from typing import Final

_ROUND_UP: Final = timedelta(microseconds=999_999)


def owner_id(name: str | None = None) -> str:
    """A new ID of the owner of a claim: host and process, or a name, and 8 random hex digits.

    A claim whose answer was lost is recognised by the digits, and so is a process whose number was
    given to another one.
    """
    return f"{name or f'{socket.gethostname()}:{os.getpid()}'}/{secrets.token_hex(4)}"


def lease_end(now: datetime, lease: timedelta) -> datetime:
    """When a lease ends that is stored in whole seconds: cut to those, it never ends too early."""
    return now + lease + _ROUND_UP
