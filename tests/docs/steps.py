"""What is typed on a page, and what is shown for it."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Final

__all__ = ["Step", "is_as_shown", "steps_of"]

_PROMPT: Final = "$ "
_ANYTHING: Final = "…"
_BACKGROUND: Final = re.compile(r"(?<!&)&\s*(?:#.*)?$")


@dataclass(frozen=True)
class Step:
    """A command and its output, as a page has them."""

    command: str
    shown: tuple[str, ...]
    """The lines below it; none where the page leaves them out."""

    @property
    def is_background(self) -> bool:
        """Whether the next command is typed while this one runs."""
        return _BACKGROUND.search(self.command) is not None

    def port(self, ports: dict[str, int]) -> int:
        """The port that a server listens on: the one it was given, or its own."""
        words = shlex.split(_BACKGROUND.sub("", self.command), comments=True)
        if "--port" in words:
            return int(words[words.index("--port") + 1])
        return ports[words[1]]


def steps_of(text: str) -> list[Step]:
    """The steps of a block: what follows a prompt is typed, everything else is shown."""
    commands: list[str] = []
    shown: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith(_PROMPT):
            commands.append(line.removeprefix(_PROMPT))
            shown.append([])
        elif not commands:
            raise ValueError(f"no command stands above {line!r}; begin one with $ and a blank")
        elif commands[-1].endswith("\\"):
            commands[-1] += f"\n{line}"
        else:
            shown[-1].append(line)
    return [Step(command, tuple(lines)) for command, lines in zip(commands, shown, strict=True)]


def is_as_shown(shown: tuple[str, ...], said: str) -> bool:
    """Whether what was said is what a page shows; three dots stand for anything."""
    if not any(line.strip() for line in shown):
        return True
    lines = [line.rstrip() for line in said.strip().splitlines()]
    pattern = "".join(map(_pattern, "\n".join(shown).strip().splitlines()))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


def _pattern(line: str) -> str:
    if line.strip() == _ANYTHING:
        return r"(?:.*\n)*?"
    return ".*".join(re.escape(part) for part in line.rstrip().split(_ANYTHING)) + r"\n"
