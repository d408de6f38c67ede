"""The texts of the console in English and Korean.

The texts are in ``catalogues/``, one file for each area, with both languages side by side. The text
``saved`` in the table ``post`` of ``site.toml`` has the key ``site.post.saved``. A domain without
its own pages has texts that are derived from its verbs; its package can have a ``texts.toml``
with better ones, by their whole keys, such as ``rates.section.title``.

Messages of the domains and of the schedule have their Korean in ``gotgan/texts/ko``, and so has the
help of verbs; that of routes and tables is in ``help.toml``. Any other text, such as the words of
another program, is shown as it is, marked as English.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final
from zoneinfo import ZoneInfo

from markupsafe import Markup, escape

from gotgan.domain import Domain, domains
from gotgan.domains.site.service import Site
from gotgan.messages import Message, render
from gotgan.texts import Language, korean_texts
from gotgan.verbs import Verb, verbs_of

_HANGUL: Final = re.compile("[가-힣]")


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Every text by its key, in each language; ``one`` is the English singular."""
    known: dict[str, Mapping[str, str]] = {}
    for path in (files(__package__) / "catalogues").iterdir():
        if path.name.endswith(".toml"):
            known |= _entries(path.name.removesuffix(".toml"), _read(path))
    return _extension_texts() | _type_texts(known) | known


def humanized(name: str) -> str:
    """A name as words: ``firstSeen`` and ``first_seen`` are ``First seen``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name).capitalize()


def verb_key(verb: Verb) -> str:
    """The name of a verb in the texts of its section."""
    return "_".join(filter(None, (verb.place, verb.name)))


def _extension_texts() -> dict[str, Mapping[str, str]]:
    """The texts of domains without pages of their own, and those of packages."""
    derived = [each for each in domains() if each.section is None]
    found: dict[str, Mapping[str, str]] = {
        key: {"en": words, "ko": words} for each in derived for key, words in _derived_texts(each)
    }
    packages = [each.texts for each in domains() if each.texts is not None]
    for package in packages:
        for area, table in _read(files(package) / "texts.toml").items():
            found |= {key: {"ko": forms["en"], **forms} for key, forms in _entries(area, table)}
    return found


def _derived_texts(domain: Domain) -> Iterator[tuple[str, str]]:
    title = humanized(domain.name)
    yield f"{domain.name}.section.title", title
    yield f"{domain.name}.section.line", domain.line
    yield f"{domain.name}.pages.list", title
    for verb in verbs_of(domain.load()).values():
        yield f"{domain.name}.pages.{verb_key(verb)}", humanized(verb_key(verb))
    for job in domain.jobs:
        verb_name = humanized(job.verb.partition(".")[2]).lower()
        yield f"schedule.job.{job.name}", f"{title}: {verb_name}"


def _read(path: Traversable) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _type_texts(known: Mapping[str, Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """The texts of site types of other packages: names, fields and notices."""
    found: dict[str, Mapping[str, str]] = {}
    for name, kind in Site.extensions().items():
        line = (inspect.getdoc(kind) or kind.__name__).partition("\n")[0]
        names = {f"pages.{name}": humanized(name), f"{name}.line": line}
        names |= {f"field.{each}": humanized(each.removeprefix("is_")) for each in kind.fields}
        found |= {f"site.{key}": {"en": words, "ko": words} for key, words in names.items()}
        for key in ("created", "deleted", "edit", "new", "none"):
            forms = known[f"site.records.{key}"].items()
            found[f"site.{name}.{key}"] = {
                language: words.format(noun=kind.noun) for language, words in forms
            }
    return found


def text(language: Language, key: str, **values: Any) -> str:
    """A text with its values."""
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


# Help of verbs, routes and tables


def help_line(language: Language, english: str) -> Markup:
    """A text of the help by paragraphs, such as a docstring; marked as English without a Korean."""
    shown = _with_code if language == "en" else _korean_paragraph
    return Markup("\n\n").join(map(shown, english.split("\n\n")))


def _korean_paragraph(english: str) -> Markup:
    line, known = " ".join(english.split()), _korean_help()
    korean = known.get(line) or known.get(f"{line}.", "").removesuffix(".")
    return _with_code(korean) if korean or not line else marked_english(_with_code(line))


def _with_code(line: str) -> Markup:
    """What is in backticks is code."""
    return Markup(re.sub(r"`+([^`]+)`+", r"<code>\1</code>", str(escape(line))))  # noqa: S704 - escaped


@cache
def _korean_help() -> Mapping[str, str]:
    """The Korean of each paragraph, by the English one."""
    return {**_read(files(__package__) / "help.toml"), **korean_texts("help")}


# Messages


def translate(language: Language, words: str, zone: ZoneInfo | None = None) -> Markup:
    """A message in a language and a zone; any other text as it is, marked as English."""
    if isinstance(words, Message):
        text = render(words, language, zone, escape=escape, foreign=marked_english)
        return Markup(text)  # noqa: S704 - each part is escaped
    return escape(words) if language == "en" or not words else marked_english(words)


def marked_english(words: str) -> Markup:
    """A text with its language, for a Korean page; one with Korean in it is none."""
    if _HANGUL.search(words):
        return escape(words)
    return Markup('<span lang="en">{}</span>').format(words)
