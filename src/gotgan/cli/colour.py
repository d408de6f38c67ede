"""Terminal colours of states and of the prefix of errors."""

from __future__ import annotations

import re
from typing import Final, TextIO

import click

from gotgan.cli.reader import tr
from gotgan.settings.settings import environment_variables

_SIGNS: Final = {"✓": "green", "↻": "yellow", "!": "yellow", "✕": "red"}
_STATES: Final = {
    "completed": "green",
    "done": "green",
    "success": "green",
    "failed": "red",
    "running": "yellow",
    "skipped": "yellow",
    "waiting": "yellow",
}


def has_colours(stream: TextIO) -> bool:
    """Whether to write colours there: to a terminal, as NO_COLOR and FORCE_COLOR allow."""
    given = environment_variables()
    if given.get("NO_COLOR"):
        return False
    return bool(given.get("FORCE_COLOR")) or is_terminal(stream)


def is_terminal(stream: TextIO) -> bool:
    """Whether it is a terminal that knows escape sequences; one in an editor may not."""
    return stream.isatty() and environment_variables().get("TERM") != "dumb"


def add_colours(text: str) -> str:
    """Add colours to the signs and states in a text.

    A state is a whole cell of a table, or stands between marks as in ``2025-11-06: failed``; the
    first line of a table is its head.
    """
    colours = {tr(word): colour for word, colour in _STATES.items()}
    states = "|".join(map(re.escape, colours))
    pattern = rf"(?<![^ \n])[✓↻✕](?= )|(?m:^ *)!(?= )|(?<=  |: |, )(?:{states})(?=  |[:,.]|\s\d|$)"
    is_table = "  " in text.partition("\n")[0]

    def paint(found: re.Match[str]) -> str:
        word = found[0].strip()
        if word in colours and is_table and "\n" not in text[: found.start()]:
            return found[0]
        return click.style(found[0], fg=(_SIGNS | colours)[word])

    return re.sub(pattern, paint, text, flags=re.MULTILINE)
