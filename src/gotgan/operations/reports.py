"""Results of the operations verbs; ticks are in ``schedule``, events in ``events``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import ClassVar
from zoneinfo import ZoneInfo

from gotgan.domain import Job, SetupStep
from gotgan.exports import ExportedDataSet
from gotgan.messages import HELP
from gotgan.schedule import MANUAL_DAGS, Tick
from gotgan.settings import Setting


@dataclass(frozen=True)
class ScheduledJob:
    """A job, its next run and its last tick."""

    shown: ClassVar = {
        "name": "job.name",
        "words": "words",
        "cron": "job.cron",
        "when": "when",
        "zone": "zone",
        "verb": "job.verb",
        "gate": "job.gate",
        "dag": "job.dag_id",
        "next": "next_at",
        "nextLocal": "next_local",
        "last": "last",
    }

    job: Job
    when: str
    """The cron line in words."""
    zone: str
    """Time zone of the cron line."""
    next_at: datetime
    """When it is due next."""
    last: Tick | None
    """Its last tick; null if it was never due while a scheduler ran."""

    @property
    def words(self) -> str:
        """What it does, in a sentence."""
        return HELP(text=self.job.words)

    @property
    def next_local(self) -> str:
        """When it is due next, in its time zone."""
        return self.local(self.next_at).isoformat()

    def local(self, moment: datetime) -> datetime:
        """A time in the time zone of the job."""
        return moment.astimezone(ZoneInfo(self.zone))


@dataclass(frozen=True)
class Schedule:
    """All scheduled jobs."""

    items: tuple[ScheduledJob, ...]
    manual_dags: Mapping[str, str] = field(default_factory=lambda: MANUAL_DAGS)
    """Airflow DAGs without a schedule, and the verbs that they run."""


@dataclass(frozen=True)
class Setup:
    """The steps of all domains."""

    items: tuple[SetupStep, ...]
    """By domain; of each domain, what is needed comes first."""

    @property
    def missing(self) -> tuple[SetupStep, ...]:
        """The steps that are needed and not set up."""
        return tuple(step for step in self.items if step.is_missing)


@dataclass(frozen=True)
class SettingList:
    """Settings without the values of secrets."""

    items: tuple[Setting, ...]
    zone: str
    """The time zone in which times are shown."""


@dataclass(frozen=True)
class CostShare:
    """The units that one verb, table or index used."""

    verb: str | None
    """Null if costs are not grouped by verb."""
    table: str | None
    """Null if costs are not grouped by table."""
    index: str | None
    """Null for the table itself, and if costs are not grouped by index."""
    reads: float
    """Read units."""
    writes: float
    """Write units."""
    usd: Decimal
    """The on-demand price in US dollars."""


@dataclass(frozen=True)
class ExportReport:
    """What an export did."""

    domain: str
    target: str
    """The folder, or the prefix on S3."""
    items: tuple[ExportedDataSet, ...]
    """The data sets, in the order in which they were exported."""


@dataclass(frozen=True)
class CostDay:
    """The units that one UTC day used."""

    day: date
    reads: float
    """Read units."""
    writes: float
    """Write units."""
    usd: Decimal
    """The on-demand price in US dollars."""


@dataclass(frozen=True)
class CostReport:
    """The units that a process used since it started, and their price."""

    since: datetime
    """When the process started."""
    region: str
    """The AWS region of the prices."""
    prices_since: date
    """The date of the prices."""
    reads: float
    """Read units."""
    writes: float
    """Write units."""
    usd: Decimal
    """The on-demand price in US dollars."""
    items: tuple[CostShare, ...]
    """The most expensive first."""
    days: tuple[CostDay, ...]
    """The last thirty days that have costs, the oldest first."""
