"""The pages of mails: what waits, why, and the button that tries it now."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from gotgan.app import App
from gotgan.domains.site import outbox
from gotgan.domains.site.mail_text import Mailbox
from gotgan.domains.site.models import Mail
from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import with_mail_server
from tests.unit.domains.site.records import caller


@pytest.fixture
def mail(site: Site) -> Mail:
    site.company.replace({"name": "Granary", "email": "company@example.com"})
    site.inquiries.receive(
        name="Hong", email="h@example.com", subject="Hello", message="Words", address="10.0.0.1"
    )
    return site.mails.waiting()[0]


def _fail(app: App) -> None:
    (entry,) = outbox.due_entries(app.store, 1)
    mine = outbox.claim_mail(app.store, entry)
    assert mine is not None
    outbox.retry_later(app.store, mine, "the server said no <b>", 3)


@with_mail_server
def test_a_mail_that_waits_tells_why(app: App, mail: Mail, viewer: Browser) -> None:
    _fail(app)
    for path in ("/site/mails", "/site/mails?show=waiting"):
        page = viewer.open(path)
        assert mail.subject in page
        assert "the server said no &lt;b&gt;" in page
        assert "Failed, will be retried" in page
        assert "/retry" not in page
    assert mail.id in viewer.client.get("/site/mails.csv").text


@with_mail_server
def test_a_mail_is_tried_now(app: App, mail: Mail, editor: Browser) -> None:
    _fail(app)
    clock: Any = app.clock
    editor.open("/site/mails")
    clock.advance(timedelta(seconds=1))
    assert "The mail is due now" in editor.send("/retry")
    assert app.site.mails.get(mail.id, consistent=True).due_at == clock.now()


def _send(app: App, mail: Mail) -> None:
    (entry,) = outbox.due_entries(app.store, 1)
    mine = outbox.claim_mail(app.store, entry)
    assert mine is not None
    outbox.mark_sent(app.store, mine, mail, Mailbox("company@example.com"))


@with_mail_server
def test_a_mail_that_was_sent_is_not_tried_again(app: App, mail: Mail, editor: Browser) -> None:
    editor.open(f"/site/mails/{mail.id}")
    _send(app, mail)
    page = editor.send("/retry")
    assert editor.answer.status_code == 409
    assert "This mail was already sent" in page
    assert "company@example.com" in editor.open("/site/mails")
    assert mail.subject not in editor.open("/site/mails?show=waiting")


def test_without_a_server_the_reason_stands_where_a_try_is_of_no_use(
    mail: Mail, editor: Browser
) -> None:
    for path in ("/site/mails", "/site/mails?show=waiting", f"/site/mails/{mail.id}"):
        page = editor.open(path)
        assert "No mail server is configured (GOTGAN_SMTP_URL)" in page
        assert "/retry" not in page


@with_mail_server
def test_without_a_company_address_the_reason_stands_where_a_try_is_of_no_use(
    site: Site, mail: Mail, editor: Browser
) -> None:
    site.company.update({"email": None}, version=None)
    page = editor.open(f"/site/mails/{mail.id}")
    assert "The company has no email address for notices" in page
    assert "/retry" not in page


@with_mail_server
def test_a_try_that_has_become_useless_is_refused_with_the_reason(
    app: App, mail: Mail, editor: Browser
) -> None:
    _fail(app)
    editor.open(f"/site/mails/{mail.id}")
    app.site.company.update({"email": None}, version=None)
    before = app.site.mails.get(mail.id, consistent=True)
    assert "The company has no email address for notices" in editor.send("/retry")
    assert editor.answer.status_code == 409
    assert app.site.mails.get(mail.id, consistent=True) == before


@with_mail_server
def test_a_reply_without_any_sender_says_so(site: Site, mail: Mail, editor: Browser) -> None:
    site.inquiries.reply(mail.inquiry_id, "Hello", by=caller("e"))
    assert "No sender address is configured" not in editor.open("/site/mails")
    site.company.update({"email": None}, version=None)
    assert "No sender address is configured" in editor.open("/site/mails")


def test_the_mails_that_wait_are_paged(site: Site, viewer: Browser) -> None:
    for number in range(25):
        site.inquiries.receive(
            name="n", email="n@example.com", subject="s", message="m", address=f"10.0.0.{number}"
        )
    for path in ("/site/mails", "/site/mails?show=waiting"):
        first = viewer.open(path)
        assert first.count('href="/site/mails/') == 20
        more = re.search(r'href="([^"]+)" rel="next"', first)
        assert more is not None
        assert viewer.open(unescape(more[1])).count('href="/site/mails/') == 5


def test_no_other_choice_of_mails_has_a_page(viewer: Browser) -> None:
    viewer.open("/site/mails?show=lost")
    assert viewer.answer.status_code == 404


def test_the_page_of_a_mail_shows_its_text(mail: Mail, viewer: Browser) -> None:
    page = viewer.open(f"/site/mails/{mail.id}")
    assert "h@example.com" in page
    assert "Words" in page


def test_no_mail_is_no_list(viewer: Browser) -> None:
    assert "No mails yet" in viewer.open("/site/mails")
    assert "No mails are waiting" in viewer.open("/site/mails?show=waiting")


def test_a_spoilt_mail_does_not_hide_the_others(app: App, mail: Mail, viewer: Browser) -> None:
    app.site.inquiries.receive(
        name="Kim", email="k@example.com", subject="Second", message="x", address="10.0.0.2"
    )
    request = {
        "TableName": "FMWebAppTable",
        "Key": mail.key.item,
        "UpdateExpression": "SET attempts = :a",
        "ExpressionAttributeValues": {":a": {"S": "many"}},
    }
    app.store.calls.send("test", "UpdateItem", request)
    for path in ("/site/mails", "/site/mails?show=waiting"):
        page = viewer.open(path)
        assert "Second" in page
        assert mail.subject not in page


@with_mail_server
def test_the_file_has_the_mails_of_the_list(app: App, mail: Mail, viewer: Browser) -> None:
    page = viewer.open("/site/mails?show=waiting")
    assert 'href="/site/mails.csv?show=waiting"' in page
    assert 'href="/v1/mails?show=waiting"' in page
    assert "gotgan site mails list --show waiting" in page
    assert mail.id in viewer.open("/site/mails.csv?show=waiting")
    _send(app, mail)
    assert mail.id not in viewer.open("/site/mails.csv?show=waiting")
    assert mail.id in viewer.open("/site/mails.csv")
    assert viewer.client.get("/site/mails.csv?show=all").status_code == 404


@pytest.mark.usefixtures("mail")
def test_mails_are_sent_by_a_button(app: App, editor: Browser) -> None:
    assert "No runs since this server started." in editor.open("/site/mails?show=waiting")
    assert "Started." in editor.send("/site/send-mails")
    assert str(editor.answer.url).endswith("/site/mails?show=waiting")
    run = app.runs.latest("site.send_mails")
    assert run is not None
    ended = app.runs.wait(run.id, 20)
    assert (ended.state, ended.report.sent) == ("done", 0)
    headers = {"HX-Request": "true", "HX-Target": "run-send_mails"}
    told = editor.client.get("/site/runs?back=/site/mails", headers=headers)
    assert told.headers["hx-trigger"] == "run-ended"
    assert ended.report.waiting in unescape(told.text)
