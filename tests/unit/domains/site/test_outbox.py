"""The queue of mails: crashes, races, and items that somebody else spoilt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from email.message import EmailMessage
from pathlib import Path
from threading import Barrier

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import outbox
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import CorpInfo, Mail, OutboxEntry
from gotgan.domains.site.smtp import Postbox, SmtpSession
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.attributes import Item
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine.engine import Engine
from tests.unit.domains.site.desk import (
    MORNING,
    SENDER,
    Desk,
    assert_queue_is_sound,
    desk_of,
    only_mail,
    opened,
    told,
)
from tests.unit.domains.site.mail_server import MailServer, serving


@pytest.fixture
def server() -> Iterator[MailServer]:
    with serving() as running:
        yield running


@pytest.fixture
def desk(server: MailServer) -> Iterator[Desk]:
    with opened(Postbox(server.url, SENDER)) as ready:
        yield ready


class Killed(BaseException):
    """What a worker feels of a kill: it does nothing more."""


def killed() -> None:
    raise Killed


def nothing() -> None:
    """Happen not at all."""


class Interrupted(Postbox):
    """A real postbox; something happens just before and just after the server has a mail."""

    def __init__(
        self,
        url: Secret,
        *,
        before: Callable[[], None] = nothing,
        after: Callable[[], None] = nothing,
    ) -> None:
        super().__init__(url, SENDER)
        self._before, self._after = before, after

    @contextmanager
    def session(self) -> Iterator[SmtpSession]:
        with super().session() as session:
            deliver = session.deliver

            def interrupted(message: EmailMessage) -> None:
                self._before()
                deliver(message)
                self._after()

            session.deliver = interrupted  # type: ignore[method-assign]
            yield session


@pytest.mark.parametrize(("moment", "copies"), [("before", 1), ("after", 2)])
def test_what_a_dead_worker_had_is_sent_when_its_lease_ends(
    desk: Desk, server: MailServer, moment: str, copies: int
) -> None:
    desk.ask()
    dying = desk_of(desk.store, desk.clock, Interrupted(server.url, **{moment: killed}))
    with pytest.raises(Killed):
        dying.mails.send_due()
    assert only_mail(desk).status == "sending"
    assert_queue_is_sound(desk)
    desk.wait(minutes=10, seconds=-1)
    assert told(desk.mails.send_due()) == (0, 0, 0)
    desk.wait(seconds=1)
    assert told(desk.mails.send_due()) == (1, 0, 0)
    assert (only_mail(desk).status, only_mail(desk).attempts) == ("sent", 2)
    assert len(server.received) == copies
    assert len({got.message["Message-ID"] for got in server.received}) == 1


def test_a_lease_never_ends_before_its_time(desk: Desk) -> None:
    desk.ask()
    desk.wait(milliseconds=900)
    [entry] = outbox.due_entries(desk.store, 10)
    assert outbox.claim_mail(desk.store, entry) is not None
    desk.wait(minutes=10, milliseconds=-1)
    assert outbox.due_entries(desk.store, 10) == []
    desk.wait(seconds=1)
    assert len(outbox.due_entries(desk.store, 10)) == 1


@pytest.mark.parametrize(("verdict", "copies"), [(None, 2), ("550 no", 1)])
def test_a_worker_that_was_overtaken_says_so_and_overwrites_nothing(
    desk: Desk, server: MailServer, verdict: str | None, copies: int
) -> None:
    """While it waits for the server, its lease ends and another one sends the mail."""

    def overtaken() -> None:
        desk.wait(minutes=10)
        assert told(desk.mails.send_due()) == (1, 0, 0)
        server.verdict = verdict
        finished.append(only_mail(desk))

    finished: list[Mail] = []
    asked = desk.ask()
    slow = desk_of(desk.store, desk.clock, Interrupted(server.url, before=overtaken))
    assert told(slow.mails.send_due()) == (0, 0, 1)
    assert [only_mail(desk)] == finished
    assert len(server.received) == copies
    assert desk.inquiries.get(asked.id).version == 2
    assert_queue_is_sound(desk)


def test_of_two_who_saw_the_same_entry_one_gets_it(desk: Desk) -> None:
    desk.ask()
    (entry,) = desk.entries()
    assert outbox.claim_mail(desk.store, entry) is not None
    assert outbox.claim_mail(desk.store, entry) is None
    assert only_mail(desk).attempts == 1
    assert_queue_is_sound(desk)


def test_two_workers_on_one_store_send_each_mail_once(desk: Desk, server: MailServer) -> None:
    for number in range(20):
        desk.ask(number)
    assert sum(_at_once([desk, desk])) == 20
    _assert_each_came_once(desk, server, 20)


def test_two_workers_on_one_file_send_each_mail_once(server: MailServer, tmp_path: Path) -> None:
    clock = FixedClock(MORNING)
    with ExitStack() as stack:
        desks = [_on_file(stack, tmp_path / "site.sqlite3", clock, server) for _ in range(2)]
        desks[0].employ()
        for number in range(20):
            desks[0].ask(number)
        assert sum(_at_once(desks)) == 20
        _assert_each_came_once(desks[1], server, 20)


def _on_file(stack: ExitStack, path: Path, clock: FixedClock, server: MailServer) -> Desk:
    driver = Embedded(Engine(path, clock=clock))
    store = stack.enter_context(Store(driver, secret=Secret("x" * 32), clock=clock))
    store.create(SITE)
    return desk_of(store, clock, Postbox(server.url, SENDER))


def _at_once(desks: list[Desk]) -> list[int]:
    """Let each work at the same time; give how many mails each has sent."""
    start = Barrier(len(desks))

    def work(desk: Desk) -> int:
        start.wait()
        return desk.mails.send_due().sent

    with ThreadPoolExecutor(len(desks)) as pool:
        return list(pool.map(work, desks))


def _assert_each_came_once(desk: Desk, server: MailServer, times: int) -> None:
    names = [got.message["Message-ID"] for got in server.received]
    assert len(names) == len(set(names)) == times
    assert {mail.attempts for mail in desk.all_mails()} == {1}
    assert_queue_is_sound(desk)


# Items that somebody else spoilt


def test_an_entry_whose_mail_is_gone_is_taken_away(desk: Desk) -> None:
    desk.ask()
    desk.store.delete(only_mail(desk).key)
    assert told(desk.mails.send_due()) == (0, 0, 0)
    assert desk.entries() == []


def test_an_entry_of_a_mail_that_was_sent_is_taken_away(desk: Desk, server: MailServer) -> None:
    desk.ask()
    desk.mails.send_due()
    desk.store.put(OutboxEntry(due_at=MORNING, mail_id=only_mail(desk).id))
    assert told(desk.mails.send_due()) == (0, 0, 0)
    assert (desk.entries(), len(server.received)) == ([], 1)


@pytest.mark.parametrize("spoilt", [{"attempts": {"S": "many"}}, {"body": {"N": "1"}}])
def test_a_spoilt_mail_does_not_hold_the_others_up(
    desk: Desk, server: MailServer, spoilt: Item
) -> None:
    desk.ask(1)
    _spoil(desk, only_mail(desk).key.item, spoilt)
    desk.wait(seconds=1)
    desk.ask(2)
    for _ in range(2):
        desk.mails.send_due(limit=1)
    assert [got.message["Subject"][-1] for got in server.received] == ["2"]
    assert [entry.due_at > desk.clock.now() for entry in desk.entries()] == [True]


def test_a_company_that_cannot_be_read_lets_the_notice_wait(desk: Desk) -> None:
    _spoil(desk, CorpInfo.key().item, {"email": {"N": "1"}})
    desk.ask()
    assert told(desk.mails.send_due()) == (0, 1, 0)
    assert "Could not read" in (only_mail(desk).last_error or "")


def test_a_notice_of_an_inquiry_that_is_gone_is_sent_once(desk: Desk, server: MailServer) -> None:
    desk.store.delete(desk.ask().key)
    assert told(desk.mails.send_due()) == (1, 0, 0)
    desk.wait(hours=1)
    assert told(desk.mails.send_due()) == (0, 0, 0)
    assert (only_mail(desk).status, len(server.received)) == ("sent", 1)


def _spoil(desk: Desk, key: Item, attributes: Item) -> None:
    name, value = next(iter(attributes.items()))
    request = {
        "TableName": "FMWebAppTable",
        "Key": key,
        "UpdateExpression": "SET #n = :v",
        "ExpressionAttributeNames": {"#n": name},
        "ExpressionAttributeValues": {":v": value},
    }
    desk.store.calls.send("test", "UpdateItem", request)
