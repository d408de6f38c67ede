"""Which pages of a shop are still to be visited, and when it is enough."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from gotgan.domains.shops.journal import Log

__all__ = ["Frontier"]


class Frontier:
    """Addresses in the order in which they were found, each of them once."""

    def __init__(self, budget: int, log: Log) -> None:
        """``log`` is how far the crawl has come."""
        self.budget = budget
        self._found = set(log.found)
        self._queue = deque(url for url in log.found if url not in log.visits)
        self._taken = len(log.visits)

    def add(self, urls: Iterable[str], *, within: Callable[[str], bool]) -> list[str]:
        """Queue those that are new and lie within the shop, and give them.

        Most links of a page lead to what was found before, and are not looked at again.
        """
        new = [url for url in dict.fromkeys(urls) if url not in self._found and within(url)]
        self._found.update(new)
        self._queue.extend(new)
        return new

    def take(self) -> str | None:
        """The next address; None where there is none, or where the budget is spent."""
        if self.is_spent or not self._queue:
            return None
        self._taken += 1
        return self._queue.popleft()

    @property
    def is_spent(self) -> bool:
        """Whether as many pages were taken as the budget allows."""
        return self._taken >= self.budget

    @property
    def left(self) -> int:
        """How many addresses nobody has taken."""
        return len(self._queue)

    @property
    def taken(self) -> int:
        """How many addresses were taken."""
        return self._taken
