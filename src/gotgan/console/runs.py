"""Verbs that take a while, as pages show them: a button, how far one has come, what it did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import fragment_of, page
from gotgan.console.texts import catalogue
from gotgan.runs import Run

__all__ = ["ENDED", "RunCard", "show_cards"]

ENDED: Final = "run-ended"
"""What a page is told when a run that it watched has ended, so that its list is read again."""


@dataclass(frozen=True)
class RunCard:
    """A verb as a page shows it, with its last run in this process.

    On the page of one thing it is the last run that was about that thing, or about all.
    """

    section: str
    name: str
    run: Run | None
    now: datetime
    back: str
    """The page that the button leads back to."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What the button sends along."""
    about: tuple[str, ...] = ()
    """What runs call the thing that the page is about; nothing where it is about all."""
    elsewhere: Run | None = None
    """A run of the verb that is under way about something else: until its end none can begin."""

    @classmethod
    def of(
        cls, app: App, verb: str, back: str, *, about: Sequence[str] = (), **fields: str
    ) -> RunCard:
        """The card of a verb as it stands, of all its runs or of those about one thing."""
        section, _, name = verb.partition(".")
        given = {word: value for word, value in fields.items() if value}
        last, run = app.runs.latest(verb), app.runs.latest(verb, about)
        return cls(
            section,
            name,
            run,
            app.clock.now(),
            back,
            given,
            tuple(about),
            _elsewhere(last, run),
        )

    @property
    def id(self) -> str:
        """The id of its element in a page."""
        return f"run-{self.name}"

    @property
    def path(self) -> str:
        """Where its button leads."""
        return f"/{self.section}/{self.name.replace('_', '-')}"

    @property
    def asks(self) -> str:
        """Where it asks for itself again while it runs."""
        query = {"back": self.back, **self.fields, "about": self.about}
        return f"/{self.section}/runs?{urlencode(query, doseq=True)}"

    @property
    def is_running(self) -> bool:
        """Whether it is under way."""
        return self.run is not None and self.run.state == "running"

    @property
    def is_busy(self) -> bool:
        """Whether the verb is under way, about this or about something else."""
        return self.is_running or self.elsewhere is not None

    @property
    def pace(self) -> float | None:
        """How many are done in a second; None while that cannot be told."""
        if self.run is None or not self.run.done:
            return None
        seconds = (self.now - self.run.started_at).total_seconds()
        return self.run.done / seconds if seconds > 0 else None

    @property
    def seconds_left(self) -> int | None:
        """How long it will take at this pace; None while that cannot be told."""
        if self.run is None or not self.run.total or self.pace is None:
            return None
        return round((self.run.total - self.run.done) / self.pace)

    def advice(self, prefix: str) -> str:
        """The text that says what to do about its failure, of those that begin so."""
        error = self.run.error if self.run else None
        known = f"{prefix}{error.code}" if error else ""
        return known if known in catalogue() else f"{prefix}other"


def _elsewhere(last: Run | None, run: Run | None) -> Run | None:
    """The last run of a verb, where it is under way and is not the one that is shown."""
    if last is None or last.state != "running" or (run is not None and run.id == last.id):
        return None
    return last


def show_cards(request: Request, template: str, cards: Sequence[RunCard], **names: Any) -> Response:
    """How runs stand; a page that shows one asks for its part again until it has ended."""
    answer = page(request, template, cards={card.name: card for card in cards}, **names)
    watched = next((card for card in cards if card.id == fragment_of(request)), None)
    if watched and not watched.is_busy:
        answer.headers["HX-Trigger"] = ENDED
    return answer
