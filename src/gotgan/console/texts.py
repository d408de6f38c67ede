"""What the console says, in English and in Korean.

The texts lie in ``catalogues/``, one file for each area, with both languages side by side. The text
``saved`` in the table ``post`` of ``site.toml`` is called ``site.post.saved``.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from gotgan.domain import domains
from gotgan.domains.site.service import Site
from gotgan.verbs import Verb, verbs_of

__all__ = ["LANGUAGES", "Language", "catalogue", "text", "title_of"]

Language = Literal["en", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ko")


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Every text by its key, in each language; ``one`` is the English for one of a thing."""
    folder = files(__package__) / "catalogues"
    areas = [path for path in folder.iterdir() if path.name.endswith(".toml")]
    known = {
        key: forms
        for path in areas
        for key, forms in _entries(
            path.name.removesuffix(".toml"), tomllib.loads(path.read_text(encoding="utf-8"))
        )
    }
    return _of_others() | _of_types(known) | known


def _of_others() -> dict[str, Mapping[str, str]]:
    """The names of domains of other packages, and of their pages, which are their verbs."""
    others = [each for each in domains() if each.section is None]
    found: dict[str, str] = {}
    for domain in others:
        found |= {f"{domain.name}.section.title": _capitalised(domain.name)}
        found |= {f"{domain.name}.section.line": domain.line}
        for verb in verbs_of(domain.load()).values():
            found[f"{domain.name}.pages.{verb.name}"] = title_of(verb)
    return {key: {"en": words, "ko": words} for key, words in found.items()}


def _of_types(known: Mapping[str, Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """The names of site types of other packages and of their fields, and what is said of them."""
    found: dict[str, Mapping[str, str]] = {}
    for name, kind in Site.extensions().items():
        names = {f"pages.{name}": _capitalised(name), f"{name}.line": _first_line(kind)}
        names |= {f"field.{each}": _capitalised(each.removeprefix("is_")) for each in kind.fields}
        found |= {f"site.{key}": {"en": words, "ko": words} for key, words in names.items()}
        for key in ("created", "deleted", "edit", "new", "none"):
            forms = known[f"site.records.{key}"].items()
            found[f"site.{name}.{key}"] = {
                language: words.format(noun=kind.noun) for language, words in forms
            }
    return found


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or kind.__name__).partition("\n")[0]


def title_of(verb: Verb) -> str:
    """The name of a verb for people, such as ``Open day``, where the catalogue has none."""
    return _capitalised(verb.name)


def _capitalised(name: str) -> str:
    return name.replace("_", " ").capitalize()


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
