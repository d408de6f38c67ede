"""Inquiries: taken with their mail or not at all, answered, and brought to an end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import get_args

import pytest

from gotgan.domains.site.inquiries import MAX_MESSAGES
from gotgan.domains.site.models import ContactInquiry, Mail, OutboxEntry, Reply, Status
from gotgan.errors import Conflict, NotFound, RateLimited, UsageError, VersionConflict
from tests.unit.domains.site.desk import MORNING, Desk, opened
from tests.unit.domains.site.records import caller


@pytest.fixture
def desk() -> Iterator[Desk]:
    with opened() as ready:
        yield ready


def everything(desk: Desk) -> list[object]:
    return list(desk.store.scan(ContactInquiry, Mail, OutboxEntry))


def test_an_inquiry_is_kept_with_a_notice_that_is_due_at_once(desk: Desk) -> None:
    asked = desk.ask(company="곳간", title="이사", referral="검색")
    assert desk.inquiries.get(asked.id) == asked
    assert (asked.status, asked.created_at, asked.version) == ("new", MORNING, 1)
    (mail,) = desk.all_mails()
    assert (mail.id, mail.inquiry_id) == (asked.id, asked.id)
    assert (mail.purpose, mail.status) == ("notice", "queued")
    assert (mail.to, mail.reply_to, mail.due_at) == (None, "visitor@example.net", MORNING)
    assert [(entry.due_at, entry.mail_id) for entry in desk.entries()] == [(MORNING, mail.id)]


def test_inquiries_are_paged_newest_first(desk: Desk) -> None:
    asked = []
    for number in range(3):
        asked.append(desk.ask(number))
        desk.wait(seconds=1)
    page = desk.inquiries.list(limit=2)
    rest = desk.inquiries.list(limit=2, cursor=page.cursor)
    assert [*page, *rest] == asked[::-1]


def test_an_inquiry_that_is_not_there_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.inquiries.get("none")
    with pytest.raises(NotFound):
        desk.inquiries.reply("none", "hello", by=caller("u001"))
    with pytest.raises(NotFound):
        desk.inquiries.set_status("none", "done")


def test_one_message_too_many_leaves_nothing_behind(desk: Desk) -> None:
    for _ in range(MAX_MESSAGES):
        desk.ask(address="192.0.2.1")
    before = len(everything(desk))
    with pytest.raises(RateLimited):
        desk.ask(address="192.0.2.1")
    assert len(everything(desk)) == before
    desk.ask(address="192.0.2.2")


@pytest.mark.parametrize("email", ["", "visitor", "a@example.net, b@example.net", "a@b.c\nBcc: x"])
def test_an_address_that_cannot_be_answered_is_refused(desk: Desk, email: str) -> None:
    with pytest.raises(UsageError, match="not an email address"):
        desk.ask(email=email)
    assert everything(desk) == []


def test_a_reply_is_kept_and_queued_in_one_go(desk: Desk) -> None:
    asked = desk.ask()
    desk.wait(hours=1)
    answered = desk.inquiries.reply(asked.id, "고맙습니다.", by=caller("u001"))
    assert (answered.status, answered.first_reply_message) == ("in_progress", "고맙습니다.")
    assert [(r.message, r.by, r.at) for r in answered.replies or []] == [
        ("고맙습니다.", "u001", "2025-11-10T10:00:00Z")
    ]
    mail = desk.all_mails()[-1]
    assert (mail.purpose, mail.to, mail.inquiry_id) == ("reply", "visitor@example.net", asked.id)
    assert mail.subject == "Re: 협업 문의 1"
    assert mail.body.startswith("고맙습니다.\n")
    assert [entry.mail_id for entry in desk.entries()][-1] == mail.id


def test_every_reply_names_its_own_mail(desk: Desk) -> None:
    asked = desk.ask()
    desk.inquiries.reply(asked.id, "first", by=caller("u001"))
    replies = desk.inquiries.reply(asked.id, "second", by=caller("u001")).replies or []
    mails = desk.mails.get_many([reply.mail_id or "" for reply in replies])
    texts = [mails[reply.mail_id or ""].body.partition("\n")[0] for reply in replies]
    assert texts == ["first", "second"]
    assert asked.id not in mails


def test_a_reply_is_stored_under_the_names_of_the_table(desk: Desk) -> None:
    asked = desk.ask()
    (told,) = desk.inquiries.reply(asked.id, "hello", by=caller("u001")).replies or []
    assert set(told.model_dump()) == {"message", "by", "at", "mailId"}
    old = Reply(message="m", by="u", at="2025-11-10T09:00:00Z")
    assert set(old.model_dump()) == {"message", "by", "at"}


def test_a_second_reply_leaves_the_first_in_its_place(desk: Desk) -> None:
    asked = desk.ask()
    desk.inquiries.reply(asked.id, "first", by=caller("u001"))
    answered = desk.inquiries.reply(asked.id, "second", by=caller("u002"))
    assert answered.first_reply_message == "first"
    assert [(r.message, r.by) for r in answered.replies or []] == [
        ("first", "u001"),
        ("second", "u002"),
    ]
    assert len(desk.all_mails()) == 3


@pytest.mark.parametrize(
    ("before", "after"), [("new", "in_progress"), ("in_progress", "in_progress"), ("done", "done")]
)
def test_a_reply_begins_an_inquiry_and_never_reopens_one(
    desk: Desk, before: Status, after: Status
) -> None:
    asked = desk.ask()
    desk.inquiries.set_status(asked.id, before)
    assert desk.inquiries.reply(asked.id, "hello", by=caller("u001")).status == after


def test_a_reply_to_another_version_changes_nothing_and_sends_nothing(desk: Desk) -> None:
    asked = desk.ask()
    current = desk.inquiries.set_status(asked.id, "done", version=1)
    with pytest.raises(VersionConflict) as conflict:
        desk.inquiries.reply(asked.id, "hello", by=caller("u001"), version=1)
    assert conflict.value.current == current
    assert desk.inquiries.get(asked.id) == current
    assert len(desk.all_mails()) == 1


def test_a_reply_to_somebody_who_left_no_address_is_refused(desk: Desk) -> None:
    """Such inquiries come from the old tables."""
    old = ContactInquiry(
        id="old", created_at=MORNING, name="n", email="call me", subject="s", message="m"
    )
    desk.store.put_new(old)
    with pytest.raises(Conflict, match="Reply in another way"):
        desk.inquiries.reply("old", "hello", by=caller("u001"))
    assert desk.inquiries.get("old") == old


@pytest.mark.parametrize(("before", "after"), list(permutations(get_args(Status), 2)))
def test_any_status_may_follow_any_other(desk: Desk, before: Status, after: Status) -> None:
    asked = desk.ask()
    was = desk.inquiries.set_status(asked.id, before)
    changed = desk.inquiries.set_status(asked.id, after, version=was.version)
    assert (changed.status, changed.version) == (after, was.version + 1)


def test_the_same_status_again_is_no_change(desk: Desk) -> None:
    asked = desk.ask()
    assert desk.inquiries.set_status(asked.id, "new").version == 1


def test_a_status_for_another_version_is_refused(desk: Desk) -> None:
    asked = desk.ask()
    desk.inquiries.set_status(asked.id, "done")
    with pytest.raises(VersionConflict):
        desk.inquiries.set_status(asked.id, "new", version=1)


def test_an_inquiry_that_holds_no_more_replies_says_so(desk: Desk) -> None:
    asked = desk.ask()
    long = "가" * 5_200
    for number in range(19):
        desk.inquiries.reply(asked.id, f"{number}{long}", by=caller("u001"))
    with pytest.raises(Conflict, match="cannot hold more replies"):
        desk.inquiries.reply(asked.id, long, by=caller("u001"))
    assert len(desk.inquiries.get(asked.id).replies or []) == 19


def test_a_reply_that_comes_twice_is_sent_once(desk: Desk) -> None:
    asked = desk.ask()
    first = desk.inquiries.reply(asked.id, "hello", by=caller("u001"))
    assert desk.inquiries.reply(asked.id, "hello", by=caller("u001")) == first
    assert [mail.purpose for mail in desk.all_mails()].count("reply") == 1
    desk.inquiries.reply(asked.id, "hello", by=caller("u002"))
    assert [mail.purpose for mail in desk.all_mails()].count("reply") == 2
