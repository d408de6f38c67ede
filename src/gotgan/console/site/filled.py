"""A form: what stands in its fields, and what it was begun from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from annotated_types import MaxLen
from pydantic import BaseModel

from gotgan.console.gate import Form
from gotgan.console.viewer import known_zone
from gotgan.domains.site.additional import writable
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.service import Site
from gotgan.generics import plain_type
from gotgan.plain_json import pretty
from gotgan.verbs import verbs_of

__all__ = ["Fields", "Filled", "marked"]

_MINUTE: Final = "%Y-%m-%dT%H:%M"
"""A moment as browsers send it from a field for one; it knows no zone."""
_VERSION: Final = re.compile(r"[0-9]{1,18}")
_MARK: Final = "was-"
_MARK_LENGTH: Final = 16
_CONFLICT: Final = 409
_UNPROCESSABLE: Final = 422


@dataclass(frozen=True)
class Fields:
    """The fields of a form, as a verb of the site takes them."""

    whole: type[BaseModel]
    """What checks all of them."""
    some: type[BaseModel] | None = None
    """What checks those that were changed; None for a new record."""

    @classmethod
    @cache
    def of(cls, verb: str) -> Fields:
        """The fields of a verb such as ``banners.create``."""
        return cls(verbs_of(Site)[verb].form)

    @classmethod
    @cache
    def to_change(cls, resource: str) -> Fields:
        """The fields of a record that is there already."""
        verbs = verbs_of(Site)
        return cls(verbs[f"{resource}.replace"].form, verbs[f"{resource}.update"].form)


@dataclass(frozen=True)
class Filled:
    """What a form shows, and what came back in it.

    Marks tell which fields somebody touched: each is
    a piece of the hash of what stood in a field when the form was begun.
    """

    fields: Fields
    texts: Mapping[str, str] = field(default_factory=dict)
    version: int | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    zone: str = "UTC"
    """The name of the zone that its moments are in; a form carries that of its reader."""
    errors: Mapping[str, str] = field(default_factory=dict)
    refusal: str | None = None
    """Why nothing was written, where no field is to blame."""
    is_returned: bool = False
    """Whether somebody sent it, so that it holds what is saved nowhere."""

    @classmethod
    def of(cls, fields: Fields, record: SiteEntity | None, zone: str) -> Filled:
        """The form of a record; an empty one where there is none yet."""
        texts = {name: _text(name, getattr(record, name, None), zone) for name in _names(fields)}
        version = None if record is None else record.version
        return cls(fields, texts, version, {name: marked(texts[name]) for name in texts}, zone)

    @classmethod
    def sent(cls, fields: Fields, form: Form) -> Filled:
        """The form as somebody sent it."""
        version, zone = form.text("version"), form.text("zone")
        return cls(
            fields,
            {name: form.text(name) for name in _names(fields)},
            int(version) if _VERSION.fullmatch(version) else None,
            {name: form.text(f"{_MARK}{name}") for name in _names(fields)},
            known_zone(zone) or "UTC",
            is_returned=True,
        )

    @property
    def status(self) -> int:
        """The status of a page that shows it."""
        if self.refusal:
            return _CONFLICT
        return _UNPROCESSABLE if self.errors else 200

    @property
    def place(self) -> ZoneInfo:
        """The zone that its moments are in."""
        return ZoneInfo(self.zone)

    @property
    def unseen(self) -> Iterator[tuple[str, str]]:
        """The fields that go along without being shown."""
        yield "version", "" if self.version is None else str(self.version)
        yield "zone", self.zone
        yield from ((f"{_MARK}{name}", mark) for name, mark in self.marks.items())

    def text(self, name: str) -> str:
        """What stands in a field."""
        return self.texts.get(name, "")

    def error(self, name: str) -> str | None:
        """What is wrong with a field."""
        return self.errors.get(name)

    def needs(self, name: str) -> bool:
        """Whether a field must not be empty."""
        return self.fields.whole.model_fields[name].is_required()

    def limit(self, name: str) -> int | None:
        """How many characters a field takes."""
        return _longest(self.fields.whole.model_fields[name])


def marked(text: str) -> str:
    """What tells whether a field was touched; it is no secret and guards nothing."""
    return hashlib.sha256(text.encode()).hexdigest()[:_MARK_LENGTH]


def _names(fields: Fields) -> list[str]:
    return list(fields.whole.model_fields)


def _text(name: str, value: Any, zone: str) -> str:
    if value is None:
        return ""
    if name == "more":
        return "\n".join(f"{each}: {words}" for each, words in writable(value).items())
    if isinstance(value, datetime):
        return value.astimezone(ZoneInfo(zone)).strftime(_MINUTE)
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    if isinstance(value, bool | dict):
        return pretty(value)
    return str(value).replace("\r\n", "\n")


def _longest(info: Any) -> int | None:
    """The bound of a field; of one that may be empty it stands a step deeper."""
    if plain_type(info.annotation)[1]:  # a list has its own bound
        return None
    inner = [each for part in getattr(info.annotation, "__args__", ()) for each in _metadata(part)]
    bounds = [each.max_length for each in [*info.metadata, *inner] if isinstance(each, MaxLen)]
    return min(bounds, default=None)


def _metadata(part: Any) -> list[Any]:
    told = getattr(part, "__metadata__", ())
    return [each for info in told for each in getattr(info, "metadata", [info])]
