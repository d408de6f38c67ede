"""What the console says, in English and in Korean.

The texts lie in ``catalogues/``, one file for each area, with both languages side by side. The text
``saved`` in the table ``post`` of ``site.toml`` is called ``site.post.saved``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from gotgan.domain import domains
from gotgan.verbs import verbs_of

__all__ = ["LANGUAGES", "Language", "catalogue", "text"]

Language = Literal["en", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ko")


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Every text by its key, in each language; ``one`` is the English for one of a thing."""
    folder = files(__package__) / "catalogues"
    areas = [path for path in folder.iterdir() if path.name.endswith(".toml")]
    return _of_others() | {
        key: forms
        for path in areas
        for key, forms in _entries(
            path.name.removesuffix(".toml"), tomllib.loads(path.read_text(encoding="utf-8"))
        )
    }


def _of_others() -> dict[str, Mapping[str, str]]:
    """The names of domains of other packages, and of their pages, which are their verbs."""
    others = [each for each in domains() if each.section is None]
    found: dict[str, str] = {}
    for domain in others:
        found |= {f"{domain.name}.section.title": domain.name.replace("_", " ").capitalize()}
        found |= {f"{domain.name}.section.line": domain.line}
        for verb in verbs_of(domain.load()).values():
            found |= {f"{domain.name}.pages.{verb.name}": verb.name.replace("_", " ").capitalize()}
    return {key: {"en": words, "ko": words} for key, words in found.items()}


def text(language: Language, key: str, **values: Any) -> str:
    """One text, with values in its places."""
    forms = catalogue()[key]
    alone = language == "en" and values.get("count") == 1
    chosen = forms["one"] if alone and "one" in forms else forms[language]
    return chosen.format_map(values) if values else chosen


def _entries(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    if isinstance(table.get("en"), str):
        yield prefix, table
        return
    for name, inner in table.items():
        yield from _entries(f"{prefix}.{name}", inner)
