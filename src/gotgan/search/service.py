"""Search: its verbs, and what the console reads of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from gotgan.domains.site.models import ROLES, Role
from gotgan.domains.site.params import By
from gotgan.errors import BadCursor
from gotgan.params import Cursor, Limit
from gotgan.search import messages
from gotgan.search.params import Kinds, Words
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domains.site.models import Caller
    from gotgan.search.index import SearchRequest, Tier
    from gotgan.search.indexer import Indexer
    from gotgan.search.reports import IndexUpdate, SearchHit, SearchPage
    from gotgan.sql import Database

DEFAULT_LIMIT: Final = 20
MAX_AGE_S: Final = 60
"""An older index is updated by a command before it searches."""
_CURSOR: Final = re.compile("([0-2])-([0-9]{1,18})")


class Search:
    """Everything that has words, in one index."""

    domain: ClassVar = "search"
    results: ClassVar = "gotgan.search.reports"

    def __init__(self, database: Callable[[], Database], indexer: Callable[[], Indexer]) -> None:
        """Both are opened by the first verb that needs them."""
        self._database = database
        self._indexer = indexer

    @verb(path="search")
    def find(
        self,
        words: Words,
        *,
        kinds: Kinds = (),
        limit: Limit = DEFAULT_LIMIT,
        cursor: Cursor | None = None,
        by: By = None,
    ) -> SearchPage:
        """Search news, shares, shops, products, videos, comments, posts and inquiries.

        All words must be found. Exact names come first, then titles, then texts; of each the newest
        come first. The index is updated every 20 seconds while a server runs.
        """
        from gotgan.search import reading  # noqa: PLC0415 - it loads SQLAlchemy
        from gotgan.search.reports import SearchPage  # noqa: PLC0415 - as above

        place = None if cursor is None else _parse_cursor(cursor)
        wanted = _request(by, words, kinds)
        if not wanted.query.terms:
            return SearchPage((), None, 0, False, (), *self._indexer().freshness())  # noqa: FBT003
        with self._database().read() as connection:
            now = self._indexer().now()
            items, following = reading.read_hits(connection, wanted, now, limit, place)
            if kinds or cursor or following:
                counts = reading.count_kinds(connection, wanted)
            else:  # the page has everything
                counts = reading.count_all(items)
        chosen = [each for each in counts if not kinds or each.kind in kinds]
        as_of, age = self._indexer().freshness()
        return SearchPage(
            items=items,
            cursor=following,
            total=sum(each.count for each in chosen),
            is_bounded=any(each.is_bounded for each in chosen),
            kinds=counts,
            as_of=as_of,
            age_s=age,
        )

    def exact(
        self, words: str, *, limit: int = DEFAULT_LIMIT, by: Caller | None = None
    ) -> Sequence[SearchHit]:
        """What has exactly this name, ticker, domain or title."""
        from gotgan.search import reading  # noqa: PLC0415 - it loads SQLAlchemy

        wanted = _request(by, words, ())
        if not wanted.query.terms:
            return ()
        with self._database().read() as connection:
            return reading.exact_names(connection, wanted, self._indexer().now(), limit)

    @verb(role="editor", kind="run")
    def refresh(self, *, progress: Progress = silent) -> IndexUpdate:
        """Bring the index of the search up to date now.

        A server does it every 20 seconds. If another process is doing it, nothing happens.
        """
        return self._indexer().update(progress)

    @verb(role="admin", kind="run")
    def rebuild(self, *, progress: Progress = silent) -> IndexUpdate:
        """Build the index of the search again, and the other tables derived from stored data.

        Until it has finished, not everything is found.
        """
        return self._indexer().rebuild(progress)

    def is_fresh(self) -> bool:
        """Whether the index is at most a minute old."""
        _, age_s = self._indexer().freshness()
        return age_s is not None and age_s <= MAX_AGE_S


def _request(by: Caller | None, words: str, kinds: Sequence[str]) -> SearchRequest:
    """What is looked for, as far as the caller may read it; a program may what viewers may."""
    from gotgan.search.index import SearchRequest  # noqa: PLC0415 - it loads SQLAlchemy
    from gotgan.search.tokens import parse_query  # noqa: PLC0415 - for this alone

    role: Role = "viewer" if by is None else by.role
    return SearchRequest(parse_query(words), tuple(kinds), ROLES[ROLES.index(role) + 1 :])


def _parse_cursor(cursor: str) -> tuple[Tier, int]:
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise BadCursor(messages.BAD_CURSOR())
    tiers: dict[str, Tier] = {"0": 0, "1": 1, "2": 2}
    return tiers[found[1]], int(found[2])
