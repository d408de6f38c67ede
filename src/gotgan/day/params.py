"""The parameters of the verbs of a day: what each accepts, and its help."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from gotgan.params import Day

__all__ = ["Category", "PageDay"]


def _day(value: Any) -> Any:
    return None if value == "today" else value


PageDay = Annotated[
    Day | None,
    WithJsonSchema(
        {
            "anyOf": [{"type": "string", "format": "date"}, {"const": "today"}],
            "examples": ["2025-11-06", "today"],
        }
    ),
    BeforeValidator(_day),
    Field(description="A date in the time zone, such as 2025-11-06, or today."),
]
Category = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="ID or slug of the category for the post.",
        examples=["news"],
    ),
]
