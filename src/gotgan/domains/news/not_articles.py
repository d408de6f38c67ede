"""What a site may send instead of an article: a captcha, a stub, scripts, or a list.

Every rule is about what such pages are made of, not about a site. A verdict needs that there is
little text, or that the page does not declare itself an article: a long article that is about
captchas is an article.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.news import messages
from gotgan.domains.news.article_text import clean_line, count_words, visible_text
from gotgan.errors import CaptchaPage, NeedsScripts, NotAnArticle, PageError, PageTakenDown
from gotgan.fetch import display_url

MAX_STUB_WORDS: Final = 150
"""A page with more visible words is not a captcha, a stub or an empty frame."""

# Captchas

_CHALLENGES: Final = {
    "Cloudflare": (b"_cf_chl_opt", b"cf-challenge-running", b"cf_captcha_kind"),
    "DataDome": (b"captcha-delivery.com",),
    "HUMAN (PerimeterX)": (b"px-captcha", b"captcha.px-cdn.net", b"captcha.px-cloud.net"),
    "Akamai": (b"/_sec/cp_challenge", b"sec-if-cpt-container", b"errors.edgesuite.net"),
    "Imperva": (b"_Incapsula_Resource", b"Incapsula incident ID"),
    "AWS WAF": (b"window.gokuProps", b"AwsWafIntegration"),
    "Kasada": (b"KPSDK.",),
    "F5": (b'window["bobcmn"]', b"window.bobcmn"),
    "Radware": (b"validate.perfdrive.com",),
    "Sucuri": (b"sucuri_cloudproxy_js",),
}
"""What the vendors' own challenge pages have, and pages that they let through do not."""
_WIDGETS: Final = {
    "hCaptcha": (b"hcaptcha.com/1/api.js",),
    "reCAPTCHA": (b"recaptcha/api.js", b"recaptcha/enterprise.js"),
    "Turnstile": (b"challenges.cloudflare.com/turnstile",),
    "Arkose Labs": (b"arkoselabs.com/", b"funcaptcha.com/"),
    "GeeTest": (b"static.geetest.com/",),
}
"""Widgets that forms have too: with a page around them they mean nothing."""
_FEW_BESIDE_WIDGET: Final = 60
_UNSEEN: Final = re.compile(
    rb"<(script|style|noscript|template|head)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)


def captcha_vendor(page: bytes) -> str | None:
    """Whose captcha the page is; None if it is none."""
    found = _matching_name(page, _CHALLENGES)
    widget = None if found else _matching_name(page, _WIDGETS)
    if not (found or widget):
        return None
    words = count_words(_UNSEEN.sub(b" ", page).decode(errors="replace"))
    return (
        found
        if words < MAX_STUB_WORDS and found
        else widget
        if words < _FEW_BESIDE_WIDGET
        else None
    )


def _matching_name(page: bytes, marks: dict[str, tuple[bytes, ...]]) -> str | None:
    return next((name for name, each in marks.items() if any(one in page for one in each)), None)


# Pages that are not there, or not there yet

_MISSING: Final = re.compile(
    r"""
    (?: (?:http|error|status)[ ] )* 40[45] (?: [ ]error )?
    | (?: 404[ ] )? (?: error:?[ ] )? (?: (?:oops|sorry|whoops)[,]?[ ] )?
      (?: we're[ ]sorry[,]?[ ] )? (?: (?:the|this|that|your)[ ] )? (?: requested[ ] )?
      (?: (?:page|article|story|content|post|file|url)[ ] )?
      (?: you[ ](?:requested|(?:are|were)[ ]looking[ ]for)[ ] )?
      (?: (?: (?:is|was|could|can)[ ]? )? (?: not|n't|'t|no[ ]longer )[ ] (?:be[ ])?
          (?: found|available|here )
        | (?: does[ ]not | doesn't | no[ ]longer )[ ] exists?
        | (?: (?:has[ ]been|was)[ ] )? (?: removed|deleted|taken[ ]down )
        | (?: is[ ] )? unavailable )
    | (?:sorry,?[ ])? we[ ] (?:can't|cannot|couldn't|could[ ]not)[ ] (?:seem[ ]to[ ])? find[ ]
      (?:that|this|the|your)[ ] page (?: [ ]you(?:'re|[ ]are)[ ]looking[ ]for )?
    | (?: (?:요청하신|해당|찾으시는)[ ] )? (?:페이지|기사|게시물) [를을가이는은]? [ ]?
      (?: 찾을[ ]수[ ]없(?:습니다|음) | 존재하지[ ]않(?:습니다|음) | 삭제되었습니다 | 없습니다 )
    | (?: 삭제된|존재하지[ ]않는 )[ ] (?:페이지|기사|게시물) (?:입니다)?
    | (?: (?:die|diese)[ ] )? seite[ ] (?: (?:wurde[ ])? nicht[ ]gefunden | existiert[ ]nicht )
    | (?: 410[ ] )? gone | nothing[ ](?:was[ ])?found
    | the[ ]requested[ ]url[ ] (?:.{1,80}[ ])? (?:was[ ]not[ ]found | could[ ]not[ ]be[ ]found)
      (?: [ ]on[ ]this[ ]server )?
    | (?: (?:la|cette)[ ] )? page[ ] (?: non[ ]trouvée | introuvable | n'existe[ ](?:pas|plus) )
    | (?: la[ ] )? página[ ] (?: no[ ](?:encontrada|existe) | não[ ](?:encontrada|existe) )
    | (?: la[ ] )? pagina[ ] (?: non[ ](?:trovata|esiste) | niet[ ]gevonden )
    | (?:お探しの)? ページ [がは] (?: 見つかりません(?:でした)? | 存在しません )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The whole title or heading, or a part of it before or after the name of the site."""
_PARTS: Final = re.compile(r"\s+[|–—·:•»-]+\s+|\s*[|:]\s*|[.!?…]+(?:\s|$)")
_APP_ROOTS: Final = "[id=root], [id=app], [id=__next], [id=__nuxt], [id=main-app], app-root"
_ASKS_FOR_SCRIPTS: Final = re.compile(
    r"(?:enable|activate|turn on|requires?|needs?|without) javascript"
    r"|javascript (?:is (?:disabled|required|not (?:enabled|available))|must be enabled)"
    r"|자바스크립트",
    re.IGNORECASE,
)


def instead_of_article(tree: LexborHTMLParser, page: bytes, address: str) -> PageError | None:
    """What a page with hardly any text is; None if its shape is just unknown."""
    url = display_url(address)
    vendor = captcha_vendor(page)
    if vendor is not None:
        return CaptchaPage(messages.CAPTCHA(url=url, vendor=vendor))
    words = count_words(visible_text(tree.body)) if tree.body is not None else 0
    title = _missing_title(tree) if words < MAX_STUB_WORDS else None
    if title is not None:
        return PageTakenDown(messages.TAKEN_DOWN(url=url, title=repr(title[:80])))
    if words < MAX_STUB_WORDS and _waits_for_scripts(tree, words):
        return NeedsScripts(messages.NEEDS_SCRIPTS(url=url))
    return not_an_article(tree, "", address)


def _missing_title(tree: LexborHTMLParser) -> str | None:
    """The title or first heading, if it says that the page does not exist."""
    for node in (tree.css_first("head title"), tree.css_first("h1"), tree.css_first("h2")):
        title = clean_line(node.text(separator=" ")) if node is not None else ""
        parts = [
            part for part in map(str.strip, _PARTS.split(title.replace("\u2019", "'"))) if part
        ]
        if any(_MISSING.fullmatch(part) for part in (*parts, title.rstrip(".!…"))):
            return title
    return None


def _waits_for_scripts(tree: LexborHTMLParser, words: int) -> bool:
    """Whether scripts would fill the page: it has some, and a place for what they make."""
    if not tree.css("script") or words >= _FEW_BESIDE_WIDGET:
        return False
    shown = visible_text(tree.body) if tree.body is not None else ""
    asks = [shown, *(node.text(separator=" ") for node in tree.css("noscript"))]
    if any(_ASKS_FOR_SCRIPTS.search(each) for each in asks):
        return True
    return any(not clean_line(visible_text(node)) for node in tree.css(_APP_ROOTS))


# Lists and figures

_ARTICLE_PROPERTY: Final = 'meta[property="og:type" i][content^="article" i]'
_LIST_TYPES: Final = re.compile(r'"@type"\s*:\s*\[?\s*"(?:CollectionPage|SearchResultsPage)"')
_YAHOO_LISTS: Final = re.compile(
    r"/(?:quote|topic|screener|calendar|portfolios?|lookup|watchlists?|sectors|author)s?(?:/|$)"
)
_CARD_HEADINGS: Final = "h2 a, h3 a, h4 a, a h2, a h3, a h4"
_MIN_CARDS: Final = 8
_PROSE_WORDS: Final = 80
"""An article has this many words in one place; a list has a sentence or two in each."""
_MAX_FIGURES: Final = 0.4
"""Share of words with digits; reports of results have up to a quarter."""
_ASIDE_TAGS: Final = frozenset(
    {"a", "aside", "button", "footer", "form", "header", "label", "nav", "noscript", "script"}
    | {"select", "style", "svg", "template", "textarea", "title"}
)
_INLINE_TAGS: Final = frozenset(
    {"abbr", "b", "cite", "code", "em", "font", "i", "mark", "p", "q", "s", "small", "span"}
    | {"strong", "sub", "sup", "time", "u", "blockquote"}
)


def declares_article(tree: LexborHTMLParser) -> bool:
    """Whether the head says that the page is an article."""
    return tree.css_first(_ARTICLE_PROPERTY) is not None


def not_an_article(tree: LexborHTMLParser, text: str, address: str) -> NotAnArticle | None:
    """Why a page that does not declare itself an article is a list or figures, if it is."""
    if _is_yahoo_list(address) or _is_list(tree, text):
        return NotAnArticle(messages.NOT_AN_ARTICLE(url=display_url(address)))
    return None


def _is_list(tree: LexborHTMLParser, text: str) -> bool:
    """Whether the text is spread over cards, or is mostly figures, with no prose in one place."""
    if tree.body is None or _longest_prose(tree.body) >= _PROSE_WORDS:
        return False
    cards = len({node.text().strip() for node in tree.css(_CARD_HEADINGS)})
    figures = sum(any(map(str.isdigit, word)) for word in text.split())
    scripts = tree.css('script[type="application/ld+json" i]')
    return (
        cards >= _MIN_CARDS
        or figures > _MAX_FIGURES * count_words(text)
        or any(_LIST_TYPES.search(node.text()) for node in scripts)
    )


def _is_yahoo_list(address: str) -> bool:
    parts = urlsplit(address)
    is_yahoo = f".{parts.hostname or ''}".endswith(".yahoo.com")
    return is_yahoo and _YAHOO_LISTS.match(parts.path) is not None


def _longest_prose(body: LexborNode) -> int:
    """The most words of text, links left out, that one element has in its own paragraphs."""
    counts: Counter[int] = Counter()
    for node, place in _texts(body):
        counts[place] += count_words(node.text_content or "")
    return max(counts.values(), default=0)


def _texts(body: LexborNode) -> Iterator[tuple[LexborNode, int]]:
    """The text nodes outside links and side elements, each with the element that it is text of."""
    waiting: list[tuple[LexborNode, int]] = [(body, body.mem_id)]
    while waiting:
        node, place = waiting.pop()
        if node.is_text_node:
            yield node, place
        elif node.tag not in _ASIDE_TAGS:
            children = [*node.iter(include_text=True)]
            is_wrapper = sum(not _is_blank(child) for child in children) == 1
            own = place if node.tag in _INLINE_TAGS or is_wrapper else node.mem_id
            waiting.extend((child, own) for child in children)


def _is_blank(node: LexborNode) -> bool:
    if node.is_element_node:
        return node.tag in _ASIDE_TAGS
    return not (node.is_text_node and (node.text_content or "").strip())
