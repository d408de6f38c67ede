"""Pages of a domain that has none of its own: its verbs as forms, their results as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_origin

from fastapi import APIRouter, Depends, HTTPException
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import fragment_of, here, page, redirect
from gotgan.console.gate import local_path, signed_in
from gotgan.console.given import Sent, app_of
from gotgan.console.runs import RunCard, show_cards
from gotgan.console.sections import NavPage, Section
from gotgan.console.viewer import Viewer
from gotgan.domain import Domain
from gotgan.domains.site.roles import Role
from gotgan.encoding import encode
from gotgan.errors import GotganError
from gotgan.verbs import Parameter, Verb, start, verbs_of

__all__ = ["derived"]

_LIST: Final = "list"
_HIDDEN: Final = frozenset({"limit", "cursor"})


@dataclass(frozen=True)
class _Field:
    """A field of a form."""

    name: str
    label: str
    value: str
    options: tuple[tuple[str, str], ...]
    is_required: bool
    is_flag: bool


@dataclass(frozen=True)
class _Shown:
    """A verb on the page: its form, and its result where it was asked for."""

    verb: Verb
    fields: Sequence[_Field]
    columns: Sequence[str] = ()
    rows: Sequence[Mapping[str, Any]] = ()
    facts: Mapping[str, Any] | None = None
    error: str | None = None
    cursor: str | None = None


def derived(domain: Domain) -> tuple[Section, APIRouter]:
    """The section of a domain, with a page for each verb that reads, and its routes."""
    verbs = [each for each in verbs_of(domain.load()).values() if not each.mark.is_local]
    reading = [each for each in verbs if each.mark.kind == "read"]
    first = next((each for each in reading if each.name == _LIST), None)
    others = [each for each in reading if each is not first]
    pages = [NavPage(_LIST, f"/{domain.name}")]
    pages += [NavPage(each.name, f"/{domain.name}/{each.command}") for each in others]
    router = APIRouter()
    built = _Pages(domain, first, {each.command: each for each in verbs})
    viewer = [Depends(signed_in("viewer"))]
    router.add_api_route(f"/{domain.name}", built.show, dependencies=viewer)
    router.add_api_route(f"/{domain.name}/runs", built.cards, dependencies=viewer)
    for verb in others:
        may = [Depends(signed_in(_role(verb)))]
        router.add_api_route(
            f"/{domain.name}/{verb.command}", built.read(verb), dependencies=may, name=verb.id
        )
    for verb in verbs:
        if verb not in reading:
            may = [Depends(signed_in(_role(verb)))]
            router.add_api_route(
                f"/{domain.name}/{verb.command}",
                built.work(verb),
                methods=["POST"],
                dependencies=may,
                name=verb.id,
            )
    return Section(domain.name, tuple(pages)), router


@dataclass(frozen=True)
class _Pages:
    """The handlers of one domain."""

    domain: Domain
    first: Verb | None
    verbs: Mapping[str, Verb]

    def show(self, request: Request) -> Response:
        """The list, and what else can be done."""
        shown = None if self.first is None else _read(request, self.first, is_asked=True)
        return self._page(request, shown)

    def read(self, verb: Verb) -> Any:
        """A page that asks for the arguments of a verb, and shows its result."""

        def show(request: Request) -> Response:
            needed = [each.alias for each in verb.parameters if each.is_required]
            is_asked = all(request.query_params.get(name) for name in needed)
            return self._page(request, _read(request, verb, is_asked=is_asked))

        return show

    def work(self, verb: Verb) -> Any:
        """A form that was sent: run the verb, or write with it."""

        def work(request: Request, form: Sent) -> Response:
            app, back = app_of(request), local_path(form.text("back") or f"/{self.domain.name}")
            values = _values(verb, {each.alias: form.text(each.alias) for each in verb.parameters})
            if verb.mark.kind == "run":
                start(app.runs, verb.of(app), **values)
                return redirect(back, said="frame.verb.started")
            verb.of(app)(**values)
            return redirect(back, said="frame.verb.done")

        return work

    def cards(self, request: Request, back: str = "/") -> Response:
        """How runs stand, for a page that watches one."""
        cards = self._cards(request, local_path(back))
        watched = [card for card in cards if card.id == fragment_of(request)] or cards
        return show_cards(request, "derived_runs.html", watched, reports=_reports(cards))

    def _cards(self, request: Request, back: str) -> list[RunCard]:
        running = [each for each in self.verbs.values() if each.mark.kind == "run"]
        return [RunCard.of(app_of(request), each.id, back) for each in running]

    def _page(self, request: Request, shown: _Shown | None) -> Response:
        who = Viewer.of(request)
        forms = [
            _Shown(each, _fields(each, {}))
            for each in self.verbs.values()
            if each.mark.kind != "read" and who.may(_role(each))
        ]
        cards = {card.name: card for card in self._cards(request, here(request))}
        return page(
            request,
            "derived.html",
            status=422 if shown is not None and shown.error else 200,
            domain=self.domain,
            shown=shown,
            forms=forms,
            cards=cards,
            reports=_reports(cards.values()),
            api=None if shown is None else f"/v1{shown.verb.path}",
            cli=None if shown is None else f"gotgan {self.domain.name} {shown.verb.command}",
        )


def _role(verb: Verb) -> Role:
    return "viewer" if verb.role == "public" else verb.role


def _reports(cards: Iterable[RunCard]) -> dict[str, Mapping[str, Any]]:
    """What the last run of each verb returned."""
    ended = {card.name: card.run.report for card in cards if card.run and card.run.report}
    made = {name: encode(report) for name, report in ended.items()}
    return {name: each if isinstance(each, dict) else {"": each} for name, each in made.items()}


def _read(request: Request, verb: Verb, *, is_asked: bool) -> _Shown:
    given = dict(request.query_params)
    fields = _fields(verb, given)
    if not is_asked:
        return _Shown(verb, fields)
    try:
        result = encode(verb.of(app_of(request))(**_values(verb, given)))
    except GotganError as error:
        return _Shown(verb, fields, error=error.message)
    items = result.get("items") if isinstance(result, dict) else result
    if isinstance(items, list) and all(isinstance(each, dict) for each in items):
        columns = tuple(items[0]) if items else ()
        cursor = result.get("cursor") if isinstance(result, dict) else None
        return _Shown(verb, fields, columns, items, cursor=cursor)
    return _Shown(verb, fields, facts=result if isinstance(result, dict) else {"": result})


def _values(verb: Verb, given: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a verb; there is no page for what it does not take."""
    known = {each.alias for each in verb.offered(over_http=True)}
    sent = {name: text for name, text in given.items() if name in known and text}
    try:
        return verb.values(verb.http_model.model_validate(sent))
    except ValidationError as error:
        first = error.errors()[0]
        raise HTTPException(422, f"{first['loc'][0]}: {first['msg']}") from None


def _fields(verb: Verb, given: Mapping[str, str]) -> list[_Field]:
    offered = [each for each in verb.offered(over_http=True) if each.name not in _HIDDEN]
    return [_field(each, given.get(each.alias, "")) for each in offered if not each.is_body]


def _field(parameter: Parameter, value: str) -> _Field:
    kind = parameter.kind
    words = map(str, get_args(kind)) if get_origin(kind) is Literal else ()
    options = tuple((word, word) for word in words)
    return _Field(
        parameter.alias,
        parameter.field.description or parameter.name,
        value,
        (("", "–"), *options) if options else (),
        parameter.is_required,
        kind is bool,
    )
