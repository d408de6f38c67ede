"""Replies of the web, kept in a folder and given again from there.

    finance.yahoo.com/
        4be1c07a9f3d2e58-001.json     the address, the status, the headers, the moment
        4be1c07a9f3d2e58-001.body     what was sent, unpacked
        4be1c07a9f3d2e58-002.json     the next reply to the same request

A reply is there once its JSON is. Only replies are kept, whatever their status: that a server did
not answer says something about that moment, and the faults that a test needs are the world's.
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
from gotgan.fetch.addresses import parse, shown
from gotgan.fetch.messages import Hop, HopResponse, Transport
from gotgan.plain_json import pretty

__all__ = ["Recording", "Replaying"]

_TELLING: Final = ("accept", "if-none-match", "if-modified-since")
"""The headers of a request that change what is sent back."""
_SECRET: Final = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
_DIGITS: Final = 16


class Recording:
    """A transport that keeps every reply of another.

    Files are written where the event loop stands: recording is for tests and demos, and so every
    reply is on the disk before anybody acts on it.
    """

    def __init__(self, transport: Transport, folder: Path, *, clock: Clock | None = None) -> None:
        self._transport = transport
        self._folder = folder
        self._clock = clock or SystemClock()

    async def exchange(self, hop: Hop) -> HopResponse:
        """Carry the request, and keep the reply."""
        reply = await self._transport.exchange(hop)
        try:
            self._keep(_place(self._folder, hop), hop, reply)
        except OSError as error:
            raise SettingsError(
                f"answers cannot be recorded in {self._folder} ({error.strerror}); "
                "make it a folder that can be written and has room, or unset GOTGAN_RECORD"
            ) from error
        return reply

    async def close(self) -> None:
        """Let go of the other's connections."""
        await self._transport.close()

    def _keep(self, place: Path, hop: Hop, reply: HopResponse) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _draft(place, reply.body) as body:
            number = next(n for n in count(1) if _is_linked(body, _numbered(place, n, "body")))
        with _draft(place, pretty(self._note(hop, reply)).encode() + b"\n") as note:
            note.replace(_numbered(place, number, "json"))

    def _note(self, hop: Hop, reply: HopResponse) -> dict[str, Any]:
        return {
            "url": hop.url,
            "status": reply.status,
            "headers": {
                name: reply.headers[name] for name in sorted(reply.headers) if name not in _SECRET
            },
            "at": utc_iso(self._clock.now()),
        }


class Replaying:
    """A transport that answers from a folder, and never from the web.

    Several replies to the same request come in the order in which they were recorded; the last one
    is repeated.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left: dict[Path, list[Path]] = {}

    async def exchange(self, hop: Hop) -> HopResponse:
        """The next recorded reply to this request."""
        place = _place(self._folder, hop)
        try:
            return _read(self._next(place))
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise NotRecorded(
                f"there is no whole answer for {shown(hop.url)} at {place}; set GOTGAN_RECORD to "
                f"{self._folder} to record it, or unset GOTGAN_REPLAY to ask the web"
            ) from error

    async def close(self) -> None:
        """There is nothing to let go of."""

    def _next(self, place: Path) -> Path:
        if place not in self._left:
            self._left[place] = sorted(place.parent.glob(f"{place.name}-*.json"), key=_number)
        left = self._left[place]
        return left.pop(0) if len(left) > 1 else left[0]


def _place(folder: Path, hop: Hop) -> Path:
    """Where the replies to a request lie, but for their numbers.

    A name must not tell what is secret, not even as a hash: passwords can be guessed from one.
    """
    said = {name.lower(): value for name, value in hop.headers.items()}
    request = "\n".join([hop.url, *(said.get(name, "") for name in _TELLING)])
    handed = b"" if hop.is_personal else hop.body or b""
    digest = hashlib.sha256(request.encode("utf-8", "surrogatepass") + handed).hexdigest()
    host = re.sub(r"[\[\]:]", "_", parse(hop.url).host_header)
    return folder / host / digest[:_DIGITS]


def _numbered(place: Path, number: int, kind: str) -> Path:
    return place.with_name(f"{place.name}-{number:03}.{kind}")


def _number(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


@contextmanager
def _draft(place: Path, content: bytes) -> Iterator[Path]:
    """A file that is whole before it gets the name by which it is found."""
    draft = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    try:
        draft.write_bytes(content)
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _is_linked(draft: Path, path: Path) -> bool:
    """Give the draft a name; False where somebody else has it, in this process or another."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    return True


def _read(path: Path) -> HopResponse:
    note: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return HopResponse(note["status"], note["headers"], path.with_suffix(".body").read_bytes())
