"""The timetable: every job of the system that comes round by itself, on one page.

It is data, and says only when and what. The scheduler of ``gotgan up`` reads it, and so do the DAGs
of Airflow; ``app`` knows what the verbs and the gates stand for. A tick is never more than a reason
to look: the gate decides from what is written down whether there is anything to do. So a lost tick
is harmless, and so is one too many.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final, Literal

__all__ = ["BY_HAND", "JOBS", "Job", "Tick", "TickPage", "TickStatus"]

TickStatus = Literal["running", "done", "failed", "skipped", "waiting"]
"""Whether a job ran at a scheduled time, and how that ended."""


@dataclass(frozen=True)
class Job:
    """A scheduled job."""

    name: str
    cron: str
    """When it is due."""
    verb: str
    """What it runs, such as `news.collect`."""
    gate: str
    """The check that decides whether it runs."""
    words: str
    """What it does, in a sentence."""
    zone: str | None = None
    """Time zone of the cron line; None is that of the settings."""
    after: str | None = None
    """A job of the same minute that must end before the gate is asked."""
    at_start: bool = False
    """Whether it is also due when a scheduler starts."""
    dag: str | None = None
    """Its DAG under Airflow, if a document names it."""

    @property
    def dag_id(self) -> str:
        """Its DAG under Airflow."""
        return self.dag or f"gotgan_{self.name.replace('.', '_')}"


@dataclass(frozen=True)
class Tick:
    """One scheduled time of a job, and its result."""

    shown: ClassVar = (
        "job",
        "at",
        "status",
        "reason",
        "words",
        "started_at",
        "finished_at",
        "error",
    )

    id: int
    job: str
    at: datetime
    """The scheduled time."""
    status: TickStatus
    """`skipped` and `waiting` did not run."""
    reason: str | None
    """A code that says why it ran or did not, such as `already_success`."""
    words: str | None
    """The reason or the result as a sentence."""
    finished_at: datetime | None
    """When it ended."""
    error: str | None
    """Why it failed."""
    started_at: datetime | None = None
    """When its run started; null if it did not run."""
    reads: float | None = None
    """DynamoDB read units of the run; None if they were not counted."""
    writes: float | None = None
    """DynamoDB write units of the run; None if they were not counted."""


@dataclass(frozen=True)
class TickPage:
    """Ticks, newest first."""

    items: tuple[Tick, ...]
    cursor: str | None
    """Of the next page; null at the end."""


JOBS: Final = (
    Job(
        "market.open_day",
        "0 16 * * 1-5",
        verb="market.open_day",
        gate="market.is_set",
        words="Writes the pending row of today, where shares are traded today.",
        dag="generate_daily_collection_dag",
    ),
    Job(
        "market.collect",
        "0 16-23 * * 1-5",
        verb="market.collect",
        gate="market.decide",
        words="Collects and verifies today's prices and indices, from 17:00 on, and what failed.",
        dag="daily_collection_dag",
    ),
    Job(
        "market.indicators",
        "0 18-23 * * 1-5",
        verb="market.indicators",
        gate="market.decide_indicators",
        words="Calculates today's indicators, once both sides are there.",
        after="market.collect",
        dag="technical_indicator_dag",
    ),
    Job(
        "market.catch_up",
        "15 16-23 * * 1-5",
        verb="market.catch_up",
        gate="market.is_set",
        words="Makes up for days that were missed or given up; from 23:00 on makes them final.",
        at_start=True,
    ),
    Job(
        "news.collect",
        "*/30 * * * *",
        verb="news.collect",
        gate="web.is_set",
        words="Reads the list of the latest stories and keeps what is new.",
    ),
    Job(
        "news.bodies",
        "5,35 * * * *",
        verb="news.bodies",
        gate="web.is_set",
        words="Fetches the articles that are missing, and those that are due again.",
    ),
    Job(
        "shops.adopt",
        "50 3 * * *",
        verb="shops.adopt",
        gate="shops.are_to_adopt",
        words="Adds index keys that shops of other tools lack; reads up to 100,000 items a day.",
        at_start=True,
    ),
    Job(
        "shops.crawl",
        "10 * * * *",
        verb="shops.crawl",
        gate="shops.are_set",
        words="Crawls the shops that are due: never crawled, or not for two days.",
    ),
    Job(
        "shops.scrape",
        "40 * * * *",
        verb="shops.scrape",
        gate="shops.are_set",
        words="Looks at all products of shops that were crawled since they were last scraped.",
    ),
    Job(
        "shops.deliver",
        "*/15 * * * *",
        verb="shops.deliver",
        gate="shops.webhook_is_set",
        words="Hands over to the webhook what changed in shops.",
    ),
    Job(
        "site.adopt",
        "40 3 * * *",
        verb="site.adopt",
        gate="site.is_to_adopt",
        words="Makes posts of other tools findable by id; reads up to 10,000 records a day.",
        at_start=True,
    ),
    Job(
        "site.send_mails",
        "* * * * *",
        verb="site.send_mails",
        gate="site.mails_wait",
        words="Sends the mails that are due.",
        at_start=True,
    ),
    Job(
        "videos.purge",
        "20 * * * *",
        verb="videos.purge",
        gate="videos.have_expired",
        words="Forgets what was collected of videos more than thirty days ago.",
    ),
    Job(
        "backup",
        "30 3 * * *",
        verb="backup",
        gate="backup.is_set",
        words="Backs up the data folder and deletes old backups.",
    ),
)
"""All of them. Those of one minute come round in this order."""

BY_HAND: Final = {"manual_collection_dag": "market.recover"}
"""DAGs that somebody starts by hand, with the verbs that they run."""
