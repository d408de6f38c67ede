"""Mails: queued with what they are about, sent by one worker each, and kept.

A mail is sent at least once: a worker that dies after the server accepted it leaves it to be sent
again, with the same Message-ID.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from gotgan.domains.site import messages, outbox, patterns
from gotgan.domains.site.mail_text import Mailbox, compose, parse_mailbox
from gotgan.domains.site.models import Mail, OutboxEntry
from gotgan.domains.site.params import Consistent, MailsShown, RecordId
from gotgan.domains.site.resource import DEFAULT_LIMIT, get_existing, get_many, skip_bad_item
from gotgan.errors import BadItem, Conflict, MailFailed, MailUnreachable
from gotgan.events import emit
from gotgan.items import item_page
from gotgan.params import Cursor, Limit
from gotgan.store import Cost, Page, Store, Write, writes
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domains.site.smtp import Postbox, SmtpSession


SEND_BATCH_SIZE: Final = 100
"""Mails sent in one round."""

_MAX_BACKOFF_ATTEMPTS: Final = 64
"""As many attempts as make for the longest pause."""

Outcome = Literal["sent", "failed", "lost", "skipped"]


@dataclass(frozen=True)
class MailsSent:
    """What one round of sending did."""

    sent: int
    failed: int
    """They stay queued; each says why."""
    lost: int
    """Another worker took them over, because the lease had ended: they may have been sent twice."""
    waiting: str | None
    """What keeps all mails from being sent, where something does."""
    cost: Cost


class Mails:
    """Manage mails: notices of inquiries, and replies."""

    read_by: ClassVar = "viewer"
    written_by: ClassVar = "editor"

    def __init__(self, store: Store, post: Postbox | None) -> None:
        self._store = store
        self._post = post

    @verb(role=None)
    def list(
        self,
        *,
        show: MailsShown | None = None,
        limit: Limit = DEFAULT_LIMIT,
        cursor: Cursor | None = None,
    ) -> Page[Mail]:
        """List mails with their status, newest first."""
        if show is None:
            query = patterns.all_mails()
            return item_page(
                self._store, query, Mail, limit=limit, cursor=cursor, on_bad=skip_bad_item
            )
        waiting = patterns.waiting_mails().consistent()
        entries = self._store.query(waiting, limit=limit, cursor=cursor, on_bad=skip_bad_item)
        return Page(tuple(self._those(entries)), entries.cursor, entries.cost, entries.read)

    @verb(role=None)
    def get(self, id: RecordId, *, consistent: Consistent = False) -> Mail:
        """Show a mail."""
        return get_existing(self._store, patterns.mail(id), consistent=consistent)

    def waiting(self, *, at_most: int = SEND_BATCH_SIZE) -> Sequence[Mail]:
        """The mails that are still to be sent, those that are due first."""
        query = patterns.waiting_mails().consistent()
        return self._those(self._store.iterate(query, at_most=at_most, on_bad=skip_bad_item))

    def count_waiting(self, at_most: int = 1_000) -> int:
        """How many mails are still to be sent, up to a number; they themselves are not read."""
        return int(self._store.count(patterns.waiting_mails(), at_most=at_most))

    def get_many(self, mail_ids: Iterable[str], *, consistent: bool = False) -> dict[str, Mail]:
        """Some mails by their ids, without those that are not there."""
        refs = [patterns.mail(mail_id) for mail_id in mail_ids]
        return {mail.id: mail for mail in get_many(self._store, refs, consistent=consistent)}

    def queue(self, mail: Mail) -> Sequence[Write[Any]]:
        """The writes that queue a new mail, for the transaction of what it is about."""
        entry = OutboxEntry(due_at=self._store.clock.now(), mail_id=mail.id)
        due = mail.model_copy(update={"due_at": entry.due_at})
        return [writes.put_new(due), writes.put_new(entry)]

    @verb(role="editor", kind="write", path="mails/{id}/retry")
    def retry(self, id: RecordId) -> Mail:
        """Retry a mail now instead of waiting."""
        mail = self.get(id, consistent=True)
        if mail.status == "sent":
            raise Conflict(messages.MAIL_SENT())
        if mail.due_at is not None and mail.due_at <= self._store.clock.now():
            return mail
        if mail.status == "sending":
            raise Conflict(messages.MAIL_SENDING())
        outbox.retry_now(self._store, mail)
        return self.get(id, consistent=True)

    def try_server(self) -> bool:
        """Connect to the mail server and log in; whether one is configured."""
        if self._post is None:
            return False
        with self._post.session() as session:
            session.open()
        return True

    def send_due(self, *, limit: int = SEND_BATCH_SIZE, progress: Progress = silent) -> MailsSent:
        """Send the mails that are due."""
        if self._post is None:
            return MailsSent(0, 0, 0, messages.NO_SERVER(), Cost())
        with self._store.metered() as measured, self._post.session() as session:
            round_ = _SendRound(self._store, session, self._post.sender)
            waiting = round_.run(limit, progress)
        tally = round_.tally
        return MailsSent(tally["sent"], tally["failed"], tally["lost"], waiting, measured.cost)

    def _those(self, entries: Iterable[OutboxEntry]) -> Sequence[Mail]:
        refs = [patterns.mail(entry.mail_id) for entry in entries]
        return get_many(self._store, refs, consistent=True)


class _SendRound:
    """One round over the mails that are due, over one connection."""

    def __init__(self, store: Store, session: SmtpSession, sender: str) -> None:
        self.tally: Counter[Outcome] = Counter()
        self._store = store
        self._session = session
        self._sender = sender

    def run(self, limit: int, progress: Progress) -> str | None:
        """Send one after the other; if no server is there, say so and leave the rest alone."""
        for entry in outbox.due_entries(self._store, limit):
            try:
                self.tally[self._send(entry)] += 1
            except MailUnreachable as failure:
                self.tally["failed"] += 1
                return failure.message
            progress(self.tally.total(), 0, entry.mail_id)
        return None

    def _send(self, entry: OutboxEntry) -> Outcome:
        mine = outbox.claim_mail(self._store, entry)
        if mine is None:
            return "skipped"
        try:
            mail = self._store.get(patterns.mail(mine.mail_id), consistent=True)
        except BadItem as bad:
            return self._note_failure(mine, bad.message, _MAX_BACKOFF_ATTEMPTS)
        if mail is None:
            return "skipped"
        try:
            to = self._deliver(mail)
        except MailUnreachable as failure:
            self._note_failure(mine, failure.message, mail.attempts)
            raise
        except MailFailed as failure:
            return self._note_failure(mine, failure.message, mail.attempts)
        emit("site.mail.sent", mail=mail.id, attempts=mail.attempts)
        return "sent" if outbox.mark_sent(self._store, mine, mail, to) else "lost"

    def _note_failure(self, mine: OutboxEntry, why: str, attempts: int) -> Outcome:
        emit("site.mail.failed", level="warning", mail=mine.mail_id, reason=why)
        return "failed" if outbox.retry_later(self._store, mine, why, attempts) else "lost"

    def _deliver(self, mail: Mail) -> Mailbox:
        """Send a mail to where it goes at this moment; give the address."""
        try:
            info = self._store.get(patterns.company(), consistent=True)
        except BadItem as bad:
            raise MailFailed(messages.COMPANY_UNREADABLE(cause=bad.message)) from bad
        company = None if info is None else parse_mailbox(info.email or "")
        if mail.purpose == "notice":
            to = company
        else:
            to = parse_mailbox(mail.to or "")
            mail = mail.model_copy(update={"reply_to": company})
        if to is None and mail.purpose == "notice":
            raise MailFailed(messages.NO_COMPANY_ADDRESS())
        if to is None:
            raise MailFailed(messages.NO_VISITOR_ADDRESS())
        sender = parse_mailbox(self._sender) if self._sender else company
        if sender is None:
            raise MailFailed(messages.NO_SENDER())
        self._session.deliver(compose(mail, to, sender))
        return to
