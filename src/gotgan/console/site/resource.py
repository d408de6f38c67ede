"""Pages of resources: their lists, forms and files, derived from the verbs; templates lay them out.

A list reads by the ``list`` verb of its resource, and its filters are the parameters of that verb.
A form has the fields of ``create``, ``replace`` and ``update``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, get_args
from urllib.parse import quote

from fastapi import APIRouter, Depends, HTTPException
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.gate import Form, signed_in
from gotgan.console.given import Sent
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.filled import Fields, Filled
from gotgan.console.site.given import site_of
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.console.site.saving import FormChange, change, create, removed
from gotgan.console.viewer import Viewer
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.service import Site
from gotgan.errors import ConditionFailed
from gotgan.store import Page
from gotgan.verbs import CurrentUser, Verb, verbs_of

__all__ = ["Forms", "ResourceList"]

_VERBS: Final = verbs_of(Site)
_CHOSEN_ALWAYS: Final = frozenset({"limit", "cursor", "consistent"})
_LONGEST: Final = 200
"""How long a filter can be; what is longer is cut."""

Values = Callable[[Request, Page[Any]], Mapping[str, Any]]


def _no_values(*_: Any) -> Mapping[str, Any]:
    return {}


def _may(verb: Verb) -> Any:
    """That whoever opens a page has the role of a verb."""
    return Depends(signed_in("viewer" if verb.role == "public" else verb.role))


@dataclass(frozen=True)
class ResourceList:
    """The list of a resource, as a page and as a file."""

    resource: str
    path: str = ""
    """The last part of the address; the name of the resource without one."""
    values: Values = _no_values
    """What the template shows besides."""
    template: str = ""
    """Its template; called after the last part of the address without one."""
    has_images: bool = False

    def add_to(self, router: APIRouter) -> None:
        """Add its routes."""
        may, path = [_may(self._verb)], self.path or self.resource
        router.add_api_route(
            f"/site/{path}", self.show, dependencies=may, name=f"list_{self.resource}"
        )
        router.add_api_route(
            f"/site/{self.resource}.csv", self.file, dependencies=may, name=f"{self.resource}_file"
        )

    def show(self, request: Request, cursor: str | None = None) -> Response:
        """The page."""
        filters = self._filters(request)
        found = self._read(request, **filters, cursor=cursor)
        return page(
            request,
            self.template or f"site/{self.path or self.resource}.html",
            foreign_images=self.has_images,
            found=found,
            cursor=cursor,
            filters=filters,
            elsewhere=elsewhere(self.resource, api=self._verb.path.removeprefix("/"), **filters),
            **self.values(request, found),
        )

    def file(self, request: Request) -> Response:
        """The same records as a file."""
        filters = self._filters(request)
        found = every(lambda cursor: self._read(request, **filters, limit=A_CALL, cursor=cursor))
        return file_of(self.resource, get_args(self._verb.result)[0], found)

    @property
    def _verb(self) -> Verb:
        return _VERBS[f"{self.resource}.list"]

    def _filters(self, request: Request) -> dict[str, Any]:
        """What the address asks for; there is no page for what the verb does not take."""
        names = [each for each in self._verb.parameters if each.name not in _CHOSEN_ALWAYS]
        given = {each.alias: request.query_params.get(each.alias, "") for each in names}
        given = {name: value.strip()[:_LONGEST] for name, value in given.items()}
        try:
            made = self._verb.http_model.model_validate(
                {name: value for name, value in given.items() if value}
            )
        except ValidationError:
            raise HTTPException(404) from None
        return {each.name: getattr(made, each.name) for each in names}

    def _read(self, request: Request, **asked: Any) -> Page[Any]:
        found: Page[Any] = getattr(site_of(request), self.resource).list(**asked)
        return found


@dataclass(frozen=True)
class Forms:
    """How records of a resource are created, changed and deleted."""

    resource: str
    template: str
    values: Callable[[Request, Filled], Mapping[str, Any]] = _no_values
    """What the template shows besides."""
    begin: Callable[[Request], Mapping[str, str]] = _no_values
    """What a new form begins with."""
    words: Callable[[Request, Form], Mapping[str, Mapping[str, str]]] = _no_values
    """How the values of a field are called, for people."""
    has_images: bool = False
    page: Callable[[Request, Any, str], Response] | None = None
    """The page of a record, with a warning; without one a record is shown in its form."""

    def add_to(self, router: APIRouter) -> None:
        """Add its routes."""
        path, one = f"/site/{self.resource}", f"/site/{self.resource}/{{record_id}}"
        may = [_may(_VERBS[f"{self.resource}.create"])]
        for address, method, handler in (
            (f"{path}/new", "GET", self.new),
            (f"{path}/new", "POST", self.create),
            (f"{one}/edit", "GET", self.edit),
            (f"{one}/edit", "POST", self.change),
            (f"{one}/delete", "POST", self.delete),
        ):
            name = f"{handler.__name__}_{self.resource}"
            router.add_api_route(address, handler, methods=[method], dependencies=may, name=name)

    def new(self, request: Request) -> Response:
        """The form of a new record."""
        filled = Filled.of(self._new, None, Viewer.of(request).zone)
        texts = {**filled.texts, **self.begin(request)}
        return self.show(request, replace(filled, texts=texts), None)

    def create(self, request: Request, form: Sent) -> Response:
        """Create a record."""

        def make(fields: dict[str, Any]) -> Response:
            record = self._of(request).create(**fields, **self._caller(request, "create"))
            return redirect(self.address(record.id), said=f"site.{self.resource}.created")

        def again(filled: Filled) -> Response:
            return self.show(request, filled, None)

        return create(request, form, self._new, make=make, show=again)

    def edit(self, request: Request, record_id: str) -> Response:
        """The form of a record."""
        record = self._of(request).get(record_id, consistent=True)
        filled = Filled.of(self._changed, record, Viewer.of(request).zone)
        return self.show(request, filled, record_id)

    def change(self, request: Request, form: Sent, record_id: str) -> Response:
        """Change a record; what was typed for one that is gone can be saved as a new one."""
        records, by = self._of(request), self._caller(request, "update")
        planned = FormChange(
            self._changed,
            read=lambda: records.get(record_id, consistent=True),
            write=lambda fields, version: records.update(record_id, fields, version=version, **by),
            show=lambda filled: self.show(request, filled, record_id),
            done=lambda: redirect(self.address(record_id), said="site.saved"),
            gone=lambda filled: self.show(request, replace(filled, fields=self._new), None),
            words=self.words(request, form),
        )
        return change(request, form, planned)

    def delete(self, request: Request, form: Sent, record_id: str) -> Response:
        """Delete a record, unless it is another by now than the one that was looked at."""
        records, by = self._of(request), self._caller(request, "delete")

        def delete(version: int | None) -> Response:
            records.delete(record_id, version=version, **by)
            return redirect(f"/site/{self.resource}", said=f"site.{self.resource}.deleted")

        if self.page is not None:
            try:
                return delete(Filled.sent(self._changed, form).version)
            except ConditionFailed:
                current = records.get(record_id, consistent=True)
                return self.page(request, current, "site.changed_meanwhile")
        record: SiteEntity = records.get(record_id, consistent=True)

        def again(filled: Filled) -> Response:
            return self.show(request, filled, record_id)

        return removed(request, form, self._changed, record, delete=delete, show=again)

    def show(self, request: Request, filled: Filled, record_id: str | None) -> Response:
        """The form, as far as it is filled in."""
        return page(
            request,
            self.template,
            status=filled.status,
            foreign_images=self.has_images,
            form=filled,
            record_id=record_id,
            **self.values(request, filled),
        )

    def address(self, record_id: str) -> str:
        """Where a record is seen."""
        path = f"/site/{self.resource}"
        return path if self.page is None else f"{path}/{quote(record_id, safe='')}"

    @cached_property
    def _new(self) -> Fields:
        return Fields.of(f"{self.resource}.create")

    @cached_property
    def _changed(self) -> Fields:
        return Fields.to_change(self.resource)

    def _of(self, request: Request) -> Any:
        return getattr(site_of(request), self.resource)

    def _caller(self, request: Request, verb: str) -> dict[str, Any]:
        """Whoever asks, where the verb wants to know."""
        parameters = _VERBS[f"{self.resource}.{verb}"].parameters
        names = [each.name for each in parameters if each.mark(CurrentUser) is not None]
        return dict.fromkeys(names, Viewer.of(request).caller)
