"""What every page of the videos can say: states, ages, and places in a video."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request

from gotgan.app import App
from gotgan.console.videos.ages import age_of
from gotgan.console.videos.charts import counts_of, share_bar
from gotgan.console.videos.places import clock, watch
from gotgan.console.videos.states import JOB_KINDS, KINDS
from gotgan.console.viewer import Viewer
from gotgan.domains.videos.models import ANALYSERS

__all__ = ["analysers", "names"]


def names(app: App) -> dict[str, Any]:
    """The names that the templates use."""
    now = app.videos.now()
    return {
        "now": now,
        "age": partial(age_of, now=now),
        "kinds": KINDS,
        "job_kinds": JOB_KINDS,
        "watch": watch,
        "clock": clock,
        "counts_of": counts_of,
        "share_bar": share_bar,
    }


def analysers(request: Request) -> list[tuple[str, str]]:
    """Who can be asked, in the viewer's words."""
    who = Viewer.of(request)
    return [(name, who.t(f"videos.analyser.{name}")) for name in ANALYSERS]
