"""Errors of the domains: shops, site, market and videos."""

from __future__ import annotations

from typing import ClassVar

from gotgan.errors.root import Conflict, GotganError


class SinkFailed(GotganError):
    """Changes could not be handed over; they are kept, and handed over the next time."""

    code = "shops.sink"
    retry = True


class IdTaken(Conflict):
    """There is something under that id already; it stays as it is."""

    code = "id_taken"


class SlugTaken(Conflict):
    """Another category has that slug."""

    code = "slug_taken"


class CategoryHasPosts(Conflict):
    """A category with posts or drafts cannot be deleted; move or delete them first."""

    code = "category_has_posts"


class OwnAccount(Conflict):
    """Nobody takes away their own account or role, so that there is always somebody left."""

    code = "own_account"


class SlugImmutable(GotganError):
    """The slug of a category is never changed, because addresses hold it."""

    code = "slug_immutable"


class VersionRequired(GotganError):
    """A change must say for which version of the record it is."""

    code = "version_required"


class RateLimited(GotganError):
    """Somebody wrote too often; they may write again later."""

    code = "rate_limited"
    retry = True

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds
        """How long to wait."""


class MailFailed(GotganError):
    """A mail could not be sent; it stays queued and is tried again."""

    code = "mail"
    retry = True


class MailUnreachable(MailFailed):
    """The mail server did not answer, or did not let us in: no other mail gets through either."""

    code = "mail.unreachable"


class MigrationError(GotganError):
    """Old tables cannot be read, matched or removed; what was copied stays."""

    code = "migration"


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


class AnalysisError(GotganError):
    """An analysis could not be made; nothing of it was saved."""

    code = "videos"
    job_code: ClassVar[str] = "ANALYSIS_UPSTREAM_UNAVAILABLE"
    """What the document of the videos calls it."""


class UpstreamUnavailable(AnalysisError):
    """YouTube or a model could not be asked, or gave no answer; try again later."""

    code = "videos.upstream"
    retry = True


class KeyRefused(AnalysisError):
    """A key is missing, wrong, or may not do what was asked."""

    code = "videos.key"


class UpstreamBusy(AnalysisError):
    """YouTube or a model wants to be asked less often."""

    code = "videos.busy"
    retry = True
    job_code = "ANALYSIS_RATE_LIMITED"

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """How many seconds to wait, where that is known."""


class QuotaExhausted(UpstreamBusy):
    """The units of the day are used up; they come back at midnight in California."""

    code = "videos.quota"
    retry = False


class RefreshTooSoon(UpstreamBusy):
    """A video was analysed again less than ten minutes ago; try again later."""

    code = "videos.refresh_too_soon"


class VideoMissing(AnalysisError):
    """There is no such video, or it is not public."""

    code = "videos.missing"
    job_code = "ANALYSIS_VIDEO_NOT_FOUND"


class AnalysisTimeout(AnalysisError):
    """It took longer than an analysis may take."""

    code = "videos.timeout"
    retry = True
    job_code = "ANALYSIS_TIMEOUT"


class OutputInvalid(AnalysisError):
    """What the analyser said is not the shape of a result, and may not be mended."""

    code = "videos.output"
    job_code = "ANALYSIS_OUTPUT_INVALID"
