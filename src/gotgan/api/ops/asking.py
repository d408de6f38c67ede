"""What lists of the house can be asked for."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from gotgan.api.ops.records import By
from gotgan.api.paging import Paged
from gotgan.schedule import TickStatus
from gotgan.settings import LogLevel, Origin

__all__ = ["BillListing", "EventListing", "SettingListing", "TickListing"]


class TickListing(Paged):
    """Which ticks."""

    job: str | None = Field(
        default=None, min_length=1, max_length=100, description="Only those of this job."
    )
    status: TickStatus | None = Field(default=None, description="Only those that ended so.")


class EventListing(Paged):
    """Which events."""

    name: str = Field(
        default="", max_length=100, description="Only those whose names begin so, as in `news.`."
    )
    level: LogLevel = Field(default="debug", description="Only those of this level and above.")


class BillListing(BaseModel):
    """How a bill is made out."""

    model_config = ConfigDict(frozen=True)

    by: By = Field(
        default="line",
        description="What is added up: `line` is each verb, table and index for itself.",
    )


class SettingListing(BaseModel):
    """Which settings."""

    model_config = ConfigDict(frozen=True)

    origin: Origin | None = Field(default=None, description="Only those that came from there.")
