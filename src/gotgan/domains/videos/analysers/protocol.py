"""What an analyser has to be able to do, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from gotgan.domains.videos.measuring.measured import Measurements
from gotgan.domains.videos.models import Material, Usage

__all__ = ["Analyser", "AnalyserResponse"]


@dataclass(frozen=True)
class AnalyserResponse:
    """What an analyser answered, unread, and what it cost."""

    text: str
    """JSON of ``shapes.Insights`` as the analyser gave it; nobody has checked it yet."""
    usage: Usage = field(default_factory=Usage)
    is_cut: bool = False
    """Whether the answer broke off before its end."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Which comments are meant by ``c1`` and so on, where the analyser knows them by such names
    and not by their ids."""


class Analyser(Protocol):
    """Somebody who says what comments mean; what can be counted is counted already."""

    @property
    def name(self) -> str:
        """How the setting calls it."""

    @property
    def model(self) -> str:
        """Which model speaks, as results record it."""

    @property
    def prompt_version(self) -> str | None:
        """Which version of the prompt, or of the templates, it works with."""

    def say(self, material: Material, measured: Measurements) -> AnalyserResponse:
        """Its opinion; an ``AnalysisError`` where it has none to give."""
