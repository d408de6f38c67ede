"""What the schemas of answers are made of."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel

__all__ = [
    "ANYTHING",
    "NUMBER",
    "TEXT",
    "TEXT_OR_NULL",
    "TRUTH",
    "WHOLE",
    "cost",
    "list_of",
    "object_of",
    "or_null",
    "page_of",
    "ref",
    "with_parts",
]

TEXT: Final = {"type": "string"}
TEXT_OR_NULL: Final = {"type": ["string", "null"]}
WHOLE: Final = {"type": "integer"}
NUMBER: Final = {"type": "number"}
TRUTH: Final = {"type": "boolean"}
ANYTHING: Final = {"type": "object", "additionalProperties": True}


def cost() -> dict[str, Any]:
    """What something cost, verb by verb."""
    line = object_of(verb=TEXT, table=TEXT, index=TEXT_OR_NULL, reads=NUMBER, writes=NUMBER)
    return object_of(reads=NUMBER, writes=NUMBER, lines=list_of(line))


def object_of(**properties: Any) -> dict[str, Any]:
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def list_of(record: dict[str, Any]) -> dict[str, Any]:
    """A list of as many as there are."""
    return {"type": "array", "items": record}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """What may be missing."""
    return {"anyOf": [schema, {"type": "null"}]}


def page_of(record: dict[str, Any]) -> dict[str, Any]:
    """A page of a list, with what it cost to read."""
    read = object_of(
        items={**WHOLE, "description": "How many records were read for this page."},
        units={**NUMBER, "description": "The read units that they took."},
    )
    cursor = {**TEXT_OR_NULL, "description": "Where the next page begins; null at the end."}
    return object_of(items=list_of(record), cursor=cursor, read=read)


def ref(name: str) -> dict[str, Any]:
    """A schema that has a name of its own."""
    return {"$ref": f"#/components/schemas/{name}"}


def with_parts(name: str, model: type[BaseModel]) -> dict[str, Any]:
    """A schema that has a name of its own and keeps its parts to itself."""
    return model.model_json_schema(ref_template=f"#/components/schemas/{name}/$defs/{{model}}")
