"""Items as JSON bytes and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.store.engine import values
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import Item, StoredItems, clean_item

from .attributes import any_item


@given(any_item)
def test_an_item_comes_back_as_it_was(item: dict[str, Any]) -> None:
    cleaned, _ = clean_item(item)
    assert values.load_item(values.dump_item(cleaned)) == cleaned


@given(st.lists(any_item, max_size=5))
def test_items_that_are_read_together_are_what_each_is_alone(items: list[dict[str, Any]]) -> None:
    raws = [values.dump_item(clean_item(item)[0]) for item in items]
    assert values.load_items(raws) == list(map(values.load_item, raws))


def test_what_lies_in_the_file_is_the_json_of_the_protocol() -> None:
    item: Item = {
        "a": {"B": b"\x00\xff"},
        "b": {"BS": [b"x"]},
        "c": {"S": "한"},
        "d": {"NULL": True},
    }
    assert json.loads(values.dump_item(item)) == {
        "a": {"B": "AP8="},
        "b": {"BS": ["eA=="]},
        "c": {"S": "한"},
        "d": {"NULL": True},
    }


def test_a_map_may_have_members_that_are_called_as_types_are() -> None:
    item: Item = {"B": {"M": {"B": {"S": "not binary"}, "BS": {"L": [{"B": b"x"}, {"S": '"B"'}]}}}}
    assert values.load_item(values.dump_item(item)) == item


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(ValidationException, match="cannot be written as JSON"):
        values.dump_item({"a": {"S": object()}})


@given(st.lists(any_item, max_size=5))
def test_a_page_that_is_read_bit_by_bit_is_the_list_of_its_items(
    items: list[dict[str, Any]],
) -> None:
    raws = [values.dump_item(clean_item(item)[0]) for item in items]
    page, whole = StoredItems(raws, ValueError), list(map(values.load_item, raws))
    assert (list(page), len(page)) == (whole, len(whole))
    assert page == whole
    assert page != [*whole, {}]
    assert page[1:] == whole[1:]
    assert [page[place] for place in range(-len(whole), len(whole))] == whole * 2
    with pytest.raises(IndexError):
        page[len(whole)]


@pytest.mark.parametrize("raw", [b'{"a":', b' {"a":{"B":"AAE"}}'])
def test_an_item_of_a_page_that_cannot_be_read_is_an_error_where_it_is_looked_at(
    raw: bytes,
) -> None:
    page = StoredItems([b"{}", raw], lambda error: LookupError(str(error)))
    assert page[0] == {}
    with pytest.raises(LookupError):
        list(page)
    with pytest.raises(LookupError):
        page[1]
