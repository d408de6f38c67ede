"""The verbs of the rates."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, ClassVar, Self
from xml.etree import ElementTree as ET

from pydantic import Field, StringConstraints

from gotgan.clock import Zone
from gotgan.domain import (
    GO,
    Core,
    GateDecision,
    Service,
    SetupStep,
    SimpleDecision,
    contact_step,
    missing_contact,
)
from gotgan.errors import NotFound, PageError, UsageError
from gotgan.fetch import Web
from gotgan.params import Cursor, Day, Limit
from gotgan.settings import Settings
from gotgan.store import Cost, Page, Store
from gotgan.verbs import verb
from gotgan_rates.models import RATES, Rate, one_rate, rates_of_currency, rates_of_day

__all__ = ["Collected", "Rates", "RatesDay"]

ADDRESS = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
XML = "application/xml,text/xml;q=0.9"
NAMESPACE = "{http://www.ecb.int/vocabulary/2002-08-01/eurofxref}"

Currency = Annotated[
    str,
    StringConstraints(pattern="^[A-Za-z]{3}$", to_upper=True),
    Field(description="Code of the currency, such as KRW.", examples=["KRW"]),
]
OnDay = Annotated[Day, Field(description="Day of the rates. Default: the latest.")]


@dataclass(frozen=True)
class Collected:
    """What one run stored."""

    day: date
    """The day that the rates are of."""
    new: int
    """Rates that were stored."""
    duplicates: int
    """Rates that were there already."""
    cost: Cost


@dataclass(frozen=True)
class RatesDay:
    """The rates of a day."""

    currencies: int
    """How many currencies have a rate of this day."""


class Rates(Service):
    """Exchange rates of the European Central Bank, each stored exactly once."""

    domain: ClassVar = "rates"

    def __init__(self, store: Store, web: Web, settings: Settings) -> None:
        self._store = store
        self._web = web
        self._settings = settings

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service on a store and a web."""
        return cls(core.store, core.web, core.settings)

    def prepare(self) -> None:
        """Create the table if it is missing."""
        self._store.create(RATES)

    @verb(role="editor", kind="run")
    def collect(self) -> Collected:
        """Fetch the rates of the last working day and store those that are new."""
        answer = self._web.get(ADDRESS, accept=XML)
        rates = rates_in(answer.body)
        with self._store.metered("collect") as measured:
            stored = self._store.put_new_all(rates)
        for failed in stored.failed:
            raise failed.error
        return Collected(rates[0].day, len(stored.new), len(stored.duplicates), measured.cost)

    @verb()
    def list(
        self,
        *,
        currency: Currency | None = None,
        day: OnDay | None = None,
        limit: Limit = 50,
        cursor: Cursor | None = None,
    ) -> Page[Rate]:
        """List the rates of a day, or of a currency, newest first."""
        if currency is not None and day is not None:
            raise UsageError("Choose a currency or a day, not both.")
        if currency is not None:
            return self._store.query(rates_of_currency(currency), limit=limit, cursor=cursor)
        chosen = day or self._latest()
        return self._store.query(rates_of_day(chosen), limit=limit, cursor=cursor)

    @verb()
    def get(self, currency: Currency, *, day: OnDay | None = None) -> Rate:
        """Show the rate of a currency."""
        if day is not None:
            found = self._store.get(one_rate(currency, day))
        else:
            found = self._store.first(rates_of_currency(currency))
        if found is None:
            when = f" on {day}" if day is not None else ""
            raise NotFound(f"No rate of {currency}{when} is stored. Run gotgan rates collect.")
        return found

    def _latest(self) -> date:
        """The latest day that has rates; every day has one of the dollar."""
        dollar = self._store.first(rates_of_currency("USD"))
        return self._store.clock.now().date() if dollar is None else dollar.day

    # What the timetable, the setup page and the page of a day ask for

    def is_ready(self) -> GateDecision:
        """Whether rates may be fetched: the owner of a site must be able to reach you."""
        return missing_contact(self._settings) or GO

    def unset(self) -> SimpleDecision | None:
        """Which settings are missing to collect on schedule."""
        return missing_contact(self._settings)

    def setup(self) -> tuple[SetupStep, ...]:
        """What there is to set up."""
        return (contact_step("rates", self._settings),)

    def summary(self, day: date, zone: Zone) -> RatesDay:  # noqa: ARG002 - rates are of a date
        """The rates of a day."""
        return RatesDay(int(self._store.count(rates_of_day(day))))


def rates_in(body: bytes) -> list[Rate]:
    """The rates of a document of the bank."""
    try:
        root = ET.fromstring(body)  # noqa: S314 - expat limits entities, and the web the size
        [cube] = root.iterfind(f".//{NAMESPACE}Cube[@time]")
        day = date.fromisoformat(cube.attrib["time"])
        found = [
            Rate(currency=each.attrib["currency"], day=day, rate=Decimal(each.attrib["rate"]))
            for each in cube.iterfind(f"{NAMESPACE}Cube")
        ]
    except (ET.ParseError, ValueError, KeyError, InvalidOperation) as error:
        raise PageError(f"{ADDRESS} is not a list of rates: {error}.") from error
    if not found:
        raise PageError(f"{ADDRESS} has no rates of {day}.")
    return found
