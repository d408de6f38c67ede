"""Remarks that ask the author for something, and questions, in Korean and in English.

The lists are ranked by likes: what many people like was seldom misread. In Korean, thanks
(알려주셔서), wishes (행복하세요) and requests to other viewers (구독해 주세요) look like requests
to the author: so the verb before 주세요 decides, and some verbs do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from gotgan.domains.videos.metrics.measurements import NotableComment
from gotgan.domains.videos.metrics.words import Remark

MAX_FOUND: Final = 20
"""How many of each kind are counted and listed."""


def is_request(text: str) -> bool:
    """Whether a plain text asks the author of the video to do something."""
    return _is_korean_request(text) or _is_english_request(text)


def is_question(text: str) -> bool:
    """Whether a plain text is a question, and no request."""
    return (_is_korean_question(text) or _is_english_question(text)) and not is_request(text)


def find_requests(remarks: Sequence[Remark]) -> tuple[NotableComment, ...]:
    """The requests, the most liked first."""
    return _first_matches(remarks, is_request)


def find_questions(remarks: Sequence[Remark]) -> tuple[NotableComment, ...]:
    """The questions, the most liked first."""
    return _first_matches(remarks, is_question)


def _first_matches(
    remarks: Sequence[Remark], is_wanted: Callable[[str], bool]
) -> tuple[NotableComment, ...]:
    """The first remarks of a kind, without replies to other viewers."""
    texts = (each for each in remarks if not each.text.startswith("@") and is_wanted(each.text))
    return tuple(remark.notable for remark in islice(texts, MAX_FOUND))


_KOREAN_VERBS: Final = r"""(?:
    올려|만들어|찍어|다뤄|다루어|알려|보여|들려|불러|가르쳐|풀어|넣어|달아|걸어|적어|띄워|틀어|끊어|
    키워|줄여|늘려|바꿔|고쳐|맞춰|써|입어|먹어|읽어|열어|팔아|찾아|데려|모아|돌려|살려|이어|그려|골라|
    (?:나|다녀|돌아)와|(?<=\s)[와가]|(?<!힘)내|
    (?<!구독|응원|사랑|결혼|기억|용서|이해|좋아|행복|건강|조심|자제|신고|삭제|존중)
    (?<!그만|함께|위로|약속|양해|생각|축하|기대)(?<![화파]이팅)(?<![화파]이팅\s)해
)"""
"""What an author of videos can do; 해 does not count after what only viewers do."""
_KOREAN_FOR_US: Final = r"""\s?(?:
    주세[요용여염욥]|주셈|주십[시쇼]|주라(?!고)|줘(?![서도야라])|주시면|주셨으면|줬으면|주실\s?수|
    주실래|주실까|주시나|주심\s?(?:안|좋)|주면\s?(?:안|좋)|줄\s?수\s?(?:있|없)(?:나|을까|으신)|
    주시길|주시기\s?바|주기\s?바
)"""
_KOREAN_REQUEST: Final = re.compile(
    rf"""
    {_KOREAN_VERBS}(?:\s?좀)?{_KOREAN_FOR_US}
    | (?<!잘\s)(?<!잘)(?<!관심|사랑|응원|성원|구독|시청)(?<!(?:관심|사랑|응원|성원|구독|시청)\s)
      부탁(?:드려|드리|드립|드릴|해요|해용|합니다|이요|해도)
    | (?:다음|담)(?:에|엔|번에|번엔|영상|화|편|\s(?:영상|편|화|리뷰|주제|컨텐츠|콘텐츠))
      [^.!?]{{0,30}}(?:
        보고\s?싶|듣고\s?싶|갑시다|봅시다|어떠(?:세요|신가|실)|어때요|어떨까요|원해요|원합니다|다뤄|
        가시죠|해보시
      )
    | (?:
        리뷰|후기|강의|강좌|자막|풀버전|풀영상|2편|2탄|후속편|시즌2|음원|라이브|브이로그|레시피|튜토리얼
      )(?:도|좀|도\s?좀)?\s?
      (?:원해|원합니다|기다릴게|올려|만들어|해줘|주세요|내놔|시급|필요해요|필요합니다)
    """,
    re.VERBOSE,
)
_KOREAN_REQUEST_HINT: Final = re.compile(
    "[주줘줬줄탁싶]|어때|어떠|어떨|원[해합]|다뤄|시[죠급다]|필요|내놔|올려"
)
"""Every request has one of these; most comments are rejected quickly."""

_KOREAN_QUESTION: Final = re.compile(
    r"""
    (?:
        까[요여]|(?:[있없하되가오쓰사파보주드시먹찍받좋많같맞겠]|[았었했됐왔갔봤])나[요여]|나[요여](?=\?)|
        [은는인던한된온간건뭔쁜싼큰린른든운진긴난신]가[요여]|[습입됩합십]니까|는지요
    )(?=[\s.?!~,;^ㄱ-ㆎ]|$)
    | (?:뭐|무엇|어디|언제|누구|얼마|몇\s?\w{1,3})(?:이|가)?\s?
      (?:예요|에요|이에요|이예요|죠|임|냐|야)(?=\s*(?:\?|$))
    | 아시는\s?분|아는\s?분|궁금(?:합니다|해요|한데|하네요)
    """,
    re.VERBOSE,
)
_KOREAN_QUESTION_HINT: Final = re.compile("[요여까분?]|[뭐엇디제구마몇]|궁금")
_KOREAN_QUESTION_WORD: Final = re.compile(
    "뭐|뭔|무슨|무엇|어디|언제|누구|누가|왜|어떻게|어떤|얼마|몇|혹시|어느"
)
_KOREAN_END: Final = re.compile(
    r"([가-힣])[?\uff1f]+[\s~^.ㄱ-ㆎ\u2000-\u3000\ufe0f\U0001f000-\U0001faff]*$"
)
_KOREAN_QUESTION_ENDINGS: Final = frozenset("요까나가니죠지임음데래")


def _is_korean_request(text: str) -> bool:
    """Whether a plain text asks the author of the video for something."""
    return bool(_KOREAN_REQUEST_HINT.search(text) and _KOREAN_REQUEST.search(text))


def _is_korean_question(text: str) -> bool:
    """Whether a plain text asks something; a mark alone, as in 진짜?, does not."""
    if _KOREAN_QUESTION_HINT.search(text) and _KOREAN_QUESTION.search(text):
        return True
    end = _KOREAN_END.search(text) if "?" in text or "\uff1f" in text else None
    if end is None or " " not in text:
        return False
    return end[1] in _KOREAN_QUESTION_ENDINGS or _KOREAN_QUESTION_WORD.search(text) is not None


_ENGLISH_VERBS: Final = r"""(?:
    do|make|create|cover|review|react|upload|post|show|explain|try|test|compare|add|bring|release|
    drop|come|play|talk|share|teach|continue|include|consider|invite|interview|collab(?:orate)?|
    feature|visit|update|record|sing|perform|translate|discuss|analy[sz]e|rank|build|cook|fix|
    lower|increase|turn|put|give|link|film|stream|remix|read|draw|write|tell|open|start|stop|
    finish|return
)\b"""
"""What an author of videos can do."""
_PLEASE: Final = r"(?:please|pleas|pl[sz]+)"
_YOU: Final = r"(?:you\sguys|you|u|ya|y'all)"
_SERIES: Final = r"""(?:
    part\s(?:2|two|3)|tutorial|full\sversion|live\sversion|review|episode|sequel|collab|videos?|
    series|season|cover
)\b"""
_ENGLISH_REQUEST: Final = re.compile(
    rf"""
    \b(?:can|could|would|will)\s{_YOU}\s(?:{_PLEASE}\s|maybe\s|also\s|possibly\s){{0,2}}{_ENGLISH_VERBS}
    | \b{_PLEASE}\s(?:can\s{_YOU}\s|also\s|just\s|keep\s){{0,2}}{_ENGLISH_VERBS}
    | \b(?:make|do|upload|post|release|add|review|react\sto|part\s(?:2|two)|tutorial|full\sversion
        |more)\b[^.!?]{{0,40}}\s{_PLEASE}\b
    | \b(?:next|another|more)\s(?:video|episode|part|one)s?\s(?:on|about|with|of)\b
      [^.!?]{{0,40}}{_PLEASE}\b
    | \b(?<!what\s)(?<!how\s){_YOU}\s(?:should|need\sto|have\sto|gotta|must)\s
      (?:also\s|really\s|definitely\s|totally\s)?
      (?:do|make|cover|review|react|try|test|compare|upload|post|collab|invite|visit|interview
        |bring|add|continue)\b
    | \b(?:i'd|would)\s(?:really\s|absolutely\s)?(?:love|like)\s
      (?:to\s(?:see|hear|watch)|{_YOU}\sto|(?:a|another)\s{_SERIES}|(?:it\s)?if\syou)
    | \b(?:wish|hope)\s{_YOU}\s(?:would\s|could\s|can\s|will\s)?{_ENGLISH_VERBS}
    | \b(?:we|i)\s(?:really\s)?(?:need|want)\s(?:a|an|another|more|the)\s(?:\w+\s){{0,3}}{_SERIES}
    """,
    re.VERBOSE,
)
_ENGLISH_REQUEST_HINT: Final = re.compile(
    r"\b(?:you|u|ya|y'all|pl[sz]+|pleas|please|i'd|i|we|would)\b"
)
"""Every request has one of these; most comments are rejected quickly."""

_ABOUT: Final = r"""(?:
    is|are|was|were|do|does|did|can|could|would|should|will|much|many|long|often|song|kind|brand
    |model|camera|app
)\b"""
_WHO: Final = r"""(?:
    any(?:one|body)|some(?:one|body)|it|this|that|there|you|u|we|i|they|he|she|the
)\b"""
_ENGLISH_QUESTION: Final = re.compile(
    rf"""
    (?:^|[.!?]\s?|\b(?:so|but|and|hey|hi|wait|bro|guys|question),?:?\s)(?:
        (?:what|which|who|whose|where|when|why|how)(?:'s\s|\s{_ABOUT}|\b[^.!?]{{0,80}}\w\s?\?)
        | (?:does|do|is|are|can|could|has|have|did|will|would|should)\s{_WHO}[^.!]*\?
    )
    | \b(?:any(?:one|body)\s(?:knows?|here\sknow)|does\sanyone|what'?s\sthe\s(?:name|song|title))\b
    """,
    re.VERBOSE,
)
_ENGLISH_END: Final = re.compile(
    r"[a-z0-9)\"'\u201d]\s?\?+[\s.\u2000-\u3000\ufe0f\U0001f000-\U0001faff]*$"
)
_LETTER: Final = re.compile("[a-z]")


def _is_english_request(text: str) -> bool:
    """Whether a plain text asks the author of the video for something."""
    return bool(_ENGLISH_REQUEST_HINT.search(text) and _ENGLISH_REQUEST.search(text))


def _is_english_question(text: str) -> bool:
    """Whether a plain text asks something; without its mark it has to begin as questions do."""
    if not _LETTER.search(text):
        return False
    if "?" in text:
        return bool(_ENGLISH_QUESTION.search(text) or (" " in text and _ENGLISH_END.search(text)))
    return "!" not in text and _ENGLISH_QUESTION.search(text) is not None
