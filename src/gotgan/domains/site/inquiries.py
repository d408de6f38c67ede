"""Inquiries: what visitors leave, and what the staff does about it.

An inquiry and the mail that tells the company of it are written in one transaction: there is never
one without the other. So are a reply and its mail. The notice has the id of its inquiry, and a
reply names its mail, so what became of either is read by a key.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from gotgan.clock import utc_iso
from gotgan.domains.site import patterns
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.letters import mailbox, notice_text, reply_text
from gotgan.domains.site.mails import Mails
from gotgan.domains.site.models import ContactInquiry, Mail, Reply, Status
from gotgan.domains.site.rates import Rates
from gotgan.domains.site.records import PAGE, carry_out, found, pass_over, refuse_stale
from gotgan.errors import Conflict, UsageError
from gotgan.settings import Secret
from gotgan.store import Page, Store, writes

__all__ = ["Inquiries"]

_MOST_BYTES: Final = 300_000
"""Of all replies together: an item holds 400 KB."""


class Inquiries:
    """The messages that visitors left."""

    def __init__(self, store: Store, mails: Mails, secret: Secret) -> None:
        self._store = store
        self._mails = mails
        self._rates = Rates(store, secret)

    def page(
        self, *, status: Status | None = None, limit: int = PAGE, cursor: str | None = None
    ) -> Page[ContactInquiry]:
        """A page of inquiries, newest first.

        With a status it is a filtered read: every inquiry on the way is read and billed.
        """
        query = patterns.all_inquiries()
        keep = None if status is None else lambda inquiry: inquiry.status == status
        return self._store.query(query, limit=limit, cursor=cursor, on_bad=pass_over, keep=keep)

    def get(self, inquiry_id: str, *, consistent: bool = False) -> ContactInquiry:
        """One inquiry."""
        return found(self._store, patterns.inquiry(inquiry_id), consistent=consistent)

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

    def reply(
        self, inquiry_id: str, message: str, *, by: str, expected: int | None = None
    ) -> ContactInquiry:
        """Write back to the visitor; ``by`` is the id of the user who does."""
        current = self.get(inquiry_id, consistent=True)
        refuse_stale(current, expected)
        last = current.replies[-1] if current.replies else None
        if last is not None and (last.message, last.by) == (message, by):
            return current  # it came a second time, because the first answer was lost
        now = self._store.clock.now()
        mail = _reply(current, message, now)
        told = Reply(message=message, by=by, at=_stamp(now), mail_id=mail.id)
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
        return self.get(inquiry_id, consistent=True)

    def set_status(
        self, inquiry_id: str, status: Status, *, expected: int | None = None
    ) -> ContactInquiry:
        """Say how far the staff is with an inquiry."""
        current = self.get(inquiry_id, consistent=True)
        refuse_stale(current, expected)
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
