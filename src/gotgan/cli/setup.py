"""``gotgan setup``: show what is set up and, on a terminal, ask for what is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli import messages
from gotgan.cli.app import open_app
from gotgan.cli.binder import print_result, verb_command
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.reader import domain_title, rendered, tr, translated_help
from gotgan.domain import SetupStep
from gotgan.errors import GotganError, UsageError
from gotgan.operations.reports import Setup
from gotgan.operations.service import Operations
from gotgan.settings import CONFIG_FILE, Origin, Settings, settings_with_origin, write_config
from gotgan.settings.settings import environment_variables
from gotgan.verbs import Verb, verbs_of

if TYPE_CHECKING:
    from gotgan.app import App

_ABOUT: Final = {each.metadata["variable"]: each for each in fields(Settings)}
_FAILED: Final = "does_not_work"
"""The reason of a step that is set, and failed when it was tried."""


def _setup(verb: Verb, given: Mapping[str, Any], output: Output) -> ExitCode:
    is_tried = given["check"]
    found = _look(output, is_tried=is_tried)
    if not output.as_json and sys.stdin.isatty() and sys.stdout.isatty():
        questions = {step: _questions(step) for step in found.items if not step.is_set}
        if any(questions.values()):
            _ask(output, questions)
            found = _look(output, is_tried=is_tried)
            output.write("")
    code = print_result(verb, found, {}, output)
    if not output.as_json and (origins := [*_origins(Settings.from_env())]):
        output.write("\n".join(["", tr("settings"), *origins]))
    return ExitCode.FAILED if any(step.reason == _FAILED for step in found.items) else code


def _look(output: Output, *, is_tried: bool) -> Setup:
    with open_app(output) as app:
        found = app.operations.setup()
        return Setup(tuple(_tested_step(app, each) for each in found.items)) if is_tried else found


def _tested_step(app: App, step: SetupStep) -> SetupStep:
    """The step, as missing if it is set and does not work."""
    try:
        if step.is_set:
            app.domain(step.domain).try_setup(step.name)
    except GotganError as error:
        return replace(step, reason=_FAILED, words=error.message, is_needed=True)
    return step


def _origins(settings: Settings) -> Iterator[str]:
    """A line for each place that settings come from."""
    places: dict[Origin, str] = {
        "environment": tr("environment"),
        "file": str(settings.data / CONFIG_FILE),
    }
    for origin, place in places.items():
        found = settings_with_origin(settings, origin=origin)
        if found:
            yield f"  {place}: {', '.join(each.variable for each in found)}"


# Questions


def _questions(step: SetupStep) -> list[str]:
    """The variables of a step to ask for: not those that are set and were not found wrong."""
    given, now = environment_variables(), Settings.from_env()
    return [
        name
        for name in step.variables
        if not given.get(name)
        and (step.reason == _FAILED or getattr(now, _ABOUT[name].name) == _ABOUT[name].default)
    ]


def _ask(output: Output, questions: Mapping[SetupStep, list[str]]) -> None:
    """Ask for the variables of each step; save what is given and works."""
    folder = Settings.from_env().folder()
    if not os.access(folder, os.W_OK):
        output.write(rendered(messages.READ_ONLY(folder=folder)))
        return
    text = "Press Enter to skip a question. Answers are saved in {path}."
    output.write(tr(text, path=folder / CONFIG_FILE))
    asked: set[str] = set()
    for step, variables in questions.items():
        if not asked.issuperset(variables):
            asked.update(variables)
            output.write(_heading(step))
            answers = _answers(step, variables)
            if answers and _works(output, step, answers):
                path = write_config(folder, answers)
                output.write(tr("Saved in {path}.", path=path))


def _heading(step: SetupStep) -> str:
    optional = "" if step.is_needed else f" ({tr('optional')})"
    head = f"\n{domain_title(step.domain)}: {tr(step.name)}{optional}"
    return "\n".join([head, rendered(step.words or ""), *filter(None, [step.source])])


def _answers(step: SetupStep, variables: list[str]) -> dict[str, str]:
    """What the reader typed; the rest is not asked where an answer is missing, or once all is set.

    Where a step does not work, an answer can be missing: the value stays.
    """
    given: dict[str, str] = {}
    for variable in variables:
        if text := _answer(variable):
            given[variable] = text
            if step.reason != _FAILED and _is_complete(step, given):
                break
        elif step.reason != _FAILED:
            break
    return given


def _answer(variable: str) -> str:
    sentence = translated_help(_ABOUT[variable].metadata["sentence"])
    click.echo(click.wrap_text(sentence, 80, initial_indent="  ", subsequent_indent="  "))
    while True:
        try:
            text = _prompt_value(variable)
            _with_answers({variable: text})
        except GotganError as error:
            click.echo(f"  {rendered(error.message)}")
        else:
            return text


def _prompt_value(variable: str) -> str:
    is_secret = "Secret" in str(_ABOUT[variable].type)
    try:
        text: str = click.prompt(
            f"  {variable}", default="", show_default=False, hide_input=is_secret
        ).strip()
    except click.Abort:
        click.echo()  # what follows is not on the line of the question
        raise
    except UnicodeDecodeError:
        raise UsageError(messages.NOT_PRINTABLE()) from None
    if not text.isprintable():  # an arrow key, or bytes that are not UTF-8
        raise UsageError(messages.NOT_PRINTABLE())
    return text


def _with_answers(answers: Mapping[str, str]) -> Settings:
    return Settings.from_env({**environment_variables(), **answers})


def _is_complete(step: SetupStep, answers: Mapping[str, str]) -> bool:
    """Whether a step is set with these answers."""
    from gotgan.app import App

    with App.open(_with_answers(answers)) as app:
        steps = app.domain(step.domain).setup()
    return any(each.is_set for each in steps if each.name == step.name)


def _works(output: Output, step: SetupStep, answers: Mapping[str, str]) -> bool:
    """Try the answers where that is possible; the reader may keep those that do not work."""
    from gotgan.app import App

    try:
        with App.open(_with_answers(answers)) as app:
            is_tried = app.domain(step.domain).try_setup(step.name)
    except GotganError as error:
        output.write(tr("This does not work: {why}", why=error.message))
        return click.confirm(tr("Save it anyway?"))
    if is_tried:
        output.write(tr("This works."))
    return True


_CHECK: Final = click.Option(
    ["--check"],
    is_flag=True,
    help="Also try logins, keys, the AI model and the mail server. Fails if one does not work.",
)
_VERB: Final = verbs_of(Operations)["setup"]
setup = verb_command(_VERB, run=_setup, options=[_CHECK])
setup.help = f"""{_VERB.help}

On a terminal, asks for missing settings, tries logins, keys, the AI model and the mail server,
and saves the answers in gotgan.toml in the data folder, readable only by you. Environment
variables override the file.
"""
