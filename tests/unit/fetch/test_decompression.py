"""Unpacking: whatever a server packed, piece by piece, and never more than allowed."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.errors import TooLarge, Truncated, Undecodable
from gotgan.fetch.decompression import BodyDecoder

TEXT = b"the storehouse of a house " * 40


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKED = [
    ("", TEXT),
    ("identity", TEXT),
    ("gzip", gzip.compress(TEXT, mtime=0)),
    ("X-GZIP ", gzip.compress(TEXT, mtime=0)),
    ("deflate", zlib.compress(TEXT)),
    ("deflate", raw_deflate(TEXT)),
]


def unpack(encoding: str, data: bytes, *, most: int = 1_000_000, piece: int = 65_536) -> bytes:
    unpacked = BodyDecoder("https://site.test/", encoding, most)
    for each in _cut(data, piece):
        unpacked.feed(each)
    return unpacked.whole()


def _cut(data: bytes, piece: int) -> Iterator[bytes]:
    return (data[start : start + piece] for start in range(0, len(data), piece))


@pytest.mark.parametrize(("encoding", "data"), PACKED)
@pytest.mark.parametrize("piece", [1, 2, 7, 65_536])
def test_what_was_packed_is_unpacked_however_it_arrives(
    encoding: str, data: bytes, piece: int
) -> None:
    assert unpack(encoding, data, piece=piece) == TEXT


@pytest.mark.parametrize("encoding", ["", "gzip", "deflate"])
def test_nothing_packed_is_nothing(encoding: str) -> None:
    assert unpack(encoding, b"") == b""


@given(parts=st.lists(st.binary(max_size=50), min_size=1, max_size=4), piece=st.integers(1, 40))
def test_the_members_of_a_gzip_are_joined(parts: list[bytes], piece: int) -> None:
    packed = b"".join(gzip.compress(part) for part in parts)
    assert unpack("gzip", packed, piece=piece) == b"".join(parts)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
@pytest.mark.parametrize("garbage", [b"\x00", b"\x00" * 100, b"junk", b"x\x1f\x8b and more"])
@pytest.mark.parametrize("piece", [1, 3, 65_536])
def test_what_follows_the_end_is_not_looked_at(encoding: str, garbage: bytes, piece: int) -> None:
    packed = gzip.compress(TEXT) if encoding == "gzip" else zlib.compress(TEXT)
    assert unpack(encoding, packed + garbage, piece=piece) == TEXT


@pytest.mark.parametrize(("encoding", "data"), PACKED[2:])
@pytest.mark.parametrize("missing", [1, 4, 12])
def test_a_missing_end_is_noticed(encoding: str, data: bytes, missing: int) -> None:
    with pytest.raises(Truncated, match="is incomplete"):
        unpack(encoding, data[:-missing])


def test_a_second_member_without_its_end_is_noticed() -> None:
    with pytest.raises(Truncated):
        unpack("gzip", gzip.compress(TEXT) + gzip.compress(TEXT)[:-3])


def test_a_single_byte_is_no_deflate() -> None:
    with pytest.raises(Truncated):
        unpack("deflate", b"\x78")


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_what_was_never_packed_cannot_be_unpacked(encoding: str) -> None:
    with pytest.raises(Undecodable, match="Could not decompress"):
        unpack(encoding, b"<html>plain after all</html>")


def test_a_damaged_body_cannot_be_unpacked() -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[-8] ^= 1  # its checksum
    with pytest.raises(Undecodable):
        unpack("gzip", bytes(packed))


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "gzip, gzip", "nonsense"])
def test_packing_that_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(Undecodable, match="unsupported encoding"):
        unpack(encoding, TEXT)


@pytest.mark.parametrize(("encoding", "data"), PACKED)
def test_as_much_as_allowed_is_taken_and_not_a_byte_more(encoding: str, data: bytes) -> None:
    assert unpack(encoding, data, most=len(TEXT)) == TEXT
    with pytest.raises(TooLarge, match="more than 1,039 bytes"):
        unpack(encoding, data, most=len(TEXT) - 1)


def test_a_limit_holds_for_all_members_together() -> None:
    with pytest.raises(TooLarge):
        unpack("gzip", gzip.compress(TEXT) * 2, most=2 * len(TEXT) - 1, piece=11)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_bomb_takes_no_more_memory_than_allowed(encoding: str) -> None:
    nothing = bytes(10_000_000)
    bomb = gzip.compress(nothing, 9) if encoding == "gzip" else zlib.compress(nothing, 9)
    del nothing
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            unpack(encoding, bomb, most=100_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


def test_endless_empty_members_are_not_followed() -> None:
    with pytest.raises(Undecodable, match="too many parts"):
        unpack("gzip", gzip.compress(b"") * 5000)


def test_an_announced_size_is_believed_only_where_nothing_is_packed() -> None:
    with pytest.raises(TooLarge):
        BodyDecoder("https://site.test/", "", 10).expect(11)
    BodyDecoder("https://site.test/", "gzip", 10).expect(11)
