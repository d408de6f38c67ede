"""Progress: how long the rest takes on a terminal, a line now and then in a log."""

from __future__ import annotations

import sys

import pytest

from gotgan.cli.output import Output
from gotgan.cli.progress import LogProgress, Pace, left_text, progress_line, status_line


def test_a_log_gets_a_line_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    moments = [0.0]
    show = LogProgress(lambda: moments[-1])
    for moment in (0.5, 9.9, 10.0, 15.0, 19.9, 21.0, 30.0):
        moments.append(moment)
        show(f"{moment} s")
    assert capsys.readouterr().err == "10.0 s\n21.0 s\n"


def test_a_line_of_a_log_has_nothing_in_it_that_moves_a_cursor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    moments = iter([0.0, 11.0, 11.0])
    LogProgress(lambda: next(moments))("a\x1b[2Kb")
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize(("as_json", "is_shown"), [(False, True), (True, False)])
def test_without_a_terminal_people_have_a_log_and_programs_have_none(
    as_json: bool, is_shown: bool
) -> None:
    with status_line(Output(as_json)) as show:
        assert isinstance(show, LogProgress) is is_shown


class _Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def _left(clock: _Clock, pace: Pace, steps: dict[float, int], total: int) -> list[float | None]:
    found = []
    for clock.seconds, done in steps.items():
        found.append(pace.left(done, total))
    return found


def test_the_time_that_is_left_is_not_guessed_before_a_few_steps_and_seconds() -> None:
    clock = _Clock()
    steps = {0.0: 0, 1.2: 1, 1.3: 2, 1.4: 3, 1.9: 8, 2.4: 20}
    assert _left(clock, Pace(clock), steps, 100)[:-1] == [None] * 5
    assert _left(clock, Pace(clock), {0.0: 0, 30.0: 1, 60.0: 2}, 10) == [None] * 3


def test_the_time_that_is_left_goes_down_steadily() -> None:
    clock = _Clock()
    steps = {each / 10: each for each in range(1001)}
    found = [each for each in _left(clock, Pace(clock), steps, 1000) if each is not None]
    assert found[0] == pytest.approx(98, abs=1)
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0


def test_the_time_that_is_left_follows_the_pace_of_the_last_seconds() -> None:
    clock = _Clock()
    fast = {each / 100: each for each in range(500)}
    slow = {5.0 + each: 500 + each for each in range(61)}
    *_, last = _left(clock, Pace(clock), fast | slow, 1000)
    assert last is not None
    assert 300 < last < 440, "440 steps of a second each; the mean since the start says 51"


@pytest.mark.parametrize(
    ("is_terminal", "said"), [(True, "4 of 100  2/s  50 s left  d"), (False, "")]
)
def test_only_a_terminal_shows_the_time_that_is_left(
    is_terminal: bool,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = _Clock()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(Pace.__init__, "__defaults__", (clock,))
    monkeypatch.setattr(LogProgress.__init__, "__defaults__", (clock,))
    with progress_line(Output(as_json=False)) as report:
        for done, name in enumerate("-abcd"):
            clock.seconds = done / 1.92
            report(done, 100, name)
    lines = capsys.readouterr().err.split("\r\x1b[K")
    assert (lines[-2] if is_terminal else lines[0]) == said


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s left"), (9.1, "10 s left"), (43.0, "45 s left"), (600.0, "10 min left")],
)
def test_the_time_that_is_left_is_rounded(seconds: float, text: str) -> None:
    assert left_text(seconds) == text
