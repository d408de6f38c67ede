"""Every text of the command line has a Korean one, and no Korean one is left over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from importlib.metadata import metadata
from itertools import chain
from pathlib import Path
from string import Formatter

import click
import pytest

import gotgan
from gotgan.cli.commands import root
from gotgan.cli.hints import HINTS, find_hint
from gotgan.domain import BUILT_IN
from gotgan.domains.market import messages as market
from gotgan.messages import TEXT, templates
from gotgan.schedule import jobs
from gotgan.settings import Settings
from gotgan.texts import help_text, korean_texts
from tests.house.test_messages import MODULES

SOURCE = Path(gotgan.__file__).parent
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}
CALLS = {"tr", "later", "counted"}
DYNAMODB_STATUSES = {"creating", "updating", "deleting"}
"""Words of AWS, which no source of ours has."""
EXTRAS = tuple(metadata("gotgan").get_all("Provides-Extra") or ())


def _values(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


# The help


def _paragraphs(text: str | None) -> Iterator[str]:
    return (" ".join(each.split()) for each in (text or "").split("\n\n") if each.strip())


def _help_texts() -> Iterator[str]:
    own = {*BUILT_IN, *root.commands_at}
    below = [each for each in root.every_command() if each[0].split()[0] in own]
    for _, line, command in [("", "", root), *below]:
        yield from _paragraphs(line)
        yield from _paragraphs(command.help)
        for parameter in command.params:
            yield from _paragraphs(getattr(parameter, "help", None))
            yield from _paragraphs(getattr(parameter, "note", None))
    yield from (job.words for job in jobs())
    yield from (setting.metadata["sentence"] for setting in fields(Settings))


def test_every_help_text_has_a_korean_one_and_none_is_left_over() -> None:
    english, korean = {*_help_texts()}, {*korean_texts("help")}
    assert sorted(english - korean) == []
    assert sorted(korean - english) == []


def test_a_help_text_of_another_package_stays_english() -> None:
    text = "Crawls of mine.\n\nShow the version."
    assert help_text(text, "ko") == "Crawls of mine.\n\n버전을 표시합니다."
    assert help_text(text, "en") == text


# What commands print


def _assigned(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names, and the texts that are assigned to them."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        target = node.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for name, value in zip(names, values, strict=False):
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                yield name.id, str(value.value)


def _printed_texts(tree: ast.AST) -> Iterator[str]:
    """The texts that a module translates: where it does, or in a variable before."""
    assigned = [*_assigned(tree)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value
                elif isinstance(argument, ast.Name):
                    yield from (text for name, text in assigned if name == argument.id)


def _columns(tree: ast.Module) -> Iterator[str]:
    """The heads of tables, which a module declares as constants."""
    for node in tree.body:
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.value, ast.Tuple)
            and ast.unparse(node.target).endswith("_COLUMNS")
        ):
            yield from ast.literal_eval(node.value)


def _in_front(folder: str = "cli") -> list[ast.Module]:
    return [tree for path, tree in TREES.items() if path.is_relative_to(SOURCE / folder)]


def test_every_printed_text_has_a_korean_one_with_the_same_values() -> None:
    korean = korean_texts("terminal")
    texts = {text for tree in _in_front() for text in (*_printed_texts(tree), *_columns(tree))}
    assert len(texts) > 200
    assert sorted(texts - korean.keys()) == []
    different = [text for text in texts if _values(text) != _values(korean[text])]
    assert different == []


def test_no_korean_text_is_left_over() -> None:
    nodes = chain.from_iterable(map(ast.walk, TREES.values()))
    constants = {
        each.value.replace("_", " ") if "_" in each.value else each.value
        for each in nodes
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    names = {key.removeprefix("domain: ").replace("_", " ") for key in korean_texts("terminal")}
    fields = {
        node.target.id.replace("_", " ")
        for node in chain.from_iterable(map(ast.walk, TREES.values()))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert sorted(names - constants - fields - DYNAMODB_STATUSES) == []


def test_the_korean_of_click_belongs_to_texts_of_click() -> None:
    modules = Path(str(click.__file__)).parent.glob("*.py")
    nodes = (ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path in modules)
    constants = (each for each in chain.from_iterable(nodes) if isinstance(each, ast.Constant))
    found = {each.value for each in constants}
    korean = korean_texts("click")
    assert [text for text in korean if text not in found] == []
    assert [text for text in korean if _values(text) != _values(korean[text])] == []


# Hints


def test_the_table_of_hints_names_messages_and_their_values() -> None:
    assert MODULES
    for code, command in HINTS.items():
        assert code in templates(), code
        assert _values(command) <= _values(templates()[code]), code


@pytest.mark.parametrize("command", sorted(set(HINTS.values())))
def test_a_hint_names_a_command_and_its_options(command: str) -> None:
    program, *words = command.split()
    if program == "pip":  # an extra of the package
        assert command in {f"pip install 'gotgan[{name}]'" for name in EXTRAS}
        return
    assert program == "gotgan"
    found: click.Command | None = root
    while words and isinstance(found, click.Group):
        found = found.get_command(click.Context(root), words.pop(0))
    assert found is not None
    options = {name for each in found.params for name in each.opts}
    assert {word for word in words if word.startswith("--")} <= options


def test_a_hint_is_found_inside_other_messages() -> None:
    inner = market.COLLECTED_ELSEWHERE(day="2025-10-20")
    outer = market.COUNTS(counts=[market.WEEKEND(), market.OF_DAY(day="x", result=inner)])
    assert find_hint(outer) == "gotgan market recover 2025-10-20"
    assert find_hint(TEXT(text="gotgan")) is None
    assert find_hint("market.collected_elsewhere") is None


def test_a_value_of_a_hint_is_one_word_of_the_shell() -> None:
    message = market.COLLECTED_ELSEWHERE(day="1; rm -r /")
    assert find_hint(message) == "gotgan market recover '1; rm -r /'"
