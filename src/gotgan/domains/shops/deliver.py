"""Delivery of changes to a webhook or a file of JSON lines, at least once.

The position of a sink is stored after it has taken changes. Changes sort by the second in which
they were seen, and a slow writer can add an earlier one later. So the last minutes are read again
each time, with a mark for every delivered change; what is older is settled. No writer goes behind
the newest change of a shop, so nothing is settled before there is a newer one, and the clocks of
writers do not matter.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

from gotgan.clock import Clock
from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.models import Change, Delivery
from gotgan.domains.shops.reports import Delivered
from gotgan.encoding import encode
from gotgan.errors import BadItem, ConditionFailed, FetchError, SinkFailed
from gotgan.events import emit
from gotgan.fetch import Web, display_url
from gotgan.plain_json import to_json
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.batches import chunks
from gotgan.store.data.atomic_files import sync_folder

BATCH_SIZE: Final = 100
"""Changes sent at once, and repeated at most after a crash."""
SETTLE_TIME: Final = timedelta(minutes=2)
"""No change is written this long after it was seen: the store gives up earlier."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MARK_BYTES: Final = 8
_MAX_MARKS: Final = 25_000
"""More would not fit into an item; further changes wait until the first ones settle."""


def deliver_changes(store: Store, domains: Iterable[str], sink: Sink) -> Delivered:
    """Send a sink all changes of some shops that it does not have, shop by shop, in order."""
    counts: list[int] = []
    stopped = None
    with store.metered("deliver") as measured:
        try:
            for domain in domains:
                counts.append(0)
                for delivered in _ShopDelivery(store, domain, sink).run():
                    counts[-1] += delivered
        except SinkFailed as failure:
            emit("shops.sink.failed", level="warning", sink=sink.name, reason=failure.message)
            stopped = failure.message
    return Delivered(sink.name, sum(counts), sum(map(bool, counts)), stopped, measured.cost)


@dataclass
class _ShopDelivery:
    store: Store
    domain: str
    sink: Sink
    cursor: Delivery = field(init=False)
    ahead: set[bytes] = field(init=False)
    """Marks of delivered changes that were not read again yet."""
    behind: list[tuple[datetime, bytes]] = field(default_factory=list)
    """Delivered changes that were read and are not settled."""

    def __post_init__(self) -> None:
        ref = keys.delivery(self.domain, self.sink.name)
        first = Delivery(domain=self.domain, sink=self.sink.name, settled_at=_EPOCH)
        self.cursor = self.store.get(ref, consistent=True) or first
        recent = self.cursor.recent
        starts = range(0, len(recent), _MARK_BYTES)
        self.ahead = {recent[start : start + _MARK_BYTES] for start in starts}

    def run(self) -> Iterator[int]:
        """Deliver in batches; yields how many changes each of them had."""
        settles = self.store.clock.now().replace(microsecond=0) - SETTLE_TIME
        since = keys.changes_since(self.domain, self.cursor.settled_at).consistent()
        found = self.store.iterate(since, at_most=None, on_bad=self._log_bad_change)
        for changes in chunks(found, BATCH_SIZE):
            news = [change for change in changes if _mark(change) not in self.ahead]
            if news and len(self.behind) + len(self.ahead) > _MAX_MARKS:
                emit("shops.sink.waiting", domain=self.domain, sink=self.sink.name)
                return
            if news:
                self.sink.deliver(news)
                yield len(news)
            marks = [(change.seen_at, _mark(change)) for change in changes]
            self.behind += marks
            self.ahead.difference_update(mark for _, mark in marks)
            if news and not self._advance(self._end(settles)):
                return
        if (end := self._end(settles)) > self.cursor.settled_at:  # so that less is read again
            self._advance(end)

    def _log_bad_change(self, misfit: BadItem) -> None:
        emit("shops.change.bad", level="warning", domain=self.domain, reason=misfit.message)

    def _end(self, settles: datetime) -> datetime:
        """The last change that is old enough; more of the same second may follow."""
        old = (seen_at for seen_at, _ in reversed(self.behind) if seen_at <= settles)
        return max(self.cursor.settled_at, next(old, _EPOCH))

    def _advance(self, settled_at: datetime) -> bool:
        """Store the position of the sink; False if another run has done so."""
        self.behind = [(seen_at, mark) for seen_at, mark in self.behind if seen_at >= settled_at]
        recent = b"".join([*(mark for _, mark in self.behind), *sorted(self.ahead)])
        changes: dict[str, Any] = {"settled_at": settled_at, "recent": recent}
        try:
            if self.cursor.origin is None:
                self.cursor = self.store.put(self.cursor.model_copy(update=changes)).item
            else:
                self.cursor = self.store.update(self.cursor, **changes).item
        except ConditionFailed:
            emit("shops.sink.overtaken", domain=self.domain, sink=self.sink.name)
            return False
        return True


def _mark(change: Change) -> bytes:
    key = f"{change.seen_at.isoformat()}#{change.url}"
    return sha256(key.encode("utf-8", "surrogatepass")).digest()[:_MARK_BYTES]


SIGNATURE_HEADER: Final = "Gotgan-Signature"
"""``sha256=`` and the signature of a webhook request, in hexadecimal."""
TIMESTAMP_HEADER: Final = "Gotgan-Timestamp"
"""The time of a webhook request, in seconds since 1970; it is signed, too."""


class Sink(Protocol):
    """A receiver of changes."""

    @property
    def name(self) -> str:
        """The name under which its position is stored: small letters, digits and hyphens."""

    def deliver(self, changes: Sequence[Change]) -> None:
        """Take changes for good, or raise SinkFailed."""


class JsonLinesFile:
    """A file to which each change is appended as a line of JSON.

    Lines are on disk before they count as delivered. A line that a crash has cut is invalid
    JSON, and the change is repeated.
    """

    def __init__(self, path: Path, *, name: str | None = None) -> None:
        """``name`` keeps the position when the file moves."""
        self._path = path
        self.name = name or f"file-{_digest(str(path.absolute()))}"

    def deliver(self, changes: Sequence[Change]) -> None:
        """Add lines at the end."""
        lines = b"".join(to_json(encode(change)) + b"\n" for change in changes)
        try:
            with self._path.open("a+b") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 1))
                is_whole = file.read(1) in {b"", b"\n"}  # else a crash has cut the last line
                file.write(lines if is_whole else b"\n" + lines)
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._path.parent)
        except OSError as error:
            cause = error.strerror or error
            raise SinkFailed(messages.FILE_FAILED(path=self._path, cause=cause)) from error


class Webhook:
    """A URL to which changes are posted as ``{"changes": […]}``, signed.

    The signature covers the timestamp, a dot and the body, with a shared secret: the receiver
    checks it, and refuses requests that are too old.
    """

    def __init__(
        self, url: str, secret: Secret, web: Web, clock: Clock, *, name: str | None = None
    ) -> None:
        """``name`` keeps the position when the URL moves."""
        self._url, self._secret, self._web, self._clock = url, secret, web, clock
        self.name = name or f"webhook-{_digest(url)}"

    def deliver(self, changes: Sequence[Change]) -> None:
        """Post them; any status from 200 to 299 is a success."""
        body = to_json({"changes": [encode(change) for change in changes]})
        moment = int(self._clock.now().timestamp())
        headers = {
            "Content-Type": "application/json",
            TIMESTAMP_HEADER: str(moment),
            SIGNATURE_HEADER: f"sha256={signature(self._secret, moment, body)}",
        }
        try:
            self._web.post(self._url, body, headers=headers, from_settings=True)
        except FetchError as error:
            url = display_url(self._url)
            raise SinkFailed(messages.WEBHOOK_FAILED(url=url, why=error.message)) from error


def signature(secret: Secret, moment: int, body: bytes) -> str:
    """The HMAC-SHA256 of a request to a webhook, in hexadecimal."""
    signed = f"{moment}.".encode() + body
    return hmac.new(secret.reveal().encode(), signed, sha256).hexdigest()


def _digest(text: str) -> str:
    """A hash of a path or URL, which may be private or too long for a key."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
