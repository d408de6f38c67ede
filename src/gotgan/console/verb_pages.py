"""Pages of a domain without hand-written ones: its verbs as forms, their results as tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.errors import error_status
from gotgan.console.binder import FilledForm, VerbForms, arguments, verb_path
from gotgan.console.frame import NavPage, Section, page
from gotgan.console.lists import ExportLinks
from gotgan.console.runs import cell_text, field_label, page_role
from gotgan.console.session import Viewer, app_of, signed_in
from gotgan.console.texts import verb_key
from gotgan.domain import Domain
from gotgan.domains.site.models import Role
from gotgan.encoding import encode
from gotgan.errors import GotganError
from gotgan.verbs import Verb

_LIST_VERB: Final = "list"
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True)
class _Result:
    """What a verb returned: rows or facts, or an error."""

    columns: Sequence[str] = ()
    rows: Sequence[Mapping[str, str]] = ()
    numbers: Sequence[str] = ()
    """The columns of numbers."""
    facts: Mapping[str, str] | None = None
    error: GotganError | None = None
    cursor: str | None = None
    is_asked: bool = True


def verb_section(domain: Domain) -> tuple[Section, tuple[APIRouter, ...]]:
    """The section of a domain, with a page for each verb that reads, and its routes."""
    forms, router = VerbForms(domain.load(), has_resources=True), APIRouter()
    reading = [each for each in forms.verbs.values() if each.mark.kind == "read"]
    first = next((each for each in reading if each.name == _LIST_VERB and not each.place), None)
    others = [each for each in reading if each is not first]
    role: Role = "viewer" if first is None else page_role(first)
    pages = [NavPage(_LIST_VERB, f"/{domain.name}", role)]
    pages += [NavPage(verb_key(each), verb_path(each), page_role(each)) for each in others]
    for each, verb in zip(pages, [first, *others], strict=True):
        show = _result_page(domain, forms, verb, is_list=verb is first)
        may = [Depends(signed_in(each.needed or "viewer"))]
        router.add_api_route(each.path, show, dependencies=may)
    return Section(domain.name, tuple(pages)), (router, forms.router)


def _result_page(
    domain: Domain, forms: VerbForms, verb: Verb | None, *, is_list: bool
) -> Callable[..., Response]:
    """A page that asks for the arguments of a verb, and shows its result."""

    def show(request: Request) -> Response:
        form, result = (
            (None, _Result(is_asked=False)) if verb is None else _form_and_result(request, verb)
        )
        return page(
            request,
            "derived.html",
            status=error_status(result.error) if result.error else 200,
            domain=domain,
            form=form,
            result=result,
            is_list=is_list,
            is_further="cursor" in request.query_params,
            forms=forms.other_forms(request) if is_list else [],
            named=partial(field_label, Viewer.of(request), domain.name),
            elsewhere=_export_links(request, verb) if verb and result.is_asked else None,
        )

    return show


def _form_and_result(request: Request, verb: Verb) -> tuple[FilledForm, _Result]:
    """The form of a verb, and its result once all that it needs is given."""
    app, who, given = app_of(request), Viewer.of(request), dict(request.query_params)
    form = FilledForm(verb, given)
    if not form.is_complete:
        return form, _Result(is_asked=False)
    try:
        result = encode(verb.of(app)(**arguments(verb, given, app.settings.zone)))
    except GotganError as error:
        return form, _Result(error=error)
    items = result.get("items") if isinstance(result, dict) else result
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        facts = result if isinstance(result, dict) else {"": result}
        name = partial(field_label, who, verb.domain)
        texts = {name(key): cell_text(value, who) for key, value in facts.items()}
        return form, _Result(facts=texts)
    columns = tuple(items[0]) if items else ()
    rows = [{name: cell_text(each.get(name), who) for name in columns} for each in items]
    numbers = [name for name in columns if all(_NUMBER.fullmatch(row[name]) for row in rows)]
    cursor = result.get("cursor") if isinstance(result, dict) else None
    return form, _Result(columns, rows, numbers, cursor=cursor)


def _export_links(request: Request, verb: Verb) -> ExportLinks:
    """The same for programs: the address and the command, with the same arguments."""
    given: dict[str, Any] = dict(request.query_params)
    words = [each.alias for each in verb.parameters if each.is_positional and given.get(each.alias)]
    path = verb.path
    for name in words:
        path = path.replace(f"{{{name}}}", quote(given[name], safe=""))
    options = {
        each.alias: given.get(each.alias) for each in verb.parameters if each.alias not in words
    }
    command = filter(None, ["gotgan", verb.domain, verb.place, verb.command])
    line = " ".join([*command, *(given[name] for name in words)])
    return ExportLinks.of(f"/v1{path}", "", line, **options)
