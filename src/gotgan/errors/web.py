"""Errors of requests to the web, and of the pages that come from there."""

from __future__ import annotations

from gotgan.errors.root import GotganError


class FetchError(GotganError):
    """The web did not give what was asked for."""

    code = "fetch"


class AddressRefused(FetchError):
    """An address that must not be opened from here, or that is none."""

    code = "fetch.address"


class PrivateName(AddressRefused):
    """A name that leads into this machine or its network, at least at this moment."""

    code = "fetch.private_name"


class LeadsElsewhere(FetchError):
    """A redirect leads to another site than the one that was meant; it was not followed."""

    code = "fetch.elsewhere"


class RobotsDisallowed(FetchError):
    """The site's robots.txt asks not to fetch it, and it is not fetched."""

    code = "fetch.robots"

    def __init__(self, message: str, *, everything: bool = False) -> None:
        super().__init__(message)
        self.everything = everything
        """Whether it asks not to fetch anything at all, as sites do while they are mended."""


class RobotsUnavailable(FetchError):
    """The site answered, but not with its robots.txt; nothing was fetched. Try again later."""

    code = "fetch.robots_unavailable"
    retry = True


class TooManyRedirects(FetchError):
    """Redirects led in a circle, or on and on."""

    code = "fetch.redirects"


class TooLarge(FetchError):
    """The answer is larger than allowed, as it was sent or once it is unpacked."""

    code = "fetch.too_large"


class Unreachable(FetchError):
    """There was no connection, or it broke off."""

    code = "fetch.unreachable"
    retry = True


class FetchTimeout(FetchError):
    """It took too long."""

    code = "fetch.timeout"
    retry = True


class Truncated(FetchError):
    """The answer ended before its end."""

    code = "fetch.truncated"
    retry = True


class Undecodable(FetchError):
    """The answer is packed in a way that cannot be undone."""

    code = "fetch.undecodable"


class NotRecorded(FetchError):
    """A replay has no answer for this; record it first."""

    code = "fetch.not_recorded"


class BadStatus(FetchError):
    """The server said no."""

    code = "fetch.status"

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        """What it said."""
        self.retry_after = retry_after
        """How many seconds it asks us to wait, where it says so."""
        self.said = b""
        """Its own words, where an account of ours is used there."""


class PageForbidden(BadStatus):
    """The server does not want us to have this: 401, 403 or 451."""

    code = "fetch.forbidden"


class PageMissing(BadStatus):
    """There is nothing at this address, or nothing any more: 404 or 410."""

    code = "fetch.missing"


class TooManyRequests(BadStatus):
    """We ask too often: 429. Wait, and ask less often."""

    code = "fetch.too_many_requests"
    retry = True


class ServerTrouble(BadStatus):
    """The server has a fault of its own: 5xx. Try again later."""

    code = "fetch.server"
    retry = True


class PageError(GotganError):
    """What came is not the page that was meant; nothing was written."""

    code = "page"


class ConsentPage(PageError):
    """The site asks for consent first."""

    code = "page.consent"


class BlockPage(PageError):
    """The site took us for a robot that it does not want."""

    code = "page.blocked"


class NoStories(PageError):
    """A list page without a single story: its shape has changed, or it is no list."""

    code = "page.no_stories"


class TruncatedPage(PageError):
    """A page that ends in the middle; try again."""

    code = "page.truncated"
    retry = True


class WrongContentType(PageError):
    """Something else than the kind of document that was asked for."""

    code = "page.content_type"


class UnknownShape(PageError):
    """An article in which no text was found: its shape has changed, or it has none."""

    code = "page.shape"
