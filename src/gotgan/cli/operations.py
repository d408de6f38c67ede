"""``gotgan export``, ``schedule``, ``ticks`` and ``settings``: verbs without a group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import click

from gotgan.cli.binder import parse_arguments, print_result, run_verb, verb_command
from gotgan.cli.output import ExitCode, Output
from gotgan.operations.service import Operations, list_settings
from gotgan.settings import Settings
from gotgan.verbs import Verb, verbs_of

_VERBS: Final = verbs_of(Operations)


def _schedule(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    return run_verb(verb, {}, output, text="dags" if given["airflow"] else None)


def _settings(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    """Opens no app: it works where the store or the database does not."""
    chosen = Settings.from_env()
    values = parse_arguments(verb, given, chosen)
    return print_result(verb, list_settings(chosen, **values), values, output)


export = verb_command(_VERBS["export"])
schedule = verb_command(
    _VERBS["schedule"],
    run=_schedule,
    options=[click.Option(["--airflow"], is_flag=True, help="Show the Airflow DAG of each job.")],
)
settings = verb_command(_VERBS["settings"], run=_settings)
ticks = verb_command(_VERBS["ticks"])
