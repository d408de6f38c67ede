"""Every message has a text in both languages with the same values, and is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import Any

import gotgan
from gotgan import errors
from gotgan.api.errors import error_classes
from gotgan.day.texts import ENGLISH
from gotgan.messages import HELP, TEXT, Template, templates
from gotgan.texts import GETTEXT_AREAS, korean_texts

ROOT = Path(gotgan.__file__).parent
DECLARING = {
    path: import_module(".".join(("gotgan", *path.relative_to(ROOT).with_suffix("").parts)))
    for path in sorted(ROOT.rglob("*.py"))
    if " Template(" in path.read_text(encoding="utf-8")
}
MODULES = [module for path, module in DECLARING.items() if path.stem == "messages"]
OF_THE_LIBRARY = ("store/", "lifecycle/", "sql/upserts.py", "fetch/client.py", "world/")
"""Called by programs only; what users can cause there has messages all the same."""
OTHER_GIVEN = {"market.holiday": {"korean"}}
OTHER_VALUES = {
    "market.holiday": "the library of the calendar has its name in both languages",
    "validation.too_long": "pydantic's name of the type is English, and Korean needs none",
    "validation.too_short": "the same",
}


def _values(words: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(words) if name}


def _known() -> dict[str, str]:
    return {
        code: words
        for code, words in templates().items()
        if code not in {TEXT.code, HELP.code} and not code.startswith("test.")
    }


def test_every_message_has_a_korean_text_with_the_same_values() -> None:
    wrong = []
    for code, english in _known().items():
        area, _, key = code.partition(".")
        korean = korean_texts(area).get(key)
        if korean is None or (code not in OTHER_VALUES and _values(korean) != _values(english)):
            wrong.append((code, english, korean))
    assert wrong == []


def test_every_korean_text_belongs_to_a_message() -> None:
    areas = {path.stem for path in (ROOT / "texts" / "ko").glob("*.toml")} - GETTEXT_AREAS
    assert areas
    known = {*_known(), *(f"day.{key}" for key in ENGLISH)}
    known |= {f"errors.{code}" for code in error_classes()}
    texts = {f"{area}.{key}" for area in areas for key in korean_texts(area)}
    assert texts - known == set()


def test_every_code_of_an_error_has_a_korean_meaning() -> None:
    assert error_classes().keys() - korean_texts("errors").keys() == set()


def test_errors_are_raised_with_messages() -> None:
    """Only wrong calls of the library itself are explained in plain English."""
    plain = [
        f"{path.relative_to(ROOT)}: {ast.unparse(call)[:80]}"
        for path in ROOT.rglob("*.py")
        if not path.relative_to(ROOT).as_posix().startswith(OF_THE_LIBRARY)
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and _is_plain_error(call)
    ]
    assert plain == []


def _is_plain_error(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    kind = getattr(errors, name, None)
    if not (isinstance(kind, type) and issubclass(kind, errors.GotganError)):
        return False
    is_text = isinstance(call.args[0], ast.Constant | ast.JoinedStr) if call.args else False
    return is_text and kind is not errors.DeclarationError


def test_every_message_is_used() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
    unused = []
    for module in MODULES:
        own = Path(str(module.__file__))
        declared = [name for name, each in vars(module).items() if isinstance(each, Template)]
        elsewhere = "\n".join(words for path, words in sources.items() if path != own)
        unused += [name for name in declared if f"{name}(" not in elsewhere and name != "TEXT"]
    assert [name for name in unused if not _is_reference(name, sources)] == []


def _is_reference(name: str, sources: dict[Path, str]) -> bool:
    """Whether a template is named without being called, as in a table of counts."""
    return any(
        f"messages.{name}" in words for path, words in sources.items() if path.stem != "messages"
    )


def test_every_message_is_made_with_the_values_of_its_template() -> None:
    """A value that is missing would be shown as a dash."""
    calls = [each for path in ROOT.rglob("*.py") for each in _template_calls(path)]
    wrong = [
        f"{template.code}: {ast.unparse(call)[:80]}"
        for template, call in calls
        if all(each.arg for each in call.keywords)  # none is given by **
        and {each.arg for each in call.keywords} - OTHER_GIVEN.get(template.code, set())
        != _values(template.text)
    ]
    assert wrong == []
    assert len(calls) > 900


def _template_calls(path: Path) -> Iterator[tuple[Template, ast.Call]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = dict(vars(DECLARING[path])) if path in DECLARING else {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gotgan"):
            known |= _imported_messages(node)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            *owner, name = ast.unparse(node.func).split(".")
            found = known.get(name)
            if len(owner) == 1:
                found = getattr(known.get(owner[0]), name, None)
            if isinstance(found, Template):
                yield found, node


def _imported_messages(node: ast.ImportFrom) -> dict[str, Any]:
    """The modules of messages, and the templates, that an import names."""
    names = {each.asname or each.name: each.name for each in node.names}
    if str(node.module).endswith(".messages"):
        module = import_module(str(node.module))
        return {name: getattr(module, own, None) for name, own in names.items()}
    paths = {name: f"{node.module}.{own}" for name, own in names.items() if own == "messages"}
    return {name: import_module(path) for name, path in paths.items()}


def test_codes_are_unique_and_named_after_their_module() -> None:
    codes = [
        (each.code, module.__name__)
        for module in MODULES
        for each in vars(module).values()
        if isinstance(each, Template)
    ]
    assert len({code for code, _ in codes}) == len(codes)
    areas = {(code.partition(".")[0], name) for code, name in codes}
    assert [(area, name) for area, name in areas if area not in {*name.split("."), "message"}] == []
