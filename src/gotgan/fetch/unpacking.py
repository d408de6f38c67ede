"""Answers as they were before they were packed, piece by piece and never more than allowed."""

from __future__ import annotations

import zlib
from typing import Final, Protocol

from gotgan.errors import TooLarge, Truncated, Undecodable
from gotgan.fetch.addresses import shown

__all__ = ["Unpacked"]

_GZIP: Final = 16 + zlib.MAX_WBITS
_RAW: Final = -zlib.MAX_WBITS
_MAGIC: Final = b"\x1f\x8b"
_PLAIN: Final = {"", "identity"}
_GZIPPED: Final = {"gzip", "x-gzip"}
_MOST_MEMBERS: Final = 1000
"""Each costs time, and ten thousand empty ones fit into a small answer."""
_ENOUGH: Final = 2
"""How many bytes tell what follows."""


class _Unpacker(Protocol):
    """What undoes one way of packing."""

    def feed(self, piece: bytes, most: int) -> bytes:
        """What a piece unpacks to, cut off where it is more than ``most`` bytes."""

    @property
    def is_complete(self) -> bool:
        """Whether the last piece was the end."""


class Unpacked:
    """The body of an answer while it arrives."""

    def __init__(self, url: str, encoding: str, most: int) -> None:
        self._url = url
        self._most = most
        self._body = bytearray()
        self._unpacker = _unpacker(encoding.strip().lower(), url)

    def expect(self, size: int) -> None:
        """Raise TooLarge at once where what is announced, and not packed, is more than allowed."""
        if isinstance(self._unpacker, _Plain):
            self._bound(size)

    def feed(self, piece: bytes) -> None:
        """Take a piece as it was sent; raise TooLarge once there is more than allowed."""
        try:
            self._body += self._unpacker.feed(piece, self._most - len(self._body) + 1)
        except zlib.error as error:
            raise Undecodable(
                f"{shown(self._url)} sent a body that cannot be unpacked ({error}); "
                "its owner must mend it"
            ) from error
        self._bound(len(self._body))

    def whole(self) -> bytes:
        """All of it; raise Truncated where the end is missing."""
        if not self._unpacker.is_complete:
            raise Truncated(f"{shown(self._url)} ended before its end; try again")
        return bytes(self._body)

    def _bound(self, size: int) -> None:
        if size > self._most:
            raise TooLarge(
                f"{shown(self._url)} is more than {self._most:,} bytes long; if that is right, "
                "allow more for it"
            )


class _Plain:
    """What was not packed."""

    is_complete = True

    def feed(self, piece: bytes, most: int) -> bytes:
        return piece[:most]


class _Gzip:
    """gzip: members one after another; what follows the last one is not looked at."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)
        self._members = 1
        self._is_empty = True
        self._is_over = False
        self._undecided = b""
        """What came after a member and is too short to tell whether another one begins."""

    def feed(self, piece: bytes, most: int) -> bytes:
        out = bytearray()
        rest, self._undecided = self._undecided + piece, b""
        while rest and len(out) < most:
            if self._member.eof and not self._begins_anew(rest):
                break
            self._is_empty = False
            out += self._member.decompress(rest, most - len(out))
            rest = self._member.unused_data
        return bytes(out)

    @property
    def is_complete(self) -> bool:
        return self._member.eof or self._is_empty

    def _begins_anew(self, rest: bytes) -> bool:
        if len(rest) < _ENOUGH:
            self._undecided = rest
            return False
        self._is_over = self._is_over or not rest.startswith(_MAGIC)
        if self._is_over:
            return False
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise zlib.error("it has too many parts")
        self._member = zlib.decompressobj(_GZIP)
        return True


class _Deflate:
    """deflate: with a header, as it should be, or without one, as some servers send it."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._before = b""

    def feed(self, piece: bytes, most: int) -> bytes:
        rest = self._before + piece
        if self._stream is None:
            if len(rest) < _ENOUGH:
                self._before = rest
                return b""
            self._before = b""
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if _has_header(rest) else _RAW)
        return b"" if self._stream.eof else self._stream.decompress(rest, most)

    @property
    def is_complete(self) -> bool:
        return not self._before if self._stream is None else self._stream.eof


def _has_header(start: bytes) -> bool:
    """Whether the first two bytes are zlib's: the method, and a multiple of 31."""
    return start[0] & 0x0F == zlib.DEFLATED and int.from_bytes(start[:2], "big") % 31 == 0


def _unpacker(encoding: str, url: str) -> _Unpacker:
    if encoding in _PLAIN:
        return _Plain()
    if encoding in _GZIPPED:
        return _Gzip()
    if encoding == "deflate":
        return _Deflate()
    raise Undecodable(
        f"{shown(url)} is packed as {encoding[:40]!r}, which we did not ask for; "
        "its owner must mend it"
    )
