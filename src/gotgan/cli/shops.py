"""The command of shops that asks before it deletes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import click

from gotgan.cli.binder import run_verb, verb_command
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.reader import tr
from gotgan.domains.shops.service import Shops
from gotgan.domains.shops.sites import parse_domain
from gotgan.verbs import Verb, verbs_of

_REMOVE: Final = verbs_of(Shops)["remove"]


def _remove(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    values = dict(given)
    is_sure, domain = values.pop("yes"), parse_domain(given["domain"])
    if not is_sure:
        question = tr("Delete {domain}, its pages and changes?", domain=domain)
        click.confirm(question, abort=True, err=True)
    return run_verb(verb, values, output)


remove = verb_command(
    _REMOVE,
    run=_remove,
    options=[click.Option(["--yes"], is_flag=True, help="Do not ask.")],
)
