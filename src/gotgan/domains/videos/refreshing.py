"""Whether a fresh analysis may be replaced: three reasons, each with its rule."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final

from gotgan.domains.videos.models import Reason
from gotgan.errors import Conflict, RefreshTooSoon

__all__ = ["PAUSE", "expect_allowed"]

PAUSE: Final = timedelta(minutes=10)
"""The least time between two user_requests for the same video."""


def expect_allowed(
    reason: Reason,
    *,
    last_wanted: datetime | None,
    last_status: str | None,
    is_bump: bool,
    now: datetime,
) -> None:
    """Raise unless the reason holds; after a failed job every reason does.

    ``last_wanted`` is when the last user_request was made that did not fail, ``last_status`` the
    status of the last job of this version, ``is_bump`` whether all results are of other versions.
    """
    if last_status == "failed":
        return
    if reason == "user_request" and last_wanted is not None and now - last_wanted < PAUSE:
        wait = (last_wanted + PAUSE - now).total_seconds()
        raise RefreshTooSoon(
            "this video was analysed again less than 10 minutes ago, and each analysis costs "
            f"quota; try again in {math.ceil(wait / 60)} min",
            wait,
        )
    if reason == "retry_failed":
        raise Conflict("the last analysis of this video did not fail; there is nothing to retry")
    if reason == "version_bump" and not is_bump:
        raise Conflict(
            "there is no earlier version to replace, or the present one was made already; give "
            "user_request as the reason if you want it anew"
        )
