"""Progress without a terminal: a line now and then, and none for programs."""

from __future__ import annotations

import pytest

from gotgan.cli.output import Output
from gotgan.cli.progress import LogProgress, status_line


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
