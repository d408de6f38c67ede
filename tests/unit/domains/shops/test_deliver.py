"""Delivery: at least once, in order, and nothing is lost, however late it was written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.changes import record_offer
from gotgan.domains.shops.deliver import BATCH_SIZE, SETTLE_TIME, JsonLinesFile, deliver_changes
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import SHOPS, Change, Delivery, Offer, ShopPage
from gotgan.errors import SinkFailed
from gotgan.store import Store
from gotgan.store.attributes import encode

NOON = datetime(2026, 1, 15, 12, 0, 0, 500_000, tzinfo=UTC)  # clocks have fractions
DOMAIN = "example.com"
SECOND = timedelta(seconds=1)
LATER = SETTLE_TIME + 2 * SECOND


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Ear:
    """A sink that remembers what it heard, and can be deaf."""

    name: str = "ear"
    heard: list[Change] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    left: float = float("inf")
    """How many batches it still takes."""
    is_killed: bool = False
    """Whether it takes a batch and the process ends before anybody knows."""

    def deliver(self, changes: Sequence[Change]) -> None:
        if self.left < 1:
            raise SinkFailed("the sink is down")
        self.left -= 1
        self.sizes.append(len(changes))
        self.heard += changes
        if self.is_killed:
            raise Killed

    @property
    def urls(self) -> list[str]:
        return [change.url for change in self.heard]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as opened:
        opened.create(SHOPS)
        yield opened


def change(number: int, at: datetime = NOON, domain: str = DOMAIN) -> Change:
    url = f"https://{domain}/products/{number:05}"
    return Change(domain=domain, seen_at=at, url=url, after=Offer(status="SOLD", hash="b"))


def see(store: Store, *numbers: int, at: datetime | None = None) -> list[str]:
    """Write changes as they are seen now, or were at a moment; their addresses."""
    changes = [change(number, at or store.clock.now()) for number in numbers]
    store.put_all(changes)
    return [each.url for each in changes]


def cursor(store: Store, sink: str = "ear") -> Delivery:
    found = store.get(keys.delivery(DOMAIN, sink), consistent=True)
    assert found is not None
    return found


def test_a_sink_hears_of_every_change_once(store: Store, clock: FixedClock) -> None:
    ear = Ear()
    first = see(store, 1, 2)
    assert deliver_changes(store, [DOMAIN], ear).changes == 2
    assert deliver_changes(store, [DOMAIN], ear).changes == 0
    clock.advance(SECOND)
    second = see(store, 3)
    assert deliver_changes(store, [DOMAIN], ear).changes == 1
    assert sorted(ear.urls) == sorted(first + second)


def test_a_new_sink_hears_everything_from_the_beginning_in_order(
    store: Store, clock: FixedClock
) -> None:
    for number in (3, 1, 2):
        see(store, number)
        clock.advance(timedelta(days=1))
    ear = Ear()
    deliver_changes(store, [DOMAIN], ear)
    assert [change.url[-1] for change in ear.heard] == ["3", "1", "2"]


def test_what_is_written_later_in_the_same_second_is_heard(store: Store) -> None:
    ear = Ear()
    see(store, 5)
    deliver_changes(store, [DOMAIN], ear)
    see(store, *range(10))  # most sort before what was heard, in the same second
    deliver_changes(store, [DOMAIN], ear)
    assert sorted(ear.urls) == sorted(change(number).url for number in range(10))


def test_what_was_seen_earlier_and_written_later_is_heard(store: Store, clock: FixedClock) -> None:
    ear = Ear()
    began = clock.now()
    clock.advance(timedelta(seconds=50))
    see(store, 1)
    deliver_changes(store, [DOMAIN], ear)
    [late] = see(store, 2, at=began)
    clock.advance(SECOND)
    deliver_changes(store, [DOMAIN], ear)
    assert ear.urls[1:] == [late]


def test_a_page_that_changes_twice_is_heard_of_twice(store: Store, clock: FixedClock) -> None:
    ear = Ear()
    see(store, 1)
    deliver_changes(store, [DOMAIN], ear)
    clock.advance(SECOND)
    see(store, 1)
    deliver_changes(store, [DOMAIN], ear)
    assert ear.urls == [change(1).url] * 2


def test_what_comes_late_makes_nothing_come_again(store: Store, clock: FixedClock) -> None:
    ear = Ear()
    began = clock.now()
    clock.advance(timedelta(seconds=50))
    see(store, *range(BATCH_SIZE * 2 + 1))
    deliver_changes(store, [DOMAIN], ear)
    see(store, 7, at=began)
    assert [deliver_changes(store, [DOMAIN], ear).changes for _ in range(2)] == [1, 0]


def test_a_clock_that_is_behind_makes_nothing_come_again(store: Store, clock: FixedClock) -> None:
    ear = Ear()
    see(store, 1)
    clock.advance(LATER)
    deliver_changes(store, [DOMAIN], ear)
    slow = Store(
        store.calls.driver, secret=store.calls.secret, clock=FixedClock(NOON - timedelta(hours=1))
    )
    see(store, 2)
    assert [deliver_changes(slow, [DOMAIN], ear).changes for _ in range(2)] == [1, 0]


def test_what_is_settled_is_not_read_again(store: Store, clock: FixedClock) -> None:
    ear = Ear()
    see(store, *range(150))
    clock.advance(SECOND)
    see(store, 150)
    deliver_changes(store, [DOMAIN], ear)
    assert len(cursor(store).recent) == 151 * 8
    clock.advance(LATER)
    deliver_changes(store, [DOMAIN], ear)
    assert len(cursor(store).recent) == 8  # the last second may go on
    settled = deliver_changes(store, [DOMAIN], ear)
    assert (settled.changes, settled.cost.writes) == (0, 0)
    assert settled.cost.reads <= 2
    assert len(ear.heard) == 151


def test_the_second_that_is_settling_is_not_heard_twice(store: Store, clock: FixedClock) -> None:
    ear = Ear()
    for number in range(300):
        see(store, number)
        clock.advance(SECOND)
        if number % 7 == 0:
            deliver_changes(store, [DOMAIN], ear)
    deliver_changes(store, [DOMAIN], ear)
    assert ear.urls == [change(number).url for number in range(300)]
    assert len(cursor(store).recent) <= (SETTLE_TIME.total_seconds() + 2) * 8


def test_many_changes_go_in_batches(store: Store, clock: FixedClock) -> None:
    see(store, *range(BATCH_SIZE * 2 + 1))
    clock.advance(LATER)
    ear = Ear()
    report = deliver_changes(store, [DOMAIN], ear)
    assert ear.sizes == [BATCH_SIZE, BATCH_SIZE, 1]
    assert (report.changes, report.shops, report.stopped) == (BATCH_SIZE * 2 + 1, 1, None)


def test_every_shop_and_every_sink_has_a_course_of_its_own(store: Store) -> None:
    see(store, 1)
    store.put_all([change(1, NOON, "other.com")])
    one, two = Ear("one"), Ear("two")
    assert deliver_changes(store, [DOMAIN], one).shops == 1
    assert deliver_changes(store, [DOMAIN, "other.com", "none.com"], two).shops == 2
    assert deliver_changes(store, ["other.com"], one).changes == 1
    assert sorted(one.urls) == sorted(two.urls)


# Clocks that are wrong


def with_clock(store: Store, behind: timedelta) -> Store:
    """The same table for somebody whose clock is behind."""
    clock = FixedClock(store.clock.now() - behind)
    return Store(store.calls.driver, secret=store.calls.secret, clock=clock)


def sell(store: Store, number: int) -> str:
    """See that a product is sold, by the clock of whoever sees it; its address."""
    page = ShopPage(domain=DOMAIN, url=change(number).url, type="product")
    store.put(page)
    assert record_offer(store, page, PageFacts("product", status=Status.SOLD)) == "new"
    return page.url


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(days=1)])
def test_a_worker_whose_clock_is_behind_is_heard(
    store: Store, clock: FixedClock, ahead: timedelta
) -> None:
    ear, wanted = Ear(), [sell(store, 1)]
    see(store, 0, at=clock.now() + ahead)  # by a clock that is far ahead, where there is one
    clock.advance(LATER)
    deliver_changes(store, [DOMAIN], ear)
    slow = with_clock(store, timedelta(minutes=10))
    for number in range(2, 6):  # all of them while its clock is behind the newest change
        wanted.append(sell(slow, number))
        clock.advance(LATER)
        deliver_changes(store, [DOMAIN], ear)
    assert sorted(set(ear.urls) - {change(0).url}) == wanted
    assert len(ear.heard) == len(wanted) + 1


def test_two_workers_with_different_clocks_are_both_heard(store: Store, clock: FixedClock) -> None:
    ear, wanted = Ear(), []
    slow = with_clock(store, timedelta(minutes=10))
    for number in range(0, 20, 2):
        wanted += [sell(store, number), sell(slow, number + 1)]
        clock.advance(LATER)
        deliver_changes(store, [DOMAIN], ear)
    assert sorted(ear.urls) == wanted


def test_a_sink_whose_clock_is_ahead_hears_everything(store: Store, clock: FixedClock) -> None:
    ear, wanted = Ear(), []
    fast = with_clock(store, -timedelta(minutes=10))
    for number in range(20):  # several in a second
        wanted.append(sell(store, number))
        clock.advance(SECOND / 4)
        deliver_changes(fast, [DOMAIN], ear)
    assert sorted(ear.urls) == wanted


# Sinks that are down, and workers that die


@pytest.mark.parametrize("waited", [timedelta(0), LATER])
def test_a_sink_that_is_down_loses_nothing(
    store: Store, clock: FixedClock, waited: timedelta
) -> None:
    wanted = see(store, *range(BATCH_SIZE * 3))
    clock.advance(waited)
    ear = Ear(left=1)
    report = deliver_changes(store, [DOMAIN], ear)
    assert (report.changes, report.stopped) == (BATCH_SIZE, "the sink is down")
    for _ in range(5):
        clock.advance(timedelta(hours=5))
        wanted += see(store, clock.now().hour + 1_000)
        assert deliver_changes(store, [DOMAIN], ear).changes == 0
    ear.left = 100
    deliver_changes(store, [DOMAIN], ear)
    assert sorted(ear.urls) == sorted(wanted)


def test_a_sink_that_is_down_stops_the_whole_run(store: Store) -> None:
    see(store, 1)
    store.put_all([change(1, NOON, "other.com")])
    asked = []

    class Down:
        name = "down"

        def deliver(self, changes: Sequence[Change]) -> None:
            asked.append(changes)
            raise SinkFailed("the sink is down")

    assert deliver_changes(store, [DOMAIN, "other.com"], Down()).stopped
    assert len(asked) == 1


def test_a_crash_between_delivery_and_cursor_repeats_one_batch(store: Store) -> None:
    see(store, *range(BATCH_SIZE * 3))
    ear = Ear(left=2)
    deliver_changes(store, [DOMAIN], ear)
    ear.left, ear.is_killed = 1, True
    with pytest.raises(Killed):
        deliver_changes(store, [DOMAIN], ear)
    ear.left, ear.is_killed = 100, False
    deliver_changes(store, [DOMAIN], ear)
    assert len(ear.heard) == BATCH_SIZE * 4
    assert len(set(ear.urls)) == BATCH_SIZE * 3


def test_of_two_who_deliver_at_once_one_goes_on(store: Store, clock: FixedClock) -> None:
    see(store, *range(BATCH_SIZE * 3))
    clock.advance(LATER)
    second = Ear()

    class First(Ear):
        def deliver(self, changes: Sequence[Change]) -> None:
            super().deliver(changes)
            if len(self.sizes) == 1:
                deliver_changes(store, [DOMAIN], second)

    first = First()
    deliver_changes(store, [DOMAIN], first)
    assert (len(first.heard), len(second.heard)) == (BATCH_SIZE, BATCH_SIZE * 3)
    assert deliver_changes(store, [DOMAIN], second).changes == 0


def test_a_record_that_somebody_spoilt_keeps_no_other_waiting(store: Store) -> None:
    see(store, 1, 2)
    bad = change(1).key.item
    item = {**bad, "after": encode("nothing")}
    store.calls.send("put", "PutItem", {"TableName": SHOPS.name, "Item": item})
    ear = Ear()
    deliver_changes(store, [DOMAIN], ear)
    assert ear.urls == [change(2).url]


def test_a_file_gets_every_change(store: Store, clock: FixedClock, tmp_path: Path) -> None:
    file = tmp_path / "changes.jsonl"
    wanted = see(store, 1, 2)
    deliver_changes(store, [DOMAIN], JsonLinesFile(file))
    clock.advance(LATER)
    wanted += see(store, 3)
    deliver_changes(store, [DOMAIN], JsonLinesFile(file))
    told = [json.loads(line)["url"] for line in file.read_text().splitlines()]
    assert sorted(told) == sorted(wanted)


# Whatever happens


class _Event:
    """What a story is made of: the clock moves, a change comes, a sink hears."""

    waits = st.tuples(st.just("wait"), st.integers(0, 150))
    late = st.tuples(st.just("see"), st.integers(0, 119))
    delivers = st.tuples(st.just("deliver"), st.integers(0, 2))


@settings(max_examples=40, deadline=None)
@given(st.lists(_Event.waits | _Event.late | _Event.delivers, max_size=25))
def test_however_late_and_however_often_all_is_heard_once(story: list[tuple[str, int]]) -> None:
    clock, ear = FixedClock(NOON), Ear()
    wanted = []
    with Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        for number, (word, amount) in enumerate(story):
            if word == "wait":
                clock.advance(amount * SECOND)
            elif word == "see":  # written now, and seen up to two minutes ago
                wanted += see(store, number, at=clock.now() - amount * SECOND)
            else:
                ear.left = amount
                deliver_changes(store, [DOMAIN], ear)
        ear.left = 100
        deliver_changes(store, [DOMAIN], ear)
    assert sorted(ear.urls) == sorted(wanted)
