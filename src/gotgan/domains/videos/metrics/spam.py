"""Comments that advertise something else; they are counted, and left out of everything."""

from __future__ import annotations

import re
from typing import Final

from gotgan.domains.videos.metrics.words import MAX_COMMENT_CHARS

_OWN: Final = r"""(?:
    channels?|pages?|profiles?|videos?|vids?|covers?|songs?|music|blog|website|site|group|link
)\b"""
_ELSEWHERE: Final = r"(?:https?://|www\.)(?!(?:www\.|m\.)?youtu(?:\.be|be\.com))\S+"
_LURE: Final = r"\b(?:check|click|visit|vote|buy|sign\sup|join|win|donate|download)\b"
_SPAM: Final = re.compile(
    rf"""
    # Look at me: channels, pages and videos of the writer's own.
    \b(?<!i\s)(?<!we\s)(?:check(?:\s?out)?|visit|see|watch|view|like|join|support|share|follow)
        \s(?:out\s)?my\s(?:\w+\s){{0,3}}{_OWN}
    | \b(?:check\s?out|visit)\s(?:this|these|our)\s(?:\w+\s){{0,2}}
        (?:channel|page|website|site|(?:video|playlist)\son\syoutube)
    | \bsub(?:scribe)?\s(?:to|2|for|4)\s(?:me|my|our|subs?)\b | \bsub\s?(?:4|for)\s?sub
    | \bsubscribe\s(?:my|me)\b | \bmy\s(?:new\s)?channel\b.{{0,40}}\bsub(?:scribe)?\b
    | \bfollow\sme\s(?:on|at|@) | \b(?:help|get)\sme\s(?:get\s|reach\s|to\s)?\d[\d,.]*k?\ssubs
    | \bi(?:'m|\sam)\sa\s(?:small|new|upcoming)\s(?:youtuber|channel|rapper|artist)
    # Money, and strangers who know how to make it.
    | \b(?:earn(?:ed|ing|s)?|made?|make|making|profits?)\s.{{0,20}}[$€£]\s?\d[\d,.]*k?.{{0,30}}
        \b(?:online|home|daily|weekly|(?:a|per|every|each)\s(?:day|week|month)|trad\w+|invest\w*)\b
    | \b(?:whats?\s?app|telegram)\b.{{0,20}}(?:\+?\d[\d\s().-]{{6,}}|@\w|\b(?:me|him|her)\b)
    | \binvest(?:ed|ing|ment)?\s(?:with|through)\s(?:mr|mrs|miss|expert|her|him)\b
    | \b(?:bitcoin|crypto|forex)\s(?:trading\s)?(?:expert|mentor|manager)\b
    | \b(?:free|get)\s(?:gift\s?cards?|robux|v-?bucks|iphones?|followers|subscribers)\b.{{0,40}}
        (?:https?:|www\.|\.com|\b(?:link|click|profile)\b)
    | \b(?:click|tap|see)\s(?:on\s)?my\s(?:profile|bio|avatar|picture)\b
    # The same in Korean.
    | (?:제|내|저희|우리)\s?(?:채널|유튜브|블로그)(?:에|에도|도|로)?\s?.{{0,12}}
        (?:놀러\s?(?:오|와)|구독|방문|와\s?주|들러)
    | 맞\s?구독 | 구독\s?품앗이 | 서로\s?구독 | 선구독
    | (?:카톡|카카오톡|텔레(?:그램)?|라인)\s?(?:아이디|id|문의|상담|추가|친추)?\s*[:@]\s*[\w.]{{3,}}
    | (?:프로필|프사|닉네임|닉)\s?(?:을|를)?\s?(?:클릭|눌러|터치)
    | (?:부업|재택(?:알바|근무)|수익\s?인증|무료\s?리딩|리딩방|급등주|종목\s?추천).{{0,40}}
        (?:문의|상담|카톡|텔레|링크|클릭|프로필|신청|입장)
    | (?:바카라|카지노|토토|슬롯|먹튀).{{0,25}}(?:사이트|주소|추천|가입|쿠폰|첫충|보증|문의)
    | 조건\s?만남 | 출장\s?(?:안마|마사지|샵) | 야동\s?(?:사이트|링크)
    | (?:가입|추천인)\s?코드\s?:?\s?[a-z0-9]{{4,}}
    # An address that leads elsewhere, alone or with a lure, or one that hides where it leads.
    | ^\s*{_ELSEWHERE}\s*$ | {_LURE}.{{0,60}}{_ELSEWHERE} | {_ELSEWHERE}.{{0,60}}{_LURE}
    | \b(?:bit\.ly|tinyurl\.com|t\.me|wa\.me|cutt\.ly|goo\.gl|shorturl\.at|adf\.ly)/\w
    | \bopen\.kakao\.com/
    """,
    re.VERBOSE,
)
_HINT: Final = re.compile(
    r"my |sub|visit|check|follow me|http|www|[$€£]|whats?\s?app|telegram|invest|bitcoin|crypto"
    r"|forex|free|get|i'm a|i am a|[a-z]/|채널|유튜브|블로그|구독|카톡|카카오톡|텔레|라인|프로필"
    r"|프사|닉|부업|재택|수익|리딩|급등주|종목|바카라|카지노|토토|슬롯|먹튀|만남|출장|야동|코드"
)
"""What every advertisement has some of; most comments have none, and are done with quickly."""


def is_spam(text: str) -> bool:
    """Whether a comment only wants something visited, bought or followed that is not the video."""
    text = text[:MAX_COMMENT_CHARS].lower()
    return _HINT.search(text) is not None and _SPAM.search(text) is not None
