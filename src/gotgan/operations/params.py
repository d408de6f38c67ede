"""The parameters of the operations verbs: what each accepts, and its help."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gotgan import settings
from gotgan.schedule import TickStatus

CostGroup = Literal["line", "verb", "table", "index"]

JobName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="Only ticks of this job.",
        examples=["news.collect"],
    ),
]
Status = Annotated[TickStatus, Field(description="Only ticks with this status.")]
EventName = Annotated[
    str,
    Field(
        max_length=100,
        description="Only events whose names start with this.",
        examples=["news."],
    ),
]
Level = Annotated[settings.LogLevel, Field(description="Only events of this level and above.")]
GroupBy = Annotated[
    CostGroup,
    Field(description="How to group costs. `line` lists each verb, table and index separately."),
]
Origin = Annotated[settings.Origin, Field(description="Only settings from this origin.")]
