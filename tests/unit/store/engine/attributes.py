"""Attribute values of all ten types, for tests that are given any of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

__all__ = ["any_item", "any_value", "names"]

names = st.text(min_size=1, max_size=6)
_texts = st.text(max_size=8)
_numbers = st.one_of(
    st.integers(-(10**37), 10**37).map(str),
    st.decimals(-1000, 1000, allow_nan=False, places=3).map(str),
    st.sampled_from(["1E3", "-2.50e-4", "0.0", "007", "9E125"]),
)
_binaries = st.binary(max_size=6)


def _set_of(kind: str, members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.lists(members, min_size=1, max_size=4, unique=True).map(lambda each: {kind: each})


_whole_numbers = st.integers(-999, 999).map(str)
_scalars = st.one_of(
    _texts.map(lambda text: {"S": text}),
    _numbers.map(lambda number: {"N": number}),
    _binaries.map(lambda data: {"B": data}),
    st.booleans().map(lambda truth: {"BOOL": truth}),
    st.just({"NULL": True}),
    _set_of("SS", _texts),
    _set_of("NS", _whole_numbers),
    _set_of("BS", _binaries),
)

any_value: st.SearchStrategy[dict[str, Any]] = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda elements: {"L": elements}),
        st.dictionaries(names, inner, max_size=3).map(lambda members: {"M": members}),
    ),
    max_leaves=12,
)
any_item = st.dictionaries(names, any_value, max_size=5)
