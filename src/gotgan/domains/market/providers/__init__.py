"""Who is asked for prices and indices, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gotgan.clock import Clock, SystemClock
from gotgan.domains.market.providers.chain import Providers
from gotgan.domains.market.providers.csv import CsvFiles
from gotgan.domains.market.providers.krx import Krx
from gotgan.domains.market.providers.provider import Provider
from gotgan.domains.market.providers.pykrx import Pykrx
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database, Leases

__all__ = ["Provider", "Providers", "providers_of"]


def providers_of(
    settings: Settings, web: Web, database: Database, clock: Clock | None = None
) -> Providers:
    """The providers that the settings name, in their order."""
    leases = database.leases
    chosen = [_MAKERS[name](settings, web, leases) for name in settings.market_providers]
    return Providers(chosen, leases, clock or SystemClock())


_MAKERS: Final[Mapping[str, Callable[[Settings, Web, Leases], Provider]]] = {
    "krx": lambda settings, web, leases: Krx(web, settings, leases),
    "pykrx": lambda settings, _web, leases: Pykrx(settings, leases),
    "csv": lambda settings, _web, _leases: CsvFiles(settings.market_csv),
}
