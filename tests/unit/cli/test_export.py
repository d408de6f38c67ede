"""``gotgan export`` from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.exports import FolderTarget

Run = Callable[..., tuple[int, str, str]]

URL = "https://finance.yahoo.com/news/chip-maker-lifts-forecast-060559667.html"
STORIES = [{"title": "A chip maker", "url": f"{URL}?{n}", "tickers": ["NVDA"]} for n in range(3)]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line, on three stories."""
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")
    (tmp_path / "stories.json").write_text(json.dumps(STORIES))

    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words])
        said = capsys.readouterr()
        return code, said.out, said.err

    assert run("news", "upload", str(tmp_path / "stories.json"))[0] == ExitCode.OK
    return run


def test_a_domain_is_exported_into_the_data_folder(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "export"
    code, out, _ = run("export", "news")
    first, head, line = out.splitlines()
    assert (code, first) == (ExitCode.OK, f"Exported news to {folder}.")
    assert head.split() == ["data", "set", "written", "unchanged", "deleted", "rows", "bytes"]
    assert line.split()[:5] == ["stories", "1", "0", "0", "3"]
    report = json.loads(run("export", "news", "--json")[1])
    assert report == {
        "domain": "news",
        "target": str(folder),
        "items": [
            {
                "dataset": "stories",
                "written": 0,
                "unchanged": 1,
                "removed": 0,
                "rows": 3,
                "writtenBytes": 0,
            }
        ],
    }


def test_duckdb_and_pandas_read_the_files_as_one_table(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "analysis"
    run("export", "news", "--to", str(folder))
    query = f"SELECT count(*), any_value(tickers), min(day) FROM '{folder}/stories/**/*.parquet'"
    [(count, tickers, day)] = duckdb.execute(query).fetchall()
    assert (count, tickers) == (3, ["NVDA"])
    frame = pd.read_parquet(folder / "stories")
    assert set(frame["url"]) == {each["url"] for each in STORIES}
    assert set(frame["day"].astype(str)) == {str(day)}


def test_data_sets_and_days_can_be_chosen(run: Run, tmp_path: Path) -> None:
    to = str(tmp_path / "export")
    report = json.loads(run("export", "market", "--dataset", "stocks", "--to", to, "--json")[1])
    assert [each["dataset"] for each in report["items"]] == ["stocks"]
    report = json.loads(run("export", "news", "--until", "2025-01-01", "--to", to, "--json")[1])
    assert [each["rows"] for each in report["items"]] == [0]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("rates",), "There is no domain rates"),
        (("news", "--dataset", "prices"), "Use one of stories"),
        (("news", "--since", "2025-02-01", "--until", "2025-01-01"), "is after the last day"),
        (("news", "--to", "gs://bucket"), "Use a folder or s3://bucket/folder"),
    ],
)
def test_what_cannot_be_exported_is_said(run: Run, words: tuple[str, ...], text: str) -> None:
    code, out, err = run("export", *words)
    assert (code != ExitCode.OK, out, text in err) == (True, "", True)


def test_a_running_export_refuses_another_one(run: Run, tmp_path: Path) -> None:
    with FolderTarget(tmp_path).lock("stories"):
        code, _, err = run("export", "news", "--to", str(tmp_path))
    assert (code, "Another export of stories" in err) == (ExitCode.FAILED, True)


def test_missing_extras_are_named(run: Run, tmp_path: Path) -> None:
    del run
    program = (
        "import sys; sys.modules[{0!r}] = None; from gotgan.cli import main;"
        "sys.exit(main(['export', 'news', '--to', {1!r}]))"
    )
    for module, to, extra in (
        ("pyarrow", str(tmp_path / "x"), "parquet"),
        ("boto3", "s3://bucket", "aws"),
    ):
        command = [sys.executable, "-c", program.format(module, to)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == ExitCode.USAGE
        assert f"pip install 'gotgan[{extra}]'" in done.stderr
    assert not (tmp_path / "x").exists()
