"""The run card of a verb: its button, the progress of the last run, and its result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup

from gotgan.app import App
from gotgan.console.session import Viewer
from gotgan.console.texts import catalogue, humanized, verb_key
from gotgan.domain import get_domain
from gotgan.domains.site.models import Role
from gotgan.encoding import encode
from gotgan.messages import Message
from gotgan.runs import Run, RunLine
from gotgan.verbs import Verb, verbs_of

RUN_ENDED_EVENT: Final = "run-ended"
"""The event that makes a page reload its list when a run that it watched has ended."""
_INCOMPLETE_FIELDS: Final = ("failed", "stopped", "unreached", "unfit_count")
"""The attributes of reports with what was not done."""


@cache
def find_verb(name: str) -> Verb:
    """The verb of an id such as ``news.collect``."""
    domain, _, rest = name.partition(".")
    return verbs_of(get_domain(domain).load())[rest]


def page_role(verb: Verb) -> Role:
    """The role for the page of a verb; the console has no public pages of verbs."""
    return "viewer" if verb.role == "public" else verb.role


def verb_title(verb: Verb, who: Viewer) -> str:
    """The title of a verb."""
    key = f"{verb.domain}.verb.{verb_key(verb)}"
    return who.t(key) if key in catalogue() else who.help(humanized(verb_key(verb)))


def field_label(who: Viewer, section: str, name: str) -> str:
    """The label of a parameter, or of an attribute of a result."""
    key = f"{section}.field.{name}"
    return who.t(key) if key in catalogue() else who.help(humanized(name))


def cell_text(value: Any, who: Viewer) -> str:
    """A value of a result in a table."""
    if value is None or value == "":
        return "–"
    if isinstance(value, list) and value and all(isinstance(each, Message) for each in value):
        return Markup("; ").join(map(who.say, value))
    if isinstance(value, str):
        return who.say(value) if isinstance(value, Message) else value
    return json.dumps(value, ensure_ascii=False)


def first_key(*keys: str) -> str:
    """The first of these keys that the catalogue has."""
    return next(key for key in keys if key in catalogue())


@dataclass(frozen=True)
class RunCard:
    """A verb on a page, with its last run in this process.

    On the page of an item it is the last run about that item, or about all.
    """

    verb: Verb
    run: Run | None
    now: datetime
    back: str
    """The page that the button leads back to."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """The fields of the button."""
    about: tuple[str, ...] = ()
    """The names of the item of the page in runs; empty for all."""
    elsewhere: Run | None = None
    """A run about another item: until it ends, no other can start."""
    lines: tuple[RunLine, ...] = ()
    """The log of the run."""

    @classmethod
    def of(
        cls, app: App, verb: str, back: str, *, about: Sequence[str] = (), **fields: str
    ) -> RunCard:
        """The present card of a verb, of all its runs or of those about one item."""
        given = {word: value for word, value in fields.items() if value}
        last, run = app.runs.latest(verb), app.runs.latest(verb, about)
        is_other = last is not None and last.state == "running" and (not run or run.id != last.id)
        other, now = last if is_other else None, app.clock.now()
        lines = app.runs.log(run.id).items if run else ()
        return cls(find_verb(verb), run, now, back, given, tuple(about), other, lines)

    @property
    def section(self) -> str:
        """The section of the verb."""
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
        """The path of its button."""
        return f"/{self.section}/{self.verb.command}"

    @property
    def role(self) -> Role:
        """The role that its button needs."""
        return page_role(self.verb)

    @property
    def sent(self) -> Mapping[str, str]:
        """The fields that its button sends."""
        return {"back": self.back, **self.fields}

    @property
    def asks(self) -> str:
        """The URL that it is reloaded from while it runs."""
        query = {**self.sent, "about": self.about}
        return f"/{self.section}/runs?{urlencode(query, doseq=True)}"

    @property
    def is_running(self) -> bool:
        """Whether its run is running."""
        return self.run is not None and self.run.state == "running"

    @property
    def is_busy(self) -> bool:
        """Whether the verb is running, for this or another item."""
        return self.is_running or self.elsewhere is not None

    @property
    def pace(self) -> float | None:
        """Steps per second, if they are known."""
        if self.run is None or not self.run.done:
            return None
        seconds = (self.now - self.run.started_at).total_seconds()
        return self.run.done / seconds if seconds > 0 else None

    @property
    def seconds_left(self) -> int | None:
        """The remaining time at this pace, if it is known."""
        if self.run is None or not self.run.total or self.pace is None:
            return None
        return round((self.run.total - self.run.done) / self.pace)

    # Texts of the catalogue, or of the verb

    def title(self, who: Viewer) -> str:
        """Its heading."""
        return verb_title(self.verb, who)

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
            any(getattr(report, name, None) for name in _INCOMPLETE_FIELDS)
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
            field_label(who, self.section, name): cell_text(value, who)
            for name, value in facts.items()
            if name != "cost"
        }
