"""Pages with status 200 that stand for a missing or a refused one.

A product is absent if the title or a heading says so, or a short text of a page that shows no price
and declares no product. A page is blocked if a captcha or a refusal is all that it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from gotgan.domains.shops.extract.document import Document
from gotgan.domains.shops.extract.facts import Absence
from gotgan.domains.shops.extract.visible_text import VisibleText

_MAX_NAME_CHARS: Final = 120
_MAX_REFUSAL_CHARS: Final = 1_500
"""How much text a page that refuses the request has at most."""
_MAX_CAPTCHA_CHARS: Final = 700
_MAX_CAPTCHA_LINKS: Final = 10
"""The same of a page that only has the mark of a captcha: forms of real pages have one, too."""

_MISSING: Final = re.compile(
    r"^\W*404\W*$|(?:error|fehler|erreur|오류)\W*404|404\W*(?:error|fehler|erreur|not found|오류)"
    r"|(?:page|product|item|article|listing) (?:(?:was|is|could|can) )?"
    r"(?:not|cannot|can\Wt|couldn\Wt) (?:be )?found"
    r"|(?:page|product|item|listing) (?:does not|doesn\Wt|no longer) exists?"
    r"|^\W*(?:not found|nicht gefunden|introuvable)\W*(?:$|[|–—-])"
    r"|(?:seite|artikel|produkt|angebot) (?:wurde |konnte )?(?:leider )?nicht gefunden"
    r"|(?:seite|artikel|produkt|angebot) existiert nicht"
    r"|(?:page|produit|article|annonce) (?:non trouvée?|introuvable|n\Wexiste)"
    r"|(?:페이지|상품|제품)[을를]? ?찾을 수 ?없|존재하지 ?않는 ?(?:상품|제품|페이지)"
    r"|(?:페이지|상품|제품)[가이은는]? ?존재하지 ?않",
    re.IGNORECASE,
)
"""A page that is not there, in its title or heading."""
_GONE: Final = re.compile(
    r"no longer (?:available|for sale|sold|offered|listed|exists?)"
    r"|(?:product|item|listing|offer|lot|auction)(?: \S{1,30})? (?:has|was|have)(?: been)?"
    r" (?:removed|deleted|withdrawn|ended|discontinued)"
    r"|(?:is|been|was) (?:permanently )?discontinued"
    r"|nicht mehr (?:verfügbar|erhältlich|vorhanden|im (?:angebot|sortiment|verkauf|shop))"
    r"|(?:artikel|produkt|angebot) (?:wurde|ist) (?:leider )?(?:gelöscht|entfernt|beendet)"
    r"|(?:n\West|n\West malheureusement) plus (?:disponible|en vente|proposée?|commercialisée?)"
    r"|(?:produit|article|annonce) (?:a été )?(?:supprimée?|retirée?)"
    r"|더 ?이상 ?(?:판매|구매|제공)|삭제된 ?(?:상품|제품|페이지)|단종된?"
    r"|판매(?:가|를)? ?(?:종료|중단|중지)",
    re.IGNORECASE,
)
"""A product that is not offered any more."""
_GONE_WORDS: Final = re.compile(
    r"no longer|removed|deleted|withdrawn|ended|discontinued|nicht mehr|gelöscht|entfernt|beendet"
    r"|est plus|ment plus|supprim|retir|더 ?이상|삭제|단종|판매"
)
"""One of these is in each such phrase: they are found quickly in a whole page."""
_REFUSED: Final = re.compile(
    r"^\W*(?:(?:edge: )?too many requests|just a moment|attention required|pardon our interruption"
    r"|access (?:to this (?:page|site) )?(?:is |has been )?(?:denied|blocked|restricted)"
    r"|(?:your )?request (?:is |has been )?(?:denied|blocked)|(?:robot|security|bot) check"
    r"|are you (?:a robot|a human|human|not a robot)|security (?:check|verification)"
    r"|(?:please )?(?:verify|confirm)(?: that)? you(?: are|\Wre) (?:a human|human|not a robot)"
    r"|checking your browser|unusual traffic|(?:recaptcha|captcha|ddos protection)"
    r"|sicherheits(?:überprüfung|abfrage)|sind sie ein mensch|zugriff (?:verweigert|gesperrt)"
    r"|accès (?:refusé|bloqué)|vérification de sécurité|êtes-vous (?:un robot|humain)"
    r"|로봇이 ?아닙니다|자동 ?입력 ?방지|보안 ?(?:확인|문자|검사)|접근이? ?(?:차단|거부|제한))",
    re.IGNORECASE,
)
"""The begin of the title or heading of a page that refuses the request."""
_CAPTCHA_MARKS: Final = (
    *(b"_cf_chl_opt", b"cf-turnstile", b"g-recaptcha", b"h-captcha", b"px-captcha"),
    *(b"captcha-delivery.com", b"_Incapsula_Resource", b"gokuProps", b"captcha-container"),
)
"""What common vendors of captchas leave in the source: Cloudflare, Google, hCaptcha, PerimeterX,
DataDome, Imperva, AWS."""


def page_absence(
    document: Document, sight: VisibleText, *, is_offered: bool, is_declared: bool
) -> Absence | None:
    """What a page stands for.

    ``is_offered`` says that it shows a price, ``is_declared`` that it declares a product.
    """
    names = [each for each in document.names if len(each) <= _MAX_NAME_CHARS]
    if not is_offered and not is_declared and _is_blocked(document, sight, names):
        return "blocked"
    if is_declared:
        return None
    if any(map(_MISSING.search, names)):
        return "gone"
    if is_offered:
        return None
    is_said = any(map(_GONE.search, names)) or any(map(_GONE.search, _own_texts(sight)))
    return "gone" if is_said else None


def _is_blocked(document: Document, sight: VisibleText, names: Iterable[str]) -> bool:
    size, links = sum(map(len, sight.texts)), len(document.elements.anchors)
    if size <= _MAX_REFUSAL_CHARS and any(map(_REFUSED.search, names)):
        return True
    is_small = size <= _MAX_CAPTCHA_CHARS and links <= _MAX_CAPTCHA_LINKS
    return is_small and any(mark in document.markup for mark in _CAPTCHA_MARKS)


def _own_texts(sight: VisibleText) -> Iterator[str]:
    """Short texts with such a word, not in the frame of the page, nor about another product."""
    for text, node in zip(sight.texts, sight.nodes, strict=True):
        if len(text) <= _MAX_NAME_CHARS and _GONE_WORDS.search(text.lower()):
            place = sight.place(node)
            if place.is_seen and not (place.is_away or place.is_carded or place.is_linked):
                yield text
