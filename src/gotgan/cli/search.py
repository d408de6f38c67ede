"""``gotgan search``: the words need no quotes, and an old index is updated first."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import click

from gotgan.cli.binder import VerbGroup, parse_arguments, print_result, verb_command
from gotgan.cli.output import ExitCode, Output
from gotgan.domain import Command
from gotgan.errors import DatabaseReadOnly
from gotgan.search.service import Search
from gotgan.settings import Settings
from gotgan.verbs import Verb, verbs_of

_FIND: Final = verbs_of(Search)["find"]


def _find(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    from gotgan.cli.app import open_app

    settings = Settings.from_env()
    values = parse_arguments(verb, {**given, "words": " ".join(given["words"])}, settings)
    with open_app(output, settings=settings) as app:
        if not app.search.is_fresh():
            with suppress(DatabaseReadOnly):  # then the index is as old as it says
                app.search.refresh()
        page = app.search.find(**values)
    return print_result(verb, page, values, output)


def _find_command() -> click.Command:
    """The command of the verb, with as many words as there are."""
    command = verb_command(_FIND, run=_find)
    words: Any = command.params[0]
    words.nargs, words.metavar = -1, "WORDS..."
    return command


find: Final = _find_command()
search: Final = VerbGroup(
    "search",
    "gotgan.search.service:Search",
    by_hand={"find": Command("gotgan.cli.search", _FIND.summary, "find")},
    default="find",
    help="Search everything that was collected.\n\ngotgan search WORDS is short for gotgan search "
    "find WORDS.",
)
