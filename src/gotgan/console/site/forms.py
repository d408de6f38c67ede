"""A form of a record: its texts, its errors, and its values by the rules of the API."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from http import HTTPStatus
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
from annotated_types import MaxLen
from pydantic import BaseModel, ValidationError

from gotgan.console.hints import message_with_links
from gotgan.console.runs import first_key
from gotgan.console.session import Form, Viewer, known_zone
from gotgan.domains.site.content import Contents, detect_format
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.params import writable_attributes
from gotgan.domains.site.service import Site
from gotgan.errors import Conflict, Forbidden, GotganError, IdTaken, NotFound, OwnAccount, SlugTaken
from gotgan.generics import plain_type
from gotgan.plain_json import to_pretty_json
from gotgan.store import camel_case
from gotgan.verbs import verbs_of

_MINUTE_FORMAT: Final = "%Y-%m-%dT%H:%M"
"""A moment as browsers send it, without a zone."""
_VERSION: Final = re.compile(r"[0-9]{1,18}")
_MARK_PREFIX: Final = "was-"


@dataclass(frozen=True)
class FormFields:
    """The fields of a form, as a verb of the site takes them."""

    whole: type[BaseModel]
    """Validates all of them."""
    some: type[BaseModel] | None = None
    """Validates those that were changed; None for a new record."""

    @classmethod
    @cache
    def of(cls, verb: str) -> FormFields:
        """The fields of a verb such as ``banners.create``."""
        return cls(verbs_of(Site)[verb].form)

    @classmethod
    @cache
    def to_change(cls, resource: str) -> FormFields:
        """The fields of an existing record."""
        verbs = verbs_of(Site)
        return cls(verbs[f"{resource}.replace"].form, verbs[f"{resource}.update"].form)


@dataclass(frozen=True)
class RecordForm:
    """A form as it is shown, or as it was sent.

    Marks tell which fields were touched: each is a part of the hash of the original text.
    """

    fields: FormFields
    texts: Mapping[str, str] = field(default_factory=dict)
    version: int | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    zone: str = "UTC"
    """The zone of its times: a form carries that of its reader."""
    errors: Mapping[str, str] = field(default_factory=dict)
    refusal: str | None = None
    """Why nothing was written, if no single field is the reason."""
    is_returned: bool = False
    """Whether it was sent, so that it holds texts that are not saved."""

    @classmethod
    def of(cls, fields: FormFields, record: SiteEntity | None, zone: str) -> RecordForm:
        """The form of a record, or of a new one."""
        names = fields.whole.model_fields
        texts = {name: _field_text(name, getattr(record, name, None), zone) for name in names}
        version = None if record is None else record.version
        return cls(fields, texts, version, {name: field_mark(texts[name]) for name in texts}, zone)

    @classmethod
    def sent(cls, fields: FormFields, form: Form) -> RecordForm:
        """The form as it was sent."""
        version, names = form.text("version"), fields.whole.model_fields
        return cls(
            fields,
            {name: form.text(name) for name in names},
            int(version) if _VERSION.fullmatch(version) else None,
            {name: form.text(f"{_MARK_PREFIX}{name}") for name in names},
            known_zone(form.text("zone")) or "UTC",
            is_returned=True,
        )

    @property
    def status(self) -> int:
        """The HTTP status of a page with it."""
        if self.refusal:
            return HTTPStatus.CONFLICT
        return HTTPStatus.UNPROCESSABLE_ENTITY if self.errors else HTTPStatus.OK

    @property
    def unseen(self) -> Iterator[tuple[str, str]]:
        """The hidden fields."""
        yield "version", "" if self.version is None else str(self.version)
        yield "zone", self.zone
        yield from ((f"{_MARK_PREFIX}{name}", mark) for name, mark in self.marks.items())

    def text(self, name: str) -> str:
        """The text of a field."""
        return self.texts.get(name, "")

    def error(self, name: str) -> str | None:
        """The error of a field."""
        return self.errors.get(name)

    def needs(self, name: str) -> bool:
        """Whether a field must not be empty."""
        return self.fields.whole.model_fields[name].is_required()

    def limit(self, name: str) -> int | None:
        """How many characters a field takes."""
        return _max_length(self.fields.whole.model_fields[name])


def field_mark(text: str) -> str:
    """The mark of a text, which shows whether a field was touched; it is not a secret."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _field_text(name: str, value: Any, zone: str) -> str:
    if value is None:
        return ""
    if name == "more":
        return "\n".join(f"{each}: {words}" for each, words in writable_attributes(value).items())
    if isinstance(value, datetime):
        return value.astimezone(ZoneInfo(zone)).strftime(_MINUTE_FORMAT)
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    if isinstance(value, bool | dict):
        return to_pretty_json(value)
    return str(value).replace("\r\n", "\n")


def _max_length(info: Any) -> int | None:
    """The bound of a text; that of an optional field is in the arguments of its type."""
    if plain_type(info.annotation)[1]:  # a list has its own bound
        return None
    parts = getattr(info.annotation, "__args__", ())
    inner = [each for part in parts for each in getattr(part, "__metadata__", ())]
    marks = [mark for each in inner for mark in getattr(each, "metadata", [each])]
    bounds = [each.max_length for each in [*info.metadata, *marks] if isinstance(each, MaxLen)]
    return min(bounds, default=None)


# Validation

Translate = Callable[..., str]
"""Looks a text up in the viewer's language."""

_ERROR_KEYS: Final[Mapping[str, str]] = {
    "greater_than_equal": "number",
    "int_from_float": "number",
    "int_parsing": "number",
    "less_than_equal": "number",
    "string_pattern_mismatch": "pattern",
    "string_too_long": "too_long",
    "string_too_short": "missing",
    "string_type": "missing",
}
"""The words of the catalogue for errors of pydantic, where they differ."""
_BLAMED_FIELDS: Final[tuple[tuple[type[GotganError], str], ...]] = (
    (SlugTaken, "slug"),
    (IdTaken, "id"),
    (OwnAccount, "role"),
    (Forbidden, "role"),
    (Forbidden, "author_id"),
    (NotFound, "category_id"),
)
"""The field that a refusal is about."""
REFUSALS: Final = (Conflict, Forbidden, NotFound)
"""Errors that are shown in the form."""


class InvalidForm(Exception):
    """A form that cannot be saved, with its errors."""

    def __init__(self, filled: RecordForm) -> None:
        super().__init__("a form was filled in wrongly")
        self.filled = filled


class UnreadableField(Exception):
    """The text of a field cannot be parsed."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self._key, self._values = key, values

    def sentence(self, t: Translate) -> str:
        """The error of the field."""
        return t(f"site.wrong.{self._key}", **self._values)


def validated_values(
    filled: RecordForm, before: RecordForm | None, now: datetime, t: Translate
) -> dict[str, Any]:
    """The values of a new record, or those that were changed in the form of an old one."""
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name, text in filled.texts.items():
        if text.strip() if before is None else text != before.text(name):
            try:
                values[camel_case(name)] = _parsed_value(filled, name, now)
            except UnreadableField as problem:
                errors[name] = problem.sentence(t)
    known = filled.fields.some if before and filled.fields.some else filled.fields.whole
    made = None
    try:
        made = known.model_validate(values, context={"zone": filled.zone})
    except ValidationError as failure:
        errors = {**_error_sentences(known, failure, t), **errors}
    if made is None or errors:
        raise InvalidForm(replace(filled, errors=errors))
    return {name: getattr(made, name) for name in made.model_fields_set}


def parse_contents(text: str, form: str) -> Contents:
    """The contents of a field: a TipTap document, or else the text."""
    if form != "tiptap" and (form or detect_format(text) != "tiptap"):
        return text
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UnreadableField("not_json", line=error.lineno, column=error.colno) from None
    if not isinstance(document, dict):
        raise UnreadableField("no_document")
    return document


def refused_form(filled: RecordForm, refusal: GotganError, who: Viewer) -> InvalidForm:
    """A valid form that was refused because of what is stored."""
    blamed, why = blamed_field(refusal, filled), message_with_links(who, refusal.message)
    return InvalidForm(replace(filled, **{"errors": {blamed: why}} if blamed else {"refusal": why}))


def blamed_field(refusal: GotganError, filled: RecordForm) -> str | None:
    """The field of a form that a refusal is about."""
    named = (name for kind, name in _BLAMED_FIELDS if isinstance(refusal, kind))
    return next((name for name in named if name in filled.texts), None)


def _parsed_value(filled: RecordForm, name: str, now: datetime) -> Any:
    text = filled.text(name)
    if not text.strip():
        return None
    if name == "contents":
        return parse_contents(text, filled.text("contents_format"))
    if name == "more":
        return _parsed_attributes(text)
    if plain_type(filled.fields.whole.model_fields[name].annotation)[1]:  # one on each line
        return [line.strip() for line in text.splitlines() if line.strip()]
    return _epoch_seconds(text, filled, now) if name == "expires_at" else text


def _parsed_attributes(text: str) -> dict[str, str]:
    """Additional attributes, with a line for each, such as ``since: 1999``."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip():
            continue
        if not colon or not name or not value:
            raise UnreadableField("attribute_line", line=number)
        if name in found:
            raise UnreadableField("attribute_twice", name=name)
        found[name] = value
    return found


def _epoch_seconds(text: str, filled: RecordForm, now: datetime) -> int:
    """A time in the form's zone; a past one would delete the record at once."""
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(filled.zone))
        seconds = int(moment.timestamp())
    except (ValueError, OverflowError):
        raise UnreadableField("moment") from None
    if moment <= now:
        raise UnreadableField("past")
    return seconds


def _error_sentences(
    body: type[BaseModel], failure: ValidationError, t: Translate
) -> dict[str, str]:
    """The first error of each field."""
    names = {camel_case(name): name for name in body.model_fields}
    found: dict[str, str] = {}
    for each in failure.errors():
        name = names.get(str(each["loc"][0]), "")
        found.setdefault(name, _error_sentence(each["type"], name, each.get("ctx", {}), t))
    return found


def _error_sentence(kind: str, name: str, values: Mapping[str, Any], t: Translate) -> str:
    is_attribute = kind == "string_too_long" and name == "more"
    word = "value_too_long" if is_attribute else _ERROR_KEYS.get(kind, kind)
    return t(
        first_key(f"site.wrong.{word}_{name}", f"site.wrong.{word}", "site.wrong.other"), **values
    )
