"""What a form says, checked by the same rules that the API has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import orjson
from pydantic import BaseModel, ValidationError

from gotgan.console.site.filled import Filled
from gotgan.console.texts import catalogue
from gotgan.domains.site.contents import Contents, detect
from gotgan.errors import Conflict, Forbidden, GotganError, IdTaken, NotFound, OwnAccount, SlugTaken
from gotgan.generics import plain_type
from gotgan.store import camel_case

__all__ = [
    "REFUSALS",
    "Misfilled",
    "Unreadable",
    "blames",
    "checked",
    "contents_of",
    "reason",
    "refused",
]

Say = Callable[..., str]
"""A text of the catalogue in somebody's language."""

_CALLED: Final[Mapping[str, str]] = {
    "greater_than_equal": "number",
    "int_from_float": "number",
    "int_parsing": "number",
    "less_than_equal": "number",
    "string_pattern_mismatch": "pattern",
    "string_too_long": "too_long",
    "string_too_short": "missing",
    "string_type": "missing",
}
"""How the catalogue calls what pydantic complains about, where not as it does."""
_BLAMED: Final[tuple[tuple[type[GotganError], str], ...]] = (
    (SlugTaken, "slug"),
    (IdTaken, "id"),
    (OwnAccount, "role"),
    (Forbidden, "role"),
    (Forbidden, "author_id"),
    (NotFound, "category_id"),
)
"""The field that a refusal is about."""
REFUSALS: Final = (Conflict, Forbidden, NotFound)
"""What stands against a form, and is told on its page."""


class Misfilled(Exception):
    """A form says something that cannot be written."""

    def __init__(self, filled: Filled) -> None:
        super().__init__("a form was filled in wrongly")
        self.filled = filled


class Unreadable(Exception):
    """What stands in a field is not what the field is for."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self._key = key
        self._values = values

    def sentence(self, t: Say) -> str:
        """What to do about it."""
        return t(f"site.wrong.{self._key}", **self._values)


def checked(filled: Filled, before: Filled | None, now: datetime, t: Say) -> dict[str, Any]:
    """The values of a form; of the form of a record only those that were changed in it."""
    touched = _touched(filled, before)
    values, errors = _values(filled, touched, now, t)
    known = filled.fields.some if before and filled.fields.some else filled.fields.whole
    made = None
    try:
        made = known.model_validate(values, context={"zone": filled.zone})
    except ValidationError as failure:
        errors = {**_sentences(known, failure, t), **errors}
    if made is None or errors:
        raise Misfilled(replace(filled, errors=errors))
    return {name: getattr(made, name) for name in made.model_fields_set}


def contents_of(text: str, form: str) -> Contents:
    """What was typed as the contents: a document where it is one, or else the text."""
    if form != "tiptap" and (form or detect(text) != "tiptap"):
        return text
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise Unreadable("not_json", line=error.lineno, column=error.colno) from None
    if not isinstance(document, dict):
        raise Unreadable("no_document")
    return document


def refused(filled: Filled, refusal: GotganError, t: Say) -> Misfilled:
    """A form that was in order, and that what is there stands against."""
    blamed = blames(refusal, filled)
    if blamed:
        return Misfilled(replace(filled, errors={blamed: reason(refusal, t, blamed)}))
    return Misfilled(replace(filled, refusal=reason(refusal, t)))


def blames(refusal: GotganError, filled: Filled) -> str | None:
    """The field of a form that a refusal is about, if the form has it."""
    named = (name for kind, name in _BLAMED if isinstance(refusal, kind))
    return next((name for name in named if name in filled.texts), None)


def reason(refusal: GotganError, t: Say, field: str = "") -> str:
    """Why something was not done, in somebody's language where we know it in that."""
    known = f"site.refused.{refusal.code}"
    keys = [key for key in (f"{known}_{field}", known) if key in catalogue()]
    return t(keys[0]) if keys else refusal.message


def _touched(filled: Filled, before: Filled | None) -> list[str]:
    if before is None:
        return [name for name, text in filled.texts.items() if text.strip()]
    return [name for name, text in filled.texts.items() if text != before.text(name)]


def _values(
    filled: Filled, touched: list[str], now: datetime, t: Say
) -> tuple[dict[str, Any], dict[str, str]]:
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name in touched:
        try:
            values[camel_case(name)] = _value(filled, name, now)
        except Unreadable as problem:
            errors[name] = problem.sentence(t)
    return values, errors


def _value(filled: Filled, name: str, now: datetime) -> Any:
    text = filled.text(name)
    if not text.strip():
        return None
    if name == "contents":
        return contents_of(text, filled.text("contents_format"))
    if name == "more":
        return _attributes(text)
    if plain_type(filled.fields.whole.model_fields[name].annotation)[1]:  # one on each line
        return [line.strip() for line in text.splitlines() if line.strip()]
    return _seconds(text, filled, now) if name == "expires_at" else text


def _attributes(text: str) -> dict[str, str]:
    """The additional attributes of a text with a line for each, such as ``since: 1999``."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip():
            continue
        if not colon or not name or not value:
            raise Unreadable("attribute_line", line=number)
        if name in found:
            raise Unreadable("attribute_twice", name=name)
        found[name] = value
    return found


def _seconds(text: str, filled: Filled, now: datetime) -> int:
    """A moment of the form's zone; one that is past would make the record vanish at once."""
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=filled.place)
        seconds = int(moment.timestamp())
    except (ValueError, OverflowError):
        raise Unreadable("moment") from None
    if moment <= now:
        raise Unreadable("past")
    return seconds


def _sentences(body: type[BaseModel], failure: ValidationError, t: Say) -> dict[str, str]:
    names = {camel_case(name): name for name in body.model_fields}
    found: dict[str, str] = {}
    for each in failure.errors():
        name = names.get(str(each["loc"][0]), "")
        found.setdefault(name, _sentence(each["type"], name, each.get("ctx", {}), t))
    return found


def _sentence(kind: str, name: str, values: Mapping[str, Any], t: Say) -> str:
    called = _CALLED.get(kind, kind)
    if kind == "string_too_long" and name == "more":  # one of its values, not the whole
        called = "value_too_long"
    keys = [f"site.wrong.{called}_{name}", f"site.wrong.{called}", "site.wrong.other"]
    return t(next(key for key in keys if key in catalogue()), **values)
