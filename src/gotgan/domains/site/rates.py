"""How often somebody may write: counted per address and stretch of time.

A counter is an item that goes by itself when its stretch is over. Whose it is, only a keyed hash
tells: what is stored cannot be turned back into an address without the secret.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Final

from gotgan.domains.site.pointers import RateCounter
from gotgan.errors import ConditionFailed, RateLimited
from gotgan.settings import Secret
from gotgan.store import Store, attr, increment

__all__ = ["MOST", "WINDOW", "Rates", "window_of"]

WINDOW: Final = timedelta(minutes=10)
"""The stretch of time that is counted in; each begins at a multiple of it."""
MOST: Final = 5
"""How often one address may write within a window."""

_PURPOSE: Final = b"site.rate:"
_NETWORK_BYTES: Final = 8


class Rates:
    """The counters of all addresses."""

    def __init__(self, store: Store, secret: Secret) -> None:
        self._store = store
        self._key = secret.reveal().encode()

    def count(self, address: str) -> None:
        """Count one message from an address, or refuse it as one too many."""
        now = self._store.clock.now()
        window = window_of(now)
        until = window + WINDOW
        ref = RateCounter.key(who=self._who(address), window=window)
        some_left = attr("count").missing() | (attr("count") < MOST)
        try:
            self._store.upsert(ref, only_if=some_left, count=increment(), expires_at=until)
        except ConditionFailed as refusal:
            raise _refusal(until - now) from refusal

    def _who(self, address: str) -> str:
        return hmac.new(self._key, _PURPOSE + _sender(address), "sha256").hexdigest()


def window_of(moment: datetime) -> datetime:
    """When the stretch began that a moment is in."""
    seconds = int(WINDOW.total_seconds())
    return datetime.fromtimestamp(int(moment.timestamp()) // seconds * seconds, UTC)


def _sender(address: str) -> bytes:
    """Who writes from an address: of IPv6 it is the network, which one subscriber has whole."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a socket that has no address, or a name: then that is counted
        return address.encode("utf-8", "replace")
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return parsed.packed[:_NETWORK_BYTES] if mapped is None else mapped.packed
    return parsed.packed


def _refusal(left: timedelta) -> RateLimited:
    seconds = max(1, -int(-left.total_seconds() // 1))
    return RateLimited(
        f"too many messages came from this address; write again in {seconds} seconds", seconds
    )
