"""The words of click, such as *Usage* and *No such option*, in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import Final

from gotgan.cli.reader import language
from gotgan.cli.table import text_width
from gotgan.texts import korean_texts

_MODULES: Final = ("_textwrap", "core", "decorators", "exceptions", "formatting", "parser", "types")


def translate_click() -> None:
    """Let click ask our table for its words, and wrap lines by the columns that letters take.

    Its modules import functions of gettext, and the one that measures a text, under these names.
    """
    ours = {"_": _text, "ngettext": _count_text, "term_len": text_width}
    for name in _MODULES:
        module = import_module(f"click.{name}")
        for theirs in ours.keys() & vars(module).keys():
            setattr(module, theirs, ours[theirs])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Click's question about the known words that are like this one; empty where none is.

    Dashes are not compared: they would make all short options alike.
    """
    names = {each.lstrip("-"): each for each in known}
    found = [names[name] for name in get_close_matches(word.lstrip("-"), [*names])]
    near = ", ".join(map(repr, sorted(found)))
    text = _count_text(
        "Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", len(found)
    )
    return text.format(possibility=near, possibilities=near) if found else ""


def _text(english: str) -> str:
    return korean_texts("click").get(english, english) if language() == "ko" else english


def _count_text(one: str, many: str, count: int) -> str:
    return _text(one if count == 1 else many)
