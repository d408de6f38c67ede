"""A terminal in a folder of its own, in which what stands on a page is typed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.docs.blocks import Block
from tests.docs.steps import Step, is_as_shown, steps_of
from tests.docs.warm import AHEAD, DOOR, PORTS

__all__ = ["MOMENT", "Terminal"]

MOMENT: Final = datetime(2025, 11, 6, 11, tzinfo=UTC)
"""When the pages are read: a Thursday, 20:00 in Seoul."""
_SERVERS: Final = {"up": 8080, "demo": 8080, "world": 8099, "dynamodb": 8000, "mcp": 8081}
_OTHERS: Final = (8123, 8124)
"""Ports that pages name."""
_SECONDS: Final = 120
_MOST_SHOWN: Final = 2_000
_HEAD: Final = """\
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
listens() {
  until (exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null; do kill -0 $! || exit; sleep 0.05; done
}
prints() {
  until [ -s $1 ]; do kill -0 $! || exit; sleep 0.05; done
}
"""
_STEP: Final = """\
{{ {command}
}} </dev/null >{notes}/{number}.out 2>{notes}/{number}.err
code=$?; echo $code >{notes}/{number}.code; [ $code = 0 ] || exit
"""


@dataclass(frozen=True)
class Terminal:
    """Where the programs are, which web there is, and the folder that one is in."""

    programs: Path
    door: Path
    web: str
    """The host and port of the web."""
    folder: Path
    places: Mapping[str, str] = field(default_factory=dict)
    """Where that is what a page calls by a name of its own, such as a database."""

    def fault(self, blocks: Iterable[Block]) -> str | None:
        """Type what stands in blocks, one after the other, and tell what first is not as said."""
        ports = _free_ports()
        typed = [
            (block, step)
            for block in blocks
            for step in steps_of(self._placed(_with_ports(block.text, ports)))
        ]
        notes = self.folder / ".notes"
        notes.mkdir()
        self._type([step for _, step in typed], notes, ports)
        faults = (
            f"{block}: {step.command}: {fault}"
            for number, (block, step) in enumerate(typed)
            if (fault := _fault_of(step, notes / str(number))) is not None
        )
        return next(faults, None)

    def program_fault(self, text: str) -> str:
        """Run a program in Python, and give what it complains of."""
        path = self.folder / "page.py"
        path.write_text(text, encoding="utf-8")
        command = [str(self.programs / "python"), path.name]
        done = self._run(command, self._environment({}))
        return "" if done.returncode == 0 else done.stderr or str(done.returncode)

    def _placed(self, text: str) -> str:
        for name, place in self.places.items():
            text = text.replace(name, place)
        return text

    def _type(self, steps: list[Step], notes: Path, ports: dict[int, int]) -> None:
        of_commands = {name: ports[port] for name, port in _SERVERS.items()}
        script = _HEAD
        for number, step in enumerate(steps):
            script += _STEP.format(command=step.command, notes=notes, number=number)
            if step.is_background:
                script += f"listens {step.port(of_commands)}\n"
                if step.shown:  # which a server prints once it listens
                    script += f"prints {notes}/{number}.out\n"
        self._run(["bash", "-c", script], self._environment(of_commands))

    def _run(
        self, command: list[str], environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )

    def _environment(self, ports: dict[str, int]) -> dict[str, str]:
        """What a reader has set, who has read the page on the world."""
        return {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "GOTGAN_RESOLVE": f"*={self.web}",
            "GOTGAN_CONTACT": "reader@example.com",
            "GOTGAN_DELAY": "0",
            "GOTGAN_SYNCHRONOUS": "normal",
            "GOTGAN_SMTP_URL": "smtp://mail.example.com",
            "KRX_ID": "world",
            "KRX_PW": "world",
            "YOUTUBE_API_KEY": "world",
            "GEMINI_API_KEY": "world",
            "GOTGAN_GEMINI": f"http://{self.web}",
            DOOR: str(self.door),
            AHEAD: str((MOMENT - datetime.now(UTC)).total_seconds()),
            PORTS: json.dumps(ports),
        }


def _fault_of(step: Step, notes: Path) -> str | None:
    if not notes.with_suffix(".code").exists():
        return "was not reached"
    code = notes.with_suffix(".code").read_text().strip()
    said = notes.with_suffix(".out").read_text(encoding="utf-8")
    if code != "0":
        return f"ended with {code}\n{said}{notes.with_suffix('.err').read_text(encoding='utf-8')}"
    return None if is_as_shown(step.shown, said) else f"said\n{said[:_MOST_SHOWN]}"


def _free_ports() -> dict[int, int]:
    """A free port for each one that pages name."""
    named = {*_SERVERS.values(), *_OTHERS}
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in named]
        return dict(zip(named, (each.getsockname()[1] for each in taken), strict=True))


def _with_ports(text: str, ports: dict[int, int]) -> str:
    named = re.compile(r"\b(?:" + "|".join(map(str, ports)) + r")\b")
    return named.sub(lambda found: str(ports[int(found[0])]), text)
