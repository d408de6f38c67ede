"""What a page says about its article to machines: JSON-LD, and the meta elements of its head."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

import orjson
from selectolax.lexbor import LexborHTMLParser

__all__ = ["ArticleMetadata", "declared_by"]

_SCRIPTS: Final = 'script[type="application/ld+json" i]'
_KINDS: Final = ("Article", "Posting")
"""How the names of the kinds end: ``NewsArticle``, ``ReportageNewsArticle``, ``BlogPosting``."""
_NOT_FREE: Final = frozenset({"false", "http://schema.org/false", "https://schema.org/false"})


@dataclass(frozen=True)
class ArticleMetadata:
    """What the page declares, as it stands there; None or nothing where it does not."""

    title: str | None
    author: str | None
    provider: str | None
    """Who wrote the article for the site."""
    publisher: str | None
    """Whose site it is."""
    published: tuple[str, ...]
    """When, as each place writes it, the surest first."""
    languages: tuple[str, ...]
    canonical: str | None
    """Where the article is at home."""
    is_free: bool


def declared_by(tree: LexborHTMLParser) -> ArticleMetadata:
    """Everything that a page declares about its article."""
    article = _linked_article(tree)
    published = (_text(article.get("datePublished")), _meta(tree, "article:published_time"))
    languages = (_attribute(tree, "html[lang]", "lang"), _meta(tree, "og:locale"))
    return ArticleMetadata(
        title=_text(article.get("headline")) or _meta(tree, "og:title") or _title(tree),
        author=_names(article.get("author")) or _meta(tree, "author"),
        provider=_names(article.get("provider")),
        publisher=_names(article.get("publisher")) or _meta(tree, "og:site_name"),
        published=tuple(filter(None, published)),
        languages=tuple(filter(None, (*languages, _text(article.get("inLanguage"))))),
        canonical=_attribute(tree, "link[rel=canonical][href]", "href"),
        is_free=not _says_no(article.get("isAccessibleForFree")),
    )


def _linked_article(tree: LexborHTMLParser) -> dict[str, Any]:
    """The first article among the objects of the page's JSON-LD."""
    objects = (each for script in tree.css(_SCRIPTS) for each in _objects(_parsed(script.text())))
    return next((each for each in objects if _is_article(each)), {})


def _parsed(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """The objects at the top of a document: one, a list of them, or a graph."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            yield each
            graph = each.get("@graph")
            yield from (node for node in _listed(graph) if isinstance(node, dict))


def _is_article(each: dict[str, Any]) -> bool:
    kinds = _listed(each.get("@type"))
    return any(isinstance(kind, str) and kind.endswith(_KINDS) for kind in kinds)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _says_no(value: Any) -> bool:
    return isinstance(value, bool | str) and str(value).lower() in _NOT_FREE


def _names(value: Any) -> str | None:
    """The names of people or organisations, however they are given."""
    named = (each.get("name") if isinstance(each, dict) else each for each in _listed(value))
    return ", ".join(filter(None, map(_text, named))) or None


def _text(value: Any) -> str | None:
    """A string without its entities: a script is not markup, but many write as if it were."""
    return unescape(value) if isinstance(value, str) else None


def _meta(tree: LexborHTMLParser, name: str) -> str | None:
    return _attribute(tree, f'meta[property="{name}"], meta[name="{name}"]', "content")


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = tree.css_first(selector)
    return node.attributes.get(name) if node else None


def _title(tree: LexborHTMLParser) -> str | None:
    node = tree.css_first("h1") or tree.css_first("head title")
    return node.text() if node else None
