"""What the schemas of answers are made of."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel

__all__ = ["TEXT", "WHOLE", "list_of", "object_of", "or_null", "ref", "with_parts"]

TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}


def object_of(**properties: Any) -> dict[str, Any]:
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def list_of(record: dict[str, Any]) -> dict[str, Any]:
    """A list of as many as there are."""
    return {"type": "array", "items": record}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """What may be missing."""
    return {"anyOf": [schema, {"type": "null"}]}


def ref(name: str) -> dict[str, Any]:
    """A schema that has a name of its own."""
    return {"$ref": f"#/components/schemas/{name}"}


def with_parts(name: str, model: type[BaseModel]) -> dict[str, Any]:
    """A schema that has a name of its own and keeps its parts to itself."""
    return model.model_json_schema(ref_template=f"#/components/schemas/{name}/$defs/{{model}}")
