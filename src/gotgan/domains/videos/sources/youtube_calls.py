"""Requests to YouTube's API: each is counted before it is sent, and few are sent twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from gotgan.domains.videos.sources.quota import Quota, key_of
from gotgan.domains.videos.sources.youtube_answers import document_of
from gotgan.domains.videos.sources.youtube_refusals import (
    QUOTA,
    YouTubeRefusal,
    error_of,
    is_passing,
    reasons_of,
)
from gotgan.errors import BadStatus, FetchError
from gotgan.events import emit
from gotgan.fetch import Ask, Web
from gotgan.retry import Policy
from gotgan.settings import Settings

__all__ = ["VideoCalls", "YouTubeConnection"]

_RETRY: Final = Policy(attempts=2, base=1.0, cap=5.0)
_LONGEST_WAIT: Final = 30.0
"""Beyond this whoever wants an analysis is told when to come again."""


@dataclass(frozen=True)
class YouTubeConnection:
    """The way to YouTube; all that is asked goes by it."""

    web: Web
    settings: Settings
    quota: Quota
    seconds: float = 30.0
    """How long one request may take."""
    pause: Callable[[float], None] = time.sleep
    """What lets time pass between two attempts."""


@dataclass
class VideoCalls:
    """What is asked for one video, and how many units it took."""

    line: YouTubeConnection
    units: int = field(default=0, init=False)

    def get(
        self, resource: str, heeded: Collection[str] = (), **parameters: str
    ) -> Mapping[str, Any]:
        """Ask for something; AnalysisError where it is not given.

        Where the reason is one of those that the caller heeds, YouTubeRefusal says which it was.
        """
        attempt = 1
        while True:
            try:
                return document_of(self._sent(resource, parameters))
            except FetchError as error:
                if not _is_worth_another(error, attempt):
                    raise self._meant(error, heeded) from error
                emit("videos.youtube.retrying", resource=resource, reason=error.message)
            self.line.pause(_RETRY.longest(attempt))
            attempt += 1

    def _sent(self, resource: str, parameters: Mapping[str, str]) -> bytes:
        """Send one request; the key goes in a header, and never on to where a redirect leads."""
        key = key_of(self.line.settings)
        self.line.quota.spend()
        self.units += 1
        base = self.line.settings.youtube.rstrip("/")
        return self.line.web.one(
            Ask(
                f"{base}/{resource}?{urlencode(parameters)}",
                None,
                accept="application/json",
                from_settings=True,
                within=_nowhere,
                headers={"x-goog-api-key": key},
                is_personal=True,
                seconds=self.line.seconds,
            )
        ).body

    def _meant(self, error: FetchError, heeded: Collection[str]) -> Exception:
        reasons = reasons_of(error)
        for reason in heeded:
            if reason in reasons:
                return YouTubeRefusal(reason)
        meant = error_of(error, reasons, self.line.quota.resets_in())
        if not QUOTA.isdisjoint(reasons):
            self.line.quota.block(meant.message)
            emit("videos.youtube.exhausted", level="warning", seconds=self.line.quota.resets_in())
        return meant


def _is_worth_another(error: FetchError, attempt: int) -> bool:
    asked = error.retry_after if isinstance(error, BadStatus) else None
    is_soon = (asked or 0.0) <= _LONGEST_WAIT
    return attempt < _RETRY.attempts and is_soon and is_passing(error, reasons_of(error))


def _nowhere(_url: str) -> bool:
    return False
