"""The inbox: what came in, who was told, and what was answered."""

from __future__ import annotations

import pytest

from gotgan.domains.site.models import ContactInquiry
from gotgan.domains.site.service import Site
from tests.unit.console.site.sheets import Browser


@pytest.fixture
def inquiry(site: Site) -> ContactInquiry:
    return site.inquiries.receive(
        name="Hong",
        email="hong@example.com",
        subject="Working together",
        message="Hello <b>you</b>\nand you",
        address="10.0.0.1",
    )


def test_an_inquiry_waits_with_its_reason(inquiry: ContactInquiry, viewer: Browser) -> None:
    page = viewer.open("/site/inquiries")
    assert inquiry.subject in page
    assert "Waiting" in page
    assert "Not tried yet." in page


def test_an_inquiry_shows_the_address_that_was_told_of_it(
    site: Site, inquiry: ContactInquiry, viewer: Browser
) -> None:
    site._store.patch(inquiry.key, notified_email="then@example.com")  # noqa: SLF001 - as if sent
    page = viewer.open("/site/inquiries")
    assert "then@example.com" in page
    assert "Waiting" not in page
    assert "then@example.com" in viewer.open(f"/site/inquiries/{inquiry.id}")


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
    site.inquiries.reply(inquiry.id, "I was first", by="a")
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
