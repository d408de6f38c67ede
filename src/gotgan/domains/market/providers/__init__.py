"""Who is asked for prices and indices, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gotgan.clock import Clock, SystemClock
from gotgan.domains.market.messages import NO_PROVIDER
from gotgan.domains.market.providers.csv import CsvFiles
from gotgan.domains.market.providers.krx import Krx
from gotgan.domains.market.providers.provider import Provider, Providers
from gotgan.domains.market.providers.pykrx import Pykrx
from gotgan.fetch import Web
from gotgan.messages import Message
from gotgan.settings import Settings
from gotgan.sql import Database, Leases

__all__ = ["Provider", "Providers", "log_in", "make_providers", "missing_setup"]


def make_providers(
    settings: Settings, web: Web, database: Database, clock: Clock | None = None
) -> Providers:
    """The providers that the settings name, in their order."""
    leases = database.leases
    chosen = [_FACTORIES[name](settings, web, leases) for name in settings.market_providers]
    return Providers(chosen, leases, clock or SystemClock(), unset=missing_setup(settings))


def log_in(settings: Settings, web: Web, database: Database) -> bool:
    """Try the login at KRX, if there is one; ProviderError if it is refused."""
    if not settings.krx_id or settings.krx_password is None:
        return False
    Krx(web, settings, database.leases).log_in()
    return True


def missing_setup(settings: Settings) -> Message | None:
    """What to set, where no provider that the settings name is configured; None where one is."""
    has_login = bool(settings.krx_id) and settings.krx_password is not None
    usable = {"krx": has_login, "pykrx": has_login, "csv": settings.market_csv is not None}
    if any(usable[name] for name in settings.market_providers):
        return None
    return NO_PROVIDER(providers=settings.market_providers)


_FACTORIES: Final[Mapping[str, Callable[[Settings, Web, Leases], Provider]]] = {
    "krx": lambda settings, web, leases: Krx(web, settings, leases),
    "pykrx": lambda settings, _web, leases: Pykrx(settings, leases),
    "csv": lambda settings, _web, _leases: CsvFiles(settings.market_csv),
}
