"""Messages of visitors: everybody leaves a few, the staff reads and answers them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.inquiries import MAX_MESSAGES, RATE_WINDOW
from tests.unit.api.calling import Api

WORDS = {"name": "Hong", "email": "user@example.com", "subject": "Hello", "message": "Hi."}


def test_a_visitor_gets_a_receipt_and_the_staff_an_inquiry_with_its_mail(api: Api) -> None:
    receipt = api.inquiry(company="Family")
    assert receipt == {"id": receipt["id"], "status": "new", "CreatedAt": "2025-11-15T12:00:00Z"}
    inquiry = api.data("GET", f"/contact/{receipt['id']}", role="viewer")
    assert (inquiry["company"], inquiry["status"]) == ("Family", "new")
    [mail] = api.data("GET", "/mails", role="viewer")["items"]
    assert (mail["inquiryId"], mail["status"]) == (receipt["id"], "queued")


def test_a_program_that_fills_in_what_nobody_sees_is_heard_by_nobody(api: Api) -> None:
    receipt = api.inquiry(website="https://example.com")
    assert receipt.keys() == {"id", "status", "CreatedAt"}
    assert api.data("GET", "/contact")["items"] == []
    assert api.data("GET", "/mails")["items"] == []


def test_who_writes_too_often_is_told_when_to_come_again(api: Api, clock: FixedClock) -> None:
    for _ in range(MAX_MESSAGES):
        api.inquiry()
    answer = api.call("POST", "/contact", role=None, json=WORDS)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "rate_limited")
    assert int(answer.headers["Retry-After"]) == RATE_WINDOW.total_seconds()
    spoofed = {"X-Forwarded-For": "203.0.113.9"}
    assert api.call("POST", "/contact", role=None, json=WORDS, headers=spoofed).status_code == 429
    assert len(api.data("GET", "/contact")["items"]) == MAX_MESSAGES
    clock.advance(timedelta(seconds=int(answer.headers["Retry-After"])))
    assert api.inquiry()["status"] == "new"


@pytest.mark.parametrize(
    "words",
    [
        {"email": "nobody"},
        {"email": "a@example.com\nBcc: b@example.com"},
        {"email": "a@example.com, b@example.com"},
        {"subject": "Hello\r\nBcc: b@example.com"},
        {"name": ""},
        {"name": " "},
        {"message": "x" * 5001},
        {"message": "\x00"},
        {"subject": "x" * 201},
        {"more": "x"},
    ],
    ids=str,
)
def test_a_message_that_is_no_good_is_not_kept_and_not_counted(
    api: Api, words: dict[str, str]
) -> None:
    refusal = api.refusal("POST", "/contact", role=None, json={**WORDS, **words})
    assert refusal == (422, "invalid")
    assert api.data("GET", "/contact")["items"] == []
    for _ in range(MAX_MESSAGES):
        api.inquiry()


def test_the_staff_answers_and_closes(api: Api) -> None:
    inquiry = api.inquiry()["id"]
    body = {"message": "Thank you.", "version": 1}
    answered = api.data("POST", f"/contact/{inquiry}/reply", role="editor", json=body)
    assert (answered["status"], answered["firstReplyMessage"]) == ("in_progress", "Thank you.")
    assert [(each["message"], each["by"]) for each in answered["replies"]] == [
        ("Thank you.", "u002")
    ]
    again = {"message": "Once more.", "version": 1}
    refusal = api.refusal("POST", f"/contact/{inquiry}/reply", json=again)
    assert refusal == (409, "store.version")
    closed = api.data("POST", f"/contact/{inquiry}/status", json={"status": "done"})
    assert closed["status"] == "done"
    assert api.refusal("POST", f"/contact/{inquiry}/status", json={"status": "lost"})[0] == 422
    mails = api.data("GET", "/mails")["items"]
    assert sorted(mail["purpose"] for mail in mails) == ["notice", "reply"]


def test_a_mail_that_waits_can_be_tried_at_once(api: Api) -> None:
    api.inquiry()
    [mail] = api.data("GET", "/mails")["items"]
    assert api.data("POST", f"/mails/{mail['id']}/retry", role="editor")["status"] == "queued"


def test_the_mails_that_wait_are_a_list_of_their_own(api: Api, clock: FixedClock) -> None:
    api.company()
    api.inquiry()
    [mail] = api.data("GET", "/mails", role="viewer", params={"show": "waiting"})["items"]
    assert mail["status"] == "queued"
    assert api.refusal("GET", "/mails", params={"show": "sent"}) == (422, "invalid")
    clock.advance(timedelta(minutes=1))
    told = api.data("POST", "/mails/send", role="editor")
    assert (told["run"]["verb"], told["run"]["state"]) == ("site.send_mails", "done")
    assert told["report"]["sent"] == 0
    assert "No mail server" in told["report"]["waiting"]
