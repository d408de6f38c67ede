"""Domains: what each declares once, and the registry that everything else iterates over.

A domain inside this package has its ``DOMAIN`` in ``gotgan.domains.<name>``. One of another package
is named by an entry point in the group ``gotgan.domains``. App, schedule, day, API, console,
command line, DAGs and MCP offer all of them alike; docs/extending.md builds one step by step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from importlib import import_module
from re import fullmatch
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self

from gotgan.documents import DocumentBatch
from gotgan.errors import DeclarationError, GotganError, NotFound
from gotgan.messages import Template

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType

    from gotgan.clock import Clock, Zone
    from gotgan.exports import DataSet
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.sql import Database
    from gotgan.store import Store, Table


GROUP: Final = "gotgan.domains"
"""The group of entry points that name domains of other packages."""
BUILT_IN: Final = ("news", "shops", "market", "videos", "site")
RESERVED: Final = frozenset(
    "ask backup banners categories clock close coming contact corp cost costs database "  # noqa: SIM905
    "day demo docs domain drafts dynamodb events export failures faults following frame gotgan "
    "health in_memory is_demo items jump mails mcp me now open operations ops others "
    "overview posts preferences prepare previous recent restore runs schedule scheduler search "
    "search_updater settings setup span start static store tables ticks today tokens "
    "types up users v1 verb web work world zone".split()
)
"""Names that an app, a command, a path, a text or a part of a day has already."""


# Gates and setup


class GateDecision(Protocol):
    """What a gate returns; only the status ``run`` lets the job run."""

    @property
    def status(self) -> str:
        """``run``, or the status of the tick instead."""

    @property
    def reason(self) -> str:
        """A code for it."""

    @property
    def words(self) -> str:
        """The reason as a message."""


@dataclass(frozen=True)
class SimpleDecision:
    """A decision without further details."""

    status: str
    reason: str
    words: str


GO: Final = SimpleDecision("run", "due", Template("schedule.due", "it is due")())
ADOPTED: Final = SimpleDecision(
    "skipped",
    "adopted",
    Template("schedule.adopted", "the whole table was read less than a day ago")(),
)
_NO_CONTACT: Final = Template(
    "schedule.no_contact",
    "Set GOTGAN_CONTACT so that site owners can reach you: nothing is fetched automatically "
    "without it.",
)
_NO_DOMAIN: Final = Template(
    "domain.not_found", "There is no domain {name}. Use one of {known:list}."
)


def skip(reason: str, words: str) -> SimpleDecision:
    """A decision not to run."""
    return SimpleDecision("skipped", reason, words)


@dataclass(frozen=True)
class SetupStep:
    """Something that a domain needs or can use."""

    shown: ClassVar = (
        "domain",
        "name",
        "is_set",
        "is_needed",
        "reason",
        "words",
        "variables",
        "command",
        "source",
    )

    domain: str
    name: str
    reason: str | None
    """A code that says what is missing, such as `no_contact`; null if it is set up."""
    words: str | None
    """What is missing and what to do, as a sentence."""
    is_needed: bool = True
    """Whether a part of the domain does not work without it."""
    variables: tuple[str, ...] = ()
    """The settings that it consists of."""
    command: str | None = None
    """A command that sets it up."""
    source: str | None = None
    """Where to get it."""

    @classmethod
    def of(cls, domain: str, name: str, missing: SimpleDecision | None, **details: Any) -> Self:
        """A step that is set up unless something is missing."""
        if missing is None:
            return cls(domain, name, None, None, **details)
        return cls(domain, name, missing.reason, missing.words, **details)

    @property
    def is_set(self) -> bool:
        """Whether it is set up."""
        return self.reason is None

    @property
    def is_missing(self) -> bool:
        """Whether it is needed and not set up."""
        return self.is_needed and not self.is_set

    @property
    def export(self) -> str | None:
        """The shell command that sets its variables, without their values."""
        given = " ".join(f"{name}=…" for name in self.variables)
        return f"export {given}" if given else None


def missing_contact(settings: Settings) -> SimpleDecision | None:
    """Why nothing is fetched on schedule: a contact address is missing; None if it is set.

    A simulated or a recorded web needs none.
    """
    if settings.contact or settings.resolve or settings.replay:
        return None
    return skip("no_contact", _NO_CONTACT())


def contact_step(domain: str, settings: Settings) -> SetupStep:
    """The setup step of domains that fetch from sites."""
    missing = missing_contact(settings)
    return SetupStep.of(domain, "contact", missing, variables=("GOTGAN_CONTACT",))


# Declarations


@dataclass(frozen=True)
class Core:
    """What services are opened with."""

    settings: Settings
    clock: Clock
    store: Store
    web: Web
    open_database: Callable[[], Database]
    real: Clock | None = None
    """The real time, if the store has the clock of a demo."""

    @property
    def database(self) -> Database:
        """The relational side, opened on first use."""
        return self.open_database()


class Service(ABC):
    """Methods of a service besides its verbs, with defaults that a domain can override."""

    domain: ClassVar[str]
    rereads_documents: ClassVar[bool] = False
    """Whether only reading all documents again finds all that were changed or removed."""

    @classmethod
    @abstractmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""

    def prepare(self) -> None:  # noqa: B027 - for those that have tables
        """Create the tables that are missing."""

    def close(self) -> None:  # noqa: B027 - for those that open something
        """Close what it has opened."""

    def refresh(self) -> None:  # noqa: B027 - for those that have derived tables
        """Bring tables that are derived from the store up to date; cheap if nothing has changed."""

    def rebuild(self) -> None:  # noqa: B027 - as above
        """Make tables that are derived from the store again."""

    @classmethod
    def extensions(cls) -> Mapping[str, type[Any]]:
        """Resources of other packages, by the names that they have in this service."""
        return {}

    def setup(self) -> Sequence[SetupStep]:
        """The setup steps."""
        return ()

    def try_setup(self, step: str) -> bool:  # noqa: ARG002 - for those that can
        """Whether a step could be tried; raise why its settings do not work."""
        return False

    def unset(self) -> SimpleDecision | None:
        """Which settings are missing to collect on schedule; None if none are."""
        return None

    def search_documents(self, mark: str | None) -> DocumentBatch:  # noqa: ARG002 - as above
        """What can be found of it: what is new or has changed since a mark, or all without one."""
        return DocumentBatch()

    def summary(self, day: date, zone: Zone) -> Any:  # noqa: ARG002 - for those that have one
        """What happened on a day, as a dataclass; None if there is nothing to say."""
        return None


@dataclass(frozen=True)
class Job:
    """A scheduled job."""

    verb: str
    """What it runs, such as `news.collect`."""
    cron: str
    """When it is due."""
    gate: str
    """The check that decides whether it runs, such as `news.is_ready`."""
    words: str
    """What it does, in a sentence."""
    zone: str | None = None
    """Time zone of the cron line; None is that of the settings."""
    after: str | None = None
    """A job of the same minute that must end before the gate is asked."""
    at_start: bool = False
    """Whether it is also due when a scheduler starts."""
    dag: str | None = None
    """Its DAG under Airflow, if a document names it."""

    @property
    def name(self) -> str:
        """Its name among all jobs: that of its verb."""
        return self.verb

    @property
    def dag_id(self) -> str:
        """Its DAG under Airflow."""
        return self.dag or f"gotgan_{self.name.replace('.', '_')}"


@dataclass(frozen=True)
class Command:
    """A command that is written by hand, known without importing it."""

    module: str
    line: str
    """Its line in the help."""
    name: str = "command"
    """What the module calls it."""


@dataclass(frozen=True)
class Domain:
    """A domain, by its names; nothing of it is imported before it is used."""

    name: str
    line: str
    """What it is for, in one line."""
    service: str
    """Its class, such as ``gotgan.domains.shops.service:Shops``."""
    jobs: tuple[Job, ...] = ()
    tables: str | None = None
    """The module of its tables and entities in the store."""
    commands: Mapping[str, Command] = field(default_factory=dict)
    """The commands that are written by hand."""
    routes: str | None = None
    """The module whose ``ROUTERS`` are its routes; derived from the verbs without one."""
    section: str | None = None
    """The module whose ``SECTION`` and ``ROUTERS`` are its pages; derived without one."""
    terminal: str | None = None
    """The module of its texts for a terminal; results are tables without one."""
    exports: str | None = None
    """The module whose ``data_sets(core)`` are its data sets for ``gotgan export``."""
    texts: str | None = None
    """The package whose ``texts.toml`` has its texts for the console, in English and Korean;
    derived from names and help without one."""

    def load(self) -> type[Any]:
        """The class of the service."""
        kind: type[Any] = load_object(self.service)
        return kind

    def data_sets(self, core: Core) -> Sequence[DataSet]:
        """Its data sets for analysis."""
        if self.exports is None:
            return ()
        found: Sequence[DataSet] = load_object(self.exports).data_sets(core)
        return found

    def declared_tables(self) -> list[Table]:
        """Its tables in the store, with what other packages declare in them."""
        if self.tables is None:
            return []
        self.load().extensions()
        return module_tables(load_object(self.tables))


def module_tables(module: ModuleType) -> list[Table]:
    """The tables that a module declares, or whose entities or access patterns it has."""
    from gotgan.store.entities import Entity  # noqa: PLC0415 - not every command needs a store
    from gotgan.store.patterns import Pattern  # noqa: PLC0415 - as above
    from gotgan.store.schema import Schema  # noqa: PLC0415 - as above
    from gotgan.store.tables import Table  # noqa: PLC0415 - as above

    found: list[Table] = []
    for value in vars(module).values():
        if isinstance(value, Table):
            found.append(value)
        elif isinstance(value, Pattern):
            found += [read.table for read in value.reads]
        elif isinstance(value, type) and issubclass(value, Entity):
            schema = vars(value).get("__schema__")
            found += [schema.table] if isinstance(schema, Schema) else []
    return list(dict.fromkeys(found))


def load_object(name: str) -> Any:
    """What ``module:attribute`` names."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute) if attribute else import_module(module)


# The registry


@cache
def domains() -> tuple[Domain, ...]:
    """All domains: those of this package first, then those of entry points by name."""
    own = [load_object(f"gotgan.domains.{name}:DOMAIN") for name in BUILT_IN]
    return (*own, *_external_domains(RESERVED.union(BUILT_IN)))


def _external_domains(taken: frozenset[str]) -> list[Domain]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - most commands need no list

    found: dict[str, Domain] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        found[point.name] = _checked_domain(point, taken | found.keys())
    return list(found.values())


def _checked_domain(point: EntryPoint, taken: frozenset[str]) -> Domain:
    subject = f"The domain {point.name} of the package {package_name(point)}"
    if point.name in taken or not fullmatch("[a-z][a-z0-9_]*", point.name):
        raise DeclarationError(
            f"{subject} has a name that is taken or not valid. Choose another: lower-case letters, "
            f"digits and underscores."
        )
    value = load_entry_point(point, subject)
    if not isinstance(value, Domain) or value.name != point.name:
        raise DeclarationError(
            f"{subject} is declared as {point.value}, which is not a Domain with that name. "
            f"Fix or uninstall {package_name(point)}."
        )
    for problem in _job_problems(value):
        raise DeclarationError(f"{subject} declares a job that cannot run: {problem}")
    return value


def _job_problems(domain: Domain) -> Iterator[str]:
    """What is wrong with the jobs of a domain; one of them would stop the whole schedule."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - for domains of other packages alone

    from cronsim import CronSim  # noqa: PLC0415 - as above

    names = [job.name for job in domain.jobs]
    for job in domain.jobs:
        if not job.verb.startswith(f"{domain.name}.") or names.count(job.name) > 1:
            yield f"{job.verb}. Use a verb of {domain.name}, and each in one job."
        if job.after is not None and job.after not in names:
            yield f"{job.verb} runs after {job.after}. Use a job of {domain.name}."
        try:
            next(CronSim(job.cron, datetime(2026, 1, 1, tzinfo=ZoneInfo(job.zone or "UTC"))))
        except Exception as error:  # noqa: BLE001 - a cron line or a zone can be wrong in many ways
            yield f"{job.verb} at {job.cron!r} in the zone {job.zone}: {error!r}."


def package_name(point: EntryPoint) -> str:
    """The name of the package that declares an entry point."""
    return point.module if point.dist is None else point.dist.name


def load_entry_point(point: EntryPoint, subject: str) -> Any:
    """What an entry point names; ``subject`` begins the sentence of an error."""
    try:
        return point.load()
    except Exception as error:
        cause = error.message if isinstance(error, GotganError) else repr(error)
        raise DeclarationError(
            f"{subject} cannot be loaded from {point.value}: {cause.rstrip('.')}. "
            f"Fix or uninstall {package_name(point)}."
        ) from error


def all_tables() -> Iterator[Table]:
    """The tables of all domains, each once; a domain is loaded when its turn comes."""
    seen: set[Table] = set()
    for each in domains():
        found = each.declared_tables()
        yield from (table for table in found if table not in seen)
        seen |= {*found}


def get_domain(name: str) -> Domain:
    """The domain of that name; entry points are read only for one that is not built in."""
    if name in BUILT_IN:
        own: Domain = load_object(f"gotgan.domains.{name}:DOMAIN")
        return own
    for each in domains():
        if each.name == name:
            return each
    known = [each.name for each in domains()]
    raise NotFound(_NO_DOMAIN(name=name, known=known))
