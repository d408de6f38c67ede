"""Where the words of a query are in a text, and the part of the text around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gotgan.search.tokens import pairs

if TYPE_CHECKING:
    from gotgan.search.tokens import SearchQuery

_LENGTH: Final = 200
_BEFORE: Final = 60
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True)
class MarkedText:
    """A text, and the words in it that were asked for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    """Where each begins and ends, in characters; they do not overlap."""

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The text in parts, with whether each is marked."""
        found, end = list[tuple[str, bool]](), 0
        for first, last in self.marks:
            found += [(self.text[end:first], False), (self.text[first:last], True)]
            end = last
        return [each for each in [*found, (self.text[end:], False)] if each[0]]


def words_pattern(query: SearchQuery) -> re.Pattern[str] | None:
    """Finds what to mark: words at their beginning, and parts of words without spaces."""
    options = list[str]()
    for word in sorted(query.words, key=len, reverse=True):
        halves = pairs(word)
        if halves:
            options += [re.escape(each) for each in (word, *halves)]
        elif any(term.token == word and term.is_prefix for term in query.terms):
            options.append(rf"(?<![^\W_]){re.escape(word)}")
        else:
            options.append(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])")
    return re.compile("|".join(options), re.IGNORECASE) if options else None


def marked(text: str, pattern: re.Pattern[str] | None) -> MarkedText:
    """A text with its marks; marks that touch are one."""
    spans = list[tuple[int, int]]()
    for found in pattern.finditer(text) if pattern else ():
        if spans and spans[-1][1] == found.start():
            spans[-1] = (spans[-1][0], found.end())
        else:
            spans.append(found.span())
    return MarkedText(text, tuple(spans))


def snippet(text: str, pattern: re.Pattern[str] | None) -> MarkedText:
    """The part of a text around the first word that was asked for, in one line."""
    line = _SPACE.sub(" ", text).strip()
    found = pattern.search(line) if pattern else None
    first = _word_start(line, max(0, found.start() - _BEFORE)) if found else 0
    last = _word_end(line, first + _LENGTH)
    before, after = "…" if first else "", "…" if last < len(line) else ""
    return marked(f"{before}{line[first:last].strip()}{after}", pattern)


def _word_end(line: str, place: int) -> int:
    """The last end of a word before a place, if there is one near."""
    space = line.rfind(" ", place - _BEFORE // 2, place) if place < len(line) else -1
    return place if space < 0 else space


def _word_start(line: str, place: int) -> int:
    """The next beginning of a word, if there is one soon."""
    space = line.find(" ", place, place + _BEFORE // 2) if place else -1
    return place if space < 0 else space + 1
