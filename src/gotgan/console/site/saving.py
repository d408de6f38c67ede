"""How a form becomes a record, or comes back: with what is wrong, or beside another's change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.gate import Form
from gotgan.console.given import app_of
from gotgan.console.site.checking import REFUSALS, Misfilled, blames, checked, reason, refused
from gotgan.console.site.clashes import clashes, merged
from gotgan.console.site.filled import Fields, Filled
from gotgan.console.viewer import Viewer
from gotgan.domains.site.models import SiteEntity
from gotgan.errors import ConditionFailed, Conflict, NotFound

__all__ = ["FormChange", "change", "create", "removed"]


@dataclass(frozen=True)
class FormChange:
    """How a record of one kind is changed through its form."""

    fields: Fields
    read: Callable[[], SiteEntity | None]
    write: Callable[[dict[str, Any], int | None], object]
    """What is given the fields that were changed, and the version that they are for."""
    show: Callable[[Filled], Response]
    done: Callable[[], Response]
    gone: Callable[[Filled], Response] | None = None
    """The form of a new record, for what was typed into that of one that was deleted meanwhile."""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """How the values of a field are called, for people."""


def create(
    request: Request,
    form: Form,
    fields: Fields,
    *,
    make: Callable[[dict[str, Any]], Response],
    show: Callable[[Filled], Response],
) -> Response:
    """Make a record of a form, or show the form again."""
    filled, t = Filled.sent(fields, form), Viewer.of(request).t
    if "show" in form:
        return show(filled)
    try:
        return make(checked(filled, None, app_of(request).clock.now(), t))
    except Misfilled as problem:
        return show(problem.filled)
    except REFUSALS as refusal:
        return show(refused(filled, refusal, t).filled)


def change(request: Request, form: Form, planned: FormChange) -> Response:
    """Write what a form changed; of a record that was deleted meanwhile nothing typed is lost."""
    filled = Filled.sent(planned.fields, form)
    try:
        return planned.show(filled) if "show" in form else _changed(request, filled, planned)
    except NotFound:
        if planned.gone is None:
            raise
        told = Viewer.of(request).t("site.gone")
        return planned.gone(replace(filled, version=None, marks={}, refusal=told))


def _changed(request: Request, filled: Filled, planned: FormChange) -> Response:
    """Write what a form changed; show it beside what somebody else wrote in the meantime."""
    theirs = Filled.of(planned.fields, planned.read(), filled.zone)
    if theirs.version != filled.version:
        return _clash(request, filled, theirs, planned)
    try:
        _write(request, filled, theirs, planned)
    except Misfilled as problem:
        return planned.show(problem.filled)
    except ConditionFailed:
        theirs = Filled.of(planned.fields, planned.read(), filled.zone)
        return _clash(request, filled, theirs, planned)
    return planned.done()


def removed(
    request: Request,
    form: Form,
    fields: Fields,
    record: SiteEntity,
    *,
    delete: Callable[[int | None], Response],
    show: Callable[[Filled], Response],
) -> Response:
    """Delete a record, or show its form as it is now, with the reason why it stays."""
    who = Viewer.of(request)
    current = Filled.of(fields, record, who.zone)
    try:
        return delete(Filled.sent(fields, form).version)
    except ConditionFailed:
        return show(replace(current, refusal=who.t("site.changed_meanwhile")))
    except Conflict as refusal:
        return show(replace(current, refusal=reason(refusal, who.t)))


def _write(request: Request, filled: Filled, before: Filled, planned: FormChange) -> None:
    t = Viewer.of(request).t
    is_first = before.version is None
    now = app_of(request).clock.now()
    fields = checked(filled, None if is_first else before, now, t)
    if not fields:
        return
    try:
        planned.write(fields, filled.version)
    except REFUSALS as refusal:
        if isinstance(refusal, NotFound) and not blames(refusal, filled):
            raise
        raise refused(filled, refusal, t) from None


def _clash(request: Request, mine: Filled, theirs: Filled, planned: FormChange) -> Response:
    found = clashes(mine, theirs, planned.words)
    return page(
        request,
        "site/clash.html",
        status=409,
        clashes=found,
        both=any(each.by == "both" for each in found),
        form=merged(mine, theirs),
        theirs=theirs,
    )
