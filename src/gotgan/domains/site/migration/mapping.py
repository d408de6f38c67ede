"""Maps old rows to fields of the new entities, with noted defaults for what cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, get_args

import orjson

from gotgan.domains.site.content import detect_format
from gotgan.domains.site.migration import messages, rows
from gotgan.domains.site.migration.rows import digest as digest_of
from gotgan.domains.site.models import Status
from gotgan.errors import MigrationError
from gotgan.messages import Message
from gotgan.store.attributes import AttributeValue, Item, decode
from gotgan.store.data.item_json import item_to_json

UNTITLED: Final = "(untitled)"
_INQUIRY_DEFAULTS: Final = {
    "name": "(unknown)",
    "email": "unknown@example.invalid",
    "subject": "(no subject)",
    "message": "(no message)",
}
_STATUSES: Final = frozenset(get_args(Status))
_MOMENTS: Final = ("createdAt", "updatedAt")


@dataclass
class _ParsedRow:
    """A row that is being understood: what was found so far, and what was decided."""

    kind: rows.RowKind
    item: Item
    old_id: str
    notes: list[rows.Note] = field(default_factory=list)
    foreign: Item = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """The text of an attribute, or None."""
        return _text(self.kind, name, self.item.get(name))

    def note(self, topic: Message) -> None:
        self.notes.append(rows.Note(topic, f"{self.kind.name} {self.old_id}"))

    def unreadable(self, name: str) -> None:
        """Keep what cannot be read beside what was put in its place."""
        if not _is_nothing(self.item.get(name)):
            self.foreign[f"legacy_{name}"] = self.item[name]

    def moments(self) -> tuple[datetime, datetime]:
        """The times of creation and change; each replaces the other if one is missing."""
        made, changed = (rows.parse_moment(self.item.get(name)) for name in _MOMENTS)
        for name, moment in zip(_MOMENTS, (made, changed), strict=True):
            if moment is None:
                self.unreadable(name)
        if made is None:
            self.note(messages.TIME_FROM_UPDATED())
        if made is None and changed is None:
            self.note(messages.NO_TIMES(moment=f"{rows.UNKNOWN_MOMENT:%Y-%m-%dT%H:%M:%SZ}"))
        first = made or changed or rows.UNKNOWN_MOMENT
        return first, changed or first


def parse_row(kind: rows.RowKind, item: Item, trouble: str = "") -> rows.OldRow:
    """What an old row says; ``MigrationError`` where it has no usable id, or had ``trouble``."""
    if trouble:
        raise MigrationError(trouble)
    reading = _ParsedRow(kind, item, _old_id(kind, item))
    made_at, updated_at = reading.moments()
    fields: dict[str, Any] = {name: reading.text(old) for old, name in kind.texts.items()}
    fields |= {"created_at": made_at, "updated_at": updated_at}
    # What has no home keeps its name, unless that means something in the new table.
    reading.foreign |= {
        f"legacy_{name}" if name in kind.reserved_names else name: value
        for name, value in item.items()
        if name not in kind.mapped_attributes
    }
    digest, size = digest_of(item)
    notes = reading.notes
    row = rows.OldRow(
        kind, reading.old_id, fields, reading.foreign, made_at, digest, size, notes=tuple(notes)
    )
    finished = _FINISH[kind.name](reading, row)
    return finished if len(notes) == len(row.notes) else replace(finished, notes=tuple(notes))


def _old_id(kind: rows.RowKind, item: Item) -> str:
    try:
        found = _text(kind, kind.key, item.get(kind.key))
    except MigrationError:
        found = None
    if not found:
        raise MigrationError(messages.ROW_WITHOUT_ID(key=kind.key))
    return found


def _text(kind: rows.RowKind, name: str, value: AttributeValue | None) -> str | None:
    if value is None or "NULL" in value:
        return None
    [(form, content)] = value.items()
    if form == "S":
        return str(content)
    if form in {"N", "BOOL"}:
        return str(content).lower()
    raise MigrationError(messages.ROW_NOT_TEXT(name=name, kind=kind.name, type=form))


def _is_nothing(value: AttributeValue | None) -> bool:
    return value is None or "NULL" in value


def _post(reading: _ParsedRow, row: rows.OldRow) -> rows.OldRow:
    raw = _contents(reading)
    contents = decode(raw)
    fields = {
        **row.fields,
        "title": _or_default(reading, row.fields, "title", UNTITLED),
        "contents": contents,
        "contents_format": detect_format(contents),
        "legacy_id": row.old_id,
    }
    author = row.fields["author"]
    return replace(
        row,
        kind=rows.DRAFTS if _is_draft(reading) else rows.POSTS,
        fields=fields,
        category=reading.text("category"),
        author=author or None,
        contents=raw,
    )


def _is_draft(reading: _ParsedRow) -> bool:
    """Whether a post is not public yet; a status that says neither is kept."""
    raw = reading.item.get("status")
    status = str(raw["S"]).strip().lower() if raw and "S" in raw else ""
    if status == "draft":
        reading.note(messages.IS_DRAFT())
    elif status != "published" and not _is_nothing(raw):
        reading.note(messages.STATUS_UNKNOWN())
        reading.foreign["status"] = raw or {}
    return status == "draft"


def _contents(reading: _ParsedRow) -> AttributeValue:
    """The contents as they are: a string or a map; what is neither is kept as JSON."""
    raw = reading.item.get("content")
    if raw is None or "NULL" in raw:
        reading.note(messages.CONTENT_MISSING())
        return {"S": ""}
    if "S" in raw or "M" in raw:
        return raw
    reading.note(messages.CONTENT_AS_JSON())
    return {"S": orjson.dumps(_plain(item_to_json({"content": raw})["content"])).decode()}


def _plain(value: Any) -> Any:
    """Plain JSON, without DynamoDB's types."""
    [(form, content)] = value.items()
    if form == "L":
        return [_plain(each) for each in content]
    if form == "M":
        return {name: _plain(each) for name, each in content.items()}
    if form in {"N", "NS"}:
        return [float(each) for each in content] if form == "NS" else _number(content)
    return None if form == "NULL" else content


def _number(text: str) -> int | float:
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else float(number)


def _or_default(reading: _ParsedRow, fields: Mapping[str, Any], name: str, instead: str) -> str:
    found = fields[name]
    if found is None:
        reading.note(messages.FIELD_MISSING(name=name, value=repr(instead)))
        return instead
    return str(found)


def _category(reading: _ParsedRow, row: rows.OldRow) -> rows.OldRow:
    slug = reading.text("slug") or None
    title = row.fields["title"]
    if not title:
        reading.note(messages.CATEGORY_UNNAMED())
        title = slug or row.old_id
    text = reading.text("order")
    order = None if text is None else _whole(text)
    if text is not None and order is None:
        reading.note(messages.ORDER_INVALID())
        reading.unreadable("order")
    fields = {**row.fields, "id": row.old_id, "title": title, "slug": slug, "order": order}
    return replace(row, fields=fields)


def _whole(text: str) -> int | None:
    try:
        number = Decimal(text)
        return int(number) if number == int(number) else None
    except (ArithmeticError, ValueError):
        return None


def _inquiry(reading: _ParsedRow, row: rows.OldRow) -> rows.OldRow:
    required = {
        name: _or_default(reading, row.fields, name, default)
        for name, default in _INQUIRY_DEFAULTS.items()
    }
    status = reading.text("status")
    if status not in _STATUSES:
        reading.note(messages.INQUIRY_STATUS())
        reading.unreadable("status")
        status = "new"
    return replace(row, fields={**row.fields, **required, "id": row.old_id, "status": status})


_FINISH: Final[Mapping[str, Callable[[_ParsedRow, rows.OldRow], rows.OldRow]]] = {
    rows.POSTS.name: _post,
    rows.CATEGORIES.name: _category,
    rows.CORP.name: lambda _reading, row: row,
    rows.CONTACT.name: _inquiry,
}
