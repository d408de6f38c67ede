"""The run card of a verb: its button, how far the last run has come, and its result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from gotgan.app import App
from gotgan.console.texts import catalogue, key_of, words_of
from gotgan.console.viewer import Viewer
from gotgan.domain import domain_named
from gotgan.domains.site.roles import Role
from gotgan.encoding import encode
from gotgan.runs import Run
from gotgan.verbs import Verb, verbs_of

__all__ = [
    "ENDED",
    "RunCard",
    "cell",
    "first_key",
    "named",
    "role_of",
    "title_of",
    "verb_named",
]

ENDED: Final = "run-ended"
"""The event that a page gets when a run that it watched has ended, so that its list is reloaded."""
_LEFT: Final = ("failed", "stopped", "unreached", "unfit_count")
"""The attributes of reports that name what was not done."""


@cache
def verb_named(name: str) -> Verb:
    """The verb of an id such as ``news.collect``."""
    domain, _, rest = name.partition(".")
    return verbs_of(domain_named(domain).load())[rest]


def role_of(verb: Verb) -> Role:
    """The role that a page needs for a verb; the console has no public ones."""
    return "viewer" if verb.role == "public" else verb.role


def title_of(verb: Verb, who: Viewer) -> str:
    """What a verb is called."""
    key = f"{verb.domain}.verb.{key_of(verb)}"
    return who.t(key) if key in catalogue() else words_of(key_of(verb))


def named(who: Viewer, section: str, name: str) -> str:
    """What a parameter or an attribute of a result is called."""
    key = f"{section}.field.{name}"
    return who.t(key) if key in catalogue() else words_of(name)


def cell(value: Any) -> str:
    """A value of a result as a table shows it."""
    if value is None or value == "":
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def first_key(*keys: str) -> str:
    """The first of these texts that the catalogue has."""
    return next(key for key in keys if key in catalogue())


@dataclass(frozen=True)
class RunCard:
    """A verb as a page shows it, with its last run in this process.

    On the page of one thing it is the last run that was about that thing, or about all.
    """

    verb: Verb
    run: Run | None
    now: datetime
    back: str
    """The page that the button leads back to."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What the button sends along."""
    about: tuple[str, ...] = ()
    """What runs call the thing that the page is about; nothing where it is about all."""
    elsewhere: Run | None = None
    """A run of the verb about something else: until it ends no other can start."""

    @classmethod
    def of(
        cls, app: App, verb: str, back: str, *, about: Sequence[str] = (), **fields: str
    ) -> RunCard:
        """The card of a verb as it is now, of all its runs or of those about one thing."""
        given = {word: value for word, value in fields.items() if value}
        last, run = app.runs.latest(verb), app.runs.latest(verb, about)
        return cls(
            verb_named(verb),
            run,
            app.clock.now(),
            back,
            given,
            tuple(about),
            _elsewhere(last, run),
        )

    @property
    def section(self) -> str:
        """The section that it belongs to."""
        return self.verb.domain

    @property
    def name(self) -> str:
        """The name of the verb."""
        return self.verb.name

    @property
    def id(self) -> str:
        """The id of its element in a page."""
        return f"run-{self.name}"

    @property
    def path(self) -> str:
        """The address of its button."""
        return f"/{self.section}/{self.verb.command}"

    @property
    def role(self) -> Role:
        """The role that its button needs."""
        return role_of(self.verb)

    @property
    def sent(self) -> Mapping[str, str]:
        """The fields that its button sends."""
        return {"back": self.back, **self.fields}

    @property
    def asks(self) -> str:
        """The address that it is reloaded from while it runs."""
        query = {**self.sent, "about": self.about}
        return f"/{self.section}/runs?{urlencode(query, doseq=True)}"

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return self.run is not None and self.run.state == "running"

    @property
    def is_busy(self) -> bool:
        """Whether the verb runs, about this or about something else."""
        return self.is_running or self.elsewhere is not None

    @property
    def pace(self) -> float | None:
        """How many are done in a second; None while that is not known."""
        if self.run is None or not self.run.done:
            return None
        seconds = (self.now - self.run.started_at).total_seconds()
        return self.run.done / seconds if seconds > 0 else None

    @property
    def seconds_left(self) -> int | None:
        """How long it will take at this pace; None while that is not known."""
        if self.run is None or not self.run.total or self.pace is None:
            return None
        return round((self.run.total - self.run.done) / self.pace)

    # Texts: those of the catalogue, or what the verb says of itself

    def title(self, who: Viewer) -> str:
        """Its heading."""
        return title_of(self.verb, who)

    def label(self, who: Viewer) -> str | None:
        """The text of its button; None if a form must ask for arguments."""
        if not self.fields and any(each.is_required for each in self.verb.parameters):
            return None
        own = f"{self.section}.begin.{self.name}"
        one = (f"{self.section}.begin_one.{self.name}",) if self.about else ()
        return who.t(first_key(*one, own, "frame.verb.run"))

    def advice(self, who: Viewer) -> str:
        """What to do about its failure."""
        error = self.run.error if self.run else None
        own = f"{self.section}.advice"
        known = (f"{own}.{error.code}",) if error else ()
        return who.t(first_key(*known, f"{own}.other", "frame.verb.advice"))

    # What the last run returned

    @property
    def report(self) -> Any:
        """The result of the verb; None until a run is done."""
        return self.run.report if self.run else None

    @property
    def is_partial(self) -> bool:
        """Whether something was not done."""
        report = self.report
        return (
            any(getattr(report, name, None) for name in _LEFT)
            or getattr(report, "outcome", None) in ("failed", "partial")
            or isinstance(getattr(report, "waiting", None), str)  # the reason why mails wait
        )

    @property
    def cost(self) -> Any:
        """The cost of the run, if the report has it."""
        return getattr(self.report, "cost", None)

    def facts(self, who: Viewer) -> Mapping[str, str]:
        """The result by attribute, for a section without a template for it."""
        made = encode(self.report)
        facts = made if isinstance(made, dict) else {"": made}
        return {
            named(who, self.section, name): cell(value)
            for name, value in facts.items()
            if name != "cost"
        }


def _elsewhere(last: Run | None, run: Run | None) -> Run | None:
    """The last run of a verb, if it runs and is not the one that is shown."""
    if last is None or last.state != "running" or (run is not None and run.id == last.id):
        return None
    return last
