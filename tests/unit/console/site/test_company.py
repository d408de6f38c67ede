"""The page of the company, and where notices go."""

from __future__ import annotations

import pytest

from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import with_mail_server


def test_the_company_is_written_for_the_first_time_and_changed(site: Site, admin: Browser) -> None:
    admin.open("/site/company")
    admin.send("/company", name="Granary", email="hello@example.com")
    assert site.company.get().email == "hello@example.com"
    page = admin.send("/company", email="", ceo="Anna")
    assert "No email is set" in page
    changed = site.company.get(consistent=True)
    assert (changed.name, changed.email, changed.ceo) == ("Granary", None, "Anna")


@pytest.mark.parametrize("wrong", ["nobody", "a@b, c@d", "x\r\nBcc: y@z", "@"])
def test_an_email_that_is_none_is_refused(site: Site, admin: Browser, wrong: str) -> None:
    admin.open("/site/company")
    page = admin.send("/company", name="Granary", email=wrong)
    assert admin.answer.status_code == 422
    assert "Use one address, such as name@example.com." in page
    assert site.company.look() is None


def test_a_viewer_reads_it_and_is_told_what_is_missing(site: Site, viewer: Browser) -> None:
    assert "No company details yet" in viewer.open("/site/company")
    site.company.replace({"name": "Granary", "email": "hello@example.com"})
    page = viewer.open("/site/company")
    assert "hello@example.com" in page
    assert "No mail server is configured" in page
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]


@with_mail_server
def test_a_mail_server_that_is_set_is_told_without_its_address(viewer: Browser) -> None:
    page = viewer.open("/site/company")
    assert "A mail server is configured" in page
    assert "127.0.0.1:1<" not in page
    assert "No mail server is configured" not in viewer.open("/site/mails")


def test_the_page_of_the_company_counts_the_mails_that_wait(site: Site, viewer: Browser) -> None:
    for number in range(3):
        site.inquiries.receive(
            name="n", email="n@example.com", subject="s", message="m", address=f"10.0.0.{number}"
        )
    assert "3 mails are waiting" in viewer.open("/site/company")


def test_additional_attributes_stand_in_lines(site: Site, admin: Browser, viewer: Browser) -> None:
    admin.open("/site/company")
    admin.send("/company", name="Granary", more="since: 1999\r\nblog: https://blog.example.com\r\n")
    assert site.company.get().more == {"since": "1999", "blog": "https://blog.example.com"}
    assert "1999" in viewer.open("/site/company")
    admin.open("/site/company")
    admin.send("/company", more="kakaoTalk: @gotgan\r\nsince: 2000")
    assert site.company.get(consistent=True).more == {"since": "2000", "kakaoTalk": "@gotgan"}
    admin.open("/site/company")
    admin.send("/company", fax="1")
    assert len(site.company.get(consistent=True).more) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("since", "Line 1 is not in the form name: value."),
        ("a: 1\r\na: 2", "a is used twice."),
        ("Type: Post", "Use letters, digits and underscores"),
        (f"a: {'x' * 201}", "Use at most 200 characters for each value."),
        ("\r\n".join(f"a{n}: x" for n in range(51)), "Use at most 50 attributes."),
    ],
)
def test_attributes_that_cannot_be_come_back(
    site: Site, admin: Browser, text: str, told: str
) -> None:
    admin.open("/site/company")
    page = admin.send("/company", name="Granary", more=text)
    assert admin.answer.status_code == 422
    assert told in page
    assert site.company.look() is None
