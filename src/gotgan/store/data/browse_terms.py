"""Search terms that a person types, translated into DynamoDB's expressions.

The sort key: ``x`` or ``=x``, ``^x`` (begins with x), ``a..b`` (both included), ``<x``, ``<=x``,
``>x``, ``>=x``. A filter: an attribute, then ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``, ``^``
(begins with) or ``~`` (contains) and a value; or the word ``exists`` or ``missing``. What stands in
an expression of DynamoDB's own: ``:n=3`` for a value, ``#s=status`` for a name.
"""

from __future__ import annotations

import binascii
import json
import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.messages import text as foreign
from gotgan.store.attributes import AttributeValue
from gotgan.store.data import messages
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.numbers import canonical
from gotgan.store.tables import KeyAttribute

_STEP: Final = r'(?:"[^"]+"|[^\s"=!<>^~:.\[\]]+)'
_PATH: Final = rf"(?P<path>{_STEP}(?:\.{_STEP}|\[\d+\])*)"
_COMPARED: Final = re.compile(
    rf"\s*{_PATH}(?::(?P<type>S|N|B|BOOL))?\s*(?P<sign><=|>=|!=|<>|=|<|>|\^|~)(?P<value>.*)",
    re.DOTALL,
)
_PRESENCE: Final = re.compile(rf"\s*{_PATH}\s+(?P<word>exists|missing)\s*")
_WHOLE_PATH: Final = re.compile(rf"\s*{_PATH}\s*")
_MARK: Final = re.compile(
    r"\s*(?P<mark>[#:][A-Za-z0-9_]+)(?::(?P<type>S|N|B|BOOL))?\s*=(?P<value>.*)", re.DOTALL
)
_OWN_MARK: Final = re.compile(r"#n\d+|:v\d+", re.ASCII)
"""The placeholders that are made here."""
_STEPS: Final = re.compile(r'"(?P<quoted>[^"]+)"|\[(?P<index>\d+)\]|(?P<plain>[^.\[\]"]+)')
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_WORDS: Final[dict[str, AttributeValue]] = {
    "true": {"BOOL": True},
    "false": {"BOOL": False},
    "null": {"NULL": True},
}
_SORT_SIGNS: Final = ("<=", ">=", "<", ">", "=", "^")
_CALLS: Final = {"^": "begins_with", "~": "contains"}


@dataclass
class Placeholders:
    """The names and values of a request: none is ever written into an expression itself."""

    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, AttributeValue] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    """Names behind given placeholders."""

    def name(self, name: str) -> str:
        """The placeholder of an attribute's name, whatever that is."""
        return self.names.setdefault(name, f"#n{len(self.names)}")

    def value(self, value: AttributeValue) -> str:
        """The placeholder of a value."""
        mark = f":v{len(self.values)}"
        self.values[mark] = value
        return mark

    def path(self, steps: Sequence[str | int]) -> str:
        """A path into an item, with each of its names behind a placeholder."""
        place = ""
        for step in steps:
            dot = "." if place else ""
            place += f"[{step}]" if isinstance(step, int) else dot + self.name(step)
        return place

    def take(self, mark: str, meaning: str | AttributeValue) -> None:
        """Keep what a given placeholder stands for."""
        if isinstance(meaning, str):
            self.given[mark] = meaning
        else:
            self.values[mark] = meaning

    def members(self) -> dict[str, Any]:
        """What a request says about them."""
        members: dict[str, Any] = {}
        if names := {mark: name for name, mark in self.names.items()} | self.given:
            members["ExpressionAttributeNames"] = names
        if self.values:
            members["ExpressionAttributeValues"] = self.values
        return members


@dataclass(frozen=True)
class FilterComparison:
    """How something must compare: a sign of DynamoDB's or one of ours, and the values."""

    sign: str
    values: tuple[AttributeValue, ...] = ()

    def write(self, place: str, marks: Placeholders) -> str:
        """The comparison of a place, as DynamoDB reads it."""
        values = [marks.value(value) for value in self.values]
        if self.sign == "..":
            return f"{place} BETWEEN {values[0]} AND {values[1]}"
        if self.sign in _CALLS:
            return f"{_CALLS[self.sign]}({place}, {values[0]})"
        return f"{place} {self.sign} {values[0]}"


@dataclass(frozen=True)
class BrowseFilter:
    """A path into an item, and what must be true of it."""

    steps: tuple[str | int, ...]
    condition: FilterComparison | str
    """A comparison, or the function that says whether there is such an attribute."""

    def write(self, marks: Placeholders) -> str:
        """The filter, as DynamoDB reads it."""
        place = marks.path(self.steps)
        if isinstance(self.condition, str):
            return f"{self.condition}({place})"
        return self.condition.write(place, marks)


def parse_key_value(text: str, key: KeyAttribute) -> AttributeValue:
    """The value of a key attribute, parsed from a text."""
    if not text:
        raise UsageError(messages.EMPTY_KEY(name=key.name))
    return _READERS[key.type](text, key.name)


def parse_sort_condition(texts: Sequence[str], key: KeyAttribute) -> FilterComparison:
    """What is asked of the sort key; a lower and an upper bound make a range."""
    return _combined([_sort_comparison(text, key) for text in texts])


def key_filters(
    filters: Sequence[BrowseFilter], keys: Sequence[KeyAttribute]
) -> tuple[list[BrowseFilter], list[BrowseFilter]]:
    """The filters that are on these key attributes, one for each attribute, and the others."""
    comparisons: dict[str, list[FilterComparison]] = {}
    others: list[BrowseFilter] = []
    for each in filters:
        on_key = next((key.name for key in keys if (key.name,) == each.steps), None)
        if on_key is None or isinstance(each.condition, str):
            others.append(each)
        else:
            comparisons.setdefault(on_key, []).append(each.condition)
    found = [BrowseFilter((name,), _combined(each)) for name, each in comparisons.items()]
    return found, others


def _combined(found: list[FilterComparison]) -> FilterComparison:
    """One condition on a key attribute, which may come as a lower and an upper bound."""
    if len(found) == 1:
        return found[0]
    by_sign = {each.sign: each.values[0] for each in found}
    if len(found) == len(by_sign) and by_sign.keys() == {">=", "<="}:
        return FilterComparison("..", (by_sign[">="], by_sign["<="]))
    raise UsageError(messages.ONE_SORT_CONDITION())


def _sort_comparison(text: str, key: KeyAttribute) -> FilterComparison:
    sign = next((sign for sign in _SORT_SIGNS if text.startswith(sign)), "")
    if not sign and ".." in text:
        low, _, high = text.partition("..")
        if ".." in high:
            raise UsageError(messages.AMBIGUOUS_RANGE(text=repr(text)))
        return FilterComparison("..", (parse_key_value(low, key), parse_key_value(high, key)))
    if sign == "^" and key.type == "N":
        raise UsageError(messages.NUMBER_PREFIX(name=key.name))
    return FilterComparison(sign or "=", (parse_key_value(text.removeprefix(sign), key),))


def parse_filter(text: str, types: Mapping[str, str]) -> BrowseFilter:
    """The filter of a text such as ``zip:S=01234``; ``types`` are those of known attributes."""
    if present := _PRESENCE.fullmatch(text):
        function = {"exists": "attribute_exists", "missing": "attribute_not_exists"}
        return BrowseFilter(_steps(present["path"]), function[present["word"]])
    compared = _COMPARED.fullmatch(text)
    if compared is None:
        raise UsageError(messages.NOT_A_FILTER(text=repr(text)))
    steps, value = _steps(compared["path"]), compared["value"].strip()
    kind = compared["type"] or (types.get(str(steps[0])) if len(steps) == 1 else None)
    sign = "<>" if compared["sign"] == "!=" else compared["sign"]
    return BrowseFilter(
        steps, FilterComparison(sign, (_filter_value(value, kind, compared["path"]),))
    )


def parse_placeholder(text: str) -> tuple[str, str | AttributeValue]:
    """A placeholder with its name or value: ``#s=status``, ``:n=3``, ``:n:S=3``, ``:n="3"``."""
    found = _MARK.fullmatch(text)
    if found is None:
        raise UsageError(messages.NOT_A_PLACEHOLDER(text=repr(text)))
    mark, value = found["mark"], found["value"].strip()
    if _OWN_MARK.fullmatch(mark):
        raise UsageError(messages.TAKEN_PLACEHOLDER(name=mark))
    if mark.startswith("#"):
        return mark, value
    return mark, _filter_value(value, found["type"], mark)


def parse_path(text: str) -> tuple[str | int, ...]:
    """The steps of a path into an item, such as ``price.now`` or ``tags[0]``."""
    found = _WHOLE_PATH.fullmatch(text)
    if found is None:
        raise UsageError(messages.NOT_AN_ATTRIBUTE(text=repr(text)))
    return _steps(found["path"])


def _steps(path: str) -> tuple[str | int, ...]:
    return tuple(
        int(step["index"]) if step["index"] else step["quoted"] or step["plain"]
        for step in _STEPS.finditer(path)
    )


def _filter_value(text: str, kind: str | None, name: str) -> AttributeValue:
    if kind is not None:
        return _READERS[kind](text, name)
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text):
        return _number(text, name)
    # A text as it is; in double quotes, with JSON's escapes.
    if not (len(text) > 1 and text[0] == text[-1] == '"'):
        return {"S": text}
    try:
        return {"S": json.loads(text)}
    except json.JSONDecodeError as error:
        raise UsageError(messages.BAD_VALUE(name=name, cause=foreign(error.msg))) from None


def _number(text: str, name: str) -> AttributeValue:
    try:
        return {"N": canonical(text)}
    except ValidationException as fault:
        raise UsageError(
            messages.BAD_NUMBER(name=name, value=repr(text), cause=foreign(fault.message))
        ) from None


def _bytes(text: str, name: str) -> AttributeValue:
    try:
        return {"B": b64decode(text, validate=True)}
    except (binascii.Error, ValueError):
        raise UsageError(messages.NEEDS_BASE64(name=name)) from None


def _bool(text: str, name: str) -> AttributeValue:
    if text not in {"true", "false"}:
        raise UsageError(messages.NOT_A_BOOLEAN(name=name, value=repr(text)))
    return _WORDS[text]


_READERS: Final[dict[str, Callable[[str, str], AttributeValue]]] = {
    "S": lambda text, _name: {"S": text},
    "N": _number,
    "B": _bytes,
    "BOOL": _bool,
}
