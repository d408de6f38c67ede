"""Where changes are handed to: a file of JSON lines, or a webhook.

A change may be handed over more than once, never not at all; its ``id`` tells which one it is.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from gotgan.clock import Clock
from gotgan.domains.shops.models import Change
from gotgan.encoding import encode
from gotgan.errors import FetchError, SinkFailed
from gotgan.fetch import Web, shown
from gotgan.plain_json import encoded
from gotgan.settings import Secret
from gotgan.store.data.crashproof import sync_folder

__all__ = [
    "SIGNATURE",
    "TIMESTAMP",
    "JsonLinesFile",
    "Sink",
    "Webhook",
    "signature",
]

SIGNATURE: Final = "Gotgan-Signature"
"""The header with ``sha256=`` and the signature of a request to a webhook, in hexadecimal."""
TIMESTAMP: Final = "Gotgan-Timestamp"
"""The header with the moment of such a request, in seconds since 1970; it is signed, too."""


class Sink(Protocol):
    """Whoever wants to hear of changes."""

    @property
    def name(self) -> str:
        """By what it is known how far it has heard: small letters, digits and hyphens."""

    def deliver(self, changes: Sequence[Change]) -> None:
        """Take changes for good, or raise SinkFailed."""


class JsonLinesFile:
    """A file to which each change is added as a line of JSON.

    Lines are on the disk before they count as delivered. What a crash has cut short stands on a
    line of its own, which is no JSON, and comes again.
    """

    def __init__(self, path: Path, *, name: str | None = None) -> None:
        """``name`` is needed where the file moves and the new one is to go on from the old."""
        self._path = path
        self.name = name or f"file-{_digest(str(path.absolute()))}"

    def deliver(self, changes: Sequence[Change]) -> None:
        """Add lines at the end."""
        lines = b"".join(encoded(encode(change)) + b"\n" for change in changes)
        try:
            with self._path.open("a+b") as file:
                file.write(lines if _ends_whole(file) else b"\n" + lines)
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._path.parent)
        except OSError as error:
            raise SinkFailed(
                f"changes cannot be written to {self._path} ({error.strerror or error}); they are "
                "kept: make it a file that can be written and has room, and deliver again"
            ) from error


class Webhook:
    """An address to which changes are posted, as ``{"changes": […]}``, and signed.

    The signature is over the timestamp, a dot and the body, keyed with a secret that both sides
    know: whoever listens computes it anew, and refuses what is too old or does not match.
    """

    def __init__(
        self, url: str, secret: Secret, web: Web, clock: Clock, *, name: str | None = None
    ) -> None:
        """``name`` is needed where the address moves and the new one is to go on from the old."""
        self._url, self._secret, self._web, self._clock = url, secret, web, clock
        self.name = name or f"webhook-{_digest(url)}"

    def deliver(self, changes: Sequence[Change]) -> None:
        """Post them; any status from 200 to 299 means that they were taken."""
        body = encoded({"changes": [encode(change) for change in changes]})
        moment = int(self._clock.now().timestamp())
        headers = {
            "Content-Type": "application/json",
            TIMESTAMP: str(moment),
            SIGNATURE: f"sha256={signature(self._secret, moment, body)}",
        }
        try:
            self._web.post(self._url, body, headers=headers, from_settings=True)
        except FetchError as error:
            raise SinkFailed(
                f"the webhook at {shown(self._url)} did not take changes, which are kept and come "
                f"again: {error.message}"
            ) from error


def signature(secret: Secret, moment: int, body: bytes) -> str:
    """The HMAC-SHA256 of a request to a webhook, in hexadecimal."""
    signed = f"{moment}.".encode() + body
    return hmac.new(secret.reveal().encode(), signed, sha256).hexdigest()


def _ends_whole(file: BinaryIO) -> bool:
    """Whether the last line has its end; there is none in an empty file."""
    if file.seek(0, os.SEEK_END) == 0:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _digest(text: str) -> str:
    """What stands for an address that may be private, or too long for a key."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
