"""Key templates: what they refuse, how keys are made and read back, and what hostile parts do."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gotgan.errors import BadKeyPart, DeclarationError
from gotgan.store.templates import PARTITION_BYTES, SORT_BYTES, KeyTemplate

POST = KeyTemplate.parse("USER#{user}#POST#{id}")
URL = KeyTemplate.parse("URL#{url}", hashes=True)
PADDED = KeyTemplate.parse("ROUND#{number:04d}#{name}")
LONG = "https://example.com/" + "x" * 2_000

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
first_parts = texts.filter(lambda text: "#" not in text)


class Colour(Enum):
    RED = "red"


# Reading a template


def test_a_template_is_literals_and_fields_by_turns() -> None:
    assert POST.literals == ("USER#", "#POST#", "")
    assert POST.fields == ("user", "id")
    assert POST.start == "USER#"
    assert [slot.stop for slot in POST.slots] == ["#", ""]


def test_a_template_without_fields_is_its_own_key() -> None:
    metadata = KeyTemplate.parse("METADATA")
    assert metadata.render({}) == "METADATA"
    assert metadata.read("METADATA") == {}
    assert metadata.read("METADATA#") is None
    assert KeyTemplate.parse("METADATA", hashes=True).render({}) == "METADATA"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "write one such as 'THING#{id}'"),
        ("A#{id", "cannot be read"),
        ("A#}id", "cannot be read"),
        ("A#{{id}}", "holds a brace that opens no field; leave it out"),
        ("A#id}}", "holds a brace that opens no field; leave it out"),
        ("A#{}", "write {field} or {field:08d}"),
        ("A#{0}", "write {field} or {field:08d}"),
        ("A#{user.id}", "write {field} or {field:08d}"),
        ("A#{tags[0]}", "write {field} or {field:08d}"),
        ("A#{id:>8}", "pad numbers as in {id:08d}"),
        ("A#{id:8d}", "pad numbers as in {id:08d}"),
        ("A#{id:00d}", "pad numbers as in {id:08d}"),
        ("A#{id!r}", "pad numbers as in {id:08d}"),
        ("A#{id}{name}", "put a # between them"),
        ("A#{id}#{id}", "has a field twice; once is enough"),
    ],
)
def test_a_template_that_cannot_work_is_refused_with_advice(text: str, complaint: str) -> None:
    with pytest.raises(DeclarationError) as refused:
        KeyTemplate.parse(text)
    assert complaint in str(refused.value)
    assert not text or repr(text) in str(refused.value)


# Making keys


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("p1", "A#p1"),
        (7, "A#7"),
        (-7, "A#-7"),
        (Decimal("1.5"), "A#1.5"),
        (date(2025, 11, 6), "A#2025-11-06"),
        (datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC), "A#2025-11-06T00:35:12Z"),
        (UUID(int=1), "A#00000000-0000-0000-0000-000000000001"),
        (Colour.RED, "A#red"),
    ],
)
def test_a_value_stands_in_a_key_as_it_is_stored(value: Any, key: str) -> None:
    assert KeyTemplate.parse("A#{id}").render({"id": value}) == key


def test_a_missing_value_makes_no_key() -> None:
    assert POST.render({"user": "u1", "id": None}) is None
    assert KeyTemplate.parse("{user}").render({"user": None}) is None


@pytest.mark.parametrize("value", ["x", 7, Decimal("1.5"), b"\0\1"])
def test_a_key_that_is_one_field_keeps_its_type(value: Any) -> None:
    template = KeyTemplate.parse("{id}")
    assert template.is_one_field
    assert template.render({"id": value}) == value


def test_a_number_is_padded_to_its_width() -> None:
    assert PADDED.render({"number": 42, "name": "x"}) == "ROUND#0042#x"
    assert PADDED.render({"number": 0, "name": "x"}) == "ROUND#0000#x"
    assert PADDED.render({"number": 9999, "name": "x"}) == "ROUND#9999#x"
    assert not KeyTemplate.parse("{number:04d}").is_one_field


@pytest.mark.parametrize("value", [-1, 10_000, "42", 1.5, Decimal(3)])
def test_a_number_that_does_not_fit_its_width_is_refused(value: Any) -> None:
    with pytest.raises(BadKeyPart, match="needs a whole number with at most 4 digits"):
        PADDED.render({"number": value, "name": "x"})


def test_a_prefix_is_filled_in_from_the_left() -> None:
    assert POST.prefix({}) == "USER#"
    assert POST.prefix({"user": "u1"}) == "USER#u1#POST#"
    assert POST.prefix({"user": "u1", "id": "p1"}) == "USER#u1#POST#p1"


# Hostile parts


def test_an_empty_part_is_refused() -> None:
    with pytest.raises(BadKeyPart, match="id is empty"):
        POST.render({"user": "u1", "id": ""})
    with pytest.raises(BadKeyPart, match="id is empty"):
        KeyTemplate.parse("{id}").render({"id": ""})
    with pytest.raises(BadKeyPart, match="id is empty"):
        KeyTemplate.parse("{id}").render({"id": b""})


def test_a_separator_inside_a_part_is_refused_where_something_follows() -> None:
    with pytest.raises(BadKeyPart, match="user is 'u1#POST#p1' and contains '#'"):
        POST.render({"user": "u1#POST#p1", "id": "x"})
    with pytest.raises(BadKeyPart, match="contains '#'"):
        POST.prefix({"user": "u#"})


def test_the_last_part_may_hold_the_separator() -> None:
    key = POST.render({"user": "u1", "id": "#p#1#"})
    assert key == "USER#u1#POST##p#1#"
    assert POST.read(key) == {"user": "u1", "id": "#p#1#"}


def test_a_last_part_that_has_a_literal_behind_it_may_not_hold_its_separator() -> None:
    closed = KeyTemplate.parse("A#{id}#END")
    assert closed.render({"id": "x"}) == "A#x#END"
    with pytest.raises(BadKeyPart, match="contains '#'"):
        closed.render({"id": "x#END"})


@pytest.mark.parametrize("part", ["\ud800", "a\udfffb"])
@pytest.mark.parametrize("template", [POST, KeyTemplate.parse("{id}"), URL])
def test_half_a_character_is_refused(template: KeyTemplate, part: str) -> None:
    with pytest.raises(BadKeyPart, match="incomplete character"):
        template.render(dict.fromkeys(["user", "id", "url"], part))


@pytest.mark.parametrize(
    "part",
    [
        "\0",
        "a\0b",
        "line\nbreak",
        "POST#",
        "USER#u2#POST#p2",
        "שלום",
        "\u202egnp.exe",
        "👩‍👩‍👧‍👦",
        "e\u0301",
        "é",
        "\U0010ffff",
        " ",
        "sha256:0",
    ],
)
def test_odd_texts_make_keys_that_read_back(part: str) -> None:
    key = POST.render({"user": "u1", "id": part})
    assert POST.read(key) == {"user": "u1", "id": part}


def test_texts_that_look_alike_are_not_the_same_key() -> None:
    assert POST.render({"user": "u", "id": "é"}) != POST.render({"user": "u", "id": "e\u0301"})


# Lengths


def test_a_key_may_have_all_the_bytes_of_its_limit_and_not_one_more() -> None:
    template = KeyTemplate.parse("A#{id}")
    assert template.limit == SORT_BYTES == 1024
    assert template.render({"id": "é" * 511}) == "A#" + "é" * 511
    with pytest.raises(BadKeyPart, match=r"has 1,025 bytes, but .* at most 1,024\. Shorten id"):
        template.render({"id": "é" * 511 + "x"})


def test_a_partition_key_may_be_longer() -> None:
    template = KeyTemplate.parse("A#{id}", limit=PARTITION_BYTES)
    assert template.render({"id": "x" * 2046}) == "A#" + "x" * 2046
    with pytest.raises(BadKeyPart, match="has 2,049 bytes, but may have at most 2,048"):
        template.render({"id": "x" * 2047})


def test_bytes_have_the_same_limit() -> None:
    template = KeyTemplate.parse("{id}")
    assert template.render({"id": b"x" * 1024}) == b"x" * 1024
    with pytest.raises(BadKeyPart, match="id has 1,025 bytes"):
        template.render({"id": b"x" * 1025})


def test_a_last_part_that_is_too_long_becomes_its_hash_where_that_was_asked_for() -> None:
    digest = hashlib.sha256(LONG.encode()).hexdigest()
    assert URL.render({"url": LONG}) == f"URL#sha256:{digest}"
    assert URL.render({"url": "x" * 1020}) == "URL#" + "x" * 1020
    assert URL.render({"url": "x" * 1021}) != "URL#" + "x" * 1021


def test_a_text_that_looks_like_a_hash_is_hashed_too_so_that_it_cannot_pose_as_another() -> None:
    posing = f"sha256:{hashlib.sha256(LONG.encode()).hexdigest()}"
    key = URL.render({"url": posing})
    assert key == f"URL#sha256:{hashlib.sha256(posing.encode()).hexdigest()}"
    assert key != URL.render({"url": LONG})


def test_what_is_too_long_even_with_a_hash_is_refused() -> None:
    template = KeyTemplate.parse("{host}#{url}", hashes=True)
    with pytest.raises(BadKeyPart, match="Shorten host, url"):
        template.render({"host": "h" * 953, "url": LONG})
    assert len(str(template.render({"host": "h" * 952, "url": LONG}))) == SORT_BYTES


def test_the_longest_key_is_known_where_every_part_is_bounded() -> None:
    assert POST.longest({"user": 10, "id": 20}) == len("USER##POST#") + 30
    assert POST.longest({"user": 10, "id": None}) is None
    assert PADDED.longest({"number": None, "name": 7}) == len("ROUND##") + 4 + 7
    assert URL.longest({"url": None}) == len("URL#sha256:") + 64
    hashing = KeyTemplate.parse("{host}#{url}", hashes=True)
    assert hashing.longest({"host": 10, "url": None}) == len("#sha256:") + 10 + 64


def test_the_fields_that_nothing_bounds_are_named() -> None:
    assert POST.unbounded({"user": 10, "id": None}) == ["id"]
    assert POST.unbounded({"user": None, "id": None}) == ["user", "id"]
    assert PADDED.unbounded({"number": None, "name": None}) == ["name"]
    assert URL.unbounded({"url": None}) == []


def test_bytes_outside_of_ascii_are_counted_in_literals_too() -> None:
    assert KeyTemplate.parse("É#{id}").longest({"id": 1}) == 4


# Reading keys


def test_a_hash_is_known_where_a_template_makes_hashes() -> None:
    assert URL.is_hashed("sha256:00")
    assert not URL.is_hashed("https://example.com/sha256:")
    assert not POST.is_hashed("sha256:00")


@pytest.mark.parametrize(
    "key", ["USER#u1", "USER#u1#POST#", "USER##POST#p1", "XUSER#u1#POST#p1", "", 7, None, b"USER#"]
)
def test_a_key_of_another_make_is_not_read(key: Any) -> None:
    assert POST.read(key) is None
    assert not POST.matcher()(key)
    assert not KeyTemplate.parse("POST#{id}").matcher()(key)


def test_a_key_fits_exactly_where_it_can_be_read() -> None:
    one = KeyTemplate.parse("POST#{id}")
    closed = KeyTemplate.parse("POST#{id}#END")
    fixed = KeyTemplate.parse("METADATA")
    for template in (one, closed, fixed, POST):
        for key in ("POST#", "POST#1", "POST#1#END", "METADATA", "USER#1#POST#1", "POST##END"):
            assert template.matcher()(key) is (template.read(key) is not None)


@given(first_parts, texts)
def test_every_key_reads_back_to_what_it_was_made_of(user: str, last: str) -> None:
    key = POST.render({"user": user, "id": last})
    assert POST.read(key) == {"user": user, "id": last}
    assert POST.matcher()(key)


@given(st.tuples(first_parts, texts), st.tuples(first_parts, texts))
def test_different_values_never_make_the_same_key(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assume(one != other)
    keys = [POST.render({"user": user, "id": last}) for user, last in (one, other)]
    assert keys[0] != keys[1]


@given(st.lists(st.text("a#:", min_size=1, max_size=6), min_size=4, max_size=4))
def test_values_made_of_separators_never_make_the_same_key(parts: list[str]) -> None:
    template = KeyTemplate.parse("{a}:{b}#{c}")
    tuples = [tuple(parts[:3]), tuple(parts[1:])]
    assume(tuples[0] != tuples[1])
    keys = []
    for values in tuples:
        try:
            keys.append(template.render(dict(zip("abc", values, strict=True))))
        except BadKeyPart:
            return
    assert keys[0] != keys[1]


@given(st.integers(0, 9999), st.integers(0, 9999))
def test_padded_numbers_sort_as_numbers_do(one: int, other: int) -> None:
    keys = [str(PADDED.render({"number": number, "name": "x"})) for number in (one, other)]
    assert (keys[0] < keys[1]) == (one < other)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=1200))
def test_a_hashing_template_always_makes_a_key_that_fits(url: str) -> None:
    key = URL.render({"url": url})
    assert isinstance(key, str)
    assert len(key.encode()) <= SORT_BYTES
