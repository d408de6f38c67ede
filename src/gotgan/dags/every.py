"""All DAGs, in one list."""

from __future__ import annotations

from airflow.sdk import DAG

from gotgan.dags.collection import daily_collection, generate_daily_collection
from gotgan.dags.indicators import technical_indicator
from gotgan.dags.jobs import other_jobs
from gotgan.dags.recovery import manual_collection
from gotgan.settings import Settings

__all__ = ["every_dag"]


def every_dag(settings: Settings) -> list[DAG]:
    """The four of the document, and one for each other job."""
    return [
        generate_daily_collection(settings),
        daily_collection(settings),
        technical_indicator(settings),
        manual_collection(),
        *other_jobs(settings),
    ]
