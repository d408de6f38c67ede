"""What the market needs before it collects, and the gates of its jobs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gotgan.domain import GO, GateDecision, Service, SetupStep, SimpleDecision, skipped

if TYPE_CHECKING:
    from datetime import date

    from gotgan.settings import Settings

__all__ = ["MarketSetup"]

_A_YEAR: Final = timedelta(days=365)
_LOOKED_BACK: Final = timedelta(days=45)
"""A market without a day in so long has no past that indicators could be made of."""


class MarketSetup(Service):
    """Gates and setup of the market; its service has the rest."""

    _settings: Settings

    @abstractmethod
    def today(self) -> date:
        """Today on the exchange."""

    @abstractmethod
    def last_logged(self) -> date | None:
        """The latest day with a log."""

    @abstractmethod
    def decide(self, day: date | None = None) -> GateDecision:
        """What a tick would do about a day's collection now."""

    @abstractmethod
    def decide_indicators(self, day: date | None = None) -> GateDecision:
        """What a tick would do about a day's indicators now."""

    def is_ready(self) -> GateDecision:
        """Whether a provider of prices is set up."""
        return self.unset() or GO

    def decide_today(self) -> GateDecision:
        """Whether today's prices are to be collected now."""
        return self.unset() or self.decide()

    def decide_indicators_today(self) -> GateDecision:
        """Whether today's indicators are to be calculated now."""
        return self.unset() or self.decide_indicators()

    def setup(self) -> Sequence[SetupStep]:
        """What there is to set up."""
        today = self.today()
        return (
            SetupStep.of(
                "market",
                "login",
                self.unset(),
                variables=("KRX_ID", "KRX_PW"),
                source="https://data.krx.co.kr/",
            ),
            SetupStep.of(
                "market",
                "history",
                self._history(today),
                is_needed=False,
                command=f"gotgan market recover {today - _A_YEAR}..{today}",
            ),
        )

    def unset(self) -> SimpleDecision | None:
        """Which settings are missing to collect on schedule; None if none are."""
        from gotgan.domains.market.providers import missing_setup  # noqa: PLC0415 - as in service

        words = missing_setup(self._settings)
        return None if words is None else skipped("no_provider", words)

    def _history(self, today: date) -> SimpleDecision | None:
        last = self.last_logged()
        if last is not None and last >= today - _LOOKED_BACK:
            return None
        return skipped(
            "no_history",
            "no day was collected lately; recover a span, for indicators need a past of some "
            "months",
        )
