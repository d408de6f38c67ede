"""Inquiries of visitors, replies to them, and the rate limit per address.

An inquiry and its notice mail are written in one transaction, and so are a reply and its mail. The
rate limit counts messages per keyed hash of an address and window, in items that expire.
"""

from __future__ import annotations

import hmac
import math
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from gotgan.clock import utc_iso
from gotgan.domains.site import messages, patterns, resource
from gotgan.domains.site.auth import Users
from gotgan.domains.site.keys import new_id
from gotgan.domains.site.mail import Mails
from gotgan.domains.site.mail_text import notice_text, parse_mailbox, reply_text
from gotgan.domains.site.models import ContactInquiry, Mail, RateCounter, Reply
from gotgan.domains.site.params import By, Consistent, Message, RecordId, StatusName, Version
from gotgan.errors import ConditionFailed, Conflict, RateLimited, UsageError
from gotgan.params import Cursor, Limit
from gotgan.settings import Secret
from gotgan.store import Page, Store, attr, increment, writes
from gotgan.texts import Language
from gotgan.verbs import verb

RATE_WINDOW: Final = timedelta(minutes=10)
"""The stretch of time that is counted in; each begins at a multiple of it."""
MAX_MESSAGES: Final = 5
"""How often one address may write within a window."""

_PURPOSE: Final = b"site.rate:"
_NETWORK_BYTES: Final = 8


class RateLimiter:
    """The counters of all addresses."""

    def __init__(self, store: Store, secret: Secret) -> None:
        self._store = store
        self._key = secret.reveal().encode()

    def count(self, address: str) -> None:
        """Count one message from an address, or refuse it as one too many."""
        now = self._store.clock.now()
        window = window_start(now)
        until = window + RATE_WINDOW
        who = hmac.new(self._key, _PURPOSE + _sender(address), "sha256").hexdigest()
        ref = RateCounter.key(who=who, window=window)
        some_left = attr("count").missing() | (attr("count") < MAX_MESSAGES)
        try:
            self._store.upsert(ref, only_if=some_left, count=increment(), expires_at=until)
        except ConditionFailed as refusal:
            seconds = max(1, math.ceil((until - now).total_seconds()))
            raise RateLimited(messages.TOO_MANY_MESSAGES(seconds=seconds), seconds) from refusal


def window_start(moment: datetime) -> datetime:
    """When the stretch began that a moment is in."""
    seconds = int(RATE_WINDOW.total_seconds())
    return datetime.fromtimestamp(int(moment.timestamp()) // seconds * seconds, UTC)


def _sender(address: str) -> bytes:
    """Who writes from an address: of IPv6 it is the network, which one subscriber has whole."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a socket that has no address, or a name: then that is counted
        return address.encode("utf-8", "replace")
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return parsed.packed[:_NETWORK_BYTES] if mapped is None else mapped.packed
    return parsed.packed


_MAX_INQUIRY_BYTES: Final = 300_000
"""Of all replies together: an item holds 400 KB."""


class Inquiries:
    """Manage inquiries: messages from visitors."""

    path: ClassVar = "contact"
    read_by: ClassVar = "viewer"
    written_by: ClassVar = "editor"

    def __init__(
        self,
        store: Store,
        mails: Mails,
        users: Users,
        secret: Secret,
        *,
        language: Language = "ko",
        zone: ZoneInfo | None = None,
    ) -> None:
        """``language`` and ``zone`` are those of the notices."""
        self._store = store
        self._language: Language = language
        self._zone = zone
        self._mails = mails
        self._users = users
        self._rates = RateLimiter(store, secret)

    @verb(role=None)
    def list(
        self,
        *,
        status: StatusName | None = None,
        limit: Limit = resource.DEFAULT_LIMIT,
        cursor: Cursor | None = None,
    ) -> Page[ContactInquiry]:
        """List inquiries, newest first.

        With a status, all inquiries up to the last match are read and billed; `read` counts them.
        """
        query = patterns.all_inquiries()
        keep = None if status is None else lambda inquiry: inquiry.status == status
        return self._store.query(
            query, limit=limit, cursor=cursor, on_bad=resource.skip_bad_item, keep=keep
        )

    @verb(role=None)
    def get(self, id: RecordId, *, consistent: Consistent = False) -> ContactInquiry:
        """Show an inquiry and the address its notice was sent to."""
        return resource.get_existing(self._store, patterns.inquiry(id), consistent=consistent)

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
        if parse_mailbox(email) is None:
            raise UsageError(messages.NOT_AN_EMAIL())
        inquiry = ContactInquiry(
            id=new_id(now),
            created_at=now,
            updated_at=now,
            name=name,
            email=email.strip(),
            company=company,
            title=title,
            referral=referral,
            subject=subject,
            message=message,
        )
        text = notice_text(inquiry, self._language, self._zone)
        to = {"purpose": "notice", "reply_to": inquiry.email}
        notice = _mail(inquiry, text, now, id=inquiry.id, **to)
        resource.transact(self._store, [writes.put_new(inquiry), *self._mails.queue(notice)])
        return inquiry

    @verb(role=None, kind="write", path="contact/{id}/reply")
    def reply(
        self, id: RecordId, message: Message, *, version: Version | None = None, by: By = None
    ) -> ContactInquiry:
        """Reply to an inquiry; the reply is saved and its mail queued in one transaction."""
        current = self.get(id, consistent=True)
        resource.expect_version(current, version)
        author = (self._users.owner() if by is None else by.user).id
        last = current.replies[-1] if current.replies else None
        if last is not None and (last.message, last.by) == (message, author):
            return current  # it came a second time, because the first answer was lost
        now = self._store.clock.now()
        to = parse_mailbox(current.email)
        if to is None:
            raise Conflict(messages.NO_VISITOR_ADDRESS())
        text = reply_text(current, message)
        mail = _mail(current, text, now, id=new_id(now), purpose="reply", to=to)
        reply = Reply(message=message, by=author, at=utc_iso(now), mail_id=mail.id)
        replies = [*(current.replies or []), reply]
        if sum(len(each.message.encode()) for each in replies) > _MAX_INQUIRY_BYTES:
            raise Conflict(messages.INQUIRY_FULL())
        answered = writes.update(
            current,
            replies=replies,
            first_reply_message=current.first_reply_message or message,
            status="in_progress" if current.status == "new" else current.status,
            updated_at=now,
        )
        resource.transact(self._store, [answered, *self._mails.queue(mail)])
        return self.get(id, consistent=True)

    @verb(role=None, kind="write", path="contact/{id}/status")
    def set_status(
        self, id: RecordId, status: StatusName, *, version: Version | None = None
    ) -> ContactInquiry:
        """Set the status of an inquiry."""
        current = self.get(id, consistent=True)
        resource.expect_version(current, version)
        if current.status == status:
            return current
        now = self._store.clock.now()
        return self._store.update(current, status=status, updated_at=now).item


def _mail(inquiry: ContactInquiry, text: tuple[str, str], now: datetime, **fields: Any) -> Mail:
    return Mail(
        created_at=now,
        updated_at=now,
        inquiry_id=inquiry.id,
        subject=text[0],
        body=text[1],
        **fields,
    )
