"""Pages of a list: how many, from where, and what they cost to read."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeVar

from fastapi import Query
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from gotgan.domains.site.showing import shown
from gotgan.errors import UsageError
from gotgan.store import Entity, Page

__all__ = [
    "MOST",
    "Consistent",
    "Listing",
    "asked",
    "page_data",
    "parameters",
    "refuse_consistent",
]

MOST: Final = 100
_LONGEST_CURSOR: Final = 4_096
_STRONGLY: Final = "Read strongly consistently, at twice the cost; refused by an index."

L = TypeVar("L", bound=BaseModel)

Consistent = Annotated[bool, Query(description=_STRONGLY)]


class Listing(BaseModel):
    """The parameters of a list of records.

    A route declares it with ``query=`` and reads it with ``asked``: one model is checked in a tenth
    of the time that the framework takes for as many parameters.
    """

    model_config = ConfigDict(frozen=True)

    limit: int = Field(default=20, ge=1, le=MOST, description="How many records to give.")
    cursor: str | None = Field(
        default=None,
        min_length=1,
        max_length=_LONGEST_CURSOR,
        description="The `cursor` of the page before; opaque, and good for the same list only.",
    )
    consistent: bool = Field(default=False, description=_STRONGLY)


def asked(request: Request, listing: type[L]) -> L:
    """What a request asks of a list; its moments without an offset are in GOTGAN_ZONE."""
    try:
        zone = request.app.state.gotgan.settings.zone
        return listing.model_validate(dict(request.query_params), context={"zone": zone})
    except ValidationError as error:
        told = [{**each, "loc": ("query", *each["loc"])} for each in error.errors()]
        raise RequestValidationError(told) from None


def parameters(listing: type[BaseModel]) -> list[dict[str, Any]]:
    """The parameters of a list, as OpenAPI has them."""
    made = listing.model_json_schema()
    schemas = {name: _without_null(each) for name, each in made["properties"].items()}
    return [
        {
            "name": name,
            "in": "query",
            "required": name in made.get("required", ()),
            "description": each.pop("description", ""),
            "schema": each,
        }
        for name, each in schemas.items()
    ]


def page_data(page: Page[Any]) -> dict[str, Any]:
    """A page: its records, where the next one begins, and what it cost to read."""
    return {
        "items": [shown(each) if isinstance(each, Entity) else each for each in page.items],
        "cursor": page.cursor,
        "read": {"items": page.read, "units": page.cost.reads},
    }


def refuse_consistent(consistent: bool) -> None:  # noqa: FBT001 - it is the question itself
    """Refuse a strong read where an index answers: there is none."""
    if consistent:
        raise UsageError(
            "an index answers here, and an index has no consistent reads; leave out consistent, "
            "or read one record by its id"
        )


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is left out, and never null."""
    options = [each for each in schema.pop("anyOf", []) if each != {"type": "null"}]
    if schema.get("default", "") is None:
        del schema["default"]
    return {**(options[0] if options else {}), **schema}
