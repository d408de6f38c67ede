"""When KRX says no, and how: with a status, with a page, or with a single word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from gotgan.errors import (
    BadMarketAnswer,
    BadStatus,
    FetchError,
    ProviderBlocked,
    ProviderError,
    SessionEnded,
)

__all__ = ["expect_answer", "refusals_told"]

_LOGOUT: Final = b"LOGOUT"
_PASSING: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, *range(500, 600)})
_LONGEST: Final = 65_536
"""No page that refuses something is longer; prices are."""
_PAGE: Final = re.compile(r"\s*<")
_DOWN: Final = re.compile(r"service unavailable|서비스가 원활", re.IGNORECASE)
_BLOCK: Final = re.compile(
    r"접속[^.<]{0,40}제한|접근[^.<]{0,40}(?:제한|차단)|차단|대량\s*조회"
    r"|access (?:is |has been )?denied|unusual traffic|are you a robot|captcha",
    re.IGNORECASE,
)


def expect_answer(status: int, body: bytes) -> None:
    """Raise the ProviderError that an answer is, if it is one.

    A block comes with 403 as well as with 200, and KRX answers 403 too while it is out of order;
    so the words decide, and the status only where there are none that are known.
    """
    text = body[:_LONGEST].decode(errors="replace")
    is_page = len(body) <= _LONGEST and _PAGE.match(text) is not None
    if body.strip() == _LOGOUT:
        raise SessionEnded("KRX has forgotten that we logged in; log in again")
    if status in _PASSING or (is_page and _DOWN.search(text)):
        raise ProviderError(f"KRX is out of order ({status}); try again later")
    if status == HTTPStatus.FORBIDDEN or (is_page and _BLOCK.search(text)):
        raise _blocked()
    if status >= HTTPStatus.BAD_REQUEST:
        raise BadMarketAnswer(f"KRX answered {status}, and does not say why; try again later")
    if is_page:
        raise BadMarketAnswer(
            "KRX answered a page where data was asked for; see in a browser what it says"
        )


@contextmanager
def refusals_told() -> Iterator[None]:
    """Say what the web's errors mean when it is KRX that was asked."""
    try:
        yield
    except BadStatus as error:
        if not error.retry:
            expect_answer(error.status, error.said)
        raise ProviderError(f"KRX could not be asked: {error.message}") from error
    except FetchError as error:
        raise ProviderError(f"KRX could not be asked: {error.message}") from error


def _blocked() -> ProviderBlocked:
    return ProviderBlocked(
        "KRX does not answer this network for a day, as it does after too many look-ups; asking "
        "again prolongs it: name another provider in GOTGAN_MARKET_PROVIDERS, or wait"
    )
