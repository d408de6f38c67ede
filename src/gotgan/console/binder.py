"""Forms of verbs: paths, fields and handlers, derived from the declarations of the verbs.

A section lays its pages out by hand, and binds its verbs with ``VerbForms``. A verb that it does
not mention gets a path, a form and a run card on the section's page of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final, cast

from fastapi import APIRouter, Depends
from markupsafe import Markup
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import NavPage, fragment_id, page, redirect, return_path
from gotgan.console.hints import message_with_links
from gotgan.console.runs import (
    RUN_ENDED_EVENT,
    RunCard,
    field_label,
    first_key,
    page_role,
    verb_title,
)
from gotgan.console.session import Form, SentForm, Viewer, app_of, local_path, signed_in
from gotgan.console.texts import catalogue, verb_key
from gotgan.errors import Conflict, GotganError, UsageError
from gotgan.validation import problems
from gotgan.verbs import CurrentUser, Parameter, Remote, Verb, start, verbs_of

_LIST_PARAMETERS: Final = frozenset({"limit", "cursor"})
_LIMITS: Final = {"maxlength": "maxLength", "min": "minimum", "max": "maximum"}
"""Attributes of an element, and their names in JSON Schema."""

Done = Callable[[Any], tuple[str | None, str]]
"""The page of a result, None for that of the form; and the notice that is shown there."""


@dataclass(frozen=True)
class VerbForm:
    """Where the form of a verb differs from the derived one."""

    path: str = ""
    """The path, such as ``/day/{day}/publish``; by default derived from the names."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The fields of parameters that have another name in the form or the path."""
    read: Callable[[Form], Mapping[str, Any]] | None = None
    """Reads arguments that have other fields."""
    fields: Collection[str] = ()
    """The fields that ``read`` takes."""
    done: Done | None = None
    refused: Callable[[Request, Form, str], Response] | None = None
    """The page of the form with its texts, and why it was refused; by default an error page."""
    refusals: tuple[type[GotganError], ...] = (UsageError,)
    """The errors that this page shows."""


# Arguments


def arguments(
    verb: Verb, texts: Mapping[str, str], zone: str, further: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The arguments of a verb, read from the texts of its fields."""
    sent: dict[str, Any] = {}
    for each in verb.parameters_of_front(over_http=True):
        text = texts.get(each.alias, "").strip()
        if text:
            lines = [line.strip() for line in text.splitlines()]
            sent[each.alias] = [line for line in lines if line] if each.is_many else text
    try:
        made = verb.http_model.model_validate({**sent, **(further or {})}, context={"zone": zone})
    except ValidationError as error:
        raise UsageError(problems(error.errors())) from None
    return verb.values(made)


def verb_path(verb: Verb) -> str:
    """The address of the form or the page of a verb."""
    return "/" + "/".join(filter(None, (verb.domain, verb.place, verb.command)))


def _names(verb: Verb, form: VerbForm) -> dict[str, str]:
    """The fields of a form by parameter."""
    offered = verb.parameters_of_front(over_http=True)
    own = {each: each.name if f"{{{each.name}}}" in form.path else each.alias for each in offered}
    return {each.alias: form.names.get(each.name, name) for each, name in own.items()}


# Routes


def add_form(router: APIRouter, verb: Verb, form: VerbForm) -> None:
    """Add the route that the form of a verb is sent to."""

    def send(request: Request, sent: SentForm) -> Response:
        app, path = app_of(request), request.path_params
        try:
            named = _names(verb, form).items()
            texts = {alias: path.get(name, sent.text(name)) for alias, name in named}
            further = form.read(sent) if form.read else None
            values = arguments(verb, texts, app.settings.zone, further)
            for each in verb.parameters:
                if each.mark(CurrentUser) is not None:
                    values[each.name] = Viewer.of(request).caller
            where, notice = _call(request, verb, form, values)
        except form.refusals as error:
            if form.refused is None:
                raise
            return form.refused(
                request, sent, message_with_links(Viewer.of(request), error.message)
            )
        return redirect(
            where or local_path(sent.text("back") or return_path(request)), notice=notice
        )

    router.add_api_route(
        form.path or verb_path(verb),
        send,
        methods=["POST"],
        dependencies=[Depends(signed_in(page_role(verb)))],
        name=verb.id,
    )


def _call(
    request: Request, verb: Verb, form: VerbForm, values: Mapping[str, Any]
) -> tuple[str | None, str]:
    """Call a verb, or start its run; where to go then, and what to say there."""
    app = app_of(request)
    if verb.mark.kind != "run":
        result = verb.of(app)(**values)
        return form.done(result) if form.done else (None, "frame.verb.done")
    try:
        start(app.runs, verb.of(app), **values)
    except Conflict:
        return None, first_key(f"{verb.domain}.started.busy", "frame.verb.busy")
    return None, first_key(f"{verb.domain}.started.{verb.name}", "frame.verb.started")


# Fields


def value_schemas(model: type[BaseModel]) -> dict[str, list[Mapping[str, Any]]]:
    """The JSON Schemas of the values that each field takes, without null."""
    document = model.model_json_schema()
    known = document.get("$defs", {})

    def parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        if "$ref" in schema:
            schema = known[schema["$ref"].rpartition("/")[2]]
        if "anyOf" in schema:
            for part in schema["anyOf"]:
                yield from parts(part)
        elif schema.get("type") != "null":
            yield schema

    fields = document.get("properties", {})
    return {name: [{**each, **part} for part in parts(each)] for name, each in fields.items()}


@dataclass(frozen=True)
class FilledForm:
    """The form of a verb with its texts."""

    verb: Verb
    texts: Mapping[str, str]
    card: RunCard | None = None
    error: str | None = None

    @property
    def action(self) -> str:
        """The path that it is sent to."""
        return verb_path(self.verb)

    @property
    def id(self) -> str:
        """The id of the form, and the first part of those of its fields."""
        return verb_key(self.verb)

    def title(self, who: Viewer) -> str:
        """Its heading."""
        return verb_title(self.verb, who)

    def line(self, who: Viewer) -> Markup | str:
        """What the verb does."""
        key = f"{self.verb.domain}.does.{verb_key(self.verb)}"
        return who.t(key) if key in catalogue() else who.help(self.verb.summary)

    @cached_property
    def parameters(self) -> Sequence[Parameter]:
        """The parameters that have fields: not lists of objects, nor the page of a list."""
        hidden = _LIST_PARAMETERS if self.verb.mark.kind == "read" else ()
        offered = [
            each
            for each in self.verb.parameters_of_front(over_http=True)
            if each.name not in hidden
        ]
        return [each for each in offered if not each.is_body and each.mark(Remote) is None]

    @property
    def is_complete(self) -> bool:
        """Whether all required fields have a text."""
        return all(self.texts.get(each.alias) for each in self.parameters if each.is_required)

    def fields(self, who: Viewer) -> Iterator[dict[str, Any]]:
        """The values of each field in a template."""
        schemas = value_schemas(self.verb.http_model)
        for each in self.parameters:
            schema, hint = next(iter(schemas[each.alias]), {}), each.field.description or ""
            hint_key = f"{self.verb.domain}.hint.{each.name}"
            words, none = schema.get("enum"), [] if each.is_required else [("", "–")]
            yield {
                "name": each.alias,
                "label": field_label(who, self.verb.domain, each.name),
                "hint": who.t(hint_key) if hint_key in catalogue() else who.help(hint),
                "value": self.texts.get(each.alias, ""),
                "required": each.is_required,
                "type": "date" if schema.get("format") == "date" else schema.get("type"),
                "is_on": schema.get("default") is True,
                "options": [*none, *((word, word) for word in words)] if words else [],
                "limits": {name: schema[of] for name, of in _LIMITS.items() if of in schema},
            }


# Sections


@dataclass(frozen=True)
class VerbForms:
    """The verbs of a service in a section, and its page of runs."""

    service: type
    forms: Mapping[str, VerbForm] = field(default_factory=dict)
    """The verbs that have a form or a button on the pages of the section."""
    by_hand: Collection[str] = ()
    """The verbs whose handlers are written by hand. Those with a title have a card."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """Values for the templates of its reports."""
    has_resources: bool = False
    """Whether the verbs of resources have forms as well."""

    @property
    def domain(self) -> str:
        """The domain, and the first part of all paths."""
        return cast("str", cast("Any", self.service).domain)

    @cached_property
    def verbs(self) -> Mapping[str, Verb]:
        """The verbs that pages can offer; resources may have pages of their own."""
        found = verbs_of(self.service)
        kept = [name for name, each in found.items() if self.has_resources or not each.place]
        return {name: found[name] for name in kept if not found[name].mark.is_local}

    @cached_property
    def others(self) -> Sequence[Verb]:
        """The verbs that write or run, take no request body, and have no form in the section."""
        return [
            each
            for name, each in self.verbs.items()
            if name not in {*self.forms, *self.by_hand}
            and each.mark.kind != "read"
            and not any(part.is_body for part in each.parameters)
        ]

    @property
    def pages(self) -> tuple[NavPage, ...]:
        """The page of runs, if it is the only way to a form."""
        runs = NavPage("runs", f"/{self.domain}/runs", title="frame.run.title")
        return (runs,) if self.others else ()

    @cached_property
    def router(self) -> APIRouter:
        """The routes of all forms, and the page of runs."""
        made, viewer = APIRouter(), [Depends(signed_in("viewer"))]
        path, name = f"/{self.domain}/runs", f"{self.domain}.runs"
        if self._running or self.others:
            made.add_api_route(path, self.show, dependencies=viewer, name=name)
        for key, form in self.forms.items():
            add_form(made, self.verbs[key], form)
        for verb in self.others:
            add_form(made, verb, VerbForm(refused=partial(self._again, verb)))
        return made

    def show(self, request: Request) -> Response:
        """All runs, or the card of one for a page that watches it."""
        wanted = fragment_id(request)
        watched = next((card for card in self._cards(request) if card.id == wanted), None)
        if watched is None:
            return self._page(request, self.other_forms(request))
        answer = page(request, "run_card.html", card=watched, **self.context)
        if not watched.is_busy:
            answer.headers["HX-Trigger"] = RUN_ENDED_EVENT
        return answer

    def other_forms(self, request: Request) -> list[FilledForm]:
        """The forms of the other verbs, with their run cards."""
        who, cards = Viewer.of(request), {card.verb: card for card in self._cards(request)}
        allowed = [each for each in self.others if who.may(page_role(each))]
        return [FilledForm(each, {}, cards.get(each)) for each in allowed]

    def _again(self, verb: Verb, request: Request, sent: Form, reason: str) -> Response:
        """The page of runs with a refused form."""
        refused, texts = self.other_forms(request), dict(sent.pairs)
        forms = [
            replace(each, texts=texts, error=reason) if each.verb == verb else each
            for each in refused
        ]
        return self._page(request, forms, status=422)

    def _page(self, request: Request, forms: Sequence[FilledForm], status: int = 200) -> Response:
        with_forms = {each.verb for each in forms}
        cards = [card for card in self._cards(request) if card.verb not in with_forms]
        names = {**self.context, "cards": cards, "forms": forms}
        return page(request, "runs_page.html", status=status, **names)

    @cached_property
    def _running(self) -> Mapping[str, VerbForm]:
        """The verbs that have a run card."""
        forms = {**self.forms, **{each.name: VerbForm() for each in self.others}}
        runs = {name: each for name, each in forms.items() if self.verbs[name].mark.kind == "run"}
        titled = [each for each in self.by_hand if f"{self.domain}.verb.{each}" in catalogue()]
        return {**runs, **dict.fromkeys(titled, VerbForm())}

    def _cards(self, request: Request) -> list[RunCard]:
        """The cards of all verbs that run; each keeps the fields of its button."""
        query = request.query_params
        back = local_path(query.get("back") or f"/{self.domain}")
        card = partial(RunCard.of, app_of(request), back=back, about=query.getlist("about"))
        cards: list[RunCard] = []
        for name, form in self._running.items():
            fields = {*form.fields, *_names(self.verbs[name], form).values()}
            kept = {each: query[each] for each in query if each in fields}
            cards.append(card(f"{self.domain}.{name}", **kept))
        return cards
