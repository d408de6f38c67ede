"""Response bodies, decompressed chunk by chunk up to a limit."""

from __future__ import annotations

import zlib
from typing import Final, Protocol

from gotgan.errors import TooLarge, Truncated, Undecodable
from gotgan.fetch import messages
from gotgan.fetch.addresses import display_url
from gotgan.messages import text

_GZIP: Final = 16 + zlib.MAX_WBITS
_RAW: Final = -zlib.MAX_WBITS
_MAGIC: Final = b"\x1f\x8b"
_PLAIN: Final = {"", "identity"}
_GZIPPED: Final = {"gzip", "x-gzip"}
_MAX_MEMBERS: Final = 1000
"""Each costs time, and ten thousand empty ones fit into a small response."""
_MAGIC_LENGTH: Final = 2


class _Decoder(Protocol):
    """Decodes one Content-Encoding."""

    def feed(self, piece: bytes, most: int) -> bytes:
        """Decode a chunk, up to ``most`` bytes."""

    @property
    def is_complete(self) -> bool:
        """Whether the last chunk was the end."""


class BodyDecoder:
    """The body of a response while it arrives."""

    def __init__(self, url: str, encoding: str, most: int) -> None:
        self._url = url
        self._most = most
        self._body = bytearray()
        self._unpacker = _decoder(encoding.strip().lower(), url)

    def expect(self, size: int) -> None:
        """Raise TooLarge if the announced size of an uncompressed body is over the limit."""
        if isinstance(self._unpacker, _Plain):
            self._check_size(size)

    def feed(self, piece: bytes) -> None:
        """Take a chunk; raise TooLarge once the body is over the limit."""
        try:
            self._body += self._unpacker.feed(piece, self._most - len(self._body) + 1)
        except zlib.error as error:
            raise Undecodable(
                messages.BAD_COMPRESSION(url=display_url(self._url), cause=text(error.args[0]))
            ) from error
        self._check_size(len(self._body))

    def whole(self) -> bytes:
        """The whole body; raise Truncated if the end is missing."""
        if not self._unpacker.is_complete:
            raise Truncated(messages.ENDED_EARLY(url=display_url(self._url)))
        return bytes(self._body)

    def _check_size(self, size: int) -> None:
        if size > self._most:
            raise TooLarge(messages.TOO_LARGE(url=display_url(self._url), limit=self._most))


class _Plain:
    is_complete = True

    def feed(self, piece: bytes, most: int) -> bytes:
        return piece[:most]


class _Gzip:
    """Members one after another; data after the last one is ignored."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)
        self._members = 1
        self._is_empty = True
        self._is_over = False
        self._undecided = b""
        """Data after a member, too short to tell whether another one begins."""

    def feed(self, piece: bytes, most: int) -> bytes:
        out = bytearray()
        rest, self._undecided = self._undecided + piece, b""
        while rest and len(out) < most:
            if self._member.eof and not self._starts_member(rest):
                break
            self._is_empty = False
            out += self._member.decompress(rest, most - len(out))
            rest = self._member.unused_data
        return bytes(out)

    @property
    def is_complete(self) -> bool:
        return self._member.eof or self._is_empty

    def _starts_member(self, rest: bytes) -> bool:
        if len(rest) < _MAGIC_LENGTH:
            self._undecided = rest
            return False
        self._is_over = self._is_over or not rest.startswith(_MAGIC)
        if self._is_over:
            return False
        self._members += 1
        if self._members > _MAX_MEMBERS:
            raise zlib.error(messages.TOO_MANY_PARTS())
        self._member = zlib.decompressobj(_GZIP)
        return True


class _Deflate:
    """With a zlib header, as it should be, or without one, as some servers send it."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._before = b""

    def feed(self, piece: bytes, most: int) -> bytes:
        rest = self._before + piece
        if self._stream is None:
            if len(rest) < _MAGIC_LENGTH:
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


def _decoder(encoding: str, url: str) -> _Decoder:
    if encoding in _PLAIN:
        return _Plain()
    if encoding in _GZIPPED:
        return _Gzip()
    if encoding == "deflate":
        return _Deflate()
    raise Undecodable(messages.UNKNOWN_ENCODING(url=display_url(url), encoding=repr(encoding[:40])))
