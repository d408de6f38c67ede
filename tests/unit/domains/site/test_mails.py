"""Mails: where and when they go, what keeps them waiting, and that they wait for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import outbox, patterns
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.smtp import Postbox
from gotgan.errors import Conflict, NotFound, StoreUnreachable
from gotgan.messages import Message, render
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.unit.domains.site.desk import (
    COMPANY,
    MORNING,
    SECRET,
    SENDER,
    Desk,
    assert_queue_is_sound,
    desk_of,
    only_mail,
    opened,
    told,
)
from tests.unit.domains.site.mail_server import MailServer, serving
from tests.unit.domains.site.meddling import Meddling
from tests.unit.domains.site.records import caller


@pytest.fixture
def server() -> Iterator[MailServer]:
    with serving() as running:
        yield running


@pytest.fixture
def desk(server: MailServer) -> Iterator[Desk]:
    with opened(Postbox(server.url, SENDER)) as ready:
        yield ready


# Where a mail goes


def test_a_notice_goes_to_the_company_and_the_inquiry_says_where(
    desk: Desk, server: MailServer
) -> None:
    asked = desk.ask()
    desk.wait(seconds=30)
    assert told(desk.mails.send_due()) == (1, 0, 0)
    (got,) = server.received
    assert (got.sender, got.to) == (SENDER, [COMPANY])
    assert got.message["Subject"] == "[문의] 협업 문의 1"
    assert got.message["Reply-To"] == "visitor@example.net"
    mail = only_mail(desk)
    assert (mail.status, mail.to, mail.attempts) == ("sent", COMPANY, 1)
    assert (mail.sent_at, mail.due_at) == (MORNING + timedelta(seconds=30), None)
    assert desk.inquiries.get(asked.id).notified_email == COMPANY
    assert_queue_is_sound(desk)


def test_a_notice_goes_to_the_address_of_that_moment(desk: Desk, server: MailServer) -> None:
    asked = desk.ask()
    company = desk.store.get(patterns.company())
    assert company is not None
    desk.store.update(company, email="new@example.com")
    desk.mails.send_due()
    assert [got.to for got in server.received] == [["new@example.com"]]
    assert desk.inquiries.get(asked.id).notified_email == "new@example.com"


def test_a_reply_goes_to_the_visitor_who_can_answer_the_company(
    desk: Desk, server: MailServer
) -> None:
    asked = desk.ask()
    desk.mails.send_due()
    desk.inquiries.reply(asked.id, "고맙습니다.", by=caller("u001"))
    desk.mails.send_due()
    got = server.received[-1]
    assert got.to == ["visitor@example.net"]
    assert (got.message["From"], got.message["Reply-To"]) == (SENDER, COMPANY)
    assert got.message.get_content().startswith("고맙습니다.")
    assert desk.inquiries.get(asked.id).notified_email == COMPANY


def test_without_a_sender_mails_come_from_the_company(server: MailServer) -> None:
    with opened(Postbox(server.url)) as desk:
        desk.ask()
        desk.mails.send_due()
        assert [got.sender for got in server.received] == [COMPANY]


@pytest.mark.parametrize("email", [None, "", "a@example.com, b@example.com", "Desk <a@b.c>"])
def test_without_one_address_a_notice_waits_and_says_what_to_do(
    server: MailServer, email: str | None
) -> None:
    with opened(Postbox(server.url, SENDER), company=email) as desk:
        asked = desk.ask()
        assert told(desk.mails.send_due()) == (0, 1, 0)
        assert (only_mail(desk).status, server.received) == ("queued", [])
        assert "An admin must enter" in (only_mail(desk).last_error or "")
        assert desk.inquiries.get(asked.id).notified_email is None
        company = desk.store.get(patterns.company())
        assert company is not None
        desk.store.update(company, email=COMPANY)
        desk.wait(minutes=1)
        assert told(desk.mails.send_due()) == (1, 0, 0)
        assert only_mail(desk).last_error is None


def test_with_neither_sender_nor_company_a_reply_waits(server: MailServer) -> None:
    with opened(Postbox(server.url), company=None) as desk:
        desk.inquiries.reply(desk.ask().id, "hello", by=caller("u001"))
        assert told(desk.mails.send_due()) == (0, 2, 0)
        (reply,) = (mail for mail in desk.all_mails() if mail.purpose == "reply")
        assert "GOTGAN_MAIL_FROM" in (reply.last_error or "")


def test_without_a_mail_server_mails_are_left_untouched() -> None:
    with opened(None) as desk:
        desk.ask()
        before = only_mail(desk)
        report = desk.mails.send_due()
        assert (told(report), report.cost.writes) == ((0, 0, 0), 0)
        assert "GOTGAN_SMTP_URL" in (report.waiting or "")
        assert only_mail(desk) == before


# When a mail goes


def test_the_oldest_mails_go_first_and_no_more_than_asked_for(
    desk: Desk, server: MailServer
) -> None:
    for number in range(4):
        desk.ask(number)
        desk.wait(seconds=1)
    seen: list[int] = []

    def note(done: int, _total: int, _last: str, /, **_figures: float) -> None:
        seen.append(done)

    report = desk.mails.send_due(limit=3, progress=note)
    assert told(report) == (3, 0, 0)
    assert seen == [1, 2, 3]
    subjects = [got.message["Subject"][-1] for got in server.received]
    assert subjects == ["0", "1", "2"]
    assert report.cost.writes > 0
    assert server.connections == 1


def test_a_sent_mail_is_not_sent_again(desk: Desk, server: MailServer) -> None:
    desk.ask()
    desk.mails.send_due()
    desk.wait(hours=5)
    assert told(desk.mails.send_due()) == (0, 0, 0)
    assert len(server.received) == 1


def test_the_reason_of_a_failure_is_stored_for_readers_of_any_language(
    desk: Desk, server: MailServer
) -> None:
    server.answer = lambda _: "451 4.7.1 come back later"
    desk.ask()
    desk.mails.send_due()
    why = only_mail(desk).last_error
    assert isinstance(why, Message)
    korean = render(why, "ko")
    assert re.fullmatch(r"메일 서버 \S+[이가] 메일을 거부했습니다: 451 .* later", korean)


def test_the_pauses_double_up_to_an_hour_and_never_end(desk: Desk, server: MailServer) -> None:
    server.answer = lambda _: "451 4.7.1 come back later"
    desk.ask()
    pauses: list[int] = []
    for attempt in range(1, 11):
        assert told(desk.mails.send_due()) == (0, 1, 0)
        mail = only_mail(desk)
        assert mail.attempts == attempt
        assert "451 4.7.1 come back later" in (mail.last_error or "")
        assert mail.due_at is not None
        pauses.append(int((mail.due_at - desk.clock.now()).total_seconds()) // 60)
        assert_queue_is_sound(desk)
        desk.wait(minutes=pauses[-1], seconds=-1)
        assert told(desk.mails.send_due()) == (0, 0, 0)
        desk.wait(seconds=1)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    server.answer = lambda _: None
    assert told(desk.mails.send_due()) == (1, 0, 0)


def test_a_refused_mail_does_not_hold_the_others_up(desk: Desk, server: MailServer) -> None:
    server.answer = lambda to: "550 5.1.1 nobody" if to.startswith("gone") else None
    bad = desk.ask(1, email="gone@example.net")
    desk.inquiries.reply(bad.id, "hello", by=caller("u001"))
    good = desk.ask(2)
    desk.inquiries.reply(good.id, "hello", by=caller("u001"))
    report = desk.mails.send_due()
    assert (told(report), report.waiting) == ((3, 1, 0), None)
    assert [mail.to for mail in desk.all_mails() if mail.status == "queued"] == ["gone@example.net"]
    assert_queue_is_sound(desk)


def test_an_unreachable_server_is_asked_once_and_the_others_stay_as_they_are(
    server: MailServer,
) -> None:
    with opened(Postbox(Secret("smtp://127.0.0.1:1"), SENDER)) as desk:
        for number in range(3):
            desk.ask(number)
        first, *others = desk.all_mails()
        report = desk.mails.send_due()
        assert told(report) == (0, 1, 0)
        assert "Could not connect" in (report.waiting or "")
        failed, *rest = desk.all_mails()
        assert (failed.id, failed.status, failed.attempts) == (first.id, "queued", 1)
        assert rest == others
        assert_queue_is_sound(desk)
        desk.wait(minutes=1)
        again = desk_of(desk.store, desk.clock, Postbox(server.url, SENDER))
        assert told(again.mails.send_due()) == (3, 0, 0)


def test_a_connection_that_breaks_off_leaves_the_mail_queued(
    desk: Desk, server: MailServer
) -> None:
    server.drops = True
    asked = desk.ask()
    assert told(desk.mails.send_due()) == (0, 1, 0)
    assert desk.inquiries.get(asked.id).notified_email is None
    server.drops = False
    desk.wait(minutes=1)
    assert told(desk.mails.send_due()) == (1, 0, 0)
    assert len(server.received) == 1


# Having a mail tried again


def test_a_mail_that_waits_can_be_made_due(desk: Desk, server: MailServer) -> None:
    server.verdict = "451 later"
    desk.ask()
    desk.mails.send_due()
    server.verdict = None
    retried = desk.mails.retry(only_mail(desk).id)
    assert (retried.status, retried.due_at) == ("queued", MORNING)
    assert_queue_is_sound(desk)
    assert told(desk.mails.send_due()) == (1, 0, 0)


def test_a_mail_that_is_due_stays_as_it_is(desk: Desk) -> None:
    desk.ask()
    before = only_mail(desk)
    assert desk.mails.retry(before.id) == before
    assert_queue_is_sound(desk)


def test_a_sent_mail_cannot_be_tried_again(desk: Desk) -> None:
    desk.ask()
    desk.mails.send_due()
    with pytest.raises(Conflict, match="was already sent"):
        desk.mails.retry(only_mail(desk).id)


def test_a_mail_that_somebody_is_sending_cannot_be_tried_again_before_its_lease_ends(
    desk: Desk,
) -> None:
    desk.ask()
    assert outbox.claim_mail(desk.store, desk.entries()[0]) is not None
    with pytest.raises(Conflict, match="being sent"):
        desk.mails.retry(only_mail(desk).id)
    desk.wait(minutes=10)
    desk.mails.retry(only_mail(desk).id)
    assert told(desk.mails.send_due()) == (1, 0, 0)


def test_a_mail_that_is_not_there_cannot_be_tried_again(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.mails.retry("none")


def test_mails_are_paged_newest_first(desk: Desk) -> None:
    for number in range(3):
        desk.ask(number)
        desk.wait(seconds=1)
    page = desk.mails.list(limit=2)
    rest = desk.mails.list(limit=2, cursor=page.cursor)
    assert [mail.subject[-1] for mail in [*page, *rest]] == ["2", "1", "0"]


# What waits, and what became of some


def test_mails_are_found_by_their_ids_without_those_that_are_not_there(desk: Desk) -> None:
    first, second = desk.ask(1), desk.ask(2)
    found = desk.mails.get_many([second.id, "none", first.id], consistent=True)
    assert {key: mail.inquiry_id for key, mail in found.items()} == {
        first.id: first.id,
        second.id: second.id,
    }
    assert desk.mails.get_many([]) == {}


def test_mails_that_wait_are_counted_without_being_read(desk: Desk) -> None:
    for number in range(40):
        desk.ask(number)
    with desk.store.metered() as measured:
        assert desk.mails.count_waiting() == 40
    assert measured.cost.reads <= 1
    desk.mails.send_due(limit=1)
    assert desk.mails.count_waiting() == 39


def test_mails_that_wait_are_paged_those_that_are_due_first(desk: Desk) -> None:
    for number in range(3):
        desk.ask(number)
        desk.wait(seconds=1)
    page = desk.mails.list(show="waiting", limit=2)
    rest = desk.mails.list(show="waiting", limit=2, cursor=page.cursor)
    assert [mail.subject[-1] for mail in page] == ["0", "1"]
    assert [mail.subject[-1] for mail in rest] == ["2"]
    assert desk.mails.waiting() == [*page, *rest]
    desk.mails.send_due()
    assert desk.mails.list(show="waiting").items == ()


class _Busy(Meddling):
    """A database that never gets to what is asked for in a batch."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation == "BatchGetItem":
            return {"Responses": {}, "UnprocessedKeys": request["RequestItems"]}
        return super().call(operation, request)


def test_mails_that_could_not_be_read_are_not_taken_for_none(clock: FixedClock) -> None:
    busy = _Busy(Embedded(Engine(None, clock=clock)))
    driver = RetryingDriver(busy, sleep=lambda _: None)
    with Store(driver, secret=SECRET, clock=clock) as store:
        store.create(SITE)
        desk = desk_of(store, clock, None)
        asked = desk.ask()
        with pytest.raises(StoreUnreachable, match="Try again"):
            desk.mails.get_many([asked.id])
