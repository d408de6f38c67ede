"""Errors of requests to the web, and of the pages that come from there."""

from __future__ import annotations

from gotgan.errors.root import GotganError


class FetchError(GotganError):
    """A web request failed."""

    code = "fetch"


class AddressRefused(FetchError):
    """The URL is invalid or must not be opened from here."""

    code = "fetch.address"


class PrivateName(AddressRefused):
    """The host name resolves to a private or local address."""

    code = "fetch.private_name"


class LeadsElsewhere(FetchError):
    """A redirect leads to another site. It was not followed."""

    code = "fetch.elsewhere"


class RobotsDisallowed(FetchError):
    """Blocked by robots.txt."""

    code = "fetch.robots"

    def __init__(self, message: str, *, everything: bool = False) -> None:
        super().__init__(message)
        self.everything = everything
        """Whether it asks to fetch nothing, as sites do during maintenance."""


class RobotsUnavailable(FetchError):
    """Could not fetch robots.txt, so nothing was fetched. Try again later."""

    code = "fetch.robots_unavailable"
    retry = True


class TooManyRedirects(FetchError):
    """There were too many redirects."""

    code = "fetch.redirects"


class TooLarge(FetchError):
    """The response is too large, as sent or decompressed."""

    code = "fetch.too_large"


class Unreachable(FetchError):
    """Could not connect, or the connection broke."""

    code = "fetch.unreachable"
    retry = True


class FetchTimeout(FetchError):
    """The request timed out."""

    code = "fetch.timeout"
    retry = True


class Truncated(FetchError):
    """The response ended early."""

    code = "fetch.truncated"
    retry = True


class Undecodable(FetchError):
    """The response cannot be decoded."""

    code = "fetch.undecodable"


class NotRecorded(FetchError):
    """The replay has no response for this request. Record it first."""

    code = "fetch.not_recorded"


class BadStatus(FetchError):
    """The server answered with an error status."""

    code = "fetch.status"

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        """The status of the response."""
        self.retry_after = retry_after
        """How many seconds it asks us to wait, where it says so."""
        self.body = b""
        """The response body, kept only for requests that use our account."""


class PageForbidden(BadStatus):
    """The server refused access: 401, 403 or 451."""

    code = "fetch.forbidden"


class PageMissing(BadStatus):
    """The page does not exist: 404 or 410."""

    code = "fetch.missing"


class TooManyRequests(BadStatus):
    """The server limits the rate of requests: 429. Wait and try again."""

    code = "fetch.too_many_requests"
    retry = True


class ServerTrouble(BadStatus):
    """The server failed: 5xx. Try again later."""

    code = "fetch.server"
    retry = True


class PageError(GotganError):
    """The response is not the expected page. Nothing was written."""

    code = "page"


class ConsentPage(PageError):
    """The site asks for consent first."""

    code = "page.consent"


class BlockPage(PageError):
    """The site is blocking or rate-limiting requests."""

    code = "page.blocked"


class CaptchaPage(BlockPage):
    """The site asks for a captcha."""

    code = "page.captcha"


class NoStories(PageError):
    """The list page has no stories. Its layout may have changed."""

    code = "page.no_stories"


class TruncatedPage(PageError):
    """The page is incomplete. Try again."""

    code = "page.truncated"
    retry = True


class WrongContentType(PageError):
    """The response has an unexpected content type."""

    code = "page.content_type"


class UnknownShape(PageError):
    """No article text was found. The layout may have changed."""

    code = "page.shape"


class PageTakenDown(PageError):
    """The page says that it does not exist, though its status is 200."""

    code = "page.taken_down"


class NeedsScripts(PageError):
    """There is nothing to read: scripts would fill the page."""

    code = "page.needs_scripts"


class NotAnArticle(PageError):
    """The page is a list, an index or a quote, not an article."""

    code = "page.not_an_article"
