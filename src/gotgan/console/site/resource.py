"""Pages of the site's resources: lists, forms and files, derived from the verbs.

A list reads by the ``list`` verb of its resource, and its filters are the parameters of that verb.
A form has the fields of ``create``, ``replace`` and ``update``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated, Any, Final, get_args
from urllib.parse import quote

from fastapi import APIRouter, Depends, HTTPException
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.lists import ExportLinks, all_items, csv_response
from gotgan.console.runs import page_role
from gotgan.console.session import Form, SentForm, Viewer, app_of, signed_in
from gotgan.console.site.changes import FormChange, change_record, create_record, delete_record
from gotgan.console.site.forms import FormFields, RecordForm
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.service import Site
from gotgan.errors import ConditionFailed
from gotgan.items import item_schema, record_item
from gotgan.store import Page
from gotgan.verbs import CurrentUser, Verb, verbs_of


def site_of(request: Request) -> Site:
    """The site of the app."""
    return app_of(request).site


async def _current_site(request: Request) -> Site:
    """The same as a dependency, which needs no thread."""
    return site_of(request)


CurrentSite = Annotated[Site, Depends(_current_site)]


_VERBS: Final = verbs_of(Site)
_NOT_FILTERS: Final = frozenset({"limit", "cursor", "consistent"})
_MAX_FILTER_LENGTH: Final = 200
"""Longer filters are cut."""


def _no_values(*_: Any) -> Mapping[str, Any]:
    return {}


def _role_dependency(verb: Verb) -> Any:
    return Depends(signed_in(page_role(verb)))


@dataclass(frozen=True)
class ResourceList:
    """The list of a resource, as a page and as a file."""

    resource: str
    path: str = ""
    """The last part of the address; by default the name of the resource."""
    values: Callable[[Request, Page[Any]], Mapping[str, Any]] = _no_values
    """Further values of the template."""
    template: str = ""
    """By default named after the last part of the address."""
    has_images: bool = False

    def add_to(self, router: APIRouter) -> None:
        """Add its routes."""
        add = partial(router.add_api_route, dependencies=[_role_dependency(self._verb)])
        add(f"/site/{self.path or self.resource}", self.show, name=f"list_{self.resource}")
        add(f"/site/{self.resource}.csv", self.file, name=f"{self.resource}_file")

    def show(self, request: Request, cursor: str | None = None) -> Response:
        """The page."""
        filters, name = self._filters(request), self.resource
        found = getattr(site_of(request), name).list(**filters, cursor=cursor)
        return page(
            request,
            self.template or f"site/{self.path or name}.html",
            foreign_images=self.has_images,
            found=found,
            cursor=cursor,
            filters=filters,
            elsewhere=ExportLinks.of(
                f"/v1{self._verb.path}", f"/site/{name}.csv", f"gotgan site {name} list", **filters
            ),
            **self.values(request, found),
        )

    def file(self, request: Request) -> Response:
        """The same records as a file."""
        read = getattr(site_of(request), self.resource).list
        columns = list(item_schema(get_args(self._verb.result)[0])["properties"])
        records = map(record_item, all_items(read, **self._filters(request)))
        return csv_response(self.resource, columns, records)

    @property
    def _verb(self) -> Verb:
        return _VERBS[f"{self.resource}.list"]

    def _filters(self, request: Request) -> dict[str, Any]:
        """The filters of the address; values that the verb does not take have no page."""
        known = [each for each in self._verb.parameters if each.name not in _NOT_FILTERS]
        texts = {each.alias: request.query_params.get(each.alias, "").strip() for each in known}
        given = {name: text[:_MAX_FILTER_LENGTH] for name, text in texts.items() if text}
        try:
            filters = self._verb.http_model.model_validate(given)
        except ValidationError:
            raise HTTPException(404) from None
        return {each.name: getattr(filters, each.name) for each in known}


@dataclass(frozen=True)
class ResourceForms:
    """The forms that create, change and delete records of a resource."""

    resource: str
    template: str
    values: Callable[[Request, RecordForm], Mapping[str, Any]] = _no_values
    """Further values of the template."""
    begin: Callable[[Request], Mapping[str, str]] = _no_values
    """The texts of a new form."""
    words: Callable[[Request, Form], Mapping[str, Mapping[str, str]]] = _no_values
    """The names of values, by field."""
    has_images: bool = False
    page: Callable[[Request, Any, str], Response] | None = None
    """The page of a record, with a warning; without one a record is shown in its form."""

    def add_to(self, router: APIRouter) -> None:
        """Add its routes."""
        path, one = f"/site/{self.resource}", f"/site/{self.resource}/{{record_id}}"
        may = [_role_dependency(_VERBS[f"{self.resource}.create"])]
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
        filled = RecordForm.of(self._new, None, Viewer.of(request).zone)
        texts = {**filled.texts, **self.begin(request)}
        return self.show(request, replace(filled, texts=texts), None)

    def create(self, request: Request, form: SentForm) -> Response:
        """Create a record."""

        def make(fields: dict[str, Any]) -> Response:
            record = self._of(request).create(**fields, **self._caller(request, "create"))
            return redirect(self.address(record.id), notice=f"site.{self.resource}.created")

        show = partial(self.show, request, record_id=None)
        return create_record(request, form, self._new, make=make, show=show)

    def edit(self, request: Request, record_id: str) -> Response:
        """The form of a record."""
        record = self._of(request).get(record_id, consistent=True)
        filled = RecordForm.of(self._change_fields, record, Viewer.of(request).zone)
        return self.show(request, filled, record_id)

    def change(self, request: Request, form: SentForm, record_id: str) -> Response:
        """Change a record; the form of one that was deleted can be saved as a new one."""
        records, by = self._of(request), self._caller(request, "update")
        planned = FormChange(
            self._change_fields,
            read=lambda: records.get(record_id, consistent=True),
            write=lambda fields, version: records.update(record_id, fields, version=version, **by),
            show=partial(self.show, request, record_id=record_id),
            done=lambda: redirect(self.address(record_id), notice="site.saved"),
            gone=lambda filled: self.show(request, replace(filled, fields=self._new), None),
            words=self.words(request, form),
        )
        return change_record(request, form, planned)

    def delete(self, request: Request, form: SentForm, record_id: str) -> Response:
        """Delete a record, unless it was changed since it was shown."""
        records, by = self._of(request), self._caller(request, "delete")

        def delete(version: int | None) -> Response:
            records.delete(record_id, version=version, **by)
            return redirect(f"/site/{self.resource}", notice=f"site.{self.resource}.deleted")

        if self.page is not None:
            try:
                return delete(RecordForm.sent(self._change_fields, form).version)
            except ConditionFailed:
                current = records.get(record_id, consistent=True)
                return self.page(request, current, "site.changed_meanwhile")
        record: SiteEntity = records.get(record_id, consistent=True)
        show = partial(self.show, request, record_id=record_id)
        return delete_record(request, form, self._change_fields, record, delete=delete, show=show)

    def show(self, request: Request, filled: RecordForm, record_id: str | None) -> Response:
        """The form with its texts and errors."""
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
        """The page of a record; without one, the list."""
        path = f"/site/{self.resource}"
        return path if self.page is None else f"{path}/{quote(record_id, safe='')}"

    @cached_property
    def _new(self) -> FormFields:
        return FormFields.of(f"{self.resource}.create")

    @cached_property
    def _change_fields(self) -> FormFields:
        return FormFields.to_change(self.resource)

    def _of(self, request: Request) -> Any:
        return getattr(site_of(request), self.resource)

    def _caller(self, request: Request, verb: str) -> dict[str, Any]:
        """The argument with the current user, if the verb takes one."""
        parameters = _VERBS[f"{self.resource}.{verb}"].parameters
        names = [each.name for each in parameters if each.mark(CurrentUser) is not None]
        return dict.fromkeys(names, Viewer.of(request).caller)
