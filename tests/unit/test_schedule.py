"""The timetable: every job of the system, as data that all its readers can use."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import islice

import pytest
from cronsim import CronSim

from gotgan.domain import Job
from gotgan.schedule import MANUAL_DAGS, jobs
from tests.house.repository import DOCS


def test_each_job_and_each_dag_has_a_name_of_its_own() -> None:
    names = [job.name for job in jobs()]
    dags = [*(job.dag_id for job in jobs()), *MANUAL_DAGS]
    assert max(Counter(names).values()) == max(Counter(dags).values()) == 1


@pytest.mark.parametrize("job", jobs(), ids=lambda job: job.name)
def test_a_job_says_what_it_does_and_comes_round(job: Job) -> None:
    assert job.words.endswith(".")
    assert job.words[0].isupper()
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert len(list(islice(CronSim(job.cron, start), 3))) == 3
    assert len(job.cron.split()) == 5  # Airflow reads it too


@pytest.mark.parametrize("job", [job for job in jobs() if job.after], ids=lambda job: job.name)
def test_a_job_stands_below_the_one_it_waits_for(job: Job) -> None:
    names = [each.name for each in jobs()]
    assert job.after is not None
    assert names.index(job.after) < names.index(job.name)


def test_the_market_keeps_the_hours_and_the_names_of_its_document() -> None:
    told = {job.dag_id: job.cron for job in jobs() if job.dag}
    assert told == {
        "generate_daily_collection_dag": "0 16 * * 1-5",
        "daily_collection_dag": "0 16-23 * * 1-5",
        "technical_indicator_dag": "0 18-23 * * 1-5",
    }
    assert MANUAL_DAGS == {"manual_collection_dag": "market.recover"}


def test_any_other_dag_is_named_after_its_job() -> None:
    assert {job.dag_id for job in jobs() if job.name.startswith("news.")} == {
        "gotgan_news_collect",
        "gotgan_news_bodies",
        "gotgan_news_poll",
    }


@pytest.mark.parametrize("job", jobs(), ids=lambda job: job.name)
def test_a_job_is_in_the_documentation(job: Job) -> None:
    page = (DOCS / "ops.md").read_text(encoding="utf-8")
    start = ", and at the start" if job.at_start else ""
    assert f"| `{job.name}` | `{job.cron}`{start} |" in page
