"""The queue of mails: entries sorted by the time from which a worker may claim them.

Every step is one transaction on the condition that the entry still exists, so one of two workers
gets it. A claim replaces the entry by one that is due when the lease ends.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from gotgan.claims import lease_end
from gotgan.domains.site import patterns
from gotgan.domains.site.mail_text import Mailbox
from gotgan.domains.site.models import Mail, OutboxEntry
from gotgan.domains.site.resource import skip_bad_item, transact
from gotgan.errors import ConditionFailed, TransactionFailed
from gotgan.events import emit
from gotgan.retry import Policy
from gotgan.store import CancellationReason, Ref, Store, Write, attr, increment, raw, writes

MAIL_LEASE: Final = timedelta(minutes=10)
"""How long a worker has a mail for itself; no server takes that long to answer."""
RETRY_POLICY: Final = Policy(base=60.0, cap=3600.0)
"""How long a mail that failed waits: a minute, two, four, and never more than an hour."""

_EXISTS: Final = raw("PK").exists()
_INVALID_ITEM: Final = "ValidationError"
"""What DynamoDB says of an item whose attributes are not what they should be."""


def due_entries(store: Store, limit: int) -> list[OutboxEntry]:
    """The entries that may be taken now, those that have waited longest first."""
    query = patterns.due_mails(store.clock.now()).consistent()
    return list(store.iterate(query, at_most=limit, on_bad=skip_bad_item))


def claim_mail(store: Store, entry: OutboxEntry) -> OutboxEntry | None:
    """Take a mail: the entry that is ours until it is due, or None where there is nothing to do."""
    now = store.clock.now()
    mine = OutboxEntry(due_at=lease_end(now, MAIL_LEASE), mail_id=entry.mail_id)
    taken = writes.patch(
        patterns.mail(entry.mail_id),
        only_if=attr("status") != "sent",
        status="sending",
        attempts=increment(),
        due_at=mine.due_at,
        updated_at=now,
    )
    try:
        store.transact([*_replace_writes(entry, mine), taken])
    except TransactionFailed as failure:
        if entry.key not in _refused_items(failure):
            _set_aside(store, entry, failure.reasons[0])
        return None
    return mine


def mark_sent(store: Store, mine: OutboxEntry, mail: Mail, to: Mailbox) -> bool:
    """Note that the server accepted a mail; False where another worker has the entry by now."""
    now = store.clock.now()
    sent = writes.patch(
        mail.key,
        status="sent",
        to=to,
        sent_at=now,
        due_at=None,
        last_error=None,
        updated_at=now,
    )
    noted: list[Write[Any]] = [sent]
    if mail.purpose == "notice":
        inquiry = patterns.inquiry(mail.inquiry_id)
        noted.append(writes.patch(inquiry, notified_email=to, updated_at=now))
    return _move_entry(store, mine, [writes.delete(mine.key, only_if=_EXISTS)], noted)


def retry_later(store: Store, mine: OutboxEntry, why: str, attempts: int) -> bool:
    """Put a mail that failed back, due after a pause; False where another worker has it by now."""
    now = store.clock.now()
    later = OutboxEntry(
        due_at=now + timedelta(seconds=RETRY_POLICY.longest(attempts)), mail_id=mine.mail_id
    )
    waits = writes.patch(
        patterns.mail(mine.mail_id),
        status="queued",
        due_at=later.due_at,
        last_error=why,
        updated_at=now,
    )
    return _move_entry(store, mine, _replace_writes(mine, later), [waits])


def retry_now(store: Store, mail: Mail) -> None:
    """Make a mail due now; refused if anything happened to it since it was read."""
    now = store.clock.now()
    entry = OutboxEntry(due_at=now, mail_id=mail.id)
    planned: list[Write[Any]] = [
        writes.put(entry),
        writes.update(mail, status="queued", due_at=entry.due_at, updated_at=now),
    ]
    if mail.due_at not in (None, entry.due_at):
        planned.append(writes.delete(OutboxEntry.key(due_at=mail.due_at, mail_id=mail.id)))
    transact(store, planned)


def _replace_writes(old: OutboxEntry, new: OutboxEntry) -> list[Write[Any]]:
    if old.key == new.key:
        return [writes.check(old.key)]
    return [writes.delete(old.key, only_if=_EXISTS), writes.put(new)]


def _move_entry(
    store: Store, mine: OutboxEntry, moved: list[Write[Any]], noted: list[Write[Any]]
) -> bool:
    """Move our entry and note why; a note that has no place any more is left out."""
    try:
        store.transact([*moved, *noted])
    except TransactionFailed as failure:
        refused = _refused_items(failure)
        if mine.key in refused:
            emit("site.mail.lost", level="warning", mail=mine.mail_id)
            return False
        emit("site.mail.unnoted", level="warning", mail=mine.mail_id, reason=failure.message)
        return _move_entry(store, mine, moved, [each for each in noted if each.ref not in refused])
    return True


def _set_aside(store: Store, entry: OutboxEntry, reason: CancellationReason) -> None:
    """Take an entry that leads to no mail out of the way of the others."""
    emit("site.mail.set_aside", level="warning", mail=entry.mail_id, reason=reason.error.message)
    if isinstance(reason.error, ConditionFailed):  # sent already, or gone
        store.delete(entry.key)
        return
    later = store.clock.now() + timedelta(seconds=RETRY_POLICY.cap)
    _move_entry(
        store, entry, _replace_writes(entry, OutboxEntry(due_at=later, mail_id=entry.mail_id)), []
    )


def _refused_items(failure: TransactionFailed) -> set[Ref[Any]]:
    """The items that were not as they had to be; any other failure is none to decide on."""
    for reason in failure.reasons:
        if not isinstance(reason.error, ConditionFailed) and reason.code != _INVALID_ITEM:
            raise failure
    return {reason.write.ref for reason in failure.reasons}
