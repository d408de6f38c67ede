"""One DAG for each other job of the timetable: ask its gate, then run its verb."""

from __future__ import annotations

from collections.abc import Iterator

from airflow.sdk import DAG, task

from gotgan.dags import shops
from gotgan.dags.drawing import at_times, drawn, opened
from gotgan.dags.ending import passing
from gotgan.dags.gates import decided
from gotgan.schedule import Job, jobs
from gotgan.settings import Settings

__all__ = ["is_due", "other_jobs", "run"]


def other_jobs(settings: Settings) -> Iterator[DAG]:
    """The DAGs of all jobs that no document has a name for."""
    for job in jobs():
        if job.dag is None:
            yield _drawn(job, settings)


def _drawn(job: Job, settings: Settings) -> DAG:
    with drawn(job.dag_id, job.words, at_times(job, settings)) as dag:
        due = is_due(job.gate)
        if job.verb in shops.STAGES:
            shops.in_batches(job.verb, after=due)
        else:
            due >> run(job.verb)
    return dag


@task.short_circuit
def is_due(gate: str) -> bool:
    """What the gate of a job decides now."""
    with opened() as app, passing():
        return decided(app.ask(gate))


@task
def run(verb: str) -> None:
    """The daily work of a verb; what it did is in its events."""
    with opened() as app, passing():
        app.verb(verb)()
