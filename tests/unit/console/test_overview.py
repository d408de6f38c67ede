"""The front page tells the staff what is wrong, and where it is mended."""

from __future__ import annotations

import httpx
import pytest

from gotgan.app import App
from tests.unit.console.trial import sign_in, with_mail_server


def _ask(app: App, number: int) -> None:
    app.site.inquiries.receive(
        name="n", email="n@example.com", subject="s", message="m", address=f"10.0.0.{number}"
    )


def _found(app: App, email: str | None = "desk@example.com") -> None:
    app.site.company.replace({"name": "Granary", "email": email})


@pytest.fixture
def staff(app: App, client: httpx.Client) -> httpx.Client:
    """A viewer at the front page."""
    sign_in(client, app, "v")
    client.cookies.delete("gotgan_said")
    return client


def test_all_that_is_wrong_is_told_with_the_way_to_mend_it(app: App, staff: httpx.Client) -> None:
    _ask(app, 1)
    _ask(app, 2)
    page = staff.get("/").text
    assert "no mail server is configured (GOTGAN_SMTP_URL)" in page
    assert "The company has no email" in page
    assert 'href="/site/company"' in page
    assert "2 mails are waiting to be sent." in page
    assert 'href="/site/mails?show=waiting"' in page
    assert "Nothing needs attention." not in page


def test_it_is_told_in_korean_too(app: App, staff: httpx.Client) -> None:
    _ask(app, 1)
    page = staff.get("/", headers={"accept-language": "ko"}).text
    assert "아직 보내지 못한 메일이 1통 있습니다." in page
    assert "회사 이메일이 없어" in page


def test_where_all_is_well_it_says_so(app: App, staff: httpx.Client) -> None:
    _found(app)
    page = staff.get("/").text
    assert "Nothing needs attention." in page
    assert "Needs attention" not in page


@with_mail_server
def test_with_a_server_only_the_mails_are_told(app: App, staff: httpx.Client) -> None:
    _found(app)
    _ask(app, 1)
    page = staff.get("/").text
    assert "1 mail is waiting to be sent." in page
    assert "GOTGAN_SMTP_URL" not in page
    assert "no email" not in page


def test_a_company_without_an_address_is_told_before_any_mail_waits(
    app: App, staff: httpx.Client
) -> None:
    _found(app, None)
    page = staff.get("/").text
    assert "The company has no email" in page
    assert "GOTGAN_SMTP_URL" not in page


def test_a_stranger_is_told_nothing_of_it(app: App, client: httpx.Client) -> None:
    _ask(app, 1)
    page = client.get("/").text
    assert "attention" not in page
    assert "waiting to be sent" not in page


def test_what_is_wrong_is_found_out_cheaply(app: App, staff: httpx.Client) -> None:
    for number in range(250):
        _ask(app, number)
    alone = _reads(app, staff, "/mine")
    assert _reads(app, staff, "/") - alone <= 48  # it counts the days that are over, once
    assert _reads(app, staff, "/") - alone <= 13


def _reads(app: App, client: httpx.Client, path: str) -> float:
    before = app.store.total().reads
    assert client.get(path).status_code == 200
    return float(app.store.total().reads - before)
