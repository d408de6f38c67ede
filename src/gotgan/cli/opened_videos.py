"""The videos that the settings name, for as long as a command needs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.videos.service import Videos

__all__ = ["opened_videos"]


@contextmanager
def opened_videos(output: Output) -> Iterator[Videos]:
    """Open the videos, their tables at their latest version."""
    with opened_app(output) as app:
        yield app.videos
