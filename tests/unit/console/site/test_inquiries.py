"""The inbox: what came in, who was told, and what was answered."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.site import outbox
from gotgan.domains.site.mail_text import Mailbox
from gotgan.domains.site.models import ContactInquiry
from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser
from tests.unit.console.site.filling import fill
from tests.unit.console.trial import with_mail_server
from tests.unit.domains.site.records import caller


@pytest.fixture
def inquiry(site: Site) -> ContactInquiry:
    return site.inquiries.receive(
        name="Hong",
        email="hong@example.com",
        subject="Working together",
        message="Hello <b>you</b>\nand you",
        address="10.0.0.1",
    )


def _pages(inquiry: ContactInquiry) -> tuple[str, str]:
    return "/site/inquiries", f"/site/inquiries/{inquiry.id}"


def _send_all(app: App) -> None:
    for entry in outbox.due_entries(app.store, 1_000):
        mine = outbox.claim_mail(app.store, entry)
        assert mine is not None
        mail = app.site.mails.get(mine.mail_id, consistent=True)
        outbox.mark_sent(app.store, mine, mail, Mailbox(mail.to or "then@example.com"))


@pytest.mark.parametrize(
    ("smtp", "email", "reason"),
    [
        (None, "desk@example.com", "No mail server is configured (GOTGAN_SMTP_URL)"),
        ("smtp://127.0.0.1:1", None, "The company has no email address for notices"),
        ("smtp://127.0.0.1:1", "desk@example.com", "Not attempted yet."),
    ],
)
def test_an_inquiry_waits_with_its_reason(
    site: Site, inquiry: ContactInquiry, viewer: Browser, email: str | None, reason: str
) -> None:
    site.company.replace({"name": "Granary", "email": email})
    for path in _pages(inquiry):
        page = viewer.open(path)
        assert inquiry.subject in page
        assert "Queued" in page
        assert reason in page


@with_mail_server
def test_an_inquiry_shows_why_its_notice_failed(
    app: App, inquiry: ContactInquiry, viewer: Browser
) -> None:
    app.site.company.replace({"name": "Granary", "email": "desk@example.com"})
    (entry,) = outbox.due_entries(app.store, 1)
    mine = outbox.claim_mail(app.store, entry)
    assert mine is not None
    assert "Sending" in viewer.open(f"/site/inquiries/{inquiry.id}")
    outbox.retry_later(app.store, mine, "the server said no", 1)
    for path in _pages(inquiry):
        assert "the server said no" in viewer.open(path)


def test_an_inquiry_shows_the_address_that_was_told_of_it(
    app: App, inquiry: ContactInquiry, viewer: Browser
) -> None:
    _send_all(app)
    for path in _pages(inquiry):
        page = viewer.open(path)
        assert "then@example.com" in page
        assert "Queued" not in page
        assert "No mail" not in page


@pytest.mark.parametrize(
    ("told", "words"), [("old@example.com", "old@example.com"), (None, "No mail")]
)
def test_an_inquiry_of_the_old_tables_shows_what_it_says_itself(
    app: App, viewer: Browser, told: str | None, words: str
) -> None:
    old = ContactInquiry(
        id="old",
        created_at=app.clock.now(),
        name="n",
        email="n@example.com",
        subject="s",
        message="m",
        notified_email=told,
    )
    app.store.put_new(old)
    for path in _pages(old):
        page = viewer.open(path)
        assert words in page
        assert "Queued" not in page


def test_no_mail_that_waits_is_said_to_be_sent_however_many_wait(
    app: App, inquiry: ContactInquiry, viewer: Browser
) -> None:
    app.site.inquiries.reply(inquiry.id, "With pleasure", by=caller("e"))
    for each in outbox.due_entries(app.store, 2):  # they come after all the others
        mine = outbox.claim_mail(app.store, each)
        assert mine is not None
        outbox.retry_later(app.store, mine, "no", 9)
    fill(app, 210)
    page = viewer.open(f"/site/inquiries/{inquiry.id}")
    assert page.count("Failed, will be retried") == 2
    assert "✓</span> Sent" not in page
    _send_all(app)
    app.site.mails.retry(inquiry.id)
    _send_all(app)
    page = viewer.open(f"/site/inquiries/{inquiry.id}")
    assert page.count("Failed, will be retried") == 1
    assert page.count("✓</span> Sent") == 1


def test_whoever_answered_is_named_among_any_number_of_users(
    app: App, inquiry: ContactInquiry, viewer: Browser, clock: FixedClock
) -> None:
    app.site.inquiries.reply(inquiry.id, "With pleasure", by=caller("e"))
    clock.advance(timedelta(seconds=1))
    for number in range(101):
        app.site.users.create(id=f"u{number}", display_name="N", role="viewer")
    assert "Edda" in viewer.open(f"/site/inquiries/{inquiry.id}")


def test_inquiries_are_chosen_by_their_status(
    site: Site, inquiry: ContactInquiry, viewer: Browser
) -> None:
    site.inquiries.set_status(inquiry.id, "done")
    assert inquiry.subject not in viewer.open("/site/inquiries?status=new")
    assert inquiry.subject in viewer.open("/site/inquiries?status=done")
    assert "/v1/contact?status=done" in viewer.page
    assert inquiry.id in viewer.client.get("/site/inquiries.csv?status=done").text
    assert inquiry.id not in viewer.client.get("/site/inquiries.csv?status=new").text
    viewer.open("/site/inquiries?status=elsewhere")
    assert viewer.answer.status_code == 404


def test_a_message_is_text_and_keeps_its_lines(inquiry: ContactInquiry, viewer: Browser) -> None:
    page = viewer.open(f"/site/inquiries/{inquiry.id}")
    assert "Hello &lt;b&gt;you&lt;/b&gt;\nand you" in page


def test_a_reply_is_kept_and_its_mail_queued(
    site: Site, inquiry: ContactInquiry, editor: Browser
) -> None:
    editor.open(f"/site/inquiries/{inquiry.id}")
    page = editor.send("/reply", message="With pleasure")
    assert "its mail is queued" in page
    assert "With pleasure" in page
    assert "Queued" in page
    assert {mail.to for mail in site.mails.waiting()} == {None, "hong@example.com"}


def test_a_reply_that_says_nothing_is_refused(inquiry: ContactInquiry, editor: Browser) -> None:
    editor.open(f"/site/inquiries/{inquiry.id}")
    assert "Fill this in." in editor.send("/reply", message=" ")


def test_a_reply_is_held_back_when_somebody_answered_meanwhile(
    site: Site, inquiry: ContactInquiry, editor: Browser
) -> None:
    editor.open(f"/site/inquiries/{inquiry.id}")
    site.inquiries.reply(inquiry.id, "I was first", by=caller("a"))
    page = editor.send("/reply", message="Me too")
    assert editor.answer.status_code == 409
    assert "I was first" in page
    assert editor.sheet("/reply").fields["message"] == "Me too"
    editor.send("/reply")
    kept = site.inquiries.get(inquiry.id, consistent=True).replies or []
    assert [reply.message for reply in kept] == ["I was first", "Me too"]


def test_a_status_is_set(site: Site, inquiry: ContactInquiry, editor: Browser) -> None:
    editor.open(f"/site/inquiries/{inquiry.id}")
    editor.send("/status", status="done")
    assert site.inquiries.get(inquiry.id, consistent=True).status == "done"
    editor.send("/status", status="lost")
    assert editor.answer.status_code == 404


def test_a_viewer_cannot_answer(inquiry: ContactInquiry, viewer: Browser) -> None:
    page = viewer.open(f"/site/inquiries/{inquiry.id}")
    assert "/reply" not in page
    assert "/status" not in page


def test_an_empty_inbox_says_how_inquiries_come_in(viewer: Browser) -> None:
    assert "POST /v1/contact" in viewer.open("/site/inquiries")
