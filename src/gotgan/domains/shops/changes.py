"""What a page offers now, against what it offered last; a difference is written down once.

The page and the record of its change are one transaction, on the condition that the page still
has the hash that the difference was seen against: of two who see the same change, one notes it.

Changes of a shop come into the table in the order of their keys, whosever clock is behind: a sink
that has heard of one looks no further back.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from gotgan.domains.shops import patterns
from gotgan.domains.shops.hashes import state_hash
from gotgan.domains.shops.models import Change, Noted, Offer, ShopPage, Verdict
from gotgan.domains.shops.reading import PageFacts, Status
from gotgan.errors import BadItem, ConditionFailed, TransactionFailed
from gotgan.events import emit
from gotgan.fetch import Validators, shown
from gotgan.store import Condition, Ref, Store, Write, attr, writes

__all__ = [
    "GONE_FOR_GOOD",
    "MOST_SKEW",
    "changed",
    "is_gone",
    "known_offer",
    "miss",
    "offer_of",
    "record",
    "remove",
    "restore",
    "still_there",
]

GONE_FOR_GOOD: Final = 2
"""How often in a row a page has to be gone to count as removed."""
MOST_SKEW: Final = timedelta(hours=1)
"""How far clocks of workers may be apart; a change from later than that is a fault of its own."""
_SECOND: Final = timedelta(seconds=1)
_LONGEST_TEXT: Final = 500
_LONGEST_VALIDATOR: Final = 1_000


def changed(page: ShopPage, facts: PageFacts) -> Verdict:
    """Whether a page offers something else than it did when it was last written."""
    found = offer_of(facts).hash
    if found is None:
        return "unread"
    if found == page.hash and known_offer(page) is not None:
        return "unchanged"
    if page.hash is None:
        return "new"
    return "changed" if known_offer(page) is not None else "adopted"


def known_offer(page: ShopPage) -> Offer | None:
    """What a page offered last; None where we never saw it, or somebody else wrote its hash."""
    offer = offer_of(page)
    return offer if offer.hash is not None and offer.hash == page.hash else None


def offer_of(source: PageFacts | ShopPage) -> Offer:
    """What is offered, with its hash."""
    status, price, currency = source.status, source.price, source.currency
    return Offer(
        status=None if status is None or status == Status.UNKNOWN else str(status),
        price=price,
        currency=currency,
        hash=state_hash(status, price, currency),
    )


def is_gone(page: ShopPage) -> bool:
    """Whether a page was gone for long enough, and no crawl has found it since."""
    return (page.misses or 0) >= GONE_FOR_GOOD


def record(
    store: Store,
    page: ShopPage,
    facts: PageFacts,
    validators: Validators = Validators(),  # noqa: B008 - it is frozen
) -> Noted:
    """Write down what a page offers, if that is news; ``validators`` came with the page."""
    verdict = changed(page, facts)
    if verdict == "unread":
        return verdict
    if verdict == "unchanged":
        return still_there(store, page, validators)
    return _write(
        store,
        page,
        verdict,
        offer_of(facts),
        **_details(page, facts),
        sources=dict(facts.sources) or None,
        misses=None,
        **_stored(validators),
    )


def _details(page: ShopPage, facts: PageFacts) -> dict[str, str | None]:
    """Texts about the product; what the page no longer says stays as it was."""
    found = {name: text or getattr(page, name) for name, text in facts.details.items()}
    return {name: (text or "")[:_LONGEST_TEXT] or None for name, text in found.items()}


def still_there(
    store: Store,
    page: ShopPage,
    validators: Validators = Validators(),  # noqa: B008 - it is frozen
) -> Noted:
    """Note that a page offers what it did: that is a write only where it was missed meanwhile.

    Validators are kept once, so that a shop that makes up new ones all the time costs no writes.
    """
    keeps = {} if page.etag or page.last_modified else _stored(validators)
    if page.misses is None and not any(keeps.values()):
        return "unchanged"
    return "unchanged" if _touch(store, page, misses=None, **keeps) else "lost"


def miss(store: Store, page: ShopPage) -> Noted:
    """Note that a page is gone; at the second time in a row it counts as removed."""
    if (page.misses or 0) + 1 >= GONE_FOR_GOOD:
        return remove(store, page)
    is_first = _touch(store, page, misses=1, checked_at=store.clock.now())
    return "missed" if is_first else "lost"


def remove(store: Store, page: ShopPage) -> Noted:
    """Note that a page is no more, such as one that a crawl which saw everything did not find.

    Of a page whose offer nobody knew there is no change to tell.
    """
    if page.status == Status.REMOVED and known_offer(page) is not None:
        if is_gone(page) or _touch(store, page, misses=GONE_FOR_GOOD):
            return "unchanged"
        return "lost"
    gone = offer_of(PageFacts(type="product", status=Status.REMOVED))
    # Without validators: should it come back, the server must send it whole.
    forgotten = {"sources": None, "etag": None, "last_modified": None}
    return _write(store, page, "removed", gone, misses=GONE_FOR_GOOD, **forgotten)


def restore(store: Store, page: ShopPage) -> None:
    """Forget that a page was gone which a crawl has found again; the next scrape looks at it."""
    if page.misses is not None:
        _touch(store, page, misses=None)


def _write(store: Store, page: ShopPage, noted: Noted, after: Offer, **found: Any) -> Noted:
    """Write the offer and, where there is one to tell, the change; both or none."""
    now = store.clock.now()
    state = after.model_dump()
    update = writes.update(page, only_if=_has_hash(page), checked_at=now, **state, **found)
    if noted == "adopted" or (noted == "removed" and known_offer(page) is None):
        return noted if _carried_out(store, [update], page) else "lost"
    title = found.get("title") or page.title
    change = _change(page, title, after, _seen_at(store, page.domain, now))
    return noted if _told(store, page, update, change) else "lost"


def _seen_at(store: Store, domain: str, now: datetime) -> datetime:
    """Now; or when the newest change of the shop was seen, where that clock is ahead of ours."""
    newest = patterns.changes_until(domain, now + MOST_SKEW).newest_first().consistent()
    found = store.iterate(newest, at_most=1, on_bad=_pass_over)
    return max([now, *(change.seen_at for change in found)])


def _pass_over(misfit: BadItem) -> None:
    emit("shops.change.bad", level="warning", reason=misfit.message)


def _change(page: ShopPage, title: str | None, after: Offer, seen_at: datetime) -> Change:
    return Change(
        domain=page.domain,
        seen_at=seen_at,
        url=page.url,
        title=title,
        before=known_offer(page),
        after=after,
    )


def _told(store: Store, page: ShopPage, update: Write[ShopPage], change: Change) -> bool:
    """Write a page and its change; the second change within a second is told a second later."""
    while True:
        try:
            return _carried_out(store, [update, writes.put_new(change)], page)
        except TransactionFailed as failure:
            if _refused(failure) != {change.key}:
                raise
        change = change.model_copy(update={"seen_at": change.seen_at + _SECOND})


def _carried_out(store: Store, planned: list[Write[Any]], page: ShopPage) -> bool:
    """Carry out a transaction; False where the page is not as it was any more."""
    try:
        store.transact(planned)
    except TransactionFailed as failure:
        if page.key not in _refused(failure):
            raise
        return _lose(page)
    return True


def _touch(store: Store, page: ShopPage, **changes: Any) -> bool:
    """Change what is no offer; False where the page is not as it was any more."""
    try:
        store.update(page, only_if=_has_hash(page) & _has("misses", page.misses), **changes)
    except ConditionFailed:
        return _lose(page)
    return True


def _lose(page: ShopPage) -> bool:
    emit("shops.page.lost", domain=page.domain, url=shown(page.url))
    return False


def _refused(failure: TransactionFailed) -> set[Ref[Any]]:
    """The items that were not as they had to be; any other failure is none to decide on."""
    if not all(isinstance(reason.error, ConditionFailed) for reason in failure.reasons):
        raise failure
    return {reason.write.ref for reason in failure.reasons}


def _has_hash(page: ShopPage) -> Condition:
    return _has("hash", page.hash)


def _has(name: str, value: object) -> Condition:
    return attr(name).missing() if value is None else attr(name) == value


def _stored(validators: Validators) -> dict[str, str | None]:
    """Validators as they are kept; none that is longer than any server would mean."""
    given = {"etag": validators.etag, "last_modified": validators.last_modified}
    return {
        name: said if said and len(said) <= _LONGEST_VALIDATOR else None
        for name, said in given.items()
    }
