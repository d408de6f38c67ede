"""An item of the latest list, written once and never changed."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from gotgan.clock import new_york_stamp, seoul_stamp, utc_stamp
from gotgan.domains.news.keys import BY_DAY, NEWS_ITEMS, pk_of
from gotgan.store import Attribute, Entity, IndexKey, Key, Timestamp, derived

__all__ = ["NewsItem"]

Pk = Annotated[str, StringConstraints(max_length=19)]
Day = Annotated[str, StringConstraints(max_length=10)]


class NewsItem(Entity, table=NEWS_ITEMS, identity="url"):
    """A headline, its address and its tickers, as they were when it was first seen."""

    key = Key("{pk}")
    by_day = IndexKey(BY_DAY, "{dt_utc}", "{uploaded_at_utc_ms}")

    source: str
    title: str
    url: str
    tickers: tuple[str, ...] = ()
    uploaded_at: Annotated[Timestamp, Attribute("uploaded_at_utc_iso")]

    @derived("url")
    def pk(self) -> Pk:
        """The key."""
        return pk_of(self.url)

    @derived("uploaded_at")
    def uploaded_at_utc_ms(self) -> int:
        """Milliseconds since 1970."""
        return utc_stamp(self.uploaded_at).epoch_ms

    @derived("uploaded_at")
    def uploaded_at_est_iso(self) -> str:
        """As New York writes it, with the offset of that day."""
        return new_york_stamp(self.uploaded_at).iso

    @derived("uploaded_at")
    def uploaded_at_kst_iso(self) -> str:
        """As Seoul writes it."""
        return seoul_stamp(self.uploaded_at).iso

    @derived("uploaded_at")
    def dt_utc(self) -> Day:
        """The date in UTC."""
        return utc_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def dt_est(self) -> Day:
        """The date in New York."""
        return new_york_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def dt_kst(self) -> Day:
        """The date in Seoul."""
        return seoul_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def tz_est_abbr(self) -> str:
        """What New York's time is called: EST or EDT."""
        return new_york_stamp(self.uploaded_at).abbreviation

    @derived("uploaded_at")
    def tz_est_is_dst(self) -> bool:
        """Whether New York has daylight saving time."""
        return new_york_stamp(self.uploaded_at).is_dst
