"""How a form becomes a record: created, changed, deleted, or compared with another change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from itertools import islice
from typing import Any, Final, Literal

from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.hints import message_with_links
from gotgan.console.session import Form, Viewer, app_of
from gotgan.console.site.forms import (
    REFUSALS,
    FormFields,
    InvalidForm,
    RecordForm,
    blamed_field,
    field_mark,
    refused_form,
    validated_values,
)
from gotgan.domains.site.models import SiteEntity
from gotgan.errors import ConditionFailed, Conflict, NotFound

ChangedBy = Literal["both", "mine", "theirs"]
_LINE_KINDS: Final = {"-": "old", "+": "new", " ": "same"}

_MAX_DIFF_LINES: Final = 4_000
"""Longer texts take too long to compare, and are shown as a whole."""

# Differences


@dataclass(frozen=True)
class DiffLine:
    """A line of a diff; a gap replaces equal lines."""

    kind: str
    """``old``, ``new``, ``same`` or ``gap``."""
    text: str = ""


@dataclass(frozen=True)
class FieldClash:
    """A field that differs, and who changed it."""

    name: str
    by: ChangedBy
    lines: tuple[DiffLine, ...]


def field_clashes(
    mine: RecordForm, theirs: RecordForm, words: Mapping[str, Mapping[str, str]] | None = None
) -> list[FieldClash]:
    """The fields that differ, with the diff from theirs to mine, or of their change alone.

    ``words`` has the names of values, by field.
    """
    found = []
    for name in mine.texts:
        old, new, by = theirs.text(name), mine.text(name), _changed_by(mine, theirs, name)
        if old == new:
            continue
        if by == "theirs":  # mine is the original: show their change
            old, new = new, old
        names = (words or {}).get(name, {})
        lines = diff_lines(names.get(old, old), names.get(new, new))
        found.append(FieldClash(name, by, tuple(lines)))
    return found


def merged_form(mine: RecordForm, theirs: RecordForm) -> RecordForm:
    """My changes on top of theirs, as a change of their version."""
    kept = {
        name: theirs.text(name) if _changed_by(mine, theirs, name) == "theirs" else mine.text(name)
        for name in mine.texts
    }
    return replace(mine, texts=kept, version=theirs.version, marks=theirs.marks)


def diff_lines(old: str, new: str) -> Iterator[DiffLine]:
    """The diff of two texts."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > _MAX_DIFF_LINES:
        yield from (DiffLine("old", text) for text in before)
        yield from (DiffLine("new", text) for text in after)
        return
    lines = unified_diff(before, after, n=3, lineterm="")
    for line in islice(lines, 3, None):  # without the names of files and the first gap
        yield DiffLine("gap") if line[0] == "@" else DiffLine(_LINE_KINDS[line[0]], line[1:])


def _changed_by(mine: RecordForm, theirs: RecordForm, name: str) -> ChangedBy:
    """Who changed a field since the form was opened; both, if it has no mark."""
    mark = mine.marks.get(name)
    if mark == field_mark(mine.text(name)):
        return "theirs"
    return "mine" if mark == field_mark(theirs.text(name)) else "both"


# Writes


@dataclass(frozen=True)
class FormChange:
    """The steps of a change through a form."""

    fields: FormFields
    read: Callable[[], SiteEntity | None]
    write: Callable[[dict[str, Any], int | None], object]
    """Takes the fields that were changed, and the version that they are for."""
    show: Callable[[RecordForm], Response]
    done: Callable[[], Response]
    gone: Callable[[RecordForm], Response] | None = None
    """The form of a new record, with the texts of one that was deleted since."""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The names of values, by field."""


def create_record(
    request: Request,
    form: Form,
    fields: FormFields,
    *,
    make: Callable[[dict[str, Any]], Response],
    show: Callable[[RecordForm], Response],
) -> Response:
    """Create a record, or show the form again."""
    filled, who = RecordForm.sent(fields, form), Viewer.of(request)
    if "show" in form:
        return show(filled)
    try:
        return make(validated_values(filled, None, app_of(request).clock.now(), who.t))
    except InvalidForm as problem:
        return show(problem.filled)
    except REFUSALS as refusal:
        return show(refused_form(filled, refusal, who).filled)


def change_record(request: Request, form: Form, planned: FormChange) -> Response:
    """Write the changes of a form; the texts for a record that was deleted are not lost."""
    filled = RecordForm.sent(planned.fields, form)
    try:
        return planned.show(filled) if "show" in form else _write_or_clash(request, filled, planned)
    except NotFound:
        if planned.gone is None:
            raise
        refusal = Viewer.of(request).t("site.gone")
        return planned.gone(replace(filled, version=None, marks={}, refusal=refusal))


def _write_or_clash(request: Request, filled: RecordForm, planned: FormChange) -> Response:
    """Write the changes of a form, or show them beside a newer version."""
    theirs = RecordForm.of(planned.fields, planned.read(), filled.zone)
    if theirs.version != filled.version:
        return _show_clash(request, filled, theirs, planned)
    try:
        _write_changes(request, filled, theirs, planned)
    except InvalidForm as problem:
        return planned.show(problem.filled)
    except ConditionFailed:
        theirs = RecordForm.of(planned.fields, planned.read(), filled.zone)
        return _show_clash(request, filled, theirs, planned)
    return planned.done()


def delete_record(
    request: Request,
    form: Form,
    fields: FormFields,
    record: SiteEntity,
    *,
    delete: Callable[[int | None], Response],
    show: Callable[[RecordForm], Response],
) -> Response:
    """Delete a record, or show its present form with the reason why it stays."""
    who = Viewer.of(request)
    current = RecordForm.of(fields, record, who.zone)
    try:
        return delete(RecordForm.sent(fields, form).version)
    except ConditionFailed:
        return show(replace(current, refusal=who.t("site.changed_meanwhile")))
    except Conflict as refusal:
        return show(replace(current, refusal=message_with_links(who, refusal.message)))


def _write_changes(
    request: Request, filled: RecordForm, before: RecordForm, planned: FormChange
) -> None:
    who, known = Viewer.of(request), None if before.version is None else before
    fields = validated_values(filled, known, app_of(request).clock.now(), who.t)
    if not fields:
        return
    try:
        planned.write(fields, filled.version)
    except REFUSALS as refusal:
        if isinstance(refusal, NotFound) and not blamed_field(refusal, filled):
            raise
        raise refused_form(filled, refusal, who) from None


def _show_clash(
    request: Request, mine: RecordForm, theirs: RecordForm, planned: FormChange
) -> Response:
    found = field_clashes(mine, theirs, planned.words)
    return page(
        request,
        "site/clash.html",
        status=409,
        clashes=found,
        both=any(each.by == "both" for each in found),
        form=merged_form(mine, theirs),
        theirs=theirs,
    )
