"""What an article page says: its text in page order, who wrote it, when, in which language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser

from gotgan.domains.news.declared import ArticleMetadata, declared_by
from gotgan.domains.news.extracts import Extract
from gotgan.domains.news.general_article import general_story
from gotgan.domains.news.languages import declared_language, guessed_language, words_in
from gotgan.domains.news.markup import tree_of
from gotgan.domains.news.paragraphs import cleaned, joined
from gotgan.domains.news.yahoo_article import LITTLE, is_bare, is_yahoo, leads_on, yahoo_story
from gotgan.errors import UnknownShape
from gotgan.fetch import shown
from gotgan.markup import text_of

__all__ = ["Article", "Paywalled", "Stub", "Verdict", "article_of", "is_yahoo"]

_MOST_BYTES: Final = 300_000
"""An item holds 400 KB at most, and keeps more about an article than its text."""
_LEAST: Final = 40
"""Fewer words on a page of unknown shape are what stands around an article, not the article."""
_LONGEST_LINE: Final = 1_000
_PAYWALLS: Final = "[data-testid*=paywall], [class*=paywall]"
_FIRST_YEAR: Final = 1990


@dataclass(frozen=True)
class Article:
    """An article that can be read; what the page does not say is None."""

    title: str | None
    author: str | None
    provider: str | None
    published_at: datetime | None
    """In UTC."""
    text: str
    """Paragraphs in page order with a blank line between; lists and tables line by line."""
    language: str | None
    extractor: str
    """``yahoo``, ``caas`` (before 2025) or ``trafilatura``."""
    is_cut: bool = False
    """Whether the text was longer than an item can hold."""

    @property
    def word_count(self) -> int:
        """How many words the text has; of Chinese and Japanese, how many characters."""
        return words_in(self.text)


@dataclass(frozen=True)
class Stub:
    """A page that only leads to the publisher."""


@dataclass(frozen=True)
class Paywalled:
    """An article for subscribers, of which everybody may read a teaser at most."""


Verdict: TypeAlias = Article | Stub | Paywalled


def article_of(page: bytes, address: str, *, charset: str | None = None) -> Verdict:
    """What stands on an article page; raises UnknownShape where no text is found."""
    markup = text_of(page, charset)
    tree = tree_of(markup.encode())
    declared = declared_by(tree)
    story = yahoo_story(tree)
    if is_bare(tree):
        if leads_on(tree, address, declared.canonical, is_empty=story is None):
            return Stub()
        if story is None and _has_wall(tree, declared):
            return Paywalled()
    article = _article(declared, story or general_story(markup, address))
    if article.word_count < LITTLE and _has_wall(tree, declared):
        return Paywalled()
    if story is None and article.word_count < _LEAST:
        raise UnknownShape(
            f"no text was found in the article at {shown(address)}: its shape has changed, or it "
            "has none; keep the page with GOTGAN_RECORD=folder and look at it"
        )
    return article


def _has_wall(tree: LexborHTMLParser, declared: ArticleMetadata) -> bool:
    return not declared.is_free or tree.css_first(_PAYWALLS) is not None


def _article(declared: ArticleMetadata, story: Extract) -> Article:
    text, is_cut = joined(story.lines, _MOST_BYTES)
    return Article(
        title=_line(story.title) or _line(declared.title),
        author=_line(story.author) or _line(declared.author),
        provider=_line(declared.provider) or _line(story.provider) or _line(declared.publisher),
        published_at=_moment((story.published, *declared.published)),
        text=text,
        language=declared_language(declared.languages) or guessed_language(text),
        extractor=story.extractor,
        is_cut=is_cut,
    )


def _line(words: str | None) -> str | None:
    return cleaned(words or "")[:_LONGEST_LINE] or None


def _moment(written: Iterable[str | None]) -> datetime | None:
    """The first of some times that can be told without guessing a zone."""
    moments = (_utc(each) for each in written if each)
    return next((moment for moment in moments if moment), None)


def _utc(written: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written.strip())
        in_utc = moment.astimezone(UTC) if moment.tzinfo else None
    except (OverflowError, ValueError):
        return None
    return in_utc if in_utc and in_utc.year >= _FIRST_YEAR else None
