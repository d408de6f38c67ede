"""A process that does a job, and says so and waits for its end where it was told to.

``python -m tests.durability.video_steps MOMENT JOB [STEP]``
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.videos import results, snapshots, worker
from gotgan.domains.videos.attempts import Attempt
from gotgan.settings import Settings
from gotgan.store import Store

__all__ = ["STEPS"]

STEPS: Final[dict[str, tuple[Any, str]]] = {
    "keeping what was collected": (snapshots, "save"),
    "after it was kept": (Attempt, "keep"),
    "counting": (worker, "measure"),
    "checking what the analyser said": (worker, "validate_insights"),
    "saving the result": (results, "add"),
}
"""After which function the process waits for its end; some are within a transaction."""


def work(moment: datetime, job_id: str) -> dict[str, Any]:
    """Do a job, unless somebody else has it in hand."""
    settings = Settings.from_env()
    with App(settings, Store.in_memory(clock=FixedClock(moment))) as app:
        job = app.videos.wait(job_id, seconds=1)
    return {"status": job.status, "attempts": job.attempts}


def say(words: str) -> None:
    """Tell whoever watches."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def stop_in(step: str) -> None:
    """Let the process say where it is, and wait there for its end."""
    place, name = STEPS[step]
    real: Callable[..., Any] = getattr(place, name)

    def stopping(*given: Any, **named: Any) -> Any:
        result = real(*given, **named)
        say(step)
        time.sleep(600)
        return result

    setattr(place, name, stopping)


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[3]:
        stop_in(sys.argv[3])
    say(json.dumps(work(datetime.fromisoformat(sys.argv[1]), sys.argv[2])))
