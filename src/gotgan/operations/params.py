"""The parameters of the operations verbs: what each accepts, and its help."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from gotgan import settings
from gotgan.schedule import TickStatus
from gotgan.verbs import Local

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
ExportDomain = Annotated[
    str,
    Field(max_length=100, description="Domain to export.", examples=["market"]),
]
ExportTo = Annotated[
    str,
    Local(),
    Field(
        min_length=1,
        max_length=1_000,
        description="Folder, or s3://bucket/folder. Default: `export` in the data folder.",
        examples=["s3://bucket/gotgan"],
    ),
]
ExportDataSets = Annotated[
    Sequence[str],
    Field(description="Only this data set. Can be repeated.", examples=[["prices"]]),
]
_ExportDay = Annotated[date, Field(ge=date(1970, 1, 1), le=date(9998, 12, 31))]
ExportSince = Annotated[
    _ExportDay, Field(description="First day. Default: the first that is stored.")
]
ExportUntil = Annotated[_ExportDay, Field(description="Last day. Default: today.")]
Origin = Annotated[settings.Origin, Field(description="Only settings from this origin.")]
