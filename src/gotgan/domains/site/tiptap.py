"""Tiptap documents as HTML, which is well formed but not yet sanitised.

What has the wrong shape is left out; an unknown node gives its children, an unknown mark nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from typing import Any, Final, TypeAlias

_MAX_DEPTH: Final = 50
_ALIGNMENTS: Final = frozenset({"center", "justify", "left", "right"})
_MARKED_NODES: Final = frozenset({"hardBreak", "image", "text"})

_Node: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What is written before and after the children of a node, or around what is marked."""

    before: str = ""
    after: str = ""


_Step: TypeAlias = str | tuple[_Node, int]
"""Text to write, or a node with its depth."""

_TOO_DEEP: Final = _Frame(" ", " ")


def tiptap_to_html(document: Any) -> str:
    """The HTML of a document; below fifty levels only the text of it is left."""
    written: list[str] = []
    ahead: list[_Step] = _flow([document], 0)[::-1]
    while ahead:
        step = ahead.pop()
        if isinstance(step, str):
            written.append(step)
            continue
        node, depth = step
        kind = _kind(node)
        if kind == "text":
            written.append(escape(_text(node.get("text")) or ""))
            continue
        make = _FRAMES.get(kind, _always(_Frame()))
        frame = make(_attributes(node)) if depth <= _MAX_DEPTH else _TOO_DEEP
        steps = [frame.before, *_flow(node.get("content"), depth + 1), frame.after]
        ahead.extend(reversed(steps))
    return "".join(written)


def _flow(children: Any, depth: int) -> list[_Step]:
    """The children one after the other; neighbours with the same marks share their elements."""
    steps: list[_Step] = []
    around: list[_Frame] = []
    for child in _nodes(children):
        marks = _marks(child)
        # How many frames both begin with.
        pairs = enumerate(zip(around, marks, strict=False))
        shared = next((n for n, (a, b) in pairs if a != b), min(len(around), len(marks)))
        steps += [frame.after for frame in reversed(around[shared:])]
        steps += [frame.before for frame in marks[shared:]]
        steps.append((child, depth))
        around = marks
    return steps + [frame.after for frame in reversed(around)]


def _marks(node: _Node) -> list[_Frame]:
    """The elements around a node, each kind once, the outermost first."""
    if _kind(node) not in _MARKED_NODES:
        return []
    found = {_kind(mark): mark for mark in _nodes(node.get("marks")) if _kind(mark) in _MARKS}
    return [_MARKS[kind](_attributes(mark)) for kind, mark in found.items()]


def _element(tag: str, **attributes: str | int | None) -> _Frame:
    return _Frame(_opening(tag, attributes), f"</{tag}>")


def _void(tag: str, **attributes: str | int | None) -> _Frame:
    return _Frame(_opening(tag, attributes))


def _opening(tag: str, attributes: dict[str, str | int | None]) -> str:
    written = (
        f' {name.rstrip("_")}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{''.join(written)}>"


def _always(frame: _Frame) -> Callable[[_Node], _Frame]:
    return lambda _: frame


def _heading(attributes: _Node) -> _Frame:
    level = _whole(attributes.get("level"), 1, 6)
    return _element(f"h{level}" if level else "p", class_=_alignment(attributes))


def _ordered_list(attributes: _Node) -> _Frame:
    start = _whole(attributes.get("start"), 0, 999_999_999)
    return _element("ol", start=None if start == 1 else start)


def _task(attributes: _Node) -> _Frame:
    checked = "" if attributes.get("checked") is True else None
    box = _void("input", type="checkbox", disabled="", checked=checked)
    return _Frame(f"<li>{box.before} ", "</li>")


def _code_block(attributes: _Node) -> _Frame:
    language = _text(attributes.get("language"))
    code = _element("code", class_=f"language-{language}" if language else None)
    return _Frame(f"<pre>{code.before}", f"{code.after}</pre>")


def _cell(tag: str) -> Callable[[_Node], _Frame]:
    def make(attributes: _Node) -> _Frame:
        columns = _whole(attributes.get("colspan"), 2, 1000)
        rows = _whole(attributes.get("rowspan"), 2, 1000)
        return _element(tag, colspan=columns, rowspan=rows, class_=_alignment(attributes))

    return make


def _image(attributes: _Node) -> _Frame:
    source, alternative, title = (_text(attributes.get(name)) for name in ("src", "alt", "title"))
    if not source:
        return _Frame()
    width, height = (_whole(attributes.get(name), 1, 10_000) for name in ("width", "height"))
    return _void("img", src=source, alt=alternative or "", title=title, width=width, height=height)


def _link(attributes: _Node) -> _Frame:
    return _element("a", href=_text(attributes.get("href")), title=_text(attributes.get("title")))


_FRAMES: Final[dict[str, Callable[[_Node], _Frame]]] = {
    "blockquote": _always(_element("blockquote")),
    "bulletList": _always(_element("ul")),
    "codeBlock": _code_block,
    "hardBreak": _always(_void("br")),
    "heading": _heading,
    "horizontalRule": _always(_void("hr")),
    "image": _image,
    "listItem": _always(_element("li")),
    "orderedList": _ordered_list,
    "paragraph": lambda attributes: _element("p", class_=_alignment(attributes)),
    "table": _always(_Frame("<table><tbody>", "</tbody></table>")),
    "tableCell": _cell("td"),
    "tableHeader": _cell("th"),
    "tableRow": _always(_element("tr")),
    "taskItem": _task,
    "taskList": _always(_element("ul", class_="tasks")),
}

_MARKS: Final[dict[str, Callable[[_Node], _Frame]]] = {
    "bold": _always(_element("strong")),
    "code": _always(_element("code")),
    "highlight": _always(_element("mark")),
    "italic": _always(_element("em")),
    "link": _link,
    "strike": _always(_element("s")),
    "subscript": _always(_element("sub")),
    "superscript": _always(_element("sup")),
    "underline": _always(_element("u")),
}


def _nodes(value: Any) -> Iterable[_Node]:
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def _kind(node: _Node) -> str:
    return _text(node.get("type")) or ""


def _attributes(node: _Node) -> _Node:
    value = node.get("attrs")
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: Any, least: int, most: int) -> int | None:
    """A number in its bounds; from a stored item it may come as a decimal."""
    within = isinstance(value, int | float | Decimal) and least <= value <= most
    return int(value) if within else None


def _alignment(attributes: _Node) -> str | None:
    value = _text(attributes.get("textAlign")) or _text(attributes.get("align"))
    return f"align-{value}" if value in _ALIGNMENTS else None
