"""kill -9 in the middle of a file of an export: what is there is complete, and the next goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from gotgan.errors import Conflict
from tests.durability.exporter import DAYS, ROWS, export
from tests.house.repository import ROOT


@pytest.mark.parametrize("day", [0, 2])
def test_a_killed_export_leaves_complete_files_and_no_lock(tmp_path: Path, day: int) -> None:
    command = [sys.executable, "-m", "tests.durability.exporter", str(tmp_path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for each in DAYS[:day]:
            assert process.stdout.readline() == f"{each}\n"
            process.stdin.write("go on\n")
            process.stdin.flush()
        assert process.stdout.readline() == f"{DAYS[day]}\n"
        with pytest.raises(Conflict):
            export(tmp_path)
        assert [*tmp_path.rglob("*.draft")]
        process.kill()
    files = [*tmp_path.rglob("*.parquet")]
    assert [pyarrow.parquet.ParquetFile(each).metadata.num_rows for each in files] == [ROWS] * day
    report = export(tmp_path)
    assert (report.written + report.unchanged, report.rows) == (len(DAYS), ROWS * len(DAYS))
    assert len([*tmp_path.rglob("*.parquet")]) == len(DAYS)
    assert not [*tmp_path.rglob("*.draft")]
