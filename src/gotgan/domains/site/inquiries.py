"""Inquiries: what visitors leave, and what the staff does about it.

An inquiry and the mail that tells the company of it are written in one transaction: there is never
one without the other. So are a reply and its mail. The notice has the id of its inquiry, and a
reply names its mail, so what became of either is read by a key.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Final

from gotgan.clock import utc_iso
from gotgan.domains.site import patterns
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.letters import mailbox, notice_text, reply_text
from gotgan.domains.site.mails import Mails
from gotgan.domains.site.models import ContactInquiry, Mail, Reply
from gotgan.domains.site.params import By, Consistent, Message, RecordId, StatusName, Version
from gotgan.domains.site.rates import Rates
from gotgan.domains.site.records import PAGE, carry_out, found, pass_over, refuse_stale
from gotgan.domains.site.users import Users
from gotgan.errors import Conflict, UsageError
from gotgan.params import Cursor, Limit
from gotgan.settings import Secret
from gotgan.store import Page, Store, writes
from gotgan.verbs import verb

__all__ = ["Inquiries"]

_MOST_BYTES: Final = 300_000
"""Of all replies together: an item holds 400 KB."""


class Inquiries:
    """Inquiries: messages that visitors left."""

    path: ClassVar = "contact"
    read_by: ClassVar = "viewer"
    written_by: ClassVar = "editor"

    def __init__(self, store: Store, mails: Mails, users: Users, secret: Secret) -> None:
        self._store = store
        self._mails = mails
        self._users = users
        self._rates = Rates(store, secret)

    @verb(role=None)
    def list(
        self,
        *,
        status: StatusName | None = None,
        limit: Limit = PAGE,
        cursor: Cursor | None = None,
    ) -> Page[ContactInquiry]:
        """List inquiries, newest first.

        With a status, every inquiry on the way is read and billed, as `read` says.
        """
        query = patterns.all_inquiries()
        keep = None if status is None else lambda inquiry: inquiry.status == status
        return self._store.query(query, limit=limit, cursor=cursor, on_bad=pass_over, keep=keep)

    @verb(role=None)
    def get(self, id: RecordId, *, consistent: Consistent = False) -> ContactInquiry:
        """Show an inquiry, with where the notice of it was sent."""
        return found(self._store, patterns.inquiry(id), consistent=consistent)

    def receive(  # noqa: PLR0913 - the fields of the form
        self,
        *,
        name: str,
        email: str,
        subject: str,
        message: str,
        address: str,
        company: str | None = None,
        title: str | None = None,
        referral: str | None = None,
    ) -> ContactInquiry:
        """Take a visitor's message; ``address`` is where it came from, and is only counted."""
        self._rates.count(address)
        now = self._store.clock.now()
        inquiry = ContactInquiry(
            id=new_id(now),
            created_at=now,
            updated_at=now,
            name=name,
            email=_checked(email),
            company=company,
            title=title,
            referral=referral,
            subject=subject,
            message=message,
        )
        notice = _notice(inquiry, now)
        carry_out(self._store, [writes.put_new(inquiry), *self._mails.queue(notice)])
        return inquiry

    @verb(role=None, kind="write", path="contact/{id}/reply")
    def reply(
        self, id: RecordId, message: Message, *, version: Version | None = None, by: By = None
    ) -> ContactInquiry:
        """Reply to an inquiry; the mail is queued with the reply, in one transaction."""
        current = self.get(id, consistent=True)
        refuse_stale(current, version)
        author = (self._users.owner() if by is None else by.user).id
        last = current.replies[-1] if current.replies else None
        if last is not None and (last.message, last.by) == (message, author):
            return current  # it came a second time, because the first answer was lost
        now = self._store.clock.now()
        mail = _reply(current, message, now)
        told = Reply(message=message, by=author, at=_stamp(now), mail_id=mail.id)
        replies = [*(current.replies or []), told]
        if sum(len(each.message.encode()) for each in replies) > _MOST_BYTES:
            raise Conflict("this inquiry holds no more replies; go on by mail")
        answered = writes.update(
            current,
            replies=replies,
            first_reply_message=current.first_reply_message or message,
            status="in_progress" if current.status == "new" else current.status,
            updated_at=now,
        )
        carry_out(self._store, [answered, *self._mails.queue(mail)])
        return self.get(id, consistent=True)

    @verb(role=None, kind="write", path="contact/{id}/status")
    def set_status(
        self, id: RecordId, status: StatusName, *, version: Version | None = None
    ) -> ContactInquiry:
        """Set the status of an inquiry."""
        current = self.get(id, consistent=True)
        refuse_stale(current, version)
        if current.status == status:
            return current
        now = self._store.clock.now()
        return self._store.update(current, status=status, updated_at=now).item


def _notice(inquiry: ContactInquiry, now: datetime) -> Mail:
    subject, body = notice_text(inquiry)
    return Mail(
        id=inquiry.id,
        created_at=now,
        updated_at=now,
        inquiry_id=inquiry.id,
        purpose="notice",
        reply_to=inquiry.email,
        subject=subject,
        body=body,
    )


def _reply(inquiry: ContactInquiry, message: str, now: datetime) -> Mail:
    to = mailbox(inquiry.email)
    if to is None:
        raise Conflict("the visitor gave no address that a mail can go to; answer in another way")
    subject, body = reply_text(inquiry, message)
    return Mail(
        id=new_id(now),
        created_at=now,
        updated_at=now,
        inquiry_id=inquiry.id,
        purpose="reply",
        to=to,
        subject=subject,
        body=body,
    )


def _checked(email: str) -> str:
    if mailbox(email) is None:
        raise UsageError("this is no email address; give one such as name@example.com")
    return email.strip()


def _stamp(moment: datetime) -> str:
    return utc_iso(moment)
