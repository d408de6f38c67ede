"""Pages of a domain that has none of its own: its verbs as forms, their results as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.binder import FilledForm, VerbForms, arguments
from gotgan.console.frame import page
from gotgan.console.gate import signed_in
from gotgan.console.given import app_of
from gotgan.console.runs import role_of
from gotgan.console.sections import NavPage, Section
from gotgan.domain import Domain
from gotgan.encoding import encode
from gotgan.errors import GotganError
from gotgan.verbs import Verb

__all__ = ["derived"]

_LIST: Final = "list"


@dataclass(frozen=True)
class _Result:
    """What a verb returned: rows or facts, or an error."""

    columns: Sequence[str] = ()
    rows: Sequence[Mapping[str, Any]] = ()
    facts: Mapping[str, Any] | None = None
    error: str | None = None
    cursor: str | None = None


def derived(domain: Domain) -> tuple[Section, tuple[APIRouter, ...]]:
    """The section of a domain, with a page for each verb that reads, and its routes."""
    forms, router = VerbForms(domain.load()), APIRouter()
    reading = [each for each in forms.verbs.values() if each.mark.kind == "read"]
    first = next((each for each in reading if each.name == _LIST), None)
    others = [each for each in reading if each is not first]
    pages = [NavPage(_LIST, f"/{domain.name}")]
    pages += [NavPage(each.name, f"/{domain.name}/{each.command}") for each in others]
    for each, shown in zip(pages, [first, *others], strict=True):
        role = "viewer" if shown is None else role_of(shown)
        show = _shown(domain, forms, shown)
        router.add_api_route(each.path, show, dependencies=[Depends(signed_in(role))])
    return Section(domain.name, tuple(pages)), (router, forms.router)


def _shown(domain: Domain, forms: VerbForms, verb: Verb | None) -> Callable[..., Response]:
    """A page that asks for the arguments of a verb, and shows its result."""

    def show(request: Request) -> Response:
        form, result = (None, _Result()) if verb is None else _read(request, verb)
        return page(
            request,
            "derived.html",
            status=422 if result.error else 200,
            domain=domain,
            form=form,
            result=result,
            forms=forms.derived(request),
            api=None if verb is None else f"/v1{verb.path}",
            cli=None if verb is None else f"gotgan {domain.name} {verb.command}",
        )

    return show


def _read(request: Request, verb: Verb) -> tuple[FilledForm, _Result]:
    """The form of a verb, and its result once all that it needs is given."""
    app, given = app_of(request), dict(request.query_params)
    form = FilledForm(verb, given)
    if not form.is_complete:
        return form, _Result()
    try:
        result = encode(verb.of(app)(**arguments(verb, given, app.settings.zone)))
    except GotganError as error:
        return form, _Result(error=error.message)
    items = result.get("items") if isinstance(result, dict) else result
    if isinstance(items, list) and all(isinstance(each, dict) for each in items):
        cursor = result.get("cursor") if isinstance(result, dict) else None
        return form, _Result(tuple(items[0]) if items else (), items, cursor=cursor)
    return form, _Result(facts=result if isinstance(result, dict) else {"": result})
