"""What goes wrong with the market, and with the database that keeps it."""

from __future__ import annotations

from gotgan.errors.root import GotganError

__all__ = [
    "BadMarketAnswer",
    "DatabaseReadOnly",
    "DatabaseTooNew",
    "DatabaseUnavailable",
    "LoginRefused",
    "MarketClosed",
    "PasswordExpired",
    "ProviderBlocked",
    "ProviderError",
    "SessionEnded",
    "TableUnusable",
    "VerifyFailed",
]


class DatabaseTooNew(GotganError):
    """The relational database was written by a later version of Gotgan."""

    code = "database.too_new"


class TableUnusable(GotganError):
    """A table that exists already cannot be taken over; nothing was changed."""

    code = "database.table"


class DatabaseUnavailable(GotganError):
    """The relational database did not answer, or could not do what was asked."""

    code = "database"
    retry = True


class DatabaseReadOnly(DatabaseUnavailable):
    """The relational database, or the folder of its file, cannot be written."""

    code = "database.readonly"
    retry = False


class ProviderError(GotganError):
    """A provider of prices did not give what was asked for."""

    code = "market.provider"
    retry = True


class ProviderBlocked(ProviderError):
    """The provider does not want to hear from us for a while; asking again prolongs it."""

    code = "market.blocked"
    retry = False


class LoginRefused(ProviderError):
    """The provider does not let us in: there is no name and password, or they are wrong."""

    code = "market.login"
    retry = False


class PasswordExpired(LoginRefused):
    """The provider wants a new password first."""

    code = "market.password"


class SessionEnded(ProviderError):
    """The provider has forgotten that we logged in."""

    code = "market.session"


class BadMarketAnswer(ProviderError):
    """What the provider sent is not what it should be: no rows, half of them, or garbage."""

    code = "market.answer"


class MarketClosed(GotganError):
    """There was no trading on that day."""

    code = "market.closed"


class VerifyFailed(GotganError):
    """What was stored is not what was fetched, or is too little to be a whole day."""

    code = "market.verify"
    retry = True
