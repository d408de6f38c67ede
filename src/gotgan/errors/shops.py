"""What goes wrong with the shops."""

from __future__ import annotations

from gotgan.errors.root import GotganError

__all__ = ["SinkFailed"]


class SinkFailed(GotganError):
    """Changes could not be handed over; they are kept, and handed over the next time."""

    code = "shops.sink"
    retry = True
