"""The shapes of a result as JSON Schema, for those who check what they get in another language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel

from gotgan.domains.videos.shapes import Result1, Result2

__all__ = ["schema_of"]

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_SHAPES: Final[Mapping[int, type[BaseModel]]] = {1: Result1, 2: Result2}


def schema_of(shape: Literal[1, 2]) -> dict[str, Any]:
    """What a result of that ``schemaVersion`` has to be."""
    return {"$schema": _DRAFT, **_SHAPES[shape].model_json_schema()}
