"""The market that the settings name, for as long as a command needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.market.service import Market

__all__ = ["opened_market"]


@contextmanager
def opened_market(output: Output) -> Iterator[Market]:
    """Open the market, its tables at their latest version; an empty one has a status, too."""
    with opened_app(output) as app:
        yield app.market
