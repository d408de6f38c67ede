"""Templates as YAML: mappings, lists, texts, numbers, flags, and CloudFormation's short tags."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_PLAIN: Final = re.compile(r"[A-Za-z][\w./-]*(?:::?[\w./-]+)*(?:,? [\w./-]+)*", re.ASCII)
_WORDS: Final = frozenset({"false", "n", "no", "null", "off", "on", "true", "y", "yes"})
"""What YAML takes for something else than text."""
_UNPRINTABLE: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_TAGS: Final = {"Ref": "!Ref", "Fn::GetAtt": "!GetAtt", "Fn::Sub": "!Sub"}


def to_yaml(value: Mapping[str, Any]) -> str:
    """The YAML that reads back as the mapping, with ``!Ref``, ``!Sub`` and ``!GetAtt``."""
    return "\n".join(_block(value)) + "\n"


def _block(value: Any) -> Iterator[str]:
    """The lines of a mapping or a list that is not empty."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            line = _inline(inner)
            yield f"{_text(key)}:" if line is None else f"{_text(key)}: {line}"
            yield from (f"  {below}" for below in (_block(inner) if line is None else ()))
        return
    for inner in value:
        line = _inline(inner)
        first, *rest = _block(inner) if line is None else [line]
        yield f"- {first}"
        yield from (f"  {below}" for below in rest)


def _inline(value: Any) -> str | None:
    """What fits behind a colon or a dash; None for what needs separate lines."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool | int):
        return json.dumps(value)
    if not value:
        return "{}" if isinstance(value, Mapping) else "[]"
    return _tag_text(value) if isinstance(value, Mapping) else None


def _tag_text(value: Mapping[str, Any]) -> str | None:
    [name, *others] = value
    if others or name not in _TAGS:
        return None
    inner = value[name]
    text = inner if isinstance(inner, str) else ".".join(inner)
    return f"{_TAGS[name]} {_text(text)}"


def _text(text: str) -> str:
    """A text as it is where YAML reads it as that text, else in quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
