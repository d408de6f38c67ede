"""What an old row says, in the words of the new entities: pure functions, nothing is looked up.

What is missing or cannot be read is decided here, and every decision is noted. Only a row without a
usable id cannot be understood at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, get_args

import orjson

from gotgan.domains.site.contents import detect
from gotgan.domains.site.migration.moments import UNKNOWN, moment
from gotgan.domains.site.migration.rows import (
    CATEGORIES,
    CONTACT,
    CORP,
    DRAFTS,
    POSTS,
    Note,
    Old,
    RowKind,
)
from gotgan.domains.site.migration.rows import digest as digest_of
from gotgan.domains.site.models import Status
from gotgan.errors import MigrationError
from gotgan.store.attributes import AttributeValue, Item, decode
from gotgan.store.data.wire_json import written

__all__ = ["UNTITLED", "understood"]

UNTITLED: Final = "(untitled)"
_MISSING_IN_AN_INQUIRY: Final = {
    "name": "(unknown)",
    "email": "unknown@example.invalid",
    "subject": "(no subject)",
    "message": "(no message)",
}
_STATUSES: Final = frozenset(get_args(Status))


@dataclass
class _Reading:
    """A row that is being understood: what was found so far, and what was decided."""

    kind: RowKind
    item: Item
    old_id: str
    notes: list[Note] = field(default_factory=list)
    foreign: Item = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """The text of an attribute; None where there is none."""
        return _text(self.kind, name, self.item.get(name))

    def note(self, topic: str) -> None:
        self.notes.append(Note(topic, f"{self.kind.name} {self.old_id}"))

    def unreadable(self, name: str) -> None:
        """Keep what cannot be read beside what was put in its place."""
        if not _is_nothing(self.item.get(name)):
            self.foreign[f"legacy_{name}"] = self.item[name]

    def moments(self) -> tuple[datetime, datetime]:
        """When it was made and changed; each stands in for the other."""
        made, changed = (self._moment(name) for name in ("createdAt", "updatedAt"))
        if made is None:
            self.note("createdAt is missing: updatedAt stands in for it")
        if made is None and changed is None:
            self.note(f"no moment can be read: {UNKNOWN:%Y-%m-%dT%H:%M:%SZ} stands in for it")
        first = made or changed or UNKNOWN
        return first, changed or first

    def _moment(self, name: str) -> datetime | None:
        read = moment(self.item.get(name))
        if read is None:
            self.unreadable(name)
        return read


def understood(kind: RowKind, item: Item) -> Old:
    """What an old row says; ``MigrationError`` where it says nothing that could be kept."""
    reading = _Reading(kind, item, _old_id(kind, item))
    made_at, updated_at = reading.moments()
    fields: dict[str, Any] = {name: reading.text(old) for old, name in kind.texts.items()}
    fields |= {"created_at": made_at, "updated_at": updated_at}
    reading.foreign |= _foreign(kind, item)
    digest, size = digest_of(item)
    notes = reading.notes
    row = Old(
        kind, reading.old_id, fields, reading.foreign, made_at, digest, size, notes=tuple(notes)
    )
    finished = _FINISH[kind.name](reading, row)
    return finished if len(notes) == len(row.notes) else replace(finished, notes=tuple(notes))


def _old_id(kind: RowKind, item: Item) -> str:
    try:
        found = _text(kind, kind.key, item.get(kind.key))
    except MigrationError:
        found = None
    if not found:
        raise MigrationError(f"it has no {kind.key}, so nothing could find it again")
    return found


def _text(kind: RowKind, name: str, value: AttributeValue | None) -> str | None:
    if value is None or "NULL" in value:
        return None
    [(form, content)] = value.items()
    if form == "S":
        return str(content)
    if form in {"N", "BOOL"}:
        return str(content).lower()
    raise MigrationError(f"{name} of these {kind.name} is no text but of type {form}")


def _is_nothing(value: AttributeValue | None) -> bool:
    return value is None or "NULL" in value


def _foreign(kind: RowKind, item: Item) -> Item:
    """What has no home, under its own name unless that means something in the new table."""
    return {
        f"legacy_{name}" if name in kind.taken else name: value
        for name, value in item.items()
        if name not in kind.consumed
    }


def _post(reading: _Reading, row: Old) -> Old:
    raw = _contents(reading)
    contents = decode(raw)
    fields = {
        **row.fields,
        "title": _or(reading, row.fields, "title", UNTITLED),
        "contents": contents,
        "contents_format": detect(contents),
        "legacy_id": row.old_id,
    }
    author = row.fields["author"]
    return replace(
        row,
        kind=DRAFTS if _is_draft(reading) else POSTS,
        fields=fields,
        category=reading.text("category"),
        author=author or None,
        contents=raw,
    )


def _is_draft(reading: _Reading) -> bool:
    """Whether a post is not public yet; a status that says neither is kept."""
    raw = reading.item.get("status")
    status = str(raw["S"]).strip().lower() if raw and "S" in raw else ""
    if status == "draft":
        reading.note("status is 'draft': it is a draft here, which the public does not see")
    elif status != "published" and not _is_nothing(raw):
        reading.note("the status of a post is neither 'draft' nor 'published': it is public")
        reading.foreign["status"] = raw or {}
    return status == "draft"


def _contents(reading: _Reading) -> AttributeValue:
    """The contents as they are: a string or a map; what is neither is kept as JSON."""
    raw = reading.item.get("content")
    if raw is None or "NULL" in raw:
        reading.note("content is missing: it is empty now")
        return {"S": ""}
    if "S" in raw or "M" in raw:
        return raw
    reading.note("content is neither text nor a map: it is JSON text now")
    return {"S": orjson.dumps(_plain(written({"content": raw})["content"])).decode()}


def _plain(value: Any) -> Any:
    """JSON as somebody would have written it, without DynamoDB's types."""
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


def _or(reading: _Reading, fields: Mapping[str, Any], name: str, instead: str) -> str:
    found = fields[name]
    if found is None:
        reading.note(f"{name} is missing: {instead!r} stands in for it")
        return instead
    return str(found)


def _category(reading: _Reading, row: Old) -> Old:
    slug = reading.text("slug") or None
    title = row.fields["title"]
    if not title:
        reading.note("the name of a category is missing: its slug or id is its title")
        title = slug or row.old_id
    order = _order(reading)
    fields = {**row.fields, "id": row.old_id, "title": title, "slug": slug, "order": order}
    return replace(row, fields=fields)


def _order(reading: _Reading) -> int | None:
    text = reading.text("order")
    order = None if text is None else _whole(text)
    if text is not None and order is None:
        reading.note("order is no whole number: the category has none")
        reading.unreadable("order")
    return order


def _whole(text: str) -> int | None:
    try:
        number = Decimal(text)
        return int(number) if number == int(number) else None
    except (ArithmeticError, ValueError):
        return None


def _corp(_reading: _Reading, row: Old) -> Old:
    return row


def _inquiry(reading: _Reading, row: Old) -> Old:
    required = {
        name: _or(reading, row.fields, name, instead)
        for name, instead in _MISSING_IN_AN_INQUIRY.items()
    }
    fields = {**row.fields, **required, "id": row.old_id, "status": _status(reading)}
    return replace(row, fields=fields)


def _status(reading: _Reading) -> str:
    status = reading.text("status")
    if status in _STATUSES:
        return str(status)
    reading.note("the status of an inquiry is missing or unknown: it is 'new'")
    reading.unreadable("status")
    return "new"


_FINISH: Final = {
    POSTS.name: _post,
    CATEGORIES.name: _category,
    CORP.name: _corp,
    CONTACT.name: _inquiry,
}
