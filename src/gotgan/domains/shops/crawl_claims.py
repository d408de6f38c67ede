"""The claim of a crawl, held for as long as the crawl takes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.stages import postpone
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.lifecycle import Claim
from gotgan.store import Store

__all__ = ["HeldClaim"]


class HeldClaim:
    """A claim that is renewed again and again; whoever has lost it is told by that."""

    def __init__(self, store: Store, claim: Claim[Shop], lease: timedelta) -> None:
        self._store, self._claim, self._lease = store, claim, lease
        self._renewed = store.clock.now()

    @property
    def shop(self) -> Shop:
        """The shop as it was when the claim was last renewed."""
        return self._claim.item

    def keep(self) -> None:
        """Hold it for longer where a quarter of the lease is over; LostRace where it was lost."""
        if self._store.clock.now() - self._renewed >= self._lease / 4:
            self.renew()

    def renew(self) -> None:
        """Hold it for longer; LostRace where it was lost."""
        now = self._store.clock.now()
        self._claim = Shop.crawl.renew(self._store, self._claim, lease=self._lease)
        self._renewed = now

    def finish(self, **changes: Any) -> None:
        """Be done with the shop; LostRace where it was lost."""
        Shop.crawl.finish(self._store, self._claim, **changes)

    def postpone(self, error: str) -> datetime:
        """Give back a shop that could not be reached; when it is due again."""
        return postpone(self._store, "crawl", self._claim, error)

    def give_back(self) -> None:
        """Let somebody else go on at once."""
        try:
            Shop.crawl.release(self._store, self._claim)
        except GotganError as error:  # its lease ends by itself
            emit("shops.crawl.held", level="warning", domain=self.shop.domain, reason=error.message)
