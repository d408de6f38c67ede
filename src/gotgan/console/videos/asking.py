"""Asking for an analysis from a form: made, joined, or given again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gotgan.app import App
from gotgan.console.gate import Form
from gotgan.domains.videos.models import REASONS, Reason

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import Submitted

__all__ = ["AnalysisForm", "ask"]


@dataclass(frozen=True)
class AnalysisForm:
    """What a form asks for."""

    video: str = ""
    analyser: str = ""
    reason: Reason | None = None
    """Why it is wanted anew though there may be a fresh one; None where that will do."""

    @classmethod
    def of(cls, form: Form, video: str) -> AnalysisForm:
        """What a form asks for of a video."""
        reason = next((each for each in REASONS if each == form.text("reason")), None)
        return cls(video, form.text("analyser"), reason)


def ask(app: App, asked: AnalysisForm) -> tuple[Submitted, str]:
    """Have it analysed; the text that tells what that came to."""
    submitted = app.videos.submit(
        asked.video,
        force=asked.reason is not None,
        reason=asked.reason or "user_request",
        analyser=asked.analyser or None,
    )
    if submitted.is_new:
        return submitted, "videos.said.queued"
    return submitted, "videos.said.joined" if submitted.result is None else "videos.said.cached"
