"""What is said at a start of what is not set up: a line for each domain, and where to read how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from gotgan.cli.output import Output
from gotgan.errors import GotganError

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.domain import SetupStep

__all__ = ["tell_missing"]

_MISSING: Final = """
Not set up yet; {url} and gotgan setup say how:
{lines}"""
_UNKNOWN: Final = "\nWhat is set up cannot be told: {reason}."


def tell_missing(output: Output, app: App, url: str) -> None:
    """Say which domains do not do all of their work yet; nothing where all of them do."""
    from gotgan.encoding import encode

    place = f"{url}/setup"
    try:
        steps = app.operations.setup().missing
    except GotganError as error:  # whoever cannot tell is served all the same
        text = _UNKNOWN.format(reason=error.message)
        output.say(text, event="setup.unknown", url=place, reason=error.message)
        return
    if steps:
        text = _MISSING.format(url=place, lines="\n".join(_lines(steps)))
        output.say(text, event="setup.missing", url=place, steps=encode(steps))


def _lines(steps: Sequence[SetupStep]) -> Iterator[str]:
    for domain, few in groupby(steps, key=lambda step: step.domain):
        yield f"  {domain:<7} {', '.join(map(_shortly, few))}"


def _shortly(step: SetupStep) -> str:
    """By its name, and the settings that it is made of where it is made of any."""
    return f"{step.name} ({', '.join(step.variables)})" if step.variables else step.name
