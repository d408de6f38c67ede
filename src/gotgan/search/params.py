"""The parameters of the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=300,
        description="Words that must all be found; the last one can be the beginning of a word.",
        examples=["삼성 반도체"],
    ),
]
Kinds = Annotated[
    Sequence[Annotated[str, Field(min_length=1, max_length=30, pattern="^[a-z][a-z_]*$")]],
    Field(
        max_length=20,
        description="Only these kinds: story, share, index, shop, product, video, comment, post, "
        "draft or inquiry.",
        examples=[["story", "share"]],
    ),
]
