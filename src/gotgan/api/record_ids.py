"""Ids as addresses have them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

__all__ = ["RecordId"]

RecordId = Annotated[
    str,
    Path(
        min_length=1,
        max_length=100,
        pattern=r"^[^#/]+$",
        description="The id of a record.",
        examples=["c001"],
    ),
]
