"""``gotgan setup``: what is set up and what is missing. On a terminal, it asks for the latter."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import click

from gotgan.cli.app import open_app
from gotgan.cli.binder import print_result, verb_command
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.reader import domain_title, helped, rendered, tr
from gotgan.domain import SetupStep
from gotgan.errors import GotganError
from gotgan.operations.reports import Setup
from gotgan.operations.service import Operations
from gotgan.settings import CONFIG_FILE, Settings, write_config
from gotgan.settings.settings import environment_variables
from gotgan.verbs import Verb, verbs_of

_ABOUT: Final = {each.metadata["variable"]: each for each in fields(Settings)}


def _setup(verb: Verb, _given: Mapping[str, Any], output: Output) -> ExitCode:
    found = _look(output)
    if not output.as_json and sys.stdin.isatty() and sys.stdout.isatty():
        steps = [step for step in found.items if not step.is_set and step.variables]
        if steps:
            _ask(output, steps)
            found = _look(output)
            output.write("")
    return print_result(verb, found, {}, output)


def _look(output: Output) -> Setup:
    with open_app(output) as app:
        return app.operations.setup()


def _ask(output: Output, steps: list[SetupStep]) -> None:
    """Ask for the variables of each step; save what is given and works."""
    folder = Settings.from_env().folder()
    path = folder / CONFIG_FILE
    text = "Press Enter to skip a question. Answers are saved in {path}."
    output.write(tr(text, path=path))
    asked: set[str] = set()
    for step in steps:
        if not asked.issuperset(step.variables):
            asked.update(step.variables)
            output.write(_heading(step))
            answers = _answers(step)
            if answers and _works(output, step, answers):
                write_config(folder, answers)
                output.write(tr("Saved in {path}.", path=path))


def _heading(step: SetupStep) -> str:
    optional = "" if step.is_needed else f" ({tr('optional')})"
    head = f"\n{domain_title(step.domain)}: {tr(step.name)}{optional}"
    return "\n".join([head, rendered(step.words or ""), *filter(None, [step.source])])


def _answers(step: SetupStep) -> dict[str, str]:
    """What the reader typed; where the first answer is missing, nothing more is asked."""
    given: dict[str, str] = {}
    for variable in step.variables:
        if environment_variables().get(variable):
            continue
        if text := _answer(variable):
            given[variable] = text
        elif not given:
            break
    return given


def _answer(variable: str) -> str:
    about = _ABOUT[variable]
    sentence = helped(about.metadata["sentence"])
    click.echo(click.wrap_text(sentence, 80, initial_indent="  ", subsequent_indent="  "))
    while True:
        is_secret = "Secret" in str(about.type)
        given = click.prompt(f"  {variable}", default="", show_default=False, hide_input=is_secret)
        text: str = given.strip()
        try:
            Settings.from_env({**environment_variables(), variable: text})
        except GotganError as error:
            click.echo(f"  {rendered(error.message)}")
        else:
            return text


def _works(output: Output, step: SetupStep, answers: Mapping[str, str]) -> bool:
    """Try the answers where that is possible; the reader may keep those that do not work."""
    from gotgan.app import App

    settings = Settings.from_env({**environment_variables(), **answers})
    try:
        with App.open(settings) as app:
            is_tried = app.domain(step.domain).try_setup(step.name)
    except GotganError as error:
        output.write(tr("This does not work: {why}", why=error.message))
        return click.confirm(tr("Save it anyway?"))
    if is_tried:
        output.write(tr("This works."))
    return True


_VERB: Final = verbs_of(Operations)["setup"]
setup = verb_command(_VERB, run=_setup)
setup.help = f"""{_VERB.help}

On a terminal, asks for missing settings, tries logins, keys and the mail server, and saves the
answers in gotgan.toml in the data folder, readable only by you. Environment variables override
the file.
"""
