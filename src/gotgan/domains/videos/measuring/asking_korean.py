"""How Korean comments ask, and ask for something.

Thanks (알려주셔서), wishes (행복하세요) and what viewers ask of each other (구독해 주세요) are put
much like requests: so the verb counts that stands before 주세요, and some of them do not count.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["asks", "asks_for"]

_DO: Final = r"""(?:
    올려|만들어|찍어|다뤄|다루어|알려|보여|들려|불러|가르쳐|풀어|넣어|달아|걸어|적어|띄워|틀어|끊어|
    키워|줄여|늘려|바꿔|고쳐|맞춰|써|입어|먹어|읽어|열어|팔아|찾아|데려|모아|돌려|살려|이어|그려|골라|
    (?:나|다녀|돌아)와|(?<=\s)[와가]|(?<!힘)내|
    (?<!구독|응원|사랑|결혼|기억|용서|이해|좋아|행복|건강|조심|자제|신고|삭제|존중)
    (?<!그만|함께|위로|약속|양해|생각|축하|기대)(?<![화파]이팅)(?<![화파]이팅\s)해
)"""
"""What an author of videos can do; 해 after what only viewers, or nobody, can do is none."""
_FOR_US: Final = r"""\s?(?:
    주세[요용여염욥]|주셈|주십[시쇼]|주라(?!고)|줘(?![서도야라])|주시면|주셨으면|줬으면|주실\s?수|
    주실래|주실까|주시나|주심\s?(?:안|좋)|주면\s?(?:안|좋)|줄\s?수\s?(?:있|없)(?:나|을까|으신)|
    주시길|주시기\s?바|주기\s?바
)"""
_REQUEST: Final = re.compile(
    rf"""
    {_DO}(?:\s?좀)?{_FOR_US}
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
_REQUEST_HINT: Final = re.compile(
    "[주줘줬줄탁싶]|어때|어떠|어떨|원[해합]|다뤄|시[죠급다]|필요|내놔|올려"
)
"""What every request has some of; most comments have none, and are done with quickly."""

_QUESTION: Final = re.compile(
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
_QUESTION_HINT: Final = re.compile("[요여까분?]|[뭐엇디제구마몇]|궁금")
_WONDERS: Final = re.compile("뭐|뭔|무슨|무엇|어디|언제|누구|누가|왜|어떻게|어떤|얼마|몇|혹시|어느")
_END: Final = re.compile(
    r"([가-힣])[?\uff1f]+[\s~^.ㄱ-ㆎ\u2000-\u3000\ufe0f\U0001f000-\U0001faff]*$"
)
_WONDERING: Final = frozenset("요까나가니죠지임음데래")


def asks_for(text: str) -> bool:
    """Whether a plain text asks the author of the video for something."""
    return bool(_REQUEST_HINT.search(text) and _REQUEST.search(text))


def asks(text: str) -> bool:
    """Whether a plain text asks something; a mark alone, as in 진짜?, does not."""
    if _QUESTION_HINT.search(text) and _QUESTION.search(text):
        return True
    end = _END.search(text) if "?" in text or "\uff1f" in text else None
    if end is None or " " not in text:
        return False
    return end[1] in _WONDERING or _WONDERS.search(text) is not None
