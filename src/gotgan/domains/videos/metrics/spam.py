"""Comments that advertise something else; they are counted, and left out of everything.

A comment is spam for what it wants of its readers (visit, follow, buy, vote, pay, write to a
stranger), not for its subject: a video on betting has honest comments on betting. So most words
count only beside another: a channel of the writer's own beside an invitation, an address beside a
lure. Somebody who complains of spam says the same words; unless a contact stands beside them, that
is no spam.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from gotgan.domains.videos.metrics.words import MAX_COMMENT_CHARS
from gotgan.domains.videos.models import Comment

_MIN_COPY_CHARS: Final = 30
"""Shorter texts are written by several people who mean them."""
_MIN_COPIES: Final = 3


def spam_flags(comments: Sequence[Comment]) -> list[bool]:
    """Whether each comment is spam: by its words, or as one of several copies of a suspect text."""
    flags = [is_spam(comment.text) for comment in comments]
    copies: defaultdict[str, list[int]] = defaultdict(list)
    for at, comment in enumerate(comments):
        if len(comment.text) >= _MIN_COPY_CHARS and not flags[at]:
            copies[comment.text].append(at)
    for text, places in copies.items():
        if len(places) >= _MIN_COPIES and _is_suspect(_unmask(text)):
            for at in places:
                flags[at] = True
    return flags


def is_spam(text: str) -> bool:
    """Whether a comment only wants something visited, bought or followed that is not the video."""
    text = _unmask(text)
    words = frozenset(_WORD.findall(text))
    is_english = not words.isdisjoint(_ENGLISH_HINTS) or any(sign in text for sign in _SIGNS)
    is_korean = not text.isascii() and _KOREAN_HINT.search(text) is not None
    if (is_english or is_korean) and _HARD.search(text):
        return True
    is_advert = (
        (is_english and _is_english_advert(text))
        or (is_korean and _KOREAN.search(text) is not None)
        or (not words.isdisjoint(_OWN_HINTS) and _invites(text))
    )
    return is_advert and not _is_complaint(text)


def _is_english_advert(text: str) -> bool:
    if _PROMOTION.search(text) or _MONEY.search(text):
        return True
    if _ADVISER.search(text) and _GAIN.search(text) and _BENEFIT.search(text):
        return True
    if _LINK.search(text):  # elsewhere: to a source, in a question, or an advert
        return _SOURCE.search(_LINK.sub(" ", text)) is None
    if _VIDEO.search(text) and (_OWN.search(text) or _ONESELF.search(text)):
        return True
    return _ADDRESS.search(text) is not None and bool(_LURE.search(_ADDRESS.sub(" ", text)))


def _invites(text: str) -> bool:
    """Whether somebody invites to what they made."""
    return _OWN.search(text) is not None and _INVITATION.search(text) is not None


def _is_complaint(text: str) -> bool:
    """Whether a comment speaks about spam; "sorry for the spam, but …" does not."""
    return _COMPLAINT.search(text) is not None and _APOLOGY.search(text) is None


def _is_suspect(text: str) -> bool:
    """Whether a text has what advertisements have, and nothing else says that it is one."""
    return not _is_complaint(text) and (
        _ADDRESS.search(text) is not None
        or _CONTACT.search(text) is not None
        or (_OWN.search(text) or _INVITATION.search(text) or _GAIN.search(text)) is not None
    )


# Letters that are written so that filters do not see them

_MASKS: Final = re.compile("[\u200b-\u200f\u2060\ufe0f\u20e3\uff01-\uff5e\U0001d400-\U0001d7ff]")
_INVISIBLE: Final = dict.fromkeys([*range(0x200B, 0x2010), 0x2060, 0xFE0F, 0x20E3])
_SPACED: Final = re.compile(
    r"(?<![^\W_])[a-z0-9](?:[ .\-_*][a-z0-9]){4,}(?![^\W_])"
    r"|(?<![^\W_])[가-힣](?:[.\-_*][가-힣])+(?![^\W_])"
)
_JAMO: Final = re.compile("([ㄱ-ㅎ])([ㅏ-ㅣ]|[rl](?=[가-힣ㄱ-ㅣ\\s]))")
_LEADS: Final = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS: Final = {"r": 0, "l": 20}
_FIRST_SYLLABLE, _FIRST_VOWEL, _PER_LEAD, _PER_VOWEL = 0xAC00, 0x314F, 588, 28


def _unmask(text: str) -> str:
    """A text in lower case with its letters as they are read: W.h.a.t.s.A.p.p, ㅋr톡, 𝐕𝐈𝐏."""
    text = text[:MAX_COMMENT_CHARS]
    if not text.isascii() and _MASKS.search(text):
        text = _MASKS.sub(lambda mask: normalize("NFKC", mask[0]), text.translate(_INVISIBLE))
    text = text.lower().replace("\u2019", "'")
    if _SPACED.search(text):
        text = _SPACED.sub(lambda word: re.sub(r"[ .\-_*]", "", word[0]), text)
    if not text.isascii() and _JAMO.search(text):
        text = _JAMO.sub(_composed, text)
    return text


def _composed(jamo: re.Match[str]) -> str:
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
    rf"\b(?<!@)(?!{_SAFE})[a-z0-9][a-z0-9-]{{2,40}}\.(?:com|net|org|info|biz|xyz|shop|store|site|online"
    r"|club|fun|gg|tk|ru|cc|kr|co\.kr|example)\b"
)
_MASKED_DOMAIN: Final = (
    r"\b[a-z0-9-]{3,40}\s?(?:\(dot\)|\[dot\]|\[\.\]|\(\.\)|(?<=www\sdot\s)\w+\sdot\s)\s?"
    r"(?:com|net|org|info|biz|xyz)\b|\bwww\sdot\s\w+"
)
_PHONE: Final = r"\+?\d[\d\s().-]{7,}\d"
_HARD: Final = re.compile(
    rf"""
    # An address alone, one that hides where it leads, and pages of people, shops and collections.
    ^\W*(?:{_URL}|{_OTHER_VIDEO}|{_DOMAIN}\S*)\W*$
    | {_MASKED_DOMAIN}
    | \b(?:bit\.ly|tinyurl\.com|t\.me|wa\.me|cutt\.ly|goo\.gl|shorturl\.at|adf\.ly|linktr\.ee|kck\.st
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
    | (?:카톡|카카오톡|텔레(?:그램)?|라인|디코|kakao)\s?(?:아이디|id)\s*:?\s*[a-z][\w.]{{3,}}
    """,
    re.VERBOSE,
)
_CONTACT: Final = re.compile(
    rf"{_PHONE}|[\w.]+@[\w-]+\.\w+|@\w{{4,}}|wh?ats?'?\s?app|telegram|카톡|텔레|오픈\s?채팅|프로필"
)
_ADDRESS: Final = re.compile(rf"{_URL}|{_OTHER_VIDEO}|{_DOMAIN}", re.VERBOSE)
_LINK: Final = re.compile(_URL, re.VERBOSE)
_VIDEO: Final = re.compile(_OTHER_VIDEO)
_ONESELF: Final = re.compile(
    r"\b(?:me|my|our|us|check|look|watch|listen|please|pls|plz|see|subscribe)\b"
)
_SOURCE: Final = re.compile(
    r"\?\s*$|\b(?:is|are|does|do|what|where)\b[^.!?]*\?|\b(?:source|stud(?:y|ies)|papers?|articles?|according|cites?|cited|reference|evidence|report"
    r"|documentation|explained|lyrics|interview|docs?)\b|참고|출처|논문|기사|자료|원문|링크는"
)
"""A link beside one of these is something to read on the subject, or is asked about."""
_LURE: Final = re.compile(
    r"""
    \b(?:check|click|visit|vot(?:e|ing)|buy|sell|order|shop(?:ping)?|sign|join|win|won|donat\w+
        |download|watch|free|earn\w*|money|cash|paid|cheap\w*|discount|price|prices|deals?|shipping
        |followers|subscribers|likes|views|overnight|share|help|support|follow|hack|product|read\smore|better
        |go\s(?:here|to)|(?:find|learn|see)\s(?:out|more|who|how)|viral|spread|truth|survey|viewed
        |guaranteed|gems|casino|bet|bonus|cured?|herbs?|contact|reach|email|bring|brought|saved)\b
    | \d\s?%\soff | 할인|무료|체험|선착순|이벤트|최저|구매|판매|가입|신청|입장|클릭|다시\s?보기|보러
    | 방문|놀러|초대|투표|청원|동의|도와|눌러|들어오|오세요|업체|주소|문의|사이트|보너스|충전|공구
    """,
    re.VERBOSE,
)


# Oneself: channels, songs and pages of the writer's own

_THING: Final = r"""(?:
    chann?el+s?|pages?|profiles?|vid[ei]os?|vids?|covers?|songs?|music|tracks?|beats|singles?|mixtapes?
    |remix(?:es)?|parod(?:y|ies)|raps?|freestyles?|vlogs?|blog|website|site|group|link|band|store
    |shop|soundcloud|insta(?:gram)?|twitter|tiktok|twitch|patreon|kickstarter|e?book|content|clothing
    |project|tutorials?|album|podcast|reviews|let'?s\splays|sketches|parodies|stor(?:y|ies)|tape|dream
)\b"""
_KIN: Final = r"(?:friend|brother|sister|boyfriend|girlfriend|cousin|son|daughter|bro|buddy|mate)"
_MAKER: Final = r"""(?:
    youtuber|rapper|singer|artist|musician|band|producer|dj|songwriter|vlogger|gamer|duo|channel
    |comedian|filmmaker|company
)\b"""
_FAVOURITE: Final = r"(?!(?:favou?rite|fave?|all|life|wedding|childhood|new\sfav\w*)\b)"
_OWN: Final = re.compile(
    rf"""
    \b(?:
    \b(?:my|our)\s(?:{_FAVOURITE}\w+\s){{0,2}}{_FAVOURITE}{_THING}
    | \bmy\s(?:\w+\s)?{_KIN}(?:'s)?\s(?:\w+\s){{0,3}}(?:made|did|posted|uploaded|covered|{_THING})
    | \b(?:song|cover|video|channel)\sby\smy\s | \bmy\s(?:\w+\s)?{_KIN}s?\sand\si\b
    | \b(?:i|we)(?:'m|\sam|\sare|'ve|\shave)?\s(?:\w+\s){{0,2}}(?:makes?|made|making|doing|did|do|post
        |posted|posting|upload(?:ed|ing)?|started|starting|produced?|rap|rapping|sing|singing|drop
        |dropped|run|wrote|recorded|released|launched|sell|cover|covered)\b\s?(?:\w+\s){{0,5}}{_THING}
    | \b(?:i(?:'m|\sam)|im|we(?:'re|\sare))\s(?:an?\s)?(?:[\w-]+\s){{0,5}}{_MAKER}
    | \b(?:small|new|upcoming|aspiring|young|struggling)\s(?:\w+\s)?{_MAKER}
    | \b(?:mixtape|single|album|ep|freestyle|remix)\sout\snow
    )
    """,
    re.VERBOSE,
)
_INVITATION: Final = re.compile(
    r"""
    \b(?:
    \b(?:go|come)\s(?:to|by|see|and|hang|check|look|like|over)\b | \b(?:stay\stuned|hang\sout|drop\sby|feel\sfree|rate|join\sus|help\sme|have\sa\slaugh)\b
    | \blook\sat\s(?:my|our)\b | \b(?:leave|drop)\sa\s(?:comment|like) | \bsee\syou\sthere\b
    | \blet\sme\sknow\b | \bgive\s(?:us|me|it|them)\sa\b | \bany(?:one|body)\selse\smake | \bwanna\s(?:see|hear)
    | \b(?:pls|plz|please)\s(?:\w+\s)?(?:support|help|like|watch|listen|look|come|visit|check|read|share)\b
    | \bwould\slove\syour\b | \bbetter\sthan\sthis\b | \bif\s(?:u|you)\s(?:like|love|enjoy)\b | \b(?:and|or)\ssub\b
    | \bcheck\s(?:me|us|it|them)\b | \bcheck(?:ing)?\s(?:\w+\s){0,3}out\b | \bcheck\s?out\b | \bcheck\s(?:my|our|mine)\b
    | (?:(?<!\w\s)|\b(?:please|pls|plz|guys|just|go|and|you|come|to|also|then)\s)
        (?:please\s|pls\s)?(?:listen|visit|view|support|subscribe|watch\smy|see\smy|look\sat|hear|watch
        |see)\s(?:to\s)?(?:my|our|it|me|us|him|her|them|out|this|and)\b
    | \b(?:have|take)\sa\s(?:look|listen|peek)\b | \bmore\s(?:on|at|in)\s(?:my|our)\b
    | \bgive\s(?:\S+\s){1,4}(?:a\s)?(?:listen|chance|try|view|look|shot|sub|support)\b
    | \bfeedback\b | \b(?:tell|let)\s(?:me|us)\s(?:know\s)?what\s(?:you|u)\b
    | \bhope\s(?:you|u)\s(?:guys\s|all\s)?(?:like|enjoy)\b | \b(?:any|your|some)\s(?:support|subs?)\b
    | \bhelp\s(?:me|us)\s(?:\w+\s)?(?:grow|get|reach|out)\b | \bcome\s(?:listen|see|through|by|watch)
    | \bmeans?\s(?:a\slot|so\smuch|the\sworld|everything)\sto\sme | \bmean\sa\slot\b
    | \b(?:be|very|really|so)\s(?:grateful|appreciated)\b | \bmake\smy\sday\b
    | \byou\swon'?t\s(?:be\sdisappointed|regret)\b | \b(?:leave|drop|with)\s(?:a|me\sa)\s(?:like|sub)\b
    | \bhit\s(?:my|me)\b | \bclick\b | \bcheap\b | \blink\b | \bby\sthe\sway\b | \bfree\scopy\b
    | \bthumbs\sup\b | \blike\sthis\sso\b | \bsubscribe\b | \bon\s(?:amazon|soundcloud|spotify|itunes)\b
    )
    """,
    re.VERBOSE,
)
_PROMOTION: Final = re.compile(
    rf"""
    \b(?:
    \b(?:my|our)\s(?:own\s|new\s|small\s|youtube\s)*channel\b
        (?!\s(?:of|surfing|since|too)\b)(?<!favourite\schannel)(?<!as\smy\schannel)
    | \bcheck(?:\s?out|ing\sout)?\s(?:my|our)\s(?:[\w-]+\s){{0,4}}{_THING}
    | \b(?<!i\s)(?<!we\s)(?<!they\s)(?:visit|see|watch|view|like|join|support|share|follow)
        \s(?:out\s)?(?:my|our)\s(?:\w+\s){{0,2}}{_THING} | \b(?:watch|see|hear|check\s?out)\smine\b
    | \bcheck\s?out\s(?:his|her|their|\w+'s)\s(?:\w+\s)?(?:channel|page|covers?|videos|remix)\b
    | \b(?:check\s?out|visit)\s(?:this|these|our)\s(?:\w+\s){{0,2}}
        (?:channel|page|website|site|playlist|video\son\syoutube)
    | \b(?:its?|it's|links?|more|full|found|post\w*|upload\w*|naked|live|cover)\s(?:\w+\s){{0,5}}
        (?:on|at)\s(?:my|our)\s(?:channel|page|profile|soundcloud)
    | \bplease\s(?:see|watch|hear|listen\sto)\sthis\s(?:song|video)\stoo
    # Subscribers and followers.
    | \bsub(?:scribe|s|bed)?\s(?:to|2|for|4)\s(?:me|my|our|us|subs?)\b | \bsub\s?(?:4|for)\s?sub
    | \bsubscribe\s(?:my|me|us|our)\b | \b(?:sub|subscribe)\s(?:you\s)?back\b
    | \bsub\s(?:me|us)\b | \bif\s(?:you|u)\ssub\b | \btrad(?:e|ing)\ssubs\b
    | (?:(?<!\w\s)|(?:please|pleas|pls|plz|and|so|guys|people|also|then|go|just|everyone)\s)
        subscribe\b(?!\s(?:to\s(?:this|him|her|them|the|that|you|yo?ur|@)|button|twice|again))
    | \bsub\sif\b | \b(?:need|want|get)\s(?:\w+\s)?subs\b | \bif\si\s(?:get|reach|hit)\s\d[\d,.]*k?\s(?:sub|like)
    | \byoutube\.com/(?:user|channel|c|@)
    | \bforget\sto\ssubscribe\b
    | \b(?:get|make|help)\s(?:me|my\s\w+|us|our\s\w+)\s(?:\w+\s)?(?:to\s)?\d[\d,.]*\s?k?\s(?:subs\b|subscribers?|views)
    | \bsubscribers?,?\s(?:join|help)\sus\b
    | \bsubscribe\sto\severy(?:one|body)\swho | \breturn\sthe\sfavou?r
    | \b(?:who|to)\ssub\b | \bsub\sand\s | \b(?:by\ssubscribing|every\s(?:new\s)?subscriber\sgets)\b
    | \b\d+\s(?:likes|subs)\sand\si(?:'ll|\swill)\b | \bget\sme\sto\s\d[\d,.]*k?\s(?:subs|likes|views)
    | \bfollow\s@?\w+\s(?:\w+\s){{0,3}}follow\sback | \bsingles\sin\syour\sarea\b
    | \bsubscribe\b.{{0,20}}\b(?:i'?m|i\sam)\snew
    | (?<!\w\s)(?:(?:please|pls|plz)\ssub(?=\s?[.!]|\s?$|\si\b|\sguys)|sub\s(?:please|pls|plz))
    | \b(?:go|please|pls)\ssubscribe\sto\s(?!(?:this|him|her|them|the|that|you|yo?ur?)\b)\w+
    | \b(?:check)\s(?:him|her|them)\sout\s?: | \bcheck\s?out\b.{{2,60}}\bsubscribe\sto\s(?:him|her|them)
    | \b(?:(?:help|get)\sme\s(?:get\s|reach\s|to\s|hit\s)*|trying\sto\s(?:get|reach|hit)\s|can\si\sget\s)
        \d[\d,.]*\s?k?\s(?:more\s)?(?:subs\b|subscribers)
    | \b(?<!i\s)follow\s(?:me|us)\b(?=\s(?:on|at|back|@|for)|\s?[:@]) | \bfollow\smy\s(?:insta|ig|twitter)
    | \b(?:like|follow)\s?(?:4|for)\s?(?:like|follow)\b | \b[fl]4[fl]\b
    | \badd\sme\s(?:on|at|back|up)\b | \bjoin\smy\s(?:\w+\s)?(?:server|clan|group|discord)
    | \bi(?:'m|\sam)\sa\s(?:small|new|upcoming)\s(?:youtuber|channel|rapper|artist)
    | \b(?:click|tap|see|visit|view|touch)\s(?:on\s)?my\s(?:profile|bio|avatar|picture|name)\b
    | \blinks?\s(?:is\s|are\s)?(?:in|on)\smy\s(?:bio|profile|channel|page|about)
    | \b(?:hot|sexy|naked|nude|horny|lonely)\b.{{0,60}}\b(?:click|near\syou|my\s(?:profile|page|bio))
    # Favours: votes, petitions, collections, chains of letters.
    | \b(?<!i\s)(?<!we\s)vote\sfor\s(?:me|us|my|our)\b
    | \b(?:please|pls|everyone|everybody|guys|and)\s(?:\w+\s)?sign\s(?:this|the|my|our|a)\s(?:\w+\s)?petition
    | \b(?:please|pls)\s(?:\w+\s)?(?:donate|support\smy)\b | \bdonate\sto\s(?:help|my|our)\b
    | \b(?:please|help|support|share)\b.{{0,30}}\b(?:kickstarter|gofundme|indiegogo|go\sfund\sme)\b
    | \bhelp\s(?:us|me|him|her|my\s\w+|our\s\w+)\s(?:to\s)?(?:win|raise|fund|pay\sfor)\b
    | \b(?:like|liking|share|sharing)\s(?:my|our|this)\s(?:\w+\s)?page\b
    | \bstarting\sa\scharity\b
    | \b(?:send|post|paste|copy|repost|share)\sthis\s(?:\w+\s){{0,2}}(?:to|on|in|with)\s(?:at\sleast\s)?
        (?:\d+|ten|five|seven|fifteen|twenty)\s(?:other\s|more\s|of\syour\s)?
        (?:people|friends|videos|songs|pages|walls)
    # Searches, sales, prizes.
    | \b(?<!i\s)(?:search|type\sin)\s(?:for\s)?["'\u201c].{{3,60}}["'\u201d]
    | \bsearch\s(?:for\s)?\S.{{2,40}}\son\s(?:youtube|amazon|google|spotify|itunes|soundcloud)\b
    | \b(?:use|with)\s(?:my\s|our\s)(?:promo\s|discount\s|coupon\s|referral\s)?code\b
    | \buse\s(?:the\s)?(?:promo\s|discount\s)?code\s\w+\s(?:for|to\sget)\s.{{0,10}}(?:%|off|free|\$)
    | \bwe\sare\sa\s(?:\w+\s){{0,3}}company\b | \bcontact\sus\s(?:today|now|at|for)\b
    | \bi\ssell\s(?:\w+\s){{0,2}}(?:beats|websites?|merch)\b | \bhit\smy\s(?:inbox|dms?)\b
    | \bgiv(?:e|ing)\s?-?away\b.{{0,40}}\bon\s(?:my|our)\b | \bgiving\saway\s.{{2,30}}\bon\s(?:my|our)\b
    | \b(?:free|win|get|won)\s(?:an?\s|some\s|\d+\s)?(?:free\s)?(?:gift\s?cards?|vouchers?|robux|nitro
        |v-?bucks|iphones?|ipads?|ps5s?|gems|followers|subscribers)\b.{{0,40}}
        (?:https?:|www\.|\.com|\b(?:here|links?|click|profile|bio|survey|site|inbox)\b)
    | \byou(?:'ve|\shave)?\s(?:been\s)?(?:randomly\s)?(?:selected|won\sthe)\b
    | \b(?:dm|inbox|pm)\sme\b | \b(?:text|call|message)\s(?:me\s)?(?:on\s|at\s)?\d{{3}}[\s.-]?\d{{3}}
    | \bclaim\s(?:your|ur)\s(?:prize|reward|gift)
    )
    """,
    re.VERBOSE,
)


# Money, and strangers who know how to make it; doctors and wizards whom nobody asked for

_AMOUNT: Final = r"[$€£]\s?\d[\d,.]*k?(?!\s?(?:million|billion|m\b|bn\b))"
_MONEY: Final = re.compile(
    rf"""
    \b(?:
    \b(?:earn(?:ed|ing|s)?|made?|makes?|making|profits?|withdraw\w*)\s.{{0,20}}{_AMOUNT}.{{0,30}}
        \b(?:online|home|daily|weekly|(?:a|per|every|each)\s(?:day|week|month|hour)|trad\w+|invest\w*)\b
    | \b(?:makes?|earn\w*)\s\d[\d,.]*\s(?:dollars|bucks|usd)\s(?:every|an|per|a)\s(?:hour|day|week|month)
    | \b(?:made|make|earn\w*|withdr[ae]w\w*)\s(?:me\s)?.{{0,12}}{_AMOUNT}.{{0,20}}
        \b(?:every|in\s(?:just|only|less))\b
    | \b(?:whats?\s?app|telegrams?)\b.{{0,20}}\b(?:him|her)\b
    | \b(?:text|message|dm|write|contact|reach|email|hit)\s(?:me|him|her|us)\s(?:up\s)?
        (?:on|at|via|through)\s(?:wh?ats?\s?app|telegrams?|\S+@|his|her|\+?\d)
    | \bcontact\s(?:mr|mrs|ms|miss|dr)\b
    | \binvest(?:ed|ing|ment)?\s(?:with|through)\s(?:mr|mrs|miss|expert|her|him)\b
    | \b(?:bitcoin|crypto|forex)\s(?:trading\s)?(?:expert|mentor|manager)\b
    | \btrading\swith\s(?:mr|mrs|ms|miss|expert|coach)\b
    | \b(?:dr|doctor|priest|prophet|herbalist|spell\s?caster)\b.{{0,80}}\b(?:cur(?:ed|ing)|herbs?|healed
        |brought\s(?:my|back)|spell)\b.{{0,120}}\b(?:contact|e?mail|reach|whats\s?app|channel)\b
    | \b(?:spell\s?caster|love\sspell)\b | \b(?:make|earn)\smoney\s(?:online|from\shome|fast)\b
    )
    """,
    re.VERBOSE,
)
_ADVISER: Final = re.compile(
    r"\b(?:mr|mrs|ms|miss|coach|expert|madam)\.?\s[a-z]+|@\w{4,}"
    r"|\b(?:my|a|the|best|her)\s(?:\w+\s){0,2}"
    r"(?:broker|advis[eo]r|account\smanager|mentor|fund\smanager)\b"
)
_GAIN: Final = re.compile(
    r"\b(?:invest(?:ed|ing|ments?)?|trad(?:e|ed|er|es|ing)|crypto|bitcoin|btc|forex|fx\w*|withdr[ae]w\w*"
    r"|profits?|retired?|recovered|portfolio|financial|platform|paid)\b"
)
_BENEFIT: Final = re.compile(
    r"\b(?:made\sme|paid\sme|for\sme|doubled|tripled|helped\sme|changed\smy\slife|thanks\sto|i\s(?:now\s)?(?:make|made|earn|withdraw)"
    r"|recovered|strateg(?:y|ies)|returns|look\s(?:her|him)\sup|message\s(?:him|her)"
    r"|(?:i\s)?ever\smade)\b"
)


# The same in Korean

_MESSENGER: Final = (
    r"(?:카톡|카카오톡|카톡\s?채널|오픈\s?(?:채팅|카톡|챗|톡)|텔레(?:그램)?|라인|디엠|dm|쪽지)"
)
_VISIT: Final = r"""(?:
    놀러|구독\s?(?:부탁|해\s?주|좀|과)|방문|와\s?주|들러|들어\s?주|들으러|봐\s?주|보러\s?(?:오|와)|눌러|들어와
    |보실\s?수|부탁|있어요\s*$|들어봐|[듣보]고\s?가
)"""
_KOREAN: Final = re.compile(
    rf"""
    (?:제|내|저희|우리|저의)\s?(?:[가-힣]+\s)?(?:유튜브|유튭|채널|블로그|영상|커버|노래|브이로그|방송|스토어|홈페이지|카페)
        
        (?!\s?(?:주인|님)).{{0,15}}{_VISIT}
    | (?:제|저희|저의)\s?채널\s?(?:에|도|로|좀)?\s?.{{0,4}}(?:오셔|오시|와서|클릭|구경|확인|검색)
    | (?:유튜버|유튜브|유튭|방송|채널|스트리머|부르는).{{0,6}}(?:입니다|이에요|예요|하는데|인데|합니다|고\d).{{0,20}}
        (?:구독|놀러|봐\s?주|들어)
    | (?:영상|노래|커버|게임|그림).{{0,8}}올리고\s?있.{{0,12}}{_VISIT} | 구독\s?꾹\s?(?:부탁|눌러)
    | 구독자\s?\d+\s?명.{{0,10}}만들어\s?드 | (?:상담|가입|체험)\s?신청\s?하세요
    | (?:디스코드|디코|카톡|텔레|라인|오픈톡|디엠)\s?으?로\s?(?:연락|문의|신청)\s?(?:주세|하세|바랍|주십)
    | 구독\s?(?:한\s?번씩?만?|좀)?\s?(?:눌러\s?주세요|부탁) | [선맞]팔\s?(?:갑니다|해요|하면|환영|해\s?주)
    | (?:저도|나도|저는|제가|초보|신입|새내기).{{0,10}}(?:유튜브|유튜버|채널|커버|영상).{{0,15}}
        (?:시작|올렸|올려|만들었|입니다|인데|했는데).{{0,20}}{_VISIT}
    | (?<![가-힣])맞\s?구(?:독|해|\s|$) | 구독\s?품앗이 | 서로\s?구독 | 선구독 | 구독과\s?좋아요\s?(?:부탁|한\s?번만)
    | 구독\s?(?:해\s?주시면|부탁|하시면|오시면).{{0,15}}저도 | 구독자\s?\d+\s?명.{{0,6}}(?:목표|도와)
    | (?:프로필|프사|닉네임|닉)\s?(?:을|를)?\s?(?:클릭|눌러|터치)
    | (?:제|내)\s?(?:프로필|닉네임).{{0,8}}(?:있|클릭|확인|링크) | 프로필(?:에)?\s?링크 | 링크\s?프로필
    | {_MESSENGER}\s?(?:으?로\s?)?(?:문의|상담|연락|추가)?\s?
        (?:하세요|주세요|주십|환영|바랍|남겨|문의\s*$|\S*\s?검색\s*(?:하세요|$))
    | (?:오픈\s?채팅(?:방)?|단톡방|디스코드(?:\s?서버)?|카페|정보방|리딩방|추천방)\s?(?:에|으?로)?\s?
        (?:들어오|놀러\s?오|가입하세|입장|오세요)
    # Money.
    | (?:부업|재택\s?(?:알바|근무)|투잡|수익\s?인증|무료\s?리딩|리딩방|급등주|종목\s?추천|자동\s?매매).{{0,40}}
        (?:문의|상담|카톡|텔레|링크|클릭|프로필|신청|입장|들어오|검색하)
    | (?:주식|코인|종목).{{0,30}}(?:무료로\s?받|리딩방|정보방|추천방|오픈\s?채팅|무료로\s?알려|복구\s?도와)
    | (?:월|하루|매일|한\s?달|일주일|만에)\s?.{{0,6}}\d+\s?(?:만|천|억).{{0,8}}(?:벌|수익).{{0,15}}
        (?:프로필|링크|방법|문의|카톡)
    | (?:리딩|프로|대표님|이사님|팀장님).{{0,15}}덕분에.{{0,30}}(?:벌었|수익)
    | (?:바카라|카지노|토토(?!로)|슬롯|파워볼|사다리|홀덤|배팅|베팅).{{0,25}}
        (?:사이트|주소|가입|쿠폰|보증|문의|검증|보너스|업체|체험|픽|바로\s?가기|첫\s?입금|안전한)
    | 안전\s?놀이터 | 메이저\s?(?:사이트|놀이터) | [첫매]충(?=\s|\d|$) | 먹튀\s?(?:없|검증) | 유출픽 | 꽁머니
    | (?:당일|무직자|신불자|무서류|소액|작업)★?\s?.{{0,4}}(?:대출|승인)
    | 대출.{{0,12}}(?:당일|승인\s?가능|문의|상담\s?(?:환영|가능)|가능합니다|가능\s?문의)
    | (?:신용\s?불량|신불|무직|연체)자?.{{0,15}}(?:가능|승인) | (?:폰테크|소액\s?결제).{{0,20}}(?:현금|당일|시세|상담)
    | (?<!할인\s)코드\s?:?\s?(?=[a-z0-9]*\d)[a-z0-9]{{5,}} | 채널\s?추가\s?하세요 | 프사.{{0,5}}눌러
    | (?:플레이\s?스토어|앱\s?스토어)에.{{0,12}}검색 | 애인\s?대행 | 리딩.{{0,25}}(?:감사|덕분).{{0,20}}검색
    | 현금화.{{0,15}}(?:\d+\s?%|상담|문의|수수료|최저) | 급전.{{0,12}}(?:필요하신|연락)
    # Adult services, goods, searches.
    | 조건\s?만남 | 출장\s?(?:안마|마사지|샵) | 야동.{{0,6}}(?:사이트|링크|보러\s?가) | 섹파\s?구
    | (?:비아그라|시알리스|성인용품).{{0,15}}(?:판매|구매|문의|최저|할인) | 외로운.{{0,20}}(?:프로필|눌러)
    | (?:구독자|조회수|팔로워|좋아요).{{0,10}}(?:늘려\s?드|판매|늘리기.{{0,20}}(?:업체|문의|실제|저렴|드려))
    | (?:레플리카|미러급|최저가|정품급?|공구|공동구매).{{0,12}}(?:판매\s?(?:합|중|문의)|문의|진행\s?중|사이트)
    | (?:가입|추천인|초대)\s?코드\s?:?\s?[a-z0-9]{{4,}} | 추천인\s?[a-z]{{2,}}\d+
    | 가입하면.{{0,12}}(?:드려|드립|지급|받아)
    | (?:무료|이벤트|참여|신청|나눔).{{0,20}}링크 (?!\s?(?:있|좀|알려|어디)) | 링크\s?(?:를\s?)?(?:클릭|눌러)
    | (?:무료|다시\s?보기|보는\s?곳).{{0,20}}(?:사이트\s|검색하세요)
    | (?:네이버|구글|유튜브)에\s?.{{2,15}}\s?검색(?:하세요|해\s?(?:보세요|주세요)|$)
    | 검색하세요\s*$ | (?:링크|주소).{{0,4}}(?:동의|투표)해\s?주
    """,
    re.VERBOSE,
)


# Complaints

_COMPLAINT: Final = re.compile(
    r"""
    \b(?:spam(?:s|mers?|ming|med)?|bots?|scam(?:s|mers?)?|scammed)\b
    | \bstop\s(?:\w+\s){0,2}(?:saying|asking|posting|writing|spamming|advertising|promoting|begging)
    | \b(?:people|everyone|everybody|kids|idiots|those|these|all|guys|many)\s(?:\w+\s){0,4}
        (?:say(?:ing)?|ask(?:ing)?|post(?:ing)?|writ(?:e|ing)|beg(?:ging)?|advertis(?:e|ing))\b
    | ["'\u201c][^"\u201d]{2,40}["'\u201d]\scomments? | \b(?:tired|sick)\sof\b | \bannoying\b
    | \b(?:nobody|no\sone)\s(?:is|cares|wants|will)\b | \bdon'?t\s(?:click|fall|trust|believe)\b
    | \bbe\scareful\b | \bbeware\b | \breport(?:ed|ing)?\b | \bpathetic\b | \bwhy\sdo\speople\b
    | \bfake\saccounts?\b | \badvertis(?:e|ing)\s(?:here|their)\b
    | 스팸|도배|신고|사칭|사기(?!\s?(?:없|아님|아닙))|속지|조심|당했|당합|중독|단속|처벌|규제|근절|망[했한]|차단
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
_ENGLISH_HINTS: Final = frozenset(
    """
    my our mine check visit channel page sub subs subscribe subscribing subscriber subscribers sign
    youtube youtu favor favour likes follow add join hot sexy naked nude horny lonely singles vote
    petition donate kickstarter gofundme indiegogo fund charity send post paste copy repost share
    sharing liking search type code company contact sell giveaway giving free win won gift claim
    selected dm inbox pm text call message earn earned earning earns make makes made making profit
    profits withdraw withdrew whatsapp whats wats app telegram telegrams invest invested investing
    investment bitcoin crypto forex trade trades trading dr doctor priest prophet herbalist spell
    spellcaster money broker advisor adviser mentor coach expert mr mrs ms miss http https www com net
    org info biz xyz shop store site online club fun gg ly ee dot watch help f l gmail kakao
    """.split()
)
_SIGNS: Final = ("://", ".me/", "@")
_OWN_HINTS: Final = frozenset(
    "my our i we im small new upcoming aspiring young struggling by mixtape single".split()
)
_KOREAN_HINT: Final = re.compile(
    "채널|유튜|유튭|블로그|구독|맞구|카톡|카카오|텔레|라인|디코|디엠|위챗|쪽지|프로필|프사|닉네임|닉 |부업|재택|투잡|수익|리딩"
    "|급등|종목|주식|코인|자동|바카라|카지노|토토|슬롯|파워볼|사다리|홀덤|배팅|베팅|놀이터|메이저|첫충|매충|먹튀|유출픽|꽁머니"
    "|대출|승인|현금화|급전|조건|출장|야동|섹파|비아그라|시알리스|성인|외로|조회수|팔로워|좋아요|레플|미러급|최저가|정품|공구"
    "|공동구매|코드|추천인|가입하면|링크|다시보기|다시 보기|무료|검색|오픈|단톡|카페|정보방|추천방|디스코드|010|공일공|덕분에"
    "|선팔|맞팔|방송|신용|신불|무직|연체|폰테크|결제|애인|스토어|상담|체험|신청|제 |내 |저희|우리|저의|저도|나도|저는|제가"
    "|초보|신입|커버|올리고|벌|부르는|19|\U0001f51e"
)
