"""Key templates ``USER#{id}``: no part is empty, and none but the last holds its separator."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from string import Formatter
from typing import Any, Final

from gotgan.errors import BadKeyPart, DeclarationError
from gotgan.store import messages
from gotgan.store.attributes import KeyValue, plain_value

PARTITION_BYTES: Final = 2048
SORT_BYTES: Final = 1024
_HASH_PREFIX: Final = "sha256:"
_HASH_BYTES: Final = len(_HASH_PREFIX) + 64
_WIDTH: Final = re.compile(r"0([1-9]\d*)d")


@dataclass(frozen=True)
class Slot:
    """The place of a field in a template."""

    field: str
    width: int | None
    """Digits that a number is padded to."""
    stop: str
    """What must not be in the value: the separator behind it; empty at the end."""


@dataclass(frozen=True)
class KeyTemplate:
    """A key as literals and slots by turns; the literals are one more than the slots."""

    text: str
    literals: tuple[str, ...]
    slots: tuple[Slot, ...]
    limit: int
    """The bytes that a key may have."""
    hashes: bool = False
    """Whether a last part that passes the limit, or looks like a hash, is replaced by its hash."""

    @classmethod
    def parse(cls, text: str, *, limit: int = SORT_BYTES, hashes: bool = False) -> KeyTemplate:
        """Read a template."""
        literals, named = _pieces(text)
        slots = [
            _slot(text, name, spec, literals[number + 1], last=number == len(named) - 1)
            for number, (name, spec) in enumerate(named)
        ]
        return cls(text, tuple(literals), tuple(slots), limit, hashes)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields that the key is made of."""
        return tuple(slot.field for slot in self.slots)

    @property
    def start(self) -> str:
        """What every key begins with."""
        return self.literals[0]

    @cached_property
    def is_one_field(self) -> bool:
        """Whether the key is a field and nothing else, and so keeps its type."""
        return self.literals == ("", "") and self.slots[0].width is None

    @cached_property
    def behind(self) -> KeyTemplate:
        """The template that is left behind the first slot."""
        return replace(self, literals=self.literals[1:], slots=self.slots[1:])

    def render(self, values: Mapping[str, Any]) -> KeyValue | None:
        """The key; None where a value that it needs is None."""
        parts = [values[slot.field] for slot in self.slots]
        if None in parts:
            return None
        if self.is_one_field:
            return self._whole(parts[0])
        texts = list(map(part_text, self.slots, parts))
        return self._fit(self._joined(texts), texts)

    def prefix(self, values: Mapping[str, Any]) -> str:
        """What all keys with these values begin with; values from the left, none left out."""
        made = self.literals[0]
        for slot, literal in zip(self.slots, self.literals[1:], strict=True):
            if slot.field not in values:
                break
            made += part_text(slot, values[slot.field]) + literal
        return made

    def read(self, key: Any) -> dict[str, str] | None:
        """The parts that a key was made of; None where it was not made by this template."""
        match = self._pattern.fullmatch(key) if isinstance(key, str) else None
        return None if match is None else match.groupdict()

    def is_hashed(self, part: str) -> bool:
        """Whether a last part that was read back is a hash, and not what was put in."""
        return self.hashes and part.startswith(_HASH_PREFIX)

    def matcher(self) -> Callable[[Any], bool]:
        """Says of a key whether it can have been made by this template."""
        if not self.slots:
            return lambda key: bool(key == self.text)
        if len(self.slots) > 1 or self.slots[0].stop:
            return lambda key: self.read(key) is not None
        start = self.literals[0]  # which anything can follow: there is no separator to look for
        return lambda key: isinstance(key, str) and key.startswith(start) and key != start

    def longest(self, widths: Mapping[str, int | None]) -> int | None:
        """The bytes that a key can have; None where nothing bounds them."""
        total = sum(len(literal.encode()) for literal in self.literals)
        for slot in self.slots:
            width = self._width(slot, widths)
            if width is None:
                return None
            total += width
        return total

    def unbounded(self, widths: Mapping[str, int | None]) -> list[str]:
        """The fields whose bytes nothing bounds."""
        return [slot.field for slot in self.slots if self._width(slot, widths) is None]

    def _width(self, slot: Slot, widths: Mapping[str, int | None]) -> int | None:
        is_replaced = self.hashes and slot is self.slots[-1]
        return _HASH_BYTES if is_replaced else slot.width or widths[slot.field]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        pieces = [re.escape(self.literals[0])]
        for slot, literal in zip(self.slots, self.literals[1:], strict=True):
            inner = f"[^{re.escape(slot.stop)}]+" if slot.stop else ".+"
            pieces.append(f"(?P<{slot.field}>{inner}){re.escape(literal)}")
        return re.compile("".join(pieces), re.DOTALL)

    def _joined(self, texts: list[str]) -> str:
        if len(texts) == 1:
            return f"{self.literals[0]}{texts[0]}{self.literals[1]}"
        pairs = zip(texts, self.literals[1:], strict=True)
        return self.literals[0] + "".join(text + literal for text, literal in pairs)

    def _whole(self, value: Any) -> KeyValue:
        key: KeyValue = plain_value(value)
        if isinstance(key, str):
            return self._fit(_checked_text(self.slots[0], key), [key])
        if key == b"":
            raise BadKeyPart(messages.EMPTY_KEY_PART(field=self.slots[0].field))
        if isinstance(key, bytes) and len(key) > self.limit:
            raise BadKeyPart(
                messages.KEY_PART_TOO_LONG(
                    field=self.slots[0].field,
                    count=len(key),
                    key=repr(self.text),
                    limit=self.limit,
                )
            )
        return key

    def _fit(self, key: str, texts: list[str]) -> str:
        is_short = len(key) * 4 <= self.limit or len(_utf8(key)) <= self.limit
        if is_short and not (self.hashes and texts and self.is_hashed(texts[-1])):
            return key
        if self.hashes:
            digest = hashlib.sha256(_utf8(texts[-1])).hexdigest()
            key = self._joined([*texts[:-1], f"{_HASH_PREFIX}{digest}"])
        if len(_utf8(key)) > self.limit:
            raise BadKeyPart(
                messages.KEY_TOO_LONG(
                    key=f"{key[:60]!r}…",
                    count=len(_utf8(key)),
                    limit=self.limit,
                    fields=self.fields,
                )
            )
        return key


def _pieces(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The literals of a template, and between them the names of its fields with what is said."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise DeclarationError(f"the key template {text!r} cannot be read: {error}") from None
    literals = [literal for literal, _, _, _ in parts]
    named = [
        (name, f"!{conversion}" if conversion else spec or "")
        for _, name, spec, conversion in parts
        if name is not None
    ]
    if not text:
        raise DeclarationError("a key template is empty; write one such as 'THING#{id}'")
    if any(brace in literal for literal in literals for brace in "{}"):
        raise DeclarationError(
            f"the key template {text!r} holds a brace that opens no field; leave it out"
        )
    if len({name for name, _ in named}) < len(named):
        raise DeclarationError(f"the key template {text!r} has a field twice; once is enough")
    return (literals if len(literals) > len(named) else [*literals, ""]), named


def _slot(text: str, name: str, spec: str, literal: str, *, last: bool) -> Slot:
    if not name.isidentifier():
        raise DeclarationError(
            f"{{{name}}} in the key template {text!r} is no field; write {{field}} or {{field:08d}}"
        )
    width = _WIDTH.fullmatch(spec)
    if spec and width is None:
        raise DeclarationError(
            f"{spec!r} in the key template {text!r} is no width; pad numbers as in {{{name}:08d}}"
        )
    if not last and not literal:
        raise DeclarationError(
            f"nothing separates {{{name}}} from what follows in the key template {text!r}; "
            "put a # between them"
        )
    return Slot(name, int(width[1]) if width else None, literal[:1])


def part_text(slot: Slot, value: Any) -> str:
    """A value as it stands in the key."""
    written = plain_value(value)
    if slot.width is None:
        return _checked_text(slot, written if isinstance(written, str) else str(written))
    if not isinstance(written, int) or written < 0 or len(str(written)) > slot.width:
        raise BadKeyPart(
            messages.BAD_KEY_NUMBER(field=slot.field, value=repr(written), digits=slot.width)
        )
    return f"{written:0{slot.width}d}"


def _checked_text(slot: Slot, text: str) -> str:
    if not text:
        raise BadKeyPart(messages.EMPTY_KEY_PART(field=slot.field))
    if slot.stop and slot.stop in text:
        raise BadKeyPart(
            messages.SEPARATOR_IN_KEY(field=slot.field, value=repr(text), separator=repr(slot.stop))
        )
    if not text.isascii():
        _utf8(text)
    return text


def _utf8(text: str) -> bytes:
    """The text's bytes, or a refusal; most texts in keys are plain."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise BadKeyPart(messages.NOT_UNICODE(value=repr(text))) from None
