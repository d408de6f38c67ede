"""Whether to try again, and when."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.retry import Again, Budget, Decision, NoRetry, Outage, Policy

POLICY = Policy(attempts=4, base=0.1, cap=0.3, deadline=10.0)


@pytest.mark.parametrize(
    ("attempt", "worth", "elapsed", "chance", "decision"),
    [
        (1, True, 0.0, 0.0, Again(0.0)),
        (1, True, 0.0, 0.5, Again(0.05)),
        (2, True, 0.0, 0.5, Again(0.1)),
        (3, True, 0.0, 0.5, Again(0.15)),
        (4, True, 0.0, 0.5, NoRetry("4 attempts are enough")),
        (9, True, 0.0, 0.5, NoRetry("4 attempts are enough")),
        (1, False, 0.0, 0.5, NoRetry("it would fail again")),
        (4, False, 99.0, 0.5, NoRetry("it would fail again")),
        (1, True, 9.95, 0.5, Again(0.05)),
        (1, True, 9.96, 0.5, NoRetry("10 seconds are enough")),
        (1, True, 11.0, 0.0, NoRetry("10 seconds are enough")),
    ],
)
def test_a_failed_attempt_is_decided_by_its_number_its_kind_the_time_and_chance(
    attempt: int, worth: bool, elapsed: float, chance: float, decision: Decision
) -> None:
    assert POLICY.decide(attempt, worth=worth, elapsed=elapsed, chance=chance) == decision


@pytest.mark.parametrize(
    ("attempt", "longest"), [(1, 0.1), (2, 0.2), (3, 0.3), (4, 0.3), (5000, 0.3)]
)
def test_the_longest_pause_doubles_up_to_the_cap(attempt: int, longest: float) -> None:
    assert POLICY.longest(attempt) == longest


@pytest.mark.parametrize(
    ("attempt", "longest"), [(0, 10.0), (1, 10.0), (2, 30.0), (3, 90.0), (5000, 600.0)]
)
def test_the_longest_pause_grows_by_the_factor(attempt: int, longest: float) -> None:
    assert Policy(base=10.0, cap=600.0, factor=3.0).longest(attempt) == longest


@given(
    attempt=st.integers(1, 12),
    elapsed=st.floats(0, 120),
    chance=st.floats(0, 1, exclude_max=True),
)
def test_no_pause_passes_the_cap_or_the_deadline(
    attempt: int, elapsed: float, chance: float
) -> None:
    policy = Policy()
    match policy.decide(attempt, worth=True, elapsed=elapsed, chance=chance):
        case Again(after):
            assert 0 <= after <= policy.cap
            assert elapsed + after <= policy.deadline
            assert attempt < policy.attempts
        case NoRetry(reason):
            assert reason


@pytest.mark.parametrize(
    "wrong",
    [{"attempts": 0}, {"base": -1.0}, {"base": 2.0, "cap": 1.0}, {"factor": 0.5}],
    ids=["no attempt", "negative", "a cap below the base", "shrinking"],
)
def test_a_policy_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="policy"):
        Policy(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [{"capacity": 4}, {"income": 0}, {"income": 6}],
    ids=["too small", "no income", "more income than cost"],
)
def test_a_budget_that_makes_no_sense_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget(**wrong)


def test_an_empty_budget_allows_no_retry() -> None:
    budget = Budget(12, cost=5, income=1)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    assert budget.left == 2


@pytest.mark.parametrize(("retried", "left"), [(False, 3), (True, 7)])
def test_a_success_brings_some_back_and_a_retried_one_what_its_retry_cost(
    retried: bool, left: int
) -> None:
    budget = Budget(12, cost=5, income=1)
    budget.spend()
    budget.spend()
    budget.earn(retried=retried)
    assert budget.left == left


def test_a_budget_never_holds_more_than_its_capacity() -> None:
    budget = Budget(10)
    budget.earn(retried=True)
    assert budget.left == 10


def test_threads_spend_no_more_than_there_is() -> None:
    budget = Budget(500, cost=5)
    allowed: list[bool] = []
    threads = [
        threading.Thread(target=lambda: allowed.extend([budget.spend() for _ in range(50)]))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert allowed.count(True) == 100
    assert budget.left == 0


class Rounds:
    """A loop, second by second, and what it logged."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.second = 0.0
        self._caplog = caplog
        self.outage = Outage("test.loop", monotonic=lambda: self.second)

    def failed(self, at: float) -> float:
        """A round that fails at a second; the pause that follows."""
        self.second = at
        return self.outage.failed("away")

    def succeeded(self, at: float) -> None:
        self.second = at
        self.outage.succeeded()

    @property
    def lines(self) -> list[str]:
        return [record.getMessage() for record in self._caplog.records]


def test_the_pauses_of_a_loop_that_fails_double_up_to_the_longest(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rounds, at, pauses = Rounds(caplog), 100.0, []
    for _ in range(8):
        pauses.append(rounds.failed(at))
        at += pauses[-1]
    assert pauses == [1, 1, 2, 4, 8, 16, 30, 30]
    rounds.succeeded(at)
    assert rounds.failed(at + 1) == 1


def test_a_loop_that_fails_logs_the_first_failure_then_one_line_a_minute_and_its_recovery(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rounds = Rounds(caplog)
    for second in range(0, 121, 5):
        rounds.failed(float(second))
    rounds.succeeded(124.0)
    rounds.succeeded(125.0)
    assert rounds.lines == [
        "test.loop.failed reason=away",
        "test.loop.failed reason=away repeated=11",
        "test.loop.failed reason=away repeated=11",
        "test.loop.recovered seconds=124.0",
    ]


def test_a_loop_that_fails_every_other_time_logs_no_more_than_that(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rounds = Rounds(caplog)
    for second in range(0, 60, 2):
        rounds.failed(float(second))
        rounds.succeeded(second + 1.0)
    assert rounds.lines == ["test.loop.failed reason=away", "test.loop.recovered seconds=1.0"]
    rounds.failed(60.0)
    assert rounds.lines[2:] == ["test.loop.failed reason=away repeated=29"]
