"""Run commands with ``--json`` and record their output, without values that vary between runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from gotgan.app import App
from gotgan.cli import main
from gotgan.clock import FixedClock
from gotgan.settings import Settings

__all__ = ["RANDOM", "Terminal"]

_MEASURED: Final = {"rows_per_second", "seconds", "writtenBytes"}
"""Keys of values that depend on the machine and on versions of libraries."""
_OPAQUE: Final = {"--cursor", "cursor", "owner", "sink", "token"}
"""Keys and options whose values are random or signed."""
RANDOM: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"  # ids of the site
    r"|\b[0-9a-f]{32}\b"  # ids of jobs and results
    r"|(?<=code=)[\w-]+"  # sign-in codes
    r"|(?<=\.)[\w-]{43}\b"  # secrets of tokens
)
_MEASURED_TEXT: Final = re.compile(r"\b\d+\.\d(?=초)")
_PLACE: Final = re.compile(r"127\.0\.0\.1:\d+")


class Terminal:
    """Runs commands on one data folder; the clock advances by a minute before each."""

    def __init__(self, folder: Path, clock: FixedClock, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.log: list[dict[str, Any]] = []
        self.clock = clock
        self._capsys = capsys
        self._names: dict[str, str] = {}

    def __call__(self, *words: object) -> Any:
        """Run a command; returns its output lines, or the line if there is only one."""
        self.advance()
        given = [str(word) for word in words]
        code = main([*given, "--json"])
        out, err = self._capsys.readouterr()
        lines = [_parsed(line) for line in out.splitlines()]
        options = ["", *(word if word.startswith("--") else "" for word in given)]
        words_shown = map(self._neutral, given, options)
        entry = {"command": " ".join(words_shown), "exit": code, "stdout": lines}
        if errors := [line for line in err.splitlines() if line.startswith('{"error"')]:
            entry["stderr"] = [_parsed(line) for line in errors]
        self.log.append(self._neutral(entry))
        return lines[0] if len(lines) == 1 else lines

    def printed(self, *words: object) -> str:
        """What a command prints for people, errors too, after the command itself."""
        self.advance()
        given = [str(word) for word in words]
        code = main(given)
        out, err = self._capsys.readouterr()
        said = _MEASURED_TEXT.sub("<seconds>", self._neutral_text(out + err))
        return f"$ gotgan {self._neutral_text(' '.join(given))}   # {code:d}\n{said}\n"

    def advance(self) -> None:
        """Advance the clock, so that new records sort after earlier ones."""
        self.clock.advance(timedelta(minutes=1))

    @contextmanager
    def app(self) -> Iterator[App]:
        """The app on the same folder, to add data."""
        with App.open(Settings.from_env()) as app:
            app.prepare()
            yield app

    def _neutral(self, value: Any, name: str = "") -> Any:
        """Replace values that vary: costs, durations, random ids, cursors, local paths and ports.

        Ids and cursors become numbers; equal ones get the same number.
        """
        if isinstance(value, dict):
            if name == "cost":
                return dict.fromkeys(value, "<cost>")
            return {self._neutral(key): self._neutral(each, key) for key, each in value.items()}
        if isinstance(value, list):
            return [self._neutral(each) for each in value]
        if isinstance(value, str):
            return self._numbered(value) if name in _OPAQUE else self._neutral_text(value)
        return f"<{name}>" if name in _MEASURED and value is not None else value

    def _neutral_text(self, text: str) -> str:
        placed = _PLACE.sub("<place>", text.replace(str(self.folder), "<folder>"))
        return RANDOM.sub(lambda found: self._numbered(found[0]), placed)

    def _numbered(self, text: str) -> str:
        return self._names.setdefault(text, f"<{len(self._names) + 1}>")


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return line
