"""The site as a whole: one table, made where it is missing, and a place for each verb."""

from __future__ import annotations

from gotgan.domains.site.keys import SITE
from gotgan.domains.site.service import Site
from gotgan.settings import Settings
from gotgan.store import Store
from tests.unit.domains.site.conftest import SECRET
from tests.unit.domains.site.records import items


def test_the_table_is_made_where_it_is_missing_and_left_alone_where_it_is_not(
    store: Store,
) -> None:
    site = Site(store, Settings(given_secret=SECRET))
    site.prepare()
    user = site.users.create(display_name="Kim", role="admin")
    site.prepare()
    assert site.users.get(user.id) == user
    [table] = store.calls.driver.call("ListTables", {})["TableNames"]
    assert table == SITE.name


def test_nobody_is_there_to_begin_with(store: Store) -> None:
    """No default account, no default token."""
    site = Site(store, Settings(given_secret=SECRET))
    site.prepare()
    assert items(store) == {}


def test_without_a_mail_server_the_mails_wait(site: Site) -> None:
    form = {"name": "n", "email": "a@example.com", "subject": "s", "message": "m"}
    site.inquiries.receive(**form, address="192.0.2.1")
    told = site.mails.send_due()
    assert (told.sent, told.failed) == (0, 0)
    assert told.waiting is not None
    assert "GOTGAN_SMTP_URL" in told.waiting
    assert [mail.status for mail in site.mails.list()] == ["queued"]
