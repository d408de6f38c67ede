"""Forms of verbs: addresses, fields and handlers, derived from what each verb declares.

A section lays its pages out by hand, and binds its verbs with ``VerbForms``. A verb that it does
not mention gets an address, a form and a run card on the section's page of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final, cast

from fastapi import APIRouter, Depends
from markupsafe import Markup
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import back_of, fragment_of, page, redirect
from gotgan.console.gate import Form, local_path, signed_in
from gotgan.console.given import Sent, app_of
from gotgan.console.runs import ENDED, RunCard, first_key, named, role_of, title_of
from gotgan.console.sections import NavPage
from gotgan.console.sentences import retold
from gotgan.console.texts import catalogue, key_of
from gotgan.console.viewer import Viewer
from gotgan.errors import Conflict, GotganError, UsageError
from gotgan.verbs import CurrentUser, Parameter, Remote, Verb, start, verbs_of

__all__ = ["FilledForm", "VerbForm", "VerbForms", "add_form", "arguments", "path_of"]

_OF_LISTS: Final = frozenset({"limit", "cursor"})
_NULL: Final = {"type": "null"}
_LIMITS: Final = {"maxlength": "maxLength", "min": "minimum", "max": "maximum"}
"""Attributes of an element, and what JSON Schema calls them."""

Done = Callable[[Any], tuple[str | None, str]]
"""Where a result leads to, None for the page of the form; and the text that is shown there."""


@dataclass(frozen=True)
class VerbForm:
    """What differs in the form of a verb from what is derived."""

    path: str = ""
    """Its address, such as ``/day/{day}/publish``; derived from the names without one."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The fields of parameters that are named otherwise, in the form or in the address."""
    read: Callable[[Form], Mapping[str, Any]] | None = None
    """Reads arguments that the form asks for in another way."""
    fields: Collection[str] = ()
    """The fields that ``read`` takes."""
    done: Done | None = None
    refused: Callable[[Request, Form, str], Response] | None = None
    """The page of the form with what was typed, and why it was refused; an error page without."""
    refusals: tuple[type[GotganError], ...] = (UsageError,)
    """The errors that this page shows."""


# Arguments


def arguments(
    verb: Verb, texts: Mapping[str, str], zone: str, further: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The arguments of a verb, read from the texts of its fields."""
    sent: dict[str, Any] = {}
    for each in verb.offered(over_http=True):
        text = texts.get(each.alias, "").strip()
        if text:
            lines = [line.strip() for line in text.splitlines()]
            sent[each.alias] = [line for line in lines if line] if each.is_many else text
    try:
        made = verb.http_model.model_validate({**sent, **(further or {})}, context={"zone": zone})
    except ValidationError as error:
        wrong = (f"{each['loc'][0]}: {each['msg']}" for each in error.errors())
        raise UsageError(f"{'; '.join(wrong)}.") from None
    return verb.values(made)


def path_of(verb: Verb) -> str:
    """The address of the form or the page of a verb."""
    return "/" + "/".join(filter(None, (verb.domain, verb.place, verb.command)))


def _names(verb: Verb, form: VerbForm) -> dict[str, str]:
    """The fields of a form by parameter."""
    offered = verb.offered(over_http=True)
    own = {each: each.name if f"{{{each.name}}}" in form.path else each.alias for each in offered}
    return {each.alias: form.names.get(each.name, name) for each, name in own.items()}


# Routes


def add_form(router: APIRouter, verb: Verb, form: VerbForm) -> None:
    """Add the route that the form of a verb is sent to."""

    def send(request: Request, sent: Sent) -> Response:
        app, path = app_of(request), request.path_params
        try:
            named = _names(verb, form).items()
            texts = {alias: path.get(name, sent.text(name)) for alias, name in named}
            further = form.read(sent) if form.read else None
            values = arguments(verb, texts, app.settings.zone, further)
            for each in verb.parameters:
                if each.mark(CurrentUser) is not None:
                    values[each.name] = Viewer.of(request).caller
            where, said = _worked(request, verb, form, values)
        except form.refusals as error:
            if form.refused is None:
                raise
            return form.refused(request, sent, error.message)
        return redirect(where or local_path(sent.text("back") or back_of(request)), said=said)

    router.add_api_route(
        form.path or path_of(verb),
        send,
        methods=["POST"],
        dependencies=[Depends(signed_in(role_of(verb)))],
        name=verb.id,
    )


def _worked(
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
        return None, first_key(f"{verb.domain}.begun.busy", "frame.verb.busy")
    return None, first_key(f"{verb.domain}.begun.{verb.name}", "frame.verb.started")


# Fields


@dataclass(frozen=True)
class FilledForm:
    """The form of a verb, as far as it is filled in."""

    verb: Verb
    texts: Mapping[str, str]
    card: RunCard | None = None
    error: str | None = None

    @property
    def action(self) -> str:
        """The address that it is sent to."""
        return path_of(self.verb)

    @property
    def id(self) -> str:
        """The id of the form, and the first part of those of its fields."""
        return key_of(self.verb)

    def title(self, who: Viewer) -> str:
        """Its heading."""
        return title_of(self.verb, who)

    def line(self, who: Viewer) -> Markup | str:
        """What the verb does."""
        key = f"{self.verb.domain}.does.{key_of(self.verb)}"
        return who.t(key) if key in catalogue() else retold(who.language, self.verb.summary)

    @cached_property
    def asked(self) -> Sequence[Parameter]:
        """The parameters that it has fields for: not lists of objects, nor the page of a list."""
        hidden = _OF_LISTS if self.verb.mark.kind == "read" else ()
        offered = [each for each in self.verb.offered(over_http=True) if each.name not in hidden]
        return [each for each in offered if not each.is_body and each.mark(Remote) is None]

    @property
    def is_complete(self) -> bool:
        """Whether all that is required is given."""
        return all(self.texts.get(each.alias) for each in self.asked if each.is_required)

    def fields(self, who: Viewer) -> Iterator[dict[str, Any]]:
        """What a template needs for each field, from the JSON Schema of the parameter."""
        schemas = self.verb.http_model.model_json_schema()["properties"]
        for each in self.asked:
            schema = schemas[each.alias]
            schema |= next((part for part in schema.get("anyOf", ()) if part != _NULL), {})
            words, none = schema.get("enum"), [] if each.is_required else [("", "–")]
            said = each.field.description
            yield {
                "name": each.alias,
                "label": named(who, self.verb.domain, each.name),
                "hint": said and retold(who.language, said),
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
    """The verbs of a service as a section offers them, and its page of runs."""

    service: type
    forms: Mapping[str, VerbForm] = field(default_factory=dict)
    """The verbs that have a form or a button on the pages of the section."""
    by_hand: Collection[str] = ()
    """The verbs whose handlers are written by hand. Those with a title have a card."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """What the templates of its reports need."""
    has_resources: bool = False
    """Whether the verbs of resources have forms as well."""

    @property
    def domain(self) -> str:
        """The domain, and the first part of all addresses."""
        return cast("str", cast("Any", self.service).domain)

    @cached_property
    def verbs(self) -> Mapping[str, Verb]:
        """The verbs that pages can offer; resources may have pages of their own."""
        found = verbs_of(self.service)
        kept = [name for name, each in found.items() if self.has_resources or not each.place]
        return {name: found[name] for name in kept if not found[name].mark.is_local}

    @cached_property
    def others(self) -> Sequence[Verb]:
        """The verbs that write or run, and that no page of the section mentions.

        One that takes a whole request body has no form.
        """
        named = {*self.forms, *self.by_hand}
        rest = [each for name, each in self.verbs.items() if name not in named]
        changing = [each for each in rest if each.mark.kind != "read"]
        return [each for each in changing if not any(part.is_body for part in each.parameters)]

    @property
    def pages(self) -> tuple[NavPage, ...]:
        """The page of runs, if it is the only way to a form."""
        path, title = f"/{self.domain}/runs", "frame.run.title"
        return (NavPage("runs", path, title=title),) if self.others else ()

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
        """All runs; a page that watches one asks for its card alone."""
        wanted = fragment_of(request)
        watched = next((card for card in self._cards(request) if card.id == wanted), None)
        if watched is None:
            return self._page(request, self.derived(request))
        answer = page(request, "run_card.html", card=watched, **self.context)
        if not watched.is_busy:
            answer.headers["HX-Trigger"] = ENDED
        return answer

    def derived(self, request: Request) -> list[FilledForm]:
        """The forms of verbs that no page mentions, with their run cards."""
        who, cards = Viewer.of(request), {card.verb: card for card in self._cards(request)}
        allowed = [each for each in self.others if who.may(role_of(each))]
        return [FilledForm(each, {}, cards.get(each)) for each in allowed]

    def _again(self, verb: Verb, request: Request, sent: Form, reason: str) -> Response:
        """The page of runs with the form that was refused, as it was typed."""
        texts = dict(sent.pairs)
        forms = [
            replace(each, texts=texts, error=reason) if each.verb == verb else each
            for each in self.derived(request)
        ]
        return self._page(request, forms, status=422)

    def _page(self, request: Request, forms: Sequence[FilledForm], status: int = 200) -> Response:
        """The page of runs; a verb without a form has its card alone."""
        asked = {each.verb for each in forms}
        cards = [card for card in self._cards(request) if card.verb not in asked]
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
        """The cards of all verbs that run; each keeps what its button sends along."""
        query, app = request.query_params, app_of(request)
        back = local_path(query.get("back") or f"/{self.domain}")
        cards: list[RunCard] = []
        for name, form in self._running.items():
            fields = {*form.fields, *_names(self.verbs[name], form).values()}
            kept = {each: query[each] for each in query if each in fields}
            cards.append(
                RunCard.of(app, f"{self.domain}.{name}", back, about=query.getlist("about"), **kept)
            )
        return cards
