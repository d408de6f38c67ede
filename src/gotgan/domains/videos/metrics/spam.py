"""Comments that advertise something else; they are counted, and left out of everything.

A comment is spam for what it wants of its readers (visit, follow, buy, vote, pay, write to a
stranger), not for its subject: a video on betting has honest comments on betting. So most words
count only beside another: a channel of the writer's own beside an invitation, an address beside a
lure. Somebody who complains of spam says the same words; unless a contact stands beside them, that
is no spam.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from gotgan.domains.videos.metrics import adverts
from gotgan.domains.videos.metrics.words import MAX_COMMENT_CHARS
from gotgan.domains.videos.models import Comment

_MIN_COPY_CHARS: Final = 30
"""Shorter texts are written by several people who mean them."""
_MIN_COPIES: Final = 3


def spam_flags(comments: Sequence[Comment]) -> list[bool]:
    """Whether each comment is spam: by its words, or as one of several copies of a suspect text."""
    flags = [is_spam(comment.text) for comment in comments]
    counts = Counter(each.text for each in comments if len(each.text) >= _MIN_COPY_CHARS)
    copied = {
        text
        for text, count in counts.items()
        if count >= _MIN_COPIES and _is_suspect(_unmask(text))
    }
    if copied:
        flags = [flag or each.text in copied for flag, each in zip(flags, comments, strict=True)]
    return flags


def is_spam(text: str) -> bool:
    """Whether a comment only advertises something to visit, buy or follow, other than the video."""
    text = _unmask(text)
    words = frozenset(_WORD.findall(text))
    is_english = "@" in text or "://" in text or not words.isdisjoint(_ENGLISH_HINTS)
    is_korean = not text.isascii() and _KOREAN_HINT.search(text) is not None
    if (is_english or is_korean) and _HARD.search(text):
        return True
    is_advert = (
        (is_english and _is_english_advert(text))
        or (is_korean and adverts.KOREAN.search(text) is not None)
        or (not words.isdisjoint(_OWN_HINTS) and _invites(text))
    )
    return is_advert and not _is_complaint(text)


def _is_english_advert(text: str) -> bool:
    if adverts.PROMOTION.search(text) or adverts.MONEY.search(text):
        return True
    if adverts.ADVISER.search(text) and adverts.GAIN.search(text) and adverts.BENEFIT.search(text):
        return True
    if _LINK.search(text):  # elsewhere: to a source, in a question, or an advert
        return _SOURCE.search(_LINK.sub(" ", text)) is None
    if _VIDEO.search(text) and _ONESELF.search(_VIDEO.sub(" ", text)):
        return True
    return bool(_ADDRESS.search(text) and _LURE.search(_ADDRESS.sub(" ", text)))


def _invites(text: str) -> bool:
    """Whether the writer invites readers to their own work."""
    return adverts.OWN.search(text) is not None and adverts.INVITATION.search(text) is not None


def _is_complaint(text: str) -> bool:
    """Whether a comment speaks about spam; "sorry for the spam, but …" does not."""
    return _COMPLAINT.search(text) is not None and _APOLOGY.search(text) is None


def _is_suspect(text: str) -> bool:
    """Whether a text has what advertisements have, and nothing else says that it is one."""
    signs = (_ADDRESS, _CONTACT, adverts.OWN, adverts.GAIN)
    return any(sign.search(text) for sign in signs) and not _is_complaint(text)


# Letters that are written so that filters do not see them

_MASKS: Final = re.compile("[\u200b-\u200f\u2060\ufe0f\u20e3\uff01-\uff5e\U0001d400-\U0001d7ff]")
_INVISIBLE: Final = dict.fromkeys([*range(0x200B, 0x2010), 0x2060, 0xFE0F, 0x20E3])
_SPACED: Final = re.compile(
    r"(?<![^\W_])[a-z0-9](?:[ .\-_*][a-z0-9]){4,}(?![^\W_])"
    r"|(?<![^\W_])[가-힣](?:[.\-_*][가-힣])+(?![^\W_])"
)
_SPACED_HINT: Final = re.compile(r" [a-z0-9] [a-z0-9] [a-z0-9]|[.\-_*][^\W_][.\-_*][^\W_]")
_JAMO: Final = re.compile("([ㄱ-ㅎ])([ㅏ-ㅣ]|[rl](?=[가-힣ㄱ-ㅣ\\s]))")
_LEADS: Final = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS: Final = {"r": 0, "l": 20}
_FIRST_SYLLABLE, _FIRST_VOWEL, _PER_LEAD, _PER_VOWEL = 0xAC00, 0x314F, 588, 28


def _unmask(text: str) -> str:
    """A text in lower case with its letters as they are read: W.h.a.t.s.A.p.p, ㅋr톡."""
    text = text[:MAX_COMMENT_CHARS]
    if not text.isascii() and _MASKS.search(text):
        text = _MASKS.sub(lambda mask: normalize("NFKC", mask[0]), text.translate(_INVISIBLE))
    text = text.lower().replace("\u2019", "'")
    if _SPACED_HINT.search(text):
        text = _SPACED.sub(lambda word: re.sub(r"[ .\-_*]", "", word[0]), text)
    if not text.isascii() and _JAMO.search(text):
        text = _JAMO.sub(_compose_syllable, text)
    return text


def _compose_syllable(jamo: re.Match[str]) -> str:
    """A syllable of a consonant and a vowel that are written apart."""
    lead = _LEADS.find(jamo[1])
    vowel = _VOWELS.get(jamo[2], ord(jamo[2]) - _FIRST_VOWEL)
    if lead < 0:
        return jamo[0]
    return chr(_FIRST_SYLLABLE + lead * _PER_LEAD + vowel * _PER_VOWEL)


# Addresses and contacts

_SAFE: Final = r"""(?:
    (?:[\w-]+\.)*(?:youtube|youtu|wikipedia|wikimedia|github|arxiv|doi|imdb|genius|archive|google
    |stackoverflow|reddit|nature|namu|amazon|netflix|spotify|twitch|apple|steampowered)\.
    | \S+\.(?:gov|edu|ac)\b
)"""
"""Where comments point to as a source, or what they speak of."""
_URL: Final = rf"(?:https?:\s?//|www\.)(?!{_SAFE})\S+"
_OTHER_VIDEO: Final = (
    r"(?:(?:https?://)?(?:www\.|m\.)?(?:youtube\.com|youtu\.be)/(?:watch\?v=)?|\bwatch\?v=)"
    r"[\w-]{6,}(?!\S*[?&]t=)"
)
_DOMAIN: Final = (
    rf"\b(?<!@)(?!{_SAFE})[a-z0-9][a-z0-9-]{{2,40}}\."
    r"(?:com|net|org|info|biz|xyz|shop|store|site|online|club|fun|gg|tk|ru|cc|kr|co\.kr|example)\b"
)
_MASKED_DOMAIN: Final = (
    r"\b[a-z0-9-]{3,40}\s?(?:\(dot\)|\[dot\]|\[\.\]|\(\.\)|(?<=www\sdot\s)\w+\sdot\s)\s?"
    r"(?:com|net|org|info|biz|xyz)\b|\bwww\sdot\s\w+"
)
_SPOKEN_DOMAIN: Final = (
    r"\b(?!(?:youtube|google|amazon|wikipedia|reddit)\b)[a-z0-9-]{3,40}\sdot\s(?:com|net|org)\b"
)
_PHONE: Final = r"\+?\d[\d\s().-]{7,}\d"
_HARD: Final = re.compile(
    rf"""
    # An address alone, one that hides where it leads, and pages of people, shops and collections.
    ^\W*(?:{_URL}|{_OTHER_VIDEO}|{_DOMAIN}\S*)\W*$
    | {_MASKED_DOMAIN}
    | \b(?:bit\.ly|tinyurl\.com|t\.me|wa\.me|cutt\.ly|goo\.gl|shorturl\.at|adf\.ly|linktr\.ee
        |kck\.st
        |gofund\.me|paypal\.me|discord\.gg|onlyfans\.com)\s?[/\\]\s?\w
    | \b(?:facebook|instagram|soundcloud|patreon|gofundme|kickstarter|indiegogo|etsy|ebay|teespring
        |change|avaaz)\.(?:com|org)/\w | \bopen\.kakao\.com/
    # Telephone numbers, and names to write to.
    | \b[\w.]{{2,}}@[\w-]+\.[a-z]{{2,}}\b(?![^?]*\?)
    | \b(?:wh?ats?'?\s?app?|telegrams?|텔레그?램?)\b.{{0,30}}(?:{_PHONE}|@\w)
    | (?:{_PHONE}).{{0,30}}\bwh?ats?'?\s?app?\b
    | \U0001f51e.{{0,40}}\b(?:my|tap|click)\b
    | (?:010|공일공)[\s.-]?\d{{4}}[\s.-]?\d{{4}}
    | (?:카톡|카카오톡|텔레(?:그램)?|라인|디코|위챗|kakao)\s?(?:아이디|id|문의|상담|추가|친추)?\s*
        (?:[:@]\s*[\w.]{{3,}}|[a-z_.]{{2,}}[\d_\#][\w\#]*|\d+[a-z]{{2,}}\w*)
    | (?:ㅌㄹ|ㅋㅌ|ㅌㄱ)\s?:?\s?[a-z][a-z\d_]{{4,}}
    | (?:카톡|카카오톡|텔레(?:그램)?|라인|디코|kakao)\s?(?:아이디|id)\s*:?\s*[a-z][\w.]{{3,}}
    """,
    re.VERBOSE,
)
_CONTACT: Final = re.compile(
    rf"{_PHONE}|[\w.]+@[\w-]+\.\w+|@\w{{4,}}|wh?ats?'?\s?app|telegram|카톡|텔레|오픈\s?채팅|프로필"
)
_ADDRESS: Final = re.compile(rf"{_URL}|{_OTHER_VIDEO}|{_DOMAIN}|{_SPOKEN_DOMAIN}", re.VERBOSE)
_LINK: Final = re.compile(_URL, re.VERBOSE)
_VIDEO: Final = re.compile(_OTHER_VIDEO)
_ONESELF: Final = re.compile(
    r"\b(?:me|my|our|us|check|look|watch|listen|please|pls|plz|see|subscribe)\b"
)
_SOURCE: Final = re.compile(
    r"\b(?:is|are|does|do|what|where)\b[^.!?]*\?|\b(?:source|stud(?:y|ies)|papers?|articles?|according|cites?|cited|reference|evidence|report"
    r"|documentation|message_with_links|lyrics|interview|docs?)\b|참고|출처|논문|기사|자료|원문|링크는"
)
"""A link beside one of these is something to read on the subject, or is asked about."""
_LURE: Final = re.compile(
    r"""
    \b(?:check|click|visit|vot(?:e|ing)|buy|sell|order|shop(?:ping)?|sign|join|win|won|donat\w+
        |download|watch|free|earn\w*|money|cash|paid|cheap\w*|discount|price|prices|deals?|shipping
        |meet|dating|giveaways?|followers|subscribers|likes|views|overnight|share|help|support|follow|hack|product
        |read\smore|better
        |go\s(?:here|to)|(?:find|learn|see)\s(?:out|more|who|how)|viral|spread|truth|survey|viewed
        |guaranteed|gems|casino|bet|bonus|cured?|herbs?|contact|reach|email|bring|brought|saved)\b
    | \d\s?%\soff
    | 할인|무료|체험|선착순|이벤트|최저|구매|판매|가입|신청|입장|클릭|다시\s?보기|보러
    | 방문|놀러|초대|투표|청원|동의|도와|눌러|들어오|오세요|업체|주소|문의|사이트|보너스|충전|공구
    """,
    re.VERBOSE,
)


# Complaints

_COMPLAINT: Final = re.compile(
    r"""
    \b(?:spam(?:s|mers?|ming|med)?|bots?|scam(?:s|mers?)?|scammed)\b
    | \bstop\s(?:\w+\s){0,2}(?:saying|asking|posting|writing|spamming|advertising|promoting
        |begging)
    | \b(?:people|everyone|everybody|kids|idiots|those|these|all|guys|many)\s(?:\w+\s){0,4}
        (?:say(?:ing)?|ask(?:ing)?|post(?:ing)?|writ(?:e|ing)|beg(?:ging)?|advertis(?:e|ing))\b
    | ["'\u201c][^"\u201d]{2,40}["'\u201d]\scomments? | \b(?:tired|sick)\sof\b | \bannoying\b
    | \b(?:nobody|no\sone)\s(?:is|cares|wants|will)\b | \bdon'?t\s(?:click|fall|trust|believe)\b
    | \bbe\scareful\b | \bbeware\b | \breport(?:ed|ing)?\b | \bpathetic\b | \bwhy\sdo\speople\b
    | \bfake\saccounts?\b | \badvertis(?:e|ing)\s(?:here|their)\b
    | 스팸|도배|신고|사칭|사기(?!\s?(?:없|아님|아닙))|속지|조심|당했|당합|중독|단속|처벌|규제
        |근절|망[했한]|차단
    | 광고\s?(?:댓글|계정|봇|전화|좀|왜|너무) | 댓글.{0,20}(?:왜|너무|많|싫|지워|짜증|그만)
    | (?:누르지|하지|믿지|들어가지)\s?(?:마|말|좀) | 그만\s?(?:좀|해|달)
    """,
    re.VERBOSE,
)
_APOLOGY: Final = re.compile(
    r"""
    \b(?:not|no|isn'?t|ain'?t)\s(?:an?\s)?(?:spam\w*|bots?|scams?)\b
    | \b(?:sorry|hate\sto|forgive|excuse)\b.{0,25}\b(?:spam|advertis|bother)
    | \bi\sknow\b.{0,50}\bbut\b | \bbut\s(?:please|pls|check|can\syou|could\syou)\b
    | (?:죄송|미안|실례).{0,15}(?:지만|은데|합니다만)
    """,
    re.VERBOSE,
)


# What every advertisement has some of; most comments have none, and are done with quickly

_WORD: Final = re.compile("[a-z]+")
_ENGLISH_HINT_TEXT: Final = """
    suscribe subcribe subscirbe subscribes hack signals instagram insta ig snap snapchat kik twitter
    tiktok dream stream hear listen income wishlist steam girls code design edit build
    my our mine check visit channel page sub subs subscribe subscribing subscriber subscribers
    sign youtube youtu favor favour likes follow add join hot sexy naked nude horny lonely
    singles vote petition donate kickstarter gofundme indiegogo fund charity send post paste
    copy repost share sharing liking search type code company contact sell giveaway giving
    free win won gift claim selected dm inbox pm text call message earn earned earning earns
    make makes made making profit profits withdraw withdrew whatsapp whats wats app telegram
    telegrams invest invested investing investment bitcoin crypto forex trade trades trading
    dr doctor priest prophet herbalist spell spellcaster money broker advisor adviser mentor
    coach expert mr mrs ms miss http https www com net org info biz xyz shop store site online
    club fun gg ly ee dot watch help paid buy f l gmail kakao t wa paypal
"""
_ENGLISH_HINTS: Final = frozenset(_ENGLISH_HINT_TEXT.split())
_OWN_HINT_TEXT: Final = """
    my our i we im small new upcoming aspiring young struggling by mixtape single
"""
_OWN_HINTS: Final = frozenset(_OWN_HINT_TEXT.split())
_KOREAN_HINT: Final = re.compile(
    r"릴게임|릴 게임|무료머니|바다이야기|톡방|공유방|인스타|단타|가게|식당|매장|월 ?\d"
    "|ㅌㄹ|ㅋㅌ|ㅌㄱ"
    "|채널|유튜|유튭|블로그|구독|맞구|카톡|카카오|텔레|라인|디코|디엠|위챗|쪽지|프로필|프사"
    "|닉네임|닉 |부업|재택|투잡|수익|리딩|급등|종목|주식|코인|자동|바카라|카지노|토토|슬롯"
    "|파워볼|사다리|홀덤|배팅|베팅|놀이터|메이저|첫충|매충|먹튀|유출픽|꽁머니|대출|승인"
    "|현금화|급전|조건|출장|야동|섹파|비아그라|시알리스|성인|외로|조회수|팔로워|좋아요|레플"
    "|미러급|최저가|정품|공구|공동구매|코드|추천인|가입하면|링크|다시보기|다시 보기|무료|검색"
    "|오픈|단톡|카페|정보방|추천방|디스코드|010|공일공|덕분에|선팔|맞팔|방송|신용|신불|무직"
    "|연체|폰테크|결제|애인|스토어|상담|체험|신청|제 |내 |저희|우리|저의|저도|나도|저는|제가"
    "|초보|신입|커버|올리고|벌|부르는|19|\U0001f51e"
)
