"""Keys as bytes: they sort as DynamoDB sorts, and segments share them out without a gap."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.keys import (
    EncodedKey,
    KeySchema,
    KeySchemaElement,
    encode_beginning,
    encode_hash,
    encode_partition,
    encode_range,
    encode_values,
    index_key,
    item_key,
    prefix_end,
    request_key,
    segment_bounds,
)
from gotgan.store.engine.values import AttributeValue, Item

SCHEMA = KeySchema(KeySchemaElement("pk", "S"), KeySchemaElement("sk", "N"))
ALONE = KeySchema(KeySchemaElement("pk", "B"))
SEVERAL = KeySchema(
    KeySchemaElement("a", "S"),
    KeySchemaElement("c", "S"),
    (KeySchemaElement("b", "B"),),
    (KeySchemaElement("d", "N"), KeySchemaElement("e", "B")),
)
# Few characters, so that values often begin alike, and those by which values end and are escaped.
TEXTS = st.text("\0\x01a", min_size=1, max_size=2)
BYTES = st.lists(st.sampled_from([0, 1, 255]), min_size=1, max_size=2).map(bytes)
VALUES = st.tuples(TEXTS, BYTES, TEXTS, st.integers(-1, 1), BYTES)


@given(st.text(), st.text())
def test_strings_sort_by_their_utf_8_bytes(left: str, right: str) -> None:
    low, high = encode_range("S", left), encode_range("S", right)
    assert (low < high) == (left.encode() < right.encode())


@given(st.binary(), st.binary())
def test_binaries_sort_by_their_bytes(left: bytes, right: bytes) -> None:
    assert (encode_range("B", left) < encode_range("B", right)) == (left < right)


@given(st.integers(-(10**37), 10**37), st.integers(-(10**37), 10**37))
def test_numbers_sort_as_numbers(left: int, right: int) -> None:
    assert (encode_range("N", str(left)) < encode_range("N", str(right))) == (left < right)


@given(st.binary(max_size=6), st.binary(max_size=8))
def test_a_prefix_ends_right_behind_all_that_begins_with_it(prefix: bytes, other: bytes) -> None:
    end = prefix_end(prefix)
    within = other >= prefix and (end is None or other < end)
    assert within == other.startswith(prefix)


@given(st.integers(1, 10_000))
def test_segments_follow_each_other_without_a_gap(total: int) -> None:
    numbers = {0, 1, total // 2, total - 2, total - 1}
    for segment in sorted(number for number in numbers if 0 <= number < total - 1):
        assert segment_bounds(segment, total)[1] == segment_bounds(segment + 1, total)[0]
    assert segment_bounds(0, total)[0] == bytes(4)


@given(st.integers(1, 60), st.one_of(st.text().map(lambda t: ("S", t)), st.just(("B", b"\xff"))))
def test_every_key_is_in_exactly_one_segment(total: int, key: tuple[str, Any]) -> None:
    stored = encode_hash(*key)
    bounds = [segment_bounds(segment, total) for segment in range(total)]
    assert sum(low <= stored < high for low, high in bounds) == 1
    assert all(low < high for low, high in bounds)


@pytest.mark.parametrize("total", [1, 2, 7, 1_000_000])
def test_the_last_segment_holds_the_largest_key_there_can_be(total: int) -> None:
    low, high = segment_bounds(total - 1, total)
    assert low <= b"\xff" * (4 + 2048) < high


def test_segments_are_of_the_same_size_or_nearly_so() -> None:
    starts = [int.from_bytes(segment_bounds(n, 7)[0], "big") for n in range(7)]
    assert {after - before - (1 << 32) // 7 for before, after in pairwise(starts)} <= {0, 1}


@given(st.text(min_size=1), st.text(min_size=1))
def test_keys_that_differ_are_stored_apart(left: str, right: str) -> None:
    assert (encode_hash("S", left) == encode_hash("S", right)) == (left == right)


def test_the_key_of_an_item_and_of_a_request_are_the_same() -> None:
    key = {"pk": {"S": "a"}, "sk": {"N": "1"}}
    cleaned, stored = request_key(SCHEMA, {"pk": {"S": "a"}, "sk": {"N": "01.0"}})
    assert cleaned == key
    assert stored == item_key(SCHEMA, {**key, "more": {"S": "x"}})


def test_a_key_without_a_sort_part_has_an_empty_one() -> None:
    assert item_key(ALONE, {"pk": {"B": b"a"}}) == EncodedKey(encode_hash("B", b"a"), b"")


@pytest.mark.parametrize(
    "given_key",
    [
        {},
        {"pk": {"S": "a"}},
        {"pk": {"S": "a"}, "sk": {"S": "1"}},
        {"pk": {"S": "a"}, "sk": {"N": "1"}, "more": {"S": "x"}},
        {"pk": {"S": "a"}, "other": {"N": "1"}},
    ],
    ids=repr,
)
def test_a_request_names_exactly_the_key(given_key: dict[str, Any]) -> None:
    with pytest.raises(ValidationException, match="does not match the schema"):
        request_key(SCHEMA, given_key)


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ({"pk": {"S": "a"}}, "Missing the key sk"),
        ({"pk": {"N": "1"}, "sk": {"N": "1"}}, "Type mismatch for key pk expected: S actual: N"),
        ({"pk": {"S": ""}, "sk": {"N": "1"}}, "empty string value. Key: pk"),
        ({"pk": {"S": "x" * 2049}, "sk": {"N": "1"}}, "hashkey has exceeded"),
    ],
    ids=["missing", "type", "empty", "large"],
)
def test_an_item_has_the_keys_of_its_table(item: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationException, match=says):
        item_key(SCHEMA, item)


def test_keys_may_be_as_large_as_aws_allows() -> None:
    schema = KeySchema(KeySchemaElement("pk", "S"), KeySchemaElement("sk", "S"))
    item_key(schema, {"pk": {"S": "x" * 2048}, "sk": {"S": "x" * 1024}})
    with pytest.raises(ValidationException, match="range keys has exceeded"):
        item_key(schema, {"pk": {"S": "x"}, "sk": {"S": "x" * 1025}})


def _stored(values: tuple[str, bytes, str, int, bytes]) -> EncodedKey:
    a, b, c, d, e = values
    item: Item = {"a": {"S": a}, "b": {"B": b}, "c": {"S": c}, "d": {"N": str(d)}, "e": {"B": e}}
    key = index_key(SEVERAL, item, "by_all")
    assert key is not None
    return key


@given(VALUES, VALUES)
def test_keys_of_several_attributes_sort_attribute_by_attribute(
    left: tuple[str, bytes, str, int, bytes], right: tuple[str, bytes, str, int, bytes]
) -> None:
    one, other = _stored(left).range, _stored(right).range
    sorted_by = [(c.encode(), d, e) for _, _, c, d, e in (left, right)]
    assert (one < other) == (sorted_by[0] < sorted_by[1])
    assert (one == other) == (sorted_by[0] == sorted_by[1])


def test_zero_bytes_at_the_end_of_a_value_do_not_change_the_order() -> None:
    texts = ["\0", "\0\0", "a", "a\0", "a\0\0", "a\0a", "a\x01", "b"]
    blobs = [b"\0", b"\0\0", b"\0\xff", b"\x01", b"\xff", b"\xff\0"]
    keys = [(c, d, e) for c in texts for d in (-1, 0, 1) for e in blobs]
    stored = {_stored(("a", b"b", *key)).range: key for key in keys}
    assert [stored[each] for each in sorted(stored)] == sorted(keys)


def test_zero_bytes_at_the_end_of_a_value_keep_partitions_apart() -> None:
    texts, blobs = ["a", "a\0", "a\0\0", "a\0\0\0"], [b"b", b"\0b", b"\0\0b", b"\0\0\0b"]
    stored = {_stored((a, b, "c", 0, b"e")).hash for a in texts for b in blobs}
    assert len(stored) == len(texts) * len(blobs)


@given(VALUES, VALUES)
def test_partition_keys_of_several_attributes_are_stored_apart(
    left: tuple[str, bytes, str, int, bytes], right: tuple[str, bytes, str, int, bytes]
) -> None:
    assert (_stored(left).hash == _stored(right).hash) == (left[:2] == right[:2])
    partition = encode_partition(SEVERAL, [{"S": left[0]}, {"B": left[1]}])
    assert partition == _stored(left).hash


@given(VALUES, TEXTS, st.integers(-1, 1))
def test_keys_that_begin_with_the_same_values_begin_with_the_same_bytes(
    values: tuple[str, bytes, str, int, bytes], text: str, number: int
) -> None:
    stored = _stored(values).range
    first: AttributeValue = {"S": text}
    assert stored.startswith(encode_values([first])) == (values[2] == text)
    assert stored.startswith(encode_beginning(first)) == values[2].startswith(text)
    both = encode_values([first, {"N": str(number)}])
    assert stored.startswith(both) == (values[2:4] == (text, number))


@pytest.mark.parametrize("total", [1, 7])
def test_the_last_segment_holds_the_largest_key_of_several_attributes(total: int) -> None:
    largest = b"\xff" * 4 + encode_values([{"B": b"\xff" * 2047}, {"B": b"\xff"}])
    low, high = segment_bounds(total - 1, total)
    assert low <= largest < high


def test_one_attribute_is_stored_as_it_was_before_there_could_be_several() -> None:
    item: Item = {"pk": {"S": "a\0b"}, "sk": {"N": "1"}}
    assert index_key(SCHEMA, item, "one") == EncodedKey(
        crc32(b"a\0b").to_bytes(4, "big") + b"a\0b", encode_range("N", "1")
    )
    mixed = replace(SEVERAL, more_hash=(), more_range=())
    assert index_key(mixed, {"a": {"S": "\0"}, "c": {"S": "\0c"}}, "one") == EncodedKey(
        crc32(b"\0").to_bytes(4, "big") + b"\0", b"\0c"
    )


def test_an_item_that_lacks_an_index_key_stays_out_of_the_index() -> None:
    assert index_key(SCHEMA, {"pk": {"S": "a"}}, "by_pk") is None
    assert index_key(SCHEMA, {"pk": {"S": "a"}, "sk": {"N": "1"}}, "by_pk") is not None


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ({"sk": {"S": "x"}}, "Type mismatch for Index Key sk Expected: N Actual: S"),
        ({"pk": {"S": ""}}, "empty string value. IndexName: by_pk, IndexKey: pk"),
    ],
    ids=["type", "empty"],
)
def test_an_index_key_that_cannot_be_one_is_refused(item: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationException, match=says):
        index_key(SCHEMA, item, "by_pk")
