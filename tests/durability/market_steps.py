"""A process that collects a day, and says so and waits for its end where it was told to.

``python -m tests.durability.market_steps MOMENT [STEP]``
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
from gotgan.domains.market import collector, completeness, logs, writer
from gotgan.settings import Settings
from gotgan.store import Store

__all__ = ["STEPS"]

STEPS: Final = {
    "fetch": (collector, "save_fetch"),
    "save": (writer, "_save_stocks"),
    "between save and verify": (completeness, "verify"),
    "verify": (logs, "succeed"),
}
"""In the middle of which function a step ends, within its transaction."""


def collect(moment: datetime) -> dict[str, Any]:
    """Collect the day of a moment."""
    settings = Settings.from_env()
    with App(settings, Store.in_memory(clock=FixedClock(moment))) as app:
        report = app.market.collect()
    return {"outcome": report.outcome, "words": report.words}


def say(words: str) -> None:
    """Tell whoever watches."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def stop_in(step: str) -> None:
    """Let the process say where it is, and wait there for its end."""
    module, name = STEPS[step]
    real: Callable[..., Any] = getattr(module, name)

    def stopping(*given: Any, **named: Any) -> Any:
        result = real(*given, **named)
        say(step)
        time.sleep(600)
        return result

    setattr(module, name, stopping)


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[2]:
        stop_in(sys.argv[2])
    say(json.dumps(collect(datetime.fromisoformat(sys.argv[1]))))
