"""Whether an analysis may be made anew though there is one: three reasons, each with its rule."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final

from gotgan.domains.videos.models import Reason
from gotgan.errors import Conflict, RefreshTooSoon

__all__ = ["PAUSE", "expect_allowed"]

PAUSE: Final = timedelta(minutes=10)
"""How long lies between two analyses of a video that somebody just wants to have made anew."""


def expect_allowed(
    reason: Reason,
    *,
    last_wanted: datetime | None,
    last_status: str | None,
    is_bump: bool,
    now: datetime,
) -> None:
    """Raise unless the reason holds.

    ``last_wanted`` is when somebody last wanted it anew, ``last_status`` how the last job of this
    version stands, ``is_bump`` whether there are results, and all of them of other versions.
    """
    if reason == "user_request" and last_wanted is not None and now - last_wanted < PAUSE:
        wait = (last_wanted + PAUSE - now).total_seconds()
        raise RefreshTooSoon(
            "this video was analysed anew a moment ago, which costs quota each time; "
            f"ask again in {math.ceil(wait / 60)} min",
            wait,
        )
    if reason == "retry_failed" and last_status != "failed":
        raise Conflict("the last analysis of this video did not fail; there is nothing to retry")
    if reason == "version_bump" and not is_bump:
        raise Conflict(
            "there is no earlier version to replace, or the present one was made already; give "
            "user_request as the reason if you want it anew"
        )
