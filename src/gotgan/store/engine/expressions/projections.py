"""The grammar of projections, and the part of an item that several paths pick out."""

from __future__ import annotations

from collections.abc import Mapping

from gotgan.store.engine.expressions.operands import read_path
from gotgan.store.engine.expressions.paths import Branch, check_paths
from gotgan.store.engine.expressions.reader import ExpressionReader
from gotgan.store.engine.expressions.tree import Path
from gotgan.store.engine.values import AttributeValue, Item

__all__ = ["pick", "read_projection"]


def read_projection(reader: ExpressionReader) -> tuple[Path, ...]:
    """Read a whole projection, up to the end of the text."""
    noted = [_read_noted_path(reader)]
    while reader.accept(","):
        noted.append(_read_noted_path(reader))
    reader.finish()
    check_paths(reader, noted)
    return tuple(path for path, _ in noted)


def pick(branch: Branch, members: Mapping[str, AttributeValue]) -> Item:
    """Pick what stands at the paths out of a map, in the shape that leads there."""
    picked: Item = {}
    for name, below in branch.names.items():
        value = members.get(name)
        if value is not None and not isinstance(below, int):
            value = _pick_below(below, value)
        if value is not None:
            picked[name] = value
    return picked


def _pick_below(branch: Branch, value: AttributeValue) -> AttributeValue | None:
    if "M" in value:
        members = pick(branch, value["M"])
        return {"M": members} if members else None
    if "L" in value:
        elements = _pick_elements(branch, value["L"])
        return {"L": elements} if elements else None
    return None


def _pick_elements(branch: Branch, elements: list[AttributeValue]) -> list[AttributeValue]:
    picked: list[AttributeValue] = []
    for index, below in sorted(branch.indexes.items(), key=lambda entry: entry[0]):
        value = elements[index] if index < len(elements) else None
        if value is not None and not isinstance(below, int):
            value = _pick_below(below, value)
        if value is not None:
            picked.append(value)
    return picked


def _read_noted_path(reader: ExpressionReader) -> tuple[Path, list[str]]:
    start = len(reader.faults)
    path = read_path(reader)
    return path, reader.faults[start:]
