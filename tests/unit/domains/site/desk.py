"""A site with a clock that is moved by hand, for tests of inquiries and mails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.auth import Users
from gotgan.domains.site.inquiries import Inquiries
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.mail import Mails, MailsSent
from gotgan.domains.site.models import ContactInquiry, CorpInfo, Mail, OutboxEntry
from gotgan.domains.site.smtp import Postbox
from gotgan.settings import Secret
from gotgan.store import Store

__all__ = [
    "COMPANY",
    "MORNING",
    "SECRET",
    "SENDER",
    "Desk",
    "assert_queue_is_sound",
    "desk_of",
    "only_mail",
    "opened",
    "told",
]

MORNING: Final = datetime(2025, 11, 10, 9, tzinfo=UTC)
COMPANY: Final = "desk@example.com"
SENDER: Final = "site@example.com"
SECRET: Final = Secret("for tests alone, 32 letters long")


@dataclass(frozen=True)
class Desk:
    """The store, its clock, and what is tried with them."""

    store: Store
    clock: FixedClock
    mails: Mails
    inquiries: Inquiries

    def ask(self, number: int = 1, **fields: Any) -> ContactInquiry:
        """Leave a message, each from an address of its own."""
        form: dict[str, Any] = {
            "name": "홍길동",
            "email": "visitor@example.net",
            "subject": f"협업 문의 {number}",
            "message": "안녕하세요.\n함께 일하고 싶습니다.",
            "address": f"192.0.2.{number}",
        }
        return self.inquiries.receive(**{**form, **fields})

    def employ(self, email: str | None = COMPANY) -> None:
        """Write the company with this address."""
        self.store.put(CorpInfo(name="곳간", email=email, created_at=MORNING))

    def wait(self, **time: float) -> None:
        """Move the clock."""
        self.clock.advance(timedelta(**time))

    def all_mails(self) -> list[Mail]:
        """Every mail, the oldest first."""
        return sorted(self.mails.list(limit=1_000), key=lambda mail: mail.id)

    def entries(self) -> list[OutboxEntry]:
        """Every entry of the queue, whether it is due or not."""
        later = patterns.due_mails(self.clock.now() + timedelta(days=1)).consistent()
        return list(self.store.iterate(later, at_most=None))


def desk_of(store: Store, clock: FixedClock, post: Postbox | None) -> Desk:
    """A desk that works on a store."""
    mails = Mails(store, post)
    return Desk(store, clock, mails, Inquiries(store, mails, Users(store), SECRET))


@contextmanager
def opened(post: Postbox | None = None, *, company: str | None = COMPANY) -> Iterator[Desk]:
    """A desk in memory, with a company that has an address unless it is None."""
    clock = FixedClock(MORNING)
    with Store.in_memory(clock=clock) as store:
        store.create(SITE)
        desk = desk_of(store, clock, post)
        desk.employ(company)
        yield desk


def told(sent: MailsSent) -> tuple[int, int, int]:
    """How many mails a round has sent, how many failed, and how many it lost."""
    return sent.sent, sent.failed, sent.lost


def only_mail(desk: Desk) -> Mail:
    """The one mail that there is."""
    (mail,) = desk.all_mails()
    return mail


def assert_queue_is_sound(desk: Desk) -> None:
    """Every mail that was not sent has one entry, at the moment that it says; others none."""
    waiting = [(mail.due_at, mail.id) for mail in desk.all_mails() if mail.status != "sent"]
    assert sorted((entry.due_at, entry.mail_id) for entry in desk.entries()) == sorted(waiting)
    assert all(mail.due_at is None for mail in desk.all_mails() if mail.status == "sent")
