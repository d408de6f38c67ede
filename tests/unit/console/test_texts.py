"""The texts: both languages say the same things, each is used, and none is missing."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from pathlib import Path

import gotgan.console
from gotgan.console.frame import Section
from gotgan.console.texts import catalogue, text
from gotgan.domain import domains
from gotgan.search.service import Search
from gotgan.verbs import verbs_of
from tests.each import each
from tests.house.repository import relative

CONSOLE = Path(gotgan.console.__file__).parent
WRITTEN = [*CONSOLE.rglob("*.html"), *CONSOLE.rglob("*.py")]
AREAS = sorted({key.partition(".")[0] for key in catalogue()})
NAMED = re.compile(rf"""["']((?:{"|".join(AREAS)})\.[a-z0-9_.-]+)["']""")
"""A key, or the beginning of keys that ends with a dot."""
_VERB_TEXTS = ("verb", "begin", "begin_one", "started")
CALLED = re.compile(r"""\bt\(["']([^"']+)["']\s*([~,)])""")


def _used() -> set[str]:
    """What is written somewhere; an ``f"frame.error.{status}"`` begins keys too."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in WRITTEN)
    prefixes = re.findall(rf"""f["']((?:{"|".join(AREAS)})\.[a-z_.]+\.)\{{""", source)
    options = re.findall(r"""\.options\(\s*["']([a-z_.]+)["']""", source)
    alerts = re.findall(r"""Alert\(["']([a-z_.]+)["']""", source)
    links = {f"{each}_link" for each in alerts}
    prefixes += ["sentences.", *(f"{each}." for each in options)]
    return {*NAMED.findall(source), *prefixes, *links}


def _derived() -> re.Pattern[str]:
    """Keys with the name of a resource in them: ``f"site.{resource}.created"``."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in WRITTEN)
    in_code = re.findall(r"""f["'](\w+)\.\{[a-z._]+\}\.([a-z_.]+)["']""", source)
    in_pages = re.findall(r"""["'](\w+)\.["'] ~ [a-z._]+ ~ ["']\.([a-z_.]+)["']""", source)
    forms = [rf"{area}\.[a-z]+\.{re.escape(end)}" for area, end in [*in_code, *in_pages]]
    return re.compile("|".join(forms))


def _of_sections(sections: Iterable[Section]) -> set[str]:
    return {
        key
        for section in sections
        for key in [
            section.title_key,
            section.line_key,
            *(section.page_key(page) for page in section.pages),
        ]
    }


def _of_verbs() -> set[str]:
    """Titles, buttons and messages of verbs: run cards and forms derive these keys."""
    services = [*(domain.load() for domain in domains()), Search]
    verbs = [each for service in services for each in verbs_of(service).values()]
    return {
        *(f"{each.domain}.{word}.{each.name}" for each in verbs for word in _VERB_TEXTS),
        *(f"{each.domain}.started.busy" for each in verbs),
        *(f"{each.domain}.advice." for each in verbs),
    }


def _places(words: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}


@each("key", catalogue())
def test_a_text_is_there_in_both_languages(key: str) -> None:
    forms = catalogue()[key]
    assert set(forms) - {"one"} == {"en", "ko"}
    assert all(words.strip() == words and words for words in forms.values())


@each("key", catalogue())
def test_both_languages_have_the_same_places(key: str) -> None:
    forms = catalogue()[key]
    assert {frozenset(_places(words)) for words in forms.values()} == {
        frozenset(_places(forms["en"]))
    }


def test_every_text_of_a_section_is_there() -> None:
    assert _of_sections(gotgan.console.sections()) - set(catalogue()) == set()


@each("path", WRITTEN, relative)
def test_every_text_that_is_asked_for_is_there(path: Path) -> None:
    asked = CALLED.findall(path.read_text(encoding="utf-8"))
    whole = {key for key, then in asked if then != "~"}
    prefixes = {key for key, then in asked if then == "~"}
    assert whole - set(catalogue()) == set()
    assert [each for each in prefixes if not any(key.startswith(each) for key in catalogue())] == []


def test_no_text_is_left_over() -> None:
    used = _used() | _of_sections(gotgan.console.sections()) | _of_verbs()
    prefixes = tuple(key for key in used if key.endswith("."))
    derived = _derived()
    left = [key for key in catalogue() if key not in used and not key.startswith(prefixes)]
    assert [key for key in left if not derived.fullmatch(key)] == []


def test_one_of_a_thing_is_called_otherwise_in_english() -> None:
    assert text("en", "frame.pager.shown", count=1) == "1 item"
    assert text("en", "frame.pager.shown", count=2) == "2 items"
    assert text("ko", "frame.pager.shown", count=1) == "1개"


def test_the_braces_of_a_value_are_left_alone() -> None:
    assert "“{x}”" in text("en", "search.page.none", words="{x}")
