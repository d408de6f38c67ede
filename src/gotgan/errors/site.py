"""What goes wrong in the site."""

from __future__ import annotations

from gotgan.errors.root import Conflict, GotganError

__all__ = [
    "CategoryHasPosts",
    "IdTaken",
    "MailFailed",
    "MailUnreachable",
    "MigrationError",
    "OwnAccount",
    "RateLimited",
    "SlugImmutable",
    "SlugTaken",
    "VersionRequired",
]


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
