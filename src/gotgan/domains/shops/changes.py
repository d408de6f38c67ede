"""Offers of pages, and their changes: each change is recorded once.

The page and the record of its change are one transaction, on the condition that the page still has
the hash that it was compared with: of two workers that see the same change, one records it.

Changes of a shop enter the table in the order of their keys, whatever the clocks say: a sink never
has to look back behind a change that it has seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from gotgan.domains.shops import keys
from gotgan.domains.shops.extract import SELECTOR_SOURCE, PageFacts, Status
from gotgan.domains.shops.models import Change, Offer, OfferVerdict, PageVerdict, ShopPage
from gotgan.errors import BadItem, ConditionFailed, TransactionFailed
from gotgan.events import emit
from gotgan.fetch import Validators, display_url
from gotgan.store import Condition, Ref, Store, Write, attr, writes

MISSES_UNTIL_REMOVED: Final = 2
MAX_CLOCK_SKEW: Final = timedelta(hours=1)
"""How far clocks of workers may differ; a change from later than that is an error."""
_SECOND: Final = timedelta(seconds=1)
_NO_VALIDATORS: Final = Validators()
_MAX_TEXT_CHARS: Final = 500
_MAX_VALIDATOR_CHARS: Final = 1_000


def offer_verdict(page: ShopPage, facts: PageFacts) -> OfferVerdict:
    """How the offer of a page compares with the stored one."""
    found = offer_from(facts).hash
    if found is None:
        return "unread"
    if found == page.hash and known_offer(page) is not None:
        return "unchanged"
    if page.hash is None:
        return "new"
    return "changed" if known_offer(page) is not None else "adopted"


def known_offer(page: ShopPage) -> Offer | None:
    """The stored offer; None if there is none, or if another tool wrote its hash."""
    offer = offer_from(page)
    return offer if offer.hash is not None and offer.hash == page.hash else None


def offer_from(source: PageFacts | ShopPage) -> Offer:
    """The offer, with its hash."""
    status, price, currency = source.status, source.price, source.currency
    return Offer(
        status=None if status is None or status == Status.UNKNOWN else str(status),
        price=price,
        currency=currency,
        hash=state_hash(status, price, currency),
    )


def is_gone(page: ShopPage) -> bool:
    """Whether a page counts as removed, and no crawl has found it since."""
    return (page.misses or 0) >= MISSES_UNTIL_REMOVED


def record_offer(
    store: Store, page: ShopPage, facts: PageFacts, validators: Validators = _NO_VALIDATORS
) -> PageVerdict:
    """Store the offer of a page if it is new; ``validators`` came with the page."""
    verdict = offer_verdict(page, facts)
    if verdict == "unread":
        return verdict
    # What the page no longer says stays as it was.
    texts = {name: text or getattr(page, name) for name, text in facts.details.items()}
    said = {name: (text or "")[:_MAX_TEXT_CHARS] or None for name, text in texts.items()}
    found = {**said, "sources": dict(facts.sources) or None}
    if verdict == "unchanged":
        if _selected(facts.sources) == _selected(page.sources or {}):
            found = _first_image(page, facts)
        return record_unchanged(store, page, validators, **found)
    kept = _stored_validators(validators)
    return _write_offer(store, page, verdict, offer_from(facts), **found, misses=None, **kept)


def _first_image(page: ShopPage, facts: PageFacts) -> dict[str, Any]:
    """The image of a page that was stored without one; later ones come with other changes."""
    return {"image": facts.image} if page.image is None and facts.image is not None else {}


def _selected(sources: Mapping[str, str]) -> Mapping[str, str]:
    """The facts that selectors found: a new selector is to be seen at work."""
    return {name: each for name, each in sources.items() if each.startswith(SELECTOR_SOURCE)}


def record_unchanged(
    store: Store, page: ShopPage, validators: Validators = _NO_VALIDATORS, **found: Any
) -> PageVerdict:
    """Record that the offer is the same, with a write only if the page was missed meanwhile.

    Validators are stored once: a shop that makes up new ones all the time must not cause writes.
    With ``found``, other facts are stored too.
    """
    keeps = {} if page.etag or page.last_modified else _stored_validators(validators)
    if page.misses is None and not any(keeps.values()) and not found:
        return "unchanged"
    if found:
        found["checked_at"] = store.clock.now()
    return "unchanged" if _touch(store, page, misses=None, **keeps, **found) else "lost"


def record_missing(store: Store, page: ShopPage) -> PageVerdict:
    """Record that a page is gone; the second time in a row it counts as removed."""
    if (page.misses or 0) + 1 >= MISSES_UNTIL_REMOVED:
        return record_removed(store, page)
    is_first = _touch(store, page, misses=1, checked_at=store.clock.now())
    return "missed" if is_first else "lost"


def record_removed(store: Store, page: ShopPage) -> PageVerdict:
    """Record that a page is removed; without a known offer there is no change to report."""
    if page.status == Status.REMOVED and known_offer(page) is not None:
        if is_gone(page) or _touch(store, page, misses=MISSES_UNTIL_REMOVED):
            return "unchanged"
        return "lost"
    gone = offer_from(PageFacts(type="product", status=Status.REMOVED))
    # Without validators: if it comes back, the server must send it whole.
    forgotten = {"sources": None, "etag": None, "last_modified": None}
    return _write_offer(store, page, "removed", gone, misses=MISSES_UNTIL_REMOVED, **forgotten)


def clear_misses(store: Store, page: ShopPage) -> None:
    """A crawl has found the page again; the next scrape checks it."""
    if page.misses is not None:
        _touch(store, page, misses=None)


def _write_offer(
    store: Store, page: ShopPage, verdict: PageVerdict, after: Offer, **found: Any
) -> PageVerdict:
    """Write the offer and, if there is one to report, the change; both or none."""
    now = store.clock.now()
    state = after.model_dump()
    is_same = _equals("hash", page.hash)
    update = writes.update(page, only_if=is_same, checked_at=now, **state, **found)
    if verdict == "adopted" or (verdict == "removed" and known_offer(page) is None):
        return verdict if _transact(store, [update], page) else "lost"
    # Not before the shop's newest change, if the clock of its writer is ahead.
    newest = keys.changes_until(page.domain, now + MAX_CLOCK_SKEW).newest_first().consistent()
    earlier = store.iterate(newest, at_most=1, on_bad=log_bad_change)
    change = Change(
        domain=page.domain,
        seen_at=max([now, *(change.seen_at for change in earlier)]),
        url=page.url,
        title=found.get("title") or page.title,
        before=known_offer(page),
        after=after,
    )
    return verdict if _write_change(store, page, update, change) else "lost"


def log_bad_change(misfit: BadItem) -> None:
    """Report a change that cannot be read, and go on."""
    emit("shops.change.bad", level="warning", reason=misfit.message)


def _write_change(store: Store, page: ShopPage, update: Write[ShopPage], change: Change) -> bool:
    """Write a page and its change; a second change within a second is dated a second later."""
    while True:
        try:
            return _transact(store, [update, writes.put_new(change)], page)
        except TransactionFailed as failure:
            if _failed_refs(failure) != {change.key}:
                raise
        change = change.model_copy(update={"seen_at": change.seen_at + _SECOND})


def _transact(store: Store, planned: list[Write[Any]], page: ShopPage) -> bool:
    """Execute a transaction; False if the page has changed meanwhile."""
    try:
        store.transact(planned)
    except TransactionFailed as failure:
        if page.key not in _failed_refs(failure):
            raise
        return _log_lost(page)
    return True


def _touch(store: Store, page: ShopPage, **changes: Any) -> bool:
    """Update other fields than the offer; False if the page has changed meanwhile."""
    is_same = _equals("hash", page.hash) & _equals("misses", page.misses)
    try:
        store.update(page, only_if=is_same, **changes)
    except ConditionFailed:
        return _log_lost(page)
    return True


def _log_lost(page: ShopPage) -> bool:
    emit("shops.page.lost", domain=page.domain, url=display_url(page.url))
    return False


def _failed_refs(failure: TransactionFailed) -> set[Ref[Any]]:
    """The items whose condition failed; any other failure is raised."""
    if not all(isinstance(reason.error, ConditionFailed) for reason in failure.reasons):
        raise failure
    return {reason.write.ref for reason in failure.reasons}


def _equals(name: str, value: object) -> Condition:
    return attr(name).missing() if value is None else attr(name) == value


def _stored_validators(validators: Validators) -> dict[str, str | None]:
    """Validators to store; overlong ones are dropped."""
    given = {"etag": validators.etag, "last_modified": validators.last_modified}
    return {
        name: value if value and len(value) <= _MAX_VALIDATOR_CHARS else None
        for name, value in given.items()
    }


def state_hash(status: str | None, price: int | None, currency: str | None) -> str | None:
    """The hash of an offer, over ``STATUS|minor units|currency``; None without status and price."""
    known = "" if status in (None, Status.UNKNOWN) else str(status)
    if not known and price is None:
        return None
    paid = "|" if price is None else f"{price}|{currency or ''}"
    return sha256(f"{known}|{paid}".encode()).hexdigest()
