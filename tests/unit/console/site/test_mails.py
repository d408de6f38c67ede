"""The pages of mails: what waits, why, and the button that tries it now."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.app import App
from gotgan.domains.site import outbox
from gotgan.domains.site.letters import Mailbox
from gotgan.domains.site.models import Mail
from gotgan.domains.site.service import Site
from tests.unit.console.site.sheets import Browser


@pytest.fixture
def mail(site: Site) -> Mail:
    site.inquiries.receive(
        name="Hong", email="h@example.com", subject="Hello", message="Words", address="10.0.0.1"
    )
    return site.mails.waiting()[0]


def _fail(app: App) -> None:
    (entry,) = outbox.due(app.store, 1)
    mine = outbox.claim(app.store, entry)
    assert mine is not None
    outbox.put_back(app.store, mine, "the server said no <b>", 3)


def test_a_mail_that_waits_tells_why_and_until_when(app: App, mail: Mail, viewer: Browser) -> None:
    _fail(app)
    page = viewer.open("/site/mails")
    assert mail.subject in page
    assert "the server said no &lt;b&gt;" in page
    assert "Failed, will be tried again" in page
    assert "No mail server is set" in page
    assert "/retry" not in page
    assert mail.id in viewer.client.get("/site/mails.csv").text


def test_a_mail_is_tried_now(app: App, mail: Mail, editor: Browser) -> None:
    _fail(app)
    clock: Any = app.clock
    editor.open("/site/mails")
    clock.advance(timedelta(seconds=1))
    assert "The mail is due now" in editor.send("/retry")
    assert app.site.mails.get(mail.id, consistent=True).due_at == clock.now()


def test_a_mail_that_was_sent_is_not_tried_again(app: App, mail: Mail, editor: Browser) -> None:
    editor.open(f"/site/mails/{mail.id}")
    (entry,) = outbox.due(app.store, 1)
    mine = outbox.claim(app.store, entry)
    assert mine is not None
    outbox.settle(app.store, mine, mail, Mailbox("company@example.com"))
    page = editor.send("/retry")
    assert editor.answer.status_code == 409
    assert "this mail was sent" in page
    assert "company@example.com" in editor.open("/site/mails")


def test_the_page_of_a_mail_shows_its_text(mail: Mail, viewer: Browser) -> None:
    page = viewer.open(f"/site/mails/{mail.id}")
    assert "h@example.com" in page
    assert "Words" in page


def test_no_mail_is_no_list(viewer: Browser) -> None:
    page = viewer.open("/site/mails")
    assert "No mail waits" in page
    assert "There are no mails yet" in page


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
    page = viewer.open("/site/mails")
    assert "Second" in page
    assert mail.subject not in page
