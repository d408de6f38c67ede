"""What mails say; and that nothing which a visitor writes can act as a header."""

from __future__ import annotations

from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.site.mail_text import (
    Mailbox,
    compose,
    notice_text,
    one_line,
    parse_mailbox,
    reply_text,
)
from gotgan.domains.site.models import ContactInquiry, Mail
from tests.unit.domains.site.desk import COMPANY, MORNING

DESK, SITE = Mailbox(COMPANY), Mailbox("site@example.com")
OURS = [
    "Message-ID",
    "Date",
    "From",
    "To",
    "Reply-To",
    "Auto-Submitted",
    "Subject",
    "Content-Type",
    "Content-Transfer-Encoding",
    "MIME-Version",
]
VECTORS = [
    "hello\r\nBcc: victim@example.org",
    "hello\nBcc: victim@example.org",
    "hello\rBcc: victim@example.org",
    "hello\r\n\r\n<script>a body</script>",
    "hello\x0bBcc: victim@example.org",
    "hello\x0cBcc: victim@example.org",
    "hello\x85Bcc: victim@example.org",
    "hello\u2028Bcc: victim@example.org",
    "hello\u2029Bcc: victim@example.org",
    "hello\x00Bcc: victim@example.org",
    "hello\r\n Bcc: victim@example.org",
    "=?utf-8?q?hello=0D=0ABcc:_victim@example.org?=",
    "=?utf-8?b?aGVsbG8NCkJjYzogdmljdGltQGV4YW1wbGUub3Jn?=",
    "%0d%0aBcc: victim@example.org",
    "half a character \ud83d",
    "x" * 2_000,
    "",
    "\r\n",
]


def mail(**fields: str | None) -> Mail:
    known: dict[str, Any] = {
        "subject": "a subject",
        "body": "a body",
        "purpose": "notice",
        "inquiry_id": "i1",
    }
    return Mail.model_construct(id="m1", created_at=MORNING, **{**known, **fields})


def inquiry(**fields: str) -> ContactInquiry:
    known: dict[str, Any] = {
        "name": "홍길동",
        "email": "v@example.net",
        "subject": "협업",
        "message": "안녕",
    }
    return ContactInquiry(id="i1", created_at=MORNING, **{**known, **fields})


def read(message: EmailMessage) -> EmailMessage:
    """The mail as a mailbox reads it."""
    return BytesParser(policy=default).parsebytes(message.as_bytes())


def assert_only_our_headers(text: str) -> None:
    message = compose(mail(subject=text, body=text, reply_to="v@example.net"), DESK, SITE)
    got = read(message)
    assert got.keys() == OURS
    assert got["Subject"] == one_line(text)[:200]
    assert (got["To"], got["From"], got["Reply-To"]) == (DESK, SITE, "v@example.net")
    head, _, _ = message.as_bytes().partition(b"\r\n\r\n")
    assert head.isascii()
    assert all(len(line) <= 78 and b"\r" not in line for line in head.split(b"\r\n"))


@pytest.mark.parametrize("text", VECTORS)
def test_a_known_attack_stays_text(text: str) -> None:
    assert_only_our_headers(text)


@settings(deadline=None)
@given(st.text(st.characters(), max_size=300))
def test_no_text_makes_a_header(text: str) -> None:
    assert_only_our_headers(text)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["=?", "?=", "utf-8?q?", "=0A", "\r", "\n", " ", ":", "한", "a"])))
def test_no_text_that_is_made_of_pieces_of_headers_makes_one(pieces: list[str]) -> None:
    assert_only_our_headers("".join(pieces))


@settings(deadline=None)
@given(st.text(max_size=300))
def test_what_is_put_in_place_of_an_address_makes_no_header(text: str) -> None:
    got = read(compose(mail(reply_to=text), DESK, SITE))
    assert got.keys() == [name for name in OURS if name != "Reply-To" or parse_mailbox(text)]


def test_a_body_arrives_as_it_was_written_but_for_what_cannot_be_seen() -> None:
    body = "첫째 줄\r\n.\r둘째\t줄\x00\x1b[31m\n" + "길" * 2_000
    message = compose(mail(body=body), DESK, SITE)
    seen = "첫째 줄\n.\n둘째\t줄\ufffd\ufffd[31m\n" + "길" * 2_000 + "\n"
    assert read(message).get_content().replace("\r\n", "\n") == seen
    assert message.as_bytes().isascii()
    assert max(len(line) for line in message.as_bytes().split(b"\r\n")) <= 998


def test_a_korean_subject_is_read_as_it_was_written() -> None:
    text = "협업 문의: 함께 일하고 싶습니다 " * 6
    assert read(compose(mail(subject=text), DESK, SITE))["Subject"] == text.strip()


def test_a_mail_is_the_same_whenever_it_is_composed() -> None:
    first, second = (compose(mail(), DESK, SITE).as_bytes() for _ in range(2))
    assert first == second
    assert b"Message-ID: <m1@example.com>\r\nDate: Mon, 10 Nov 2025 09:00:00 GMT\r\n" in first


def test_only_a_notice_says_that_a_machine_wrote_it() -> None:
    notice, reply = (compose(mail(purpose=each), DESK, SITE) for each in ("notice", "reply"))
    assert notice["Auto-Submitted"] == "auto-generated"
    assert reply["Auto-Submitted"] is None


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("visitor@example.net", "visitor@example.net"),
        (" visitor@example.net ", "visitor@example.net"),
        ("first.last+tag@mail.example.co.kr", "first.last+tag@mail.example.co.kr"),
        ("root@localhost", "root@localhost"),
        ("help@한국.kr", "help@xn--3e0b707e.kr"),
    ],
)
def test_one_address_is_taken(text: str, address: str) -> None:
    assert parse_mailbox(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "visitor",
        "@example.net",
        "visitor@",
        "a@example.net,b@example.net",
        "a@example.net b@example.net",
        "a@b@example.net",
        "Visitor <visitor@example.net>",
        "<visitor@example.net>",
        '"visitor"@example.net',
        "visitor@example.net\r\nBcc: victim@example.org",
        "visitor\r\nBcc: victim@example.org",
        "visitor\x00@example.net",
        "visitor(comment)@example.net",
        "방문자@example.net",
        ".visitor@example.net",
        "visitor@example..net",
        "visitor@-example.net",
        "visitor@[192.0.2.1]",
        "visitor@example.net;b@example.net",
        f"{'v' * 65}@example.net",
        f"v@{'e.' * 130}net",
    ],
)
def test_what_is_not_one_address_is_refused(text: str) -> None:
    assert parse_mailbox(text) is None


def test_a_notice_tells_every_field_that_was_filled_in() -> None:
    asked = inquiry(company="곳간", title="이사", referral="검색", message="첫째\n둘째")
    subject, body = notice_text(asked)
    assert subject == "[문의] 협업"
    assert body.splitlines() == [
        "이름: 홍길동",
        "이메일: v@example.net",
        "회사: 곳간",
        "직함: 이사",
        "경로: 검색",
        "제목: 협업",
        "번호: i1",
        "받은 시각: 11-10 09:00 UTC",
        "",
        "첫째",
        "둘째",
    ]
    assert "회사" not in notice_text(inquiry())[1]


def test_a_notice_is_in_the_language_and_the_zone_of_the_site() -> None:
    subject, body = notice_text(inquiry(), "en", ZoneInfo("Asia/Seoul"))
    assert subject == "[Inquiry] 협업"
    assert body.splitlines()[:5] == [
        "Name: 홍길동",
        "Email: v@example.net",
        "Subject: 협업",
        "ID: i1",
        "Received: 11-10 18:00 KST",
    ]


def test_no_field_of_a_notice_can_pretend_to_be_another() -> None:
    _, body = notice_text(inquiry(name="x\n이메일: other@example.org"))
    assert body.splitlines()[:2] == [
        "이름: x 이메일: other@example.org",
        "이메일: v@example.net",
    ]


def test_a_reply_has_the_inquiry_below_it() -> None:
    subject, body = reply_text(inquiry(message="첫째\r\n\r\n둘째"), "고맙습니다.")
    assert subject == "Re: 협업"
    assert body == "고맙습니다.\n\n2025-11-10T09:00:00Z 홍길동:\n> 첫째\n>\n> 둘째\n"
