"""The protocol of analysers, and their response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from gotgan.domains.videos import messages
from gotgan.domains.videos.metrics.measurements import Measurements
from gotgan.domains.videos.models import Material, Usage
from gotgan.errors import UpstreamBusy

TRIAL_PROMPT: Final = "Answer with the word OK."
"""What a model is asked to find out whether it can be used."""


@dataclass(frozen=True)
class AnalyserResponse:
    """The answer of an analyser as it came, and its cost."""

    text: str
    """JSON of ``schemas.Insights``, not validated yet."""
    usage: Usage = field(default_factory=Usage)
    is_cut: bool = False
    """Whether the answer broke off before its end."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The ids of comments by the names that the analyser knows them by, such as ``c1``."""


def rate_limited(service: str, seconds: float | None) -> UpstreamBusy:
    """The error of a service that limits requests, for so many seconds if that is known."""
    if seconds is None:
        return UpstreamBusy(messages.BUSY(service=service))
    return UpstreamBusy(messages.BUSY_FOR(service=service, seconds=round(seconds)), seconds)


class Analyser(Protocol):
    """Says what comments mean; what can be counted is counted already."""

    @property
    def name(self) -> str:
        """Its name in the settings."""

    @property
    def model(self) -> str:
        """Its model, as results record it."""

    @property
    def prompt_version(self) -> str | None:
        """The version of its prompt or its templates."""

    def say(self, material: Material, measured: Measurements) -> AnalyserResponse:
        """Its opinion; AnalysisError if it has none."""

    def try_model(self) -> None:
        """Ask the model for a word; AnalysisError if it cannot be used."""
