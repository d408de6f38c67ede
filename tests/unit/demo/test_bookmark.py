"""A demo notes in its folder how far it has come, and keeps others out of it meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.demo.demo import Bookmark, DemoProgress, new_progress
from gotgan.errors import UsageError

NOW = datetime(2025, 11, 6, 15, 30, tzinfo=UTC)  # 00:30 of the next day in Seoul


def test_a_demo_begins_at_midnight_in_seoul_so_many_days_ago() -> None:
    reached = new_progress(NOW, 7)
    assert reached.begins == reached.goes_on == datetime(2025, 10, 30, 15, tzinfo=UTC)


def test_what_was_noted_is_read_again(tmp_path: Path) -> None:
    noted = DemoProgress(new_progress(NOW, 7).begins, NOW)
    Bookmark(tmp_path).write(noted)
    assert Bookmark(tmp_path).read() == noted


def test_a_folder_without_a_note_has_no_demo_yet(tmp_path: Path) -> None:
    assert Bookmark(tmp_path).read() is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"begins": "soon", "goesOn": "later"}',
        '{"begins": "2025-11-06T00:00:00", "goesOn": "2025-11-06T00:00:00"}',
    ],
)
def test_a_note_that_says_nothing_tells_how_to_begin_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / "demo.json").write_text(text)
    with pytest.raises(UsageError, match=r"Remove the folder .* to start again"):
        Bookmark(tmp_path).read()


def test_a_second_demo_is_kept_out_of_the_folder_until_the_first_has_ended(tmp_path: Path) -> None:
    with (
        Bookmark(tmp_path).lock(),
        pytest.raises(UsageError, match=r"A demo in the folder .* is running"),
        Bookmark(tmp_path).lock(),
    ):
        pytest.fail("two demos at once")
    with Bookmark(tmp_path).lock():
        assert [path.name for path in tmp_path.iterdir()] == ["demo.json.lock"]
