"""Mails: queued with what they are about, sent by whoever has them, kept for all to see.

A mail is sent at least once. Of several workers one has it, for as long as a lease; one that dies
after the server accepted the mail and before it could note that leaves it to be sent again, with
the same Message-ID, by which mailboxes can tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from gotgan.domains.site import outbox, patterns
from gotgan.domains.site.letters import Mailbox, compose, mailbox
from gotgan.domains.site.models import CorpInfo, Mail
from gotgan.domains.site.params import Consistent, MailsShown, RecordId
from gotgan.domains.site.pointers import Outgoing
from gotgan.domains.site.records import PAGE, found, found_all, pass_over
from gotgan.errors import BadItem, Conflict, MailFailed, MailUnreachable
from gotgan.events import emit
from gotgan.items import item_page
from gotgan.params import Cursor, Limit
from gotgan.store import Cost, Page, Store, Write
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domains.site.smtp import Postbox, SmtpSession

__all__ = ["AT_ONCE", "Mails", "MailsSent"]

AT_ONCE: Final = 100
"""How many mails one round takes, unless somebody says otherwise."""

_NO_SERVER: Final = "no mail server is set, so all mails wait; set GOTGAN_SMTP_URL"
_PATIENT: Final = 64
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
    """Mails: notices of inquiries, and replies."""

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
        limit: Limit = PAGE,
        cursor: Cursor | None = None,
    ) -> Page[Mail]:
        """List mails, newest first: sent, being sent, or queued with the reason why."""
        if show is None:
            query = patterns.all_mails()
            return item_page(self._store, query, Mail, limit=limit, cursor=cursor, on_bad=pass_over)
        waiting = patterns.waiting_mails().consistent()
        entries = self._store.query(waiting, limit=limit, cursor=cursor, on_bad=pass_over)
        return Page(tuple(self._those(entries)), entries.cursor, entries.cost, entries.read)

    @verb(role=None)
    def get(self, id: RecordId, *, consistent: Consistent = False) -> Mail:
        """Show a mail."""
        return found(self._store, patterns.mail(id), consistent=consistent)

    def waiting(self, *, at_most: int = AT_ONCE) -> Sequence[Mail]:
        """The mails that are still to be sent, those that are due first."""
        query = patterns.waiting_mails().consistent()
        return self._those(self._store.iterate(query, at_most=at_most, on_bad=pass_over))

    def count_waiting(self, at_most: int = 1_000) -> int:
        """How many mails are still to be sent, up to a number; they themselves are not read."""
        return int(self._store.count(patterns.waiting_mails(), at_most=at_most))

    def of(self, mail_ids: Iterable[str], *, consistent: bool = False) -> dict[str, Mail]:
        """Some mails by their ids, without those that are not there."""
        refs = [patterns.mail(mail_id) for mail_id in mail_ids]
        return {mail.id: mail for mail in found_all(self._store, refs, consistent=consistent)}

    def queue(self, mail: Mail) -> Sequence[Write[Any]]:
        """The writes that queue a new mail, for the transaction of what it is about."""
        return outbox.enter(mail, self._store.clock.now())

    @verb(role="editor", kind="write", path="mails/{id}/retry")
    def retry(self, id: RecordId) -> Mail:
        """Retry a mail now, however long it would still wait."""
        mail = self.get(id, consistent=True)
        if mail.status == "sent":
            raise Conflict("this mail was sent; write another one")
        if mail.due_at is not None and mail.due_at <= self._store.clock.now():
            return mail
        if mail.status == "sending":
            raise Conflict(
                "this mail is being sent at this moment; if that fails, it is tried again"
            )
        outbox.hasten(self._store, mail)
        return self.get(id, consistent=True)

    def send_due(self, *, limit: int = AT_ONCE, progress: Progress = silent) -> MailsSent:
        """Send the mails that are due."""
        if self._post is None:
            return MailsSent(0, 0, 0, _NO_SERVER, Cost())
        with self._store.metered() as measured, self._post.session() as session:
            round_ = _Round(self._store, session, self._post.sender)
            waiting = round_.run(limit, progress)
        told = round_.tally
        return MailsSent(told["sent"], told["failed"], told["lost"], waiting, measured.cost)

    def _those(self, entries: Iterable[Outgoing]) -> Sequence[Mail]:
        refs = [patterns.mail(entry.mail_id) for entry in entries]
        return found_all(self._store, refs, consistent=True)


class _Round:
    """One round over the mails that are due, over one connection."""

    def __init__(self, store: Store, session: SmtpSession, sender: str) -> None:
        self.tally: Counter[Outcome] = Counter()
        self._store = store
        self._session = session
        self._sender = sender

    def run(self, limit: int, progress: Progress) -> str | None:
        """Send one after the other; if no server is there, say so and leave the rest alone."""
        for entry in outbox.due(self._store, limit):
            try:
                self.tally[self._send(entry)] += 1
            except MailUnreachable as failure:
                self.tally["failed"] += 1
                return failure.message
            progress(self.tally.total(), 0, entry.mail_id)
        return None

    def _send(self, entry: Outgoing) -> Outcome:
        mine = outbox.claim(self._store, entry)
        if mine is None:
            return "skipped"
        try:
            mail = self._store.get(patterns.mail(mine.mail_id), consistent=True)
        except BadItem as misfit:
            return self._failed(mine, misfit.message, _PATIENT)
        return "skipped" if mail is None else self._hand_in(mine, mail)

    def _hand_in(self, mine: Outgoing, mail: Mail) -> Outcome:
        try:
            to = self._deliver(mail)
        except MailUnreachable as failure:
            self._failed(mine, failure.message, mail.attempts)
            raise
        except MailFailed as failure:
            return self._failed(mine, failure.message, mail.attempts)
        emit("site.mail.sent", mail=mail.id, attempts=mail.attempts)
        return "sent" if outbox.settle(self._store, mine, mail, to) else "lost"

    def _failed(self, mine: Outgoing, why: str, attempts: int) -> Outcome:
        emit("site.mail.failed", level="warning", mail=mine.mail_id, reason=why)
        return "failed" if outbox.put_back(self._store, mine, why, attempts) else "lost"

    def _deliver(self, mail: Mail) -> Mailbox:
        """Send a mail to where it goes at this moment; give the address."""
        company = _address(self._company())
        if mail.purpose == "notice":
            to = company
        else:
            to = mailbox(mail.to or "")
            mail = mail.model_copy(update={"reply_to": company})
        sender = mailbox(self._sender) if self._sender else company
        self._session.deliver(compose(mail, _known_to(mail, to), _known_from(sender)))
        return _known_to(mail, to)

    def _company(self) -> CorpInfo | None:
        try:
            return self._store.get(patterns.company(), consistent=True)
        except BadItem as misfit:
            raise MailFailed(f"the company's address cannot be read: {misfit.message}") from misfit


def _address(company: CorpInfo | None) -> Mailbox | None:
    return None if company is None else mailbox(company.email or "")


def _known_to(mail: Mail, to: Mailbox | None) -> Mailbox:
    if to is not None:
        return to
    if mail.purpose == "notice":
        raise MailFailed("the company has no email, or not just one; an admin writes it first")
    raise MailFailed("the visitor gave no address that a mail can go to; answer in another way")


def _known_from(sender: Mailbox | None) -> Mailbox:
    if sender is not None:
        return sender
    raise MailFailed(
        "there is no address to send from; set GOTGAN_MAIL_FROM, or write the company's email"
    )
