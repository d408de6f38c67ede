"""What the console says, in English and in Korean.

The texts lie in ``catalogues/``, one file for each area, with both languages side by side. The text
``saved`` in the table ``post`` of ``site.toml`` is called ``site.post.saved``. A domain without
pages of its own has texts that are derived from its verbs; its package can have a ``texts.toml``
with better ones, by their whole keys, such as ``rates.section.title``.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal

from gotgan.domain import Domain, domains
from gotgan.domains.site.service import Site
from gotgan.verbs import Verb, verbs_of

__all__ = ["LANGUAGES", "Language", "catalogue", "key_of", "text", "words_of"]

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
        for key, forms in _entries(path.name.removesuffix(".toml"), _read(path))
    }
    return _of_others() | _of_types(known) | known


def words_of(name: str) -> str:
    """A name of a program as words: ``firstSeen`` and ``first_seen`` are ``First seen``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name).capitalize()


def key_of(verb: Verb) -> str:
    """The name of a verb in the texts of its section."""
    return "_".join(filter(None, (verb.place, verb.name)))


def _of_others() -> dict[str, Mapping[str, str]]:
    """The texts of domains without pages of their own, and those that packages bring."""
    derived = [each for each in domains() if each.section is None]
    found = {key: {"en": words, "ko": words} for each in derived for key, words in _derived(each)}
    own = [files(each.texts) / "texts.toml" for each in domains() if each.texts is not None]
    for path in own:
        for area, table in _read(path).items():
            found |= {key: {"ko": forms["en"], **forms} for key, forms in _entries(area, table)}
    return {**found}


def _derived(domain: Domain) -> Iterator[tuple[str, str]]:
    title = words_of(domain.name)
    yield f"{domain.name}.section.title", title
    yield f"{domain.name}.section.line", domain.line
    yield f"{domain.name}.pages.list", title
    for verb in verbs_of(domain.load()).values():
        yield f"{domain.name}.pages.{key_of(verb)}", words_of(key_of(verb))
    for job in domain.jobs:
        yield f"schedule.job.{job.name}", f"{title}: {words_of(job.verb.partition('.')[2]).lower()}"
        yield f"schedule.does.{job.name}", job.words


def _read(path: Traversable) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _of_types(known: Mapping[str, Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """The names of site types of other packages and of their fields, and what is said of them."""
    found: dict[str, Mapping[str, str]] = {}
    for name, kind in Site.extensions().items():
        names = {f"pages.{name}": words_of(name), f"{name}.line": _first_line(kind)}
        names |= {f"field.{each}": words_of(each.removeprefix("is_")) for each in kind.fields}
        found |= {f"site.{key}": {"en": words, "ko": words} for key, words in names.items()}
        for key in ("created", "deleted", "edit", "new", "none"):
            forms = known[f"site.records.{key}"].items()
            found[f"site.{name}.{key}"] = {
                language: words.format(noun=kind.noun) for language, words in forms
            }
    return found


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or kind.__name__).partition("\n")[0]


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
