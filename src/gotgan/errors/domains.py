"""Errors of the domains: news, shops, site, market and videos."""

from __future__ import annotations

from typing import ClassVar

from gotgan.errors.root import Conflict, GotganError


class BadSource(GotganError):
    """The URL cannot be added as a source of news. Nothing was added."""

    code = "news.source"

    def __init__(self, message: str, cause: GotganError) -> None:
        super().__init__(message)
        self.cause = cause
        """Why it cannot be read; its ``retry`` says whether the site may answer later."""


class SinkFailed(GotganError):
    """The webhook did not accept the changes. They are kept and sent again."""

    code = "shops.sink"
    retry = True


class IdTaken(Conflict):
    """This ID is in use already. The existing record is unchanged."""

    code = "id_taken"


class SlugTaken(Conflict):
    """Another category has this slug."""

    code = "slug_taken"


class CategoryHasPosts(Conflict):
    """The category has posts or drafts. Move or delete them first."""

    code = "category_has_posts"


class OwnAccount(Conflict):
    """You cannot remove your own account or role, so that an admin always remains."""

    code = "own_account"


class SlugImmutable(GotganError):
    """The slug of a category cannot change, because URLs contain it."""

    code = "slug_immutable"


class VersionRequired(GotganError):
    """A change must name the version of the record that it is for."""

    code = "version_required"


class RateLimited(GotganError):
    """Too many requests. Wait and try again."""

    code = "rate_limited"
    retry = True

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds
        """How long to wait."""


class MailFailed(GotganError):
    """An e-mail could not be sent. It stays queued and is retried."""

    code = "mail"
    retry = True


class MailUnreachable(MailFailed):
    """The mail server did not answer or refused the login. All e-mails wait."""

    code = "mail.unreachable"


class MigrationError(GotganError):
    """Old tables cannot be read, matched or removed. What was copied is kept."""

    code = "migration"


class DatabaseTooNew(GotganError):
    """The database was written by a later version of Gotgan."""

    code = "database.too_new"


class TableUnusable(GotganError):
    """An existing table cannot be adopted. Nothing was changed."""

    code = "database.table"


class DatabaseUnavailable(GotganError):
    """The relational database did not answer or could not do this."""

    code = "database"
    retry = True


class DatabaseReadOnly(DatabaseUnavailable):
    """The relational database, or the folder of its file, is read-only."""

    code = "database.readonly"
    retry = False


class ProviderError(GotganError):
    """A price provider failed to deliver."""

    code = "market.provider"
    retry = True


class ProviderBlocked(ProviderError):
    """The provider blocks requests for a while. Asking again prolongs it."""

    code = "market.blocked"
    retry = False


class LoginRefused(ProviderError):
    """The provider refused the login: credentials are missing or wrong."""

    code = "market.login"
    retry = False


class PasswordExpired(LoginRefused):
    """The provider asks for a new password first."""

    code = "market.password"


class SessionEnded(ProviderError):
    """The provider's session has expired."""

    code = "market.session"


class BadMarketAnswer(ProviderError):
    """The provider's response is empty, incomplete or malformed."""

    code = "market.answer"


class MarketClosed(GotganError):
    """The market was closed on this day."""

    code = "market.closed"


class VerifyFailed(GotganError):
    """The stored prices differ from the fetched ones, or are too few for a whole day."""

    code = "market.verify"
    retry = True


class AnalysisError(GotganError):
    """An analysis failed. Nothing of it was saved."""

    code = "videos"
    job_code: ClassVar[str] = "ANALYSIS_UPSTREAM_UNAVAILABLE"
    """What the document of the videos calls it."""


class UpstreamUnavailable(AnalysisError):
    """YouTube or the AI model did not answer. Try again later."""

    code = "videos.upstream"
    retry = True


class KeyRefused(AnalysisError):
    """An API key is missing, wrong or not allowed to do this."""

    code = "videos.key"


class UpstreamBusy(AnalysisError):
    """YouTube or the AI model limits the rate of requests."""

    code = "videos.busy"
    retry = True
    job_code = "ANALYSIS_RATE_LIMITED"

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """How many seconds to wait, where that is known."""


class QuotaExhausted(UpstreamBusy):
    """The daily YouTube quota is used up. It resets at midnight Pacific Time."""

    code = "videos.quota"
    retry = False


class RefreshTooSoon(UpstreamBusy):
    """The video was analysed again less than ten minutes ago. Try again later."""

    code = "videos.refresh_too_soon"


class VideoMissing(AnalysisError):
    """The video does not exist or is not public."""

    code = "videos.missing"
    job_code = "ANALYSIS_VIDEO_NOT_FOUND"


class AnalysisTimeout(AnalysisError):
    """The analysis took too long."""

    code = "videos.timeout"
    retry = True
    job_code = "ANALYSIS_TIMEOUT"


class OutputInvalid(AnalysisError):
    """The AI model's output is not a valid result."""

    code = "videos.output"
    job_code = "ANALYSIS_OUTPUT_INVALID"
