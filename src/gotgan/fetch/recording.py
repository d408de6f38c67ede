"""Responses, recorded in a folder and replayed from there.

    finance.yahoo.com/
        4be1c07a9f3d2e58-001.json     the address, the status, the headers, the moment
        4be1c07a9f3d2e58-001.body     what was sent, unpacked
        4be1c07a9f3d2e58-002.json     the next reply to the same request

A response is complete once its JSON is written. Only responses are recorded, of any status: for
connection failures tests use the simulated web.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

from gotgan.clock import Clock, SystemClock, utc_iso
from gotgan.errors import NotRecorded, SettingsError
from gotgan.fetch import messages
from gotgan.fetch.addresses import display_url, parse_url
from gotgan.fetch.models import Hop, HopResponse, Transport
from gotgan.messages import text
from gotgan.plain_json import to_pretty_json

_KEY_HEADERS: Final = ("accept", "if-none-match", "if-modified-since")
"""The request headers that change the response."""
_SECRET_HEADERS: Final = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
_DIGITS: Final = 16


class RecordingTransport:
    """A transport that records the responses of another one.

    Files are written in the event loop, so a response is on disk before it is used.
    """

    def __init__(self, transport: Transport, folder: Path, *, clock: Clock | None = None) -> None:
        self._transport = transport
        self._folder = folder
        self._clock = clock or SystemClock()

    async def exchange(self, hop: Hop) -> HopResponse:
        """Send the request, and record the response."""
        reply = await self._transport.exchange(hop)
        try:
            self._record(_place(self._folder, hop), hop, reply)
        except OSError as error:
            raise SettingsError(
                messages.NOT_WRITABLE(folder=self._folder, cause=text(str(error.strerror)))
            ) from error
        return reply

    async def close(self) -> None:
        """Close the other's connections."""
        await self._transport.close()

    def _record(self, place: Path, hop: Hop, reply: HopResponse) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _draft(place, reply.body) as body:
            number = next(n for n in count(1) if _is_linked(body, _numbered_path(place, n, "body")))
        with _draft(place, to_pretty_json(self._note(hop, reply)).encode() + b"\n") as note:
            note.replace(_numbered_path(place, number, "json"))

    def _note(self, hop: Hop, reply: HopResponse) -> dict[str, Any]:
        return {
            "url": hop.url,
            "status": reply.status,
            "headers": {
                name: reply.headers[name]
                for name in sorted(reply.headers)
                if name not in _SECRET_HEADERS
            },
            "at": utc_iso(self._clock.now()),
        }


class ReplayTransport:
    """A transport that answers from a folder, never from the web.

    Several responses to the same request come in their order; the last one is repeated.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left: dict[Path, list[Path]] = {}

    async def exchange(self, hop: Hop) -> HopResponse:
        """The next recorded response to this request."""
        place = _place(self._folder, hop)
        try:
            return _read(self._next(place))
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise NotRecorded(
                messages.NOT_RECORDED(url=display_url(hop.url), path=place, folder=self._folder)
            ) from error

    async def close(self) -> None:
        """Nothing to close."""

    def _next(self, place: Path) -> Path:
        if place not in self._left:
            self._left[place] = sorted(place.parent.glob(f"{place.name}-*.json"), key=_number)
        left = self._left[place]
        return left.pop(0) if len(left) > 1 else left[0]


def _place(folder: Path, hop: Hop) -> Path:
    """The path of the responses to a request, without their numbers.

    It contains no hash of a secret: passwords can be guessed from one.
    """
    headers = {name.lower(): value for name, value in hop.headers.items()}
    request = "\n".join([hop.url, *(headers.get(name, "") for name in _KEY_HEADERS)])
    body = b"" if hop.is_personal else hop.body or b""
    digest = hashlib.sha256(request.encode("utf-8", "surrogatepass") + body).hexdigest()
    host = re.sub(r"[\[\]:]", "_", parse_url(hop.url).host_header)
    return folder / host / digest[:_DIGITS]


def _numbered_path(place: Path, number: int, kind: str) -> Path:
    return place.with_name(f"{place.name}-{number:03}.{kind}")


def _number(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


@contextmanager
def _draft(place: Path, content: bytes) -> Iterator[Path]:
    """A file that is complete before it is renamed."""
    draft = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    try:
        draft.write_bytes(content)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _is_linked(draft: Path, path: Path) -> bool:
    """Give the draft a name; False if it is taken."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    return True


def _read(path: Path) -> HopResponse:
    note: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return HopResponse(note["status"], note["headers"], path.with_suffix(".body").read_bytes())
