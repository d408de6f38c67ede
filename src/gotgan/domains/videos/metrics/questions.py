"""Remarks that ask the author for something, and questions, in Korean and in English.

Listed is only what the author of the video can answer or do. So these are left out: replies to
other viewers and words to them (구독해 주세요, who else is watching?), what only others can do
(a minister, a shop), rhetorical questions (왜 이렇게 좋아요?, how is this not viral?), thanks and
wishes (알려주셔서, 행복하세요), and what is only quoted. What is left is ranked by likes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from gotgan.domains.videos.metrics.measurements import NotableComment
from gotgan.domains.videos.metrics.words import Remark

MAX_FOUND: Final = 20
"""How many of each kind are counted and listed."""
_MAX_QUESTIONS: Final = 3
"""A text with more of them is a speech, and waits for no answer."""
_MAX_SENTENCE_CHARS: Final = 160
"""A longer sentence is a speech as well."""
_MAX_TEXT_CHARS: Final = 250
"""A longer text is a question only if it addresses its reader."""
_DIRECT: Final = re.compile(
    r"혹시|궁금|아시는|[으하쓰]시[나는]|\b(?:do|did|are|have|can|could|would)\s(?:you|u)\b"
)


def is_request(text: str) -> bool:
    """Whether a plain text asks the author of the video to do something."""
    if _REQUEST_HINT.search(text) is None:
        return False
    return any(map(_is_request_sentence, _sentences(text)))


def is_question(text: str) -> bool:
    """Whether a plain text is a question that the author could answer, and no request."""
    if "?" not in text and _QUESTION_HINT.search(text) is None:
        return False
    is_speech = len(text) > _MAX_TEXT_CHARS and not _DIRECT.search(text)
    if is_speech or text.count("?") > _MAX_QUESTIONS:
        return False
    if not any(map(_is_question_sentence, _sentences(text))):
        return False
    return _BLAME.search(text) is None and not is_request(text)


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
    texts = (each for each in remarks if not _is_reply(each) and is_wanted(each.text))
    return tuple(remark.notable for remark in islice(texts, MAX_FOUND))


def _is_reply(remark: Remark) -> bool:
    return remark.comment.parent_id is not None or remark.text.startswith("@")


_QUOTED: Final = re.compile(
    r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u2018[^\u2019]*\u2019|(?<!\w)'[^']{2,}'(?!\w)|「[^」]*」|\*[^*]+\*"
)
_DIALOGUE: Final = re.compile(r"(?:^|[.!?]\s)[\w가-힣]+(?:\s[\w가-힣]+){0,3}\s?:\s")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?~…])[\s\"')]+|(?<=[ㅋㅎㅠㅜ])\s+|(?<=[^\s?])\s?;+\s")
_BLAME: Final = re.compile(
    r"제정신|한심|성의|[쓰슈]레기|최악|지루|실망|[망폭]했|양심|지랄|미친\s?(?:놈|것|새)|새끼|[놈넘년]들?(?:아|이|은|의)?(?:\s|$)|[0-9]점|평점|별점"
    r"|병신|ㅂㅅ|시발|씨발|ㅅㅂ|욕나|아깝|짜증|노답|돈\s?낭비"
    r"|\b(?:pathetic|disgusting|stupid|idiots?|trash|garbage|shame|ashamed|disgrace|annoying|wtf|irresponsible)\b"
)
"""Who scolds does not wait for an answer."""
_TO_VIEWERS: Final = re.compile(
    r"""
    (?:^|\s)(?:여러분|님들|다들|형들|니들|너희|너네|느그|얘들아|애들아|댓글|댓글러|글쓴이
        |윗\s?분|윗댓|님[은이도아]
        |시청자\s?분|구독자\s?분)
    | (?:보|듣|계시|있|오)[는신]\s?(?:분|사람)(?:들)?\s?(?:손|있|계|없|\?)
    | \b(?:you\sguys\s(?:in|who|that|think|feel)|guys\sin\s|in\sthe\scomments|comment\ssection
        |commenters?
        |everyone\splease|everybody\splease|(?:someone|somebody|anyone|anybody)\s(?:please|pls|plz)
        |people\splease|dear\s(?:viewers|haters)|haters|to\severyone|to\sthose|y'?all\sneed)\b
    """,
    re.VERBOSE,
)


def _sentences(text: str) -> Iterator[str]:
    """The sentences that may be meant for the author: no quotes, no dialogues, no speeches."""
    if '"' in text or "'" in text or "\u201c" in text or "\u2018" in text or "*" in text:
        text = _QUOTED.sub(" ", text)
    if ": " in text and _DIALOGUE.search(text):
        return
    for sentence in _SENTENCE_END.split(text):
        if len(sentence) <= _MAX_SENTENCE_CHARS and not _TO_VIEWERS.search(sentence):
            yield sentence.strip()


def _is_request_sentence(text: str) -> bool:
    """Whether a sentence asks the author of the video for something."""
    if _KOREAN_REQUEST.search(text):
        return _OTHER_ADDRESSEE.search(text) is None
    if _ENGLISH_REQUEST.search(text):
        return _ENGLISH_PLEA.search(text) is None
    return False


def _is_question_sentence(text: str) -> bool:
    """Whether a sentence asks what the author of the video could answer."""
    if _KOREAN_QUESTION.search(text):
        return not (_KOREAN_RHETORIC.search(text) or _OTHER_ADDRESSEE.search(text))
    if not _LETTER.search(text):
        return False
    if "?" in text:
        found = _ENGLISH_QUESTION.search(text) or _ENGLISH_SHORT.search(text)
    else:
        found = _ENGLISH_UNMARKED.search(text) if "!" not in text else None
    return found is not None and _ENGLISH_RHETORIC.search(text) is None


_REQUEST_HINT: Final = re.compile(
    "주[세셈십라면셨시실심기길]|줘|줬으|줄 ?수|탁[드해합이]|싶|어때|어떠|어떨|원해|원합|다뤄"
    "|시죠|시급|[갑봅]시|기다릴|필요|내놔|올려"
    r"|\b(?:can|could|would|will|should|need|have|gotta|must|wish|hope|want|next|i'd"
    r"|pl(?:ease|eas|[sz]+))\b"
)
_QUESTION_HINT: Final = re.compile(
    "[나까가냐세셔어예에셨했였봤샀왔죠][요여]|죠|니까|는지|[임냐] ?$|아시는|아는 ?분|궁금"
    r"|^(?:so|hi|hey|wait|and|question|what|which|where|when|how|why|is|do)\b"
    r"|any(?:one|body) |what'?s the"
)
"""Every request and every question has one of these; most comments are done with quickly."""


# Korean

_KOREAN_VERBS: Final = r"""(?:
    올려|만들어|찍어|다뤄|다루어|알려|보여|들려|불러|가르쳐|풀어|넣어|달아|걸어|적어|띄워|틀어|
    키워|줄여|늘려|바꿔|고쳐|맞춰|입어|먹어|읽어|열어|팔아|찾아|모아|이어|그려|골라|
    (?:나|다녀|돌아)와|(?<=\s)[와가]|(?<!힘)(?<!참고\s)(?<=\s)내|
    (?<!구독|응원|사랑|결혼|기억|용서|이해|좋아|행복|건강|조심|자제|신고|삭제|존중|처벌|구속
        |수사|해임|사퇴)
    (?<!그만|함께|위로|약속|양해|생각|축하|기대|해결|보호|석방|폐지|환불|교환|배송|주목|시청
        |관심|배려)
    (?<!책임|각오|인정|사과|척결|완수|출소|구제|이혼
        |도와)(?<!잘)(?<!제대로)(?<![화파]이팅)(?<![화파]이팅\s)
    (?<!강력하게\s)(?<!오래\s)(?<!오래오래\s)(?<!열심히\s)(?<!같이\s)해
)"""
"""What an author of videos can do; 해 does not count after what only viewers or others do."""
_KOREAN_FOR_US: Final = r"""\s?(?:
    주세[요용여염욥]|주셈|주십[시쇼]|주라(?!고)|줘(?![서도야라])|주시면|주셨으면|줬으면|주실\s?수|
    주실래|주실까|주시나|주심\s?(?:안|좋)|주면\s?(?:안|좋)|줄\s?수\s?(?:있|없)(?:나|을까|으신)|
    주시길|주시기\s?바|주기\s?바
)"""
_KOREAN_REQUEST: Final = re.compile(
    rf"""
    {_KOREAN_VERBS}(?:\s?좀)?{_KOREAN_FOR_US}
    | (?<!잘\s)(?<!잘)(?<!관심|사랑|응원|성원|구독|시청)(?<!(?:관심|사랑|응원|성원|구독
        |시청)\s)(?<!많이\s)
      부탁(?:드려|드리|드립|드릴|해요|해용|합니다|이요|해도)
    | (?:다음|담)(?:에|엔|번에|번엔|영상|화|편|\s(?:영상|편|화|리뷰|주제|컨텐츠|콘텐츠))
      [^.!?]{{0,30}}(?:
        보고\s?싶|듣고\s?싶|갑시다|봅시다|어떠(?:세요|신가|실)|어때요|어떨까요|원해요|원합니다
        |다뤄|
        가시죠|해보시
      )
    | (?:
        리뷰|후기|강의|강좌|자막|풀버전|풀영상|2편|2탄|후속편|시즌2|음원|라이브|브이로그|레시피
        |튜토리얼
      )(?:도|좀|도\s?좀)?\s?
      (?:원해|원합니다|기다릴게|올려|만들어|해줘|주세요|내놔|시급|필요해요|필요합니다)
    """,
    re.VERBOSE,
)
_OTHER_ADDRESSEE: Final = re.compile(
    r"""
    대통령|장관|정부|국회|의원|검찰|경찰|검사|판사|법원|기자|기레기|언론|국민|나라|정치|국방
        |시장님|후보|민주당|국힘
    | 하나님|하느님|주님|예수|처벌|사형|코로나|고객\s?센터|판매자|사장님|배송|포장지?|택배|환불
        |교환\s?해
    | 누가\s?(?:좀|나|우리) | 살려\s?[주줘] | 엄마|아빠|저희\s?(?:어머니|아버지)가\s?그
    """,
    re.VERBOSE,
)
"""Who or what is spoken to, or of, if it is not the author of the video."""

_KOREAN_FACT: Final = r"""(?:
    (?:^|(?<=[\s,~]))(?:얼마나|뭐가(?=\s(?:나을|좋을|다른))|어디|언제|누구|얼마|어느|무슨|어떤
        |뭐(?!가\s|라)|뭘|뭔|무엇|어떻게|어케|몇)(?![가든]\s|나\s|\s?봐도|인가\s|군)
    | (?<=[가-힣])(?:어디|언제|뭐)(?=[에서예임껀꺼서]|\s?[사했쓰])
)"""
"""A word that asks for a fact, but none such as 뭔가, 언제봐도 and 누구나."""
_KOREAN_QUESTION: Final = re.compile(
    rf"""
    # Facts: who, when, where, how much, by what means.
    {_KOREAN_FACT}[^.!?]{{0,30}}?(?:
        (?:[나까가냐세셔죠]요|(?<![세하해])[어예에셨했였봤샀왔]요|에여|예여|니까|죠
        |는지요?)(?=[\s?~^;,ㄱ-ㆎ]|$)
        |[가-힣][요여]\s?\?|(?:[임냐야지함음]|했어|갔어|[인은는]가|하지|되지|노|여|데)\s?\?
        |임\s?$|냐\s?$|죠\s?$)
    # What the author has, does and did.
    | [가-힣](?:시나|으시나|셨나|신가)요 | [가-힣]신\s?(?:건가요|거예요|거에요|건지)
    # What is possible, needed, there or true.
    | (?:[되돼될]|가능한|가능할|[있없]을|있|없|나오|나왔|괜찮은|괜찮|좋은|해야\s?[되하]
        |[아어여]야\s?[하되]|써야\s?하|필요한|맞|[인된한같쓴산]|다른|필요)
      (?:나요|까요|가요|는지요|을까요)
    | 왜[^.!?]{{0,20}}(?:인가요|건가요|되나요|되는지|안\s?(?:되나요|나오나요)|다른가요|하셨|쓰셨
        |이유가)
    | (?:은|는|이|가|도|로|랑|제품|정보|제목|이름|링크)\s?\S{{0,8}}(?:인가요|[가-힣]나요
        |[될할볼쓸살먹갈]까요)(?=[\s?~^ㄱ-ㆎ]|$)
    | 돼요\? | 되요\? | (?:에요|예요)\s[^?]{{1,15}}(?:에요|예요)\? | 어때요\?
    | 아시는\s?분(?!이)|아는\s?분(?!이) | 궁금(?:합니다|해요|한데|하네요|해용)
    """,
    re.VERBOSE,
)
_KOREAN_RHETORIC: Final = re.compile(
    r"""
    지\s?않(?:나|아|을|습|냐)|잖아|아닌가|아닐까|아닙니까|아니(?:에요|야|냐|니)\?|안\s?그래
        |말이\s?[됩되돼]|실화|제정신|양심|도대체|대체
    | 왜\s?이(?:렇게|리|제)|왜[케캐]|왤케|왜\s?그(?:렇게|럴까|러)|왜\s?저(?:러|럴|렇게)|나만
        |저만|나뿐|저뿐|언제까지
    | 누가\s?\S*\s?(?:했|하겠|알겠|싫|막)|누군들|어찌|어떻게\s?(?:이런|이럴|이렇|그럴|그렇|저런
        |저럴|저렇|안\s)|어쩜
    | 뭐\s?하(?:는|십|시는|자는)|뭐하|뭔\s?소리|무슨\s?(?:소리|생각|짓|상관|말이|의미|이득)|뭐냐
        |뭐니|뭡니까|뭐라고\s?생각
    | 생각\s?(?:안|하시는|하나요|하세요|드나요)|부끄럽|창피|책임|정신|어이|한심|미[쳤친]|지랄
        |새끼|놈|얼마나\s?(?:좋|힘들|아프|슬프|행복|예쁘|대단|많은)
    | 인간|이게\s?(?:뭐|무슨|나라|맞)|이걸\s?왜|저걸\s?왜|뭐가\s?(?:문제|좋|그|대단|어때|부족
        |아쉬)|어디\s?(?:있을까|있겠|갔|가나)|어디까지
    | [란일할될을]까\s?\?*$|(?:던가|ㄴ가|인가|는가|건가|은가|는걸까|인걸까)\s?[?.…~ㅋㅎㅠㅜ]*$
        |(?:이|하|았|었|겠)나\?*$|겠(?:어요|습니까|냐|나요|니)|[데줄]\s?어디|방법이?\s?없나|원래
        |아무|가(?:요|여)\s*$(?<=여행이나\s가요)|언제\s?함|결함\s?인정|저렇게\s|저런
    | 괜찮(?:으세요|으신|아요)|안녕|어떡|어쩌|보셨나요|아시나요|기억하|그런\s?게\s?어디
        |그게\s?뭐|뭐\s?어때|뭐\s?어떻|뭐라\s?(?:하|해)
    | 뭐야|^\S{0,6}\s?뭐임\s?[ㅋ?]*$|뭐지|이건\s?뭔|언제나|누구나|어디나|어디서나|무엇이든
        |누구든|얼마든|어디든|언제든|뭐든|몇\s?(?:번|년)\s?(?:을|째\s?(?:보|듣|돌려))
    | [가-힣]{2}\s?(?:저만|나만)|왜\s?싫|왜\s?[가-힣]{0,6}(?:없|모르|안\s?(?:하|해)|못)
        |뜨(?:나요|냐)|알고리즘
    """,
    re.VERBOSE,
)
"""Amazement, blame, musing and small talk in the form of questions."""


# English

_ENGLISH_VERBS: Final = r"""(?:
    do|make|create|cover|review|react|upload|post|show|explain|try|test|compare|add|bring|release|
    drop|come|play|talk|share|teach|continue|include|consider|invite|interview|collab(?:orate)?|
    feature|visit|update|record|sing|perform|translate|discuss|analy[sz]e|rank|build|cook|fix|
    lower|increase|slow|turn|put|give|link|film|stream|remix|read|draw|write|tell|open|start|stop|
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
    \b(?:can|could|would|will)\s{_YOU}\s(?:{_PLEASE}\s|maybe\s|also\s
        |possibly\s){{0,2}}{_ENGLISH_VERBS}
    | \b{_PLEASE}\s(?:can\s{_YOU}\s|also\s|just\s|keep\s){{0,2}}{_ENGLISH_VERBS}
    | \b(?:make|do|upload|post|release|add|review|react\sto|part\s(?:2|two)|tutorial|full\sversion
        |more)\b[^.!?]{{0,40}}\s{_PLEASE}\b
    | \b(?:next|another|more)\s(?:video|episode|part|one)s?\s(?:on|about|with|of)\b
      [^.!?]{{0,40}}{_PLEASE}\b | \bnext\svideo\sshould\b
    | \b(?<!what\s)(?<!how\s){_YOU}\s(?:should|need\sto|have\sto|gotta|must)\s
      (?:also\s|really\s|definitely\s|totally\s)?
      (?:do|make|cover|review|react|test|compare|upload|post|collab|invite|visit|interview
        |bring|add|continue|try\s(?:the|a|an|to\smake|making|this|that|doing))\b
    | \b(?:i'd|would)\s(?:really\s|absolutely\s)?(?:love|like)\s(?:
        to\s(?:see|hear|watch)\s(?:you|a|an|another|more|some|part)\b
        |{_YOU}\sto|(?:a|another)\s{_SERIES}|(?:it\s)?if\syou)
    | \b(?:wish|hope)\s{_YOU}\s(?:would\s|could\s|can\s|will\s)?{_ENGLISH_VERBS}
    | \b(?:we|i)\s(?:really\s)?(?:need|want)\s(?:a|an|another|more|the)\s(?:\w+\s){{0,3}}{_SERIES}
    """,
    re.VERBOSE,
)
_ENGLISH_PLEA: Final = re.compile(
    rf"""
    \b{_PLEASE}\s(?:just\s)?(?:
        stop|share\sthis|return|come\sback|read\s(?:this|my|the|it)|tell\sme\s(?:i|why|this|that
        |it|you)
        |give\s(?:him|her|them|this|us\speace|it\sup)|open\syour|turn\s(?:to|back)
        |do\s(?:not|n't|your\s\w+|something|better|it\sfor|the\sright)|don'?t|put\s(?:him|her
        |them|down)
        |keep\s(?:it\sup|going|up)|start\s(?:being|treating|thinking)|make\s(?:it\sstop
        |this\sviral|sure)
        |continue\s(?:to\sbe|being)|fix\s(?:your|the\s(?:country|system)))
    | \b(?:can|could|would)\s{_YOU}\s(?:stop|not|read|tell\sme\swhy|do\sbetter|do\sthis\?
        |make\sit\sany)
    | \b{_YOU}\s(?:should|need\sto|have\sto|must)\s(?:do\sbetter|do\syour|do\sthis\sin
        |try\s(?:to\sbe|harder))
    | \b(?:god|lord|jesus|mr\.?\spresident|government|president|mods?|admins?
        |youtube)\b[^.!?]{{0,20}}
        {_PLEASE}\b | \bhope\s{_YOU}\s(?:do\swell|make\sit)\b
    """,
    re.VERBOSE,
)
"""What is asked of other viewers or of the world, and what is only an outcry."""

_FACT: Final = (
    r"(?:what|which|where|when|how\s(?:long|much|many|often|far|old|tall|hot|big|fast|to))"
)
_AUX: Final = r"(?:is|are|was|were|do|does|did|can|could|should|will|would|has|have|had|'s|'re)"
_ENGLISH_QUESTION: Final = re.compile(
    rf"""
    \b{_FACT}(?:'s|'re|\s{_AUX})\b[^?]*\?
    | \b(?:what|which|whose)\s\w+(?:\s\w+){{0,3}}\s{_AUX}\b[^?]*\?
    | \b(?:in|at|on|from|which|to)\swhat\s\w+[^?]*\?
    | \bwhat\s\w+\s\w+(?:\s\w+)?\?$ | \bor\s(?:just\s)?\w+(?:\s\w+){{0,3}}\?$
    | \bwhat\shappens\s(?:if|when)\b[^?]*\?
    | \bwho\s(?:do|is|was|made|did|wrote|sings?|plays?|directed|edited|designed|do\syou)\b[^?]*\?
    | \bhow\s(?:do|did|does|can|could|should|would)\s(?:you|u|i|we|it|the|this|one)\s[^?]*\?
    | \b(?:do|did|are|were|have|will|would|could|can)\s(?:you|u)\s[^?]*\?
    | (?:^|[,.]\s?|\b(?:so|but|and|or|also|hey|hi|wait|question|btw|just\scurious)[,:]?\s)
      (?:is|are|was|does|do|did|can|could|will|should|has)\s
      (?:this|that|it|there|these|those|i|we|the|your|any(?:one|body)|some(?:one|body))\s[^?]*\?
    | \bwhy\s(?:did|do|are|were|don'?t|didn'?t|would)\s(?:you|u)\s(?!(?:so|like\sthis|hate
        |always))[^?]*\?
    | \bwhy\s(?:is|are|was|does|do|did)\s(?:the|your|we)\s[^?]*\?
    | \b(?:any(?:one|body)\s(?:knows?|here\sknow|tried|got)|does\sany(?:one|body))\b[^?]*\?
    """,
    re.VERBOSE,
)
_ENGLISH_SHORT: Final = re.compile(
    r"""
    ^(?:the\s|any\s|got\sa\s|hi\s|hey\s|\W)*(?:[\w'$-]+\s){0,2}
        (?:links?|names?|songs?|titles?|recipe|brand|price|dates?|part|episode|source|camera
        |model|location
        |upload|patch\snotes|version|song\sname|track\s?list|subtitles|music|size|degrees
        |servings|[\d:]+)
        (?:\s\d+)?\s?\?
    """,
    re.VERBOSE,
)
_ENGLISH_UNMARKED: Final = re.compile(
    rf"""
    ^(?:so|hi|hey|wait|and|question)?[,:]?\s?(?:
        {_FACT}(?:'s\s|\s(?:do|did|does|is|are|can)\s(?:you|u|i|we|this|that|the|it|your)\b|\s\w+\s
            (?:is|are|do|did|does|was)\s(?:this|that|the|you|it|he|she)\b)
        |(?:when|how\smuch|how\slong|where)\s(?:is|was|are|were|does|did|do)\s(?!i\s|people|he\b
        |she\b|they\b|the\s(?:beat|drop))
        |how\s(?:do|did|does|can)\s(?:you|u|i|we|it)\b|why\s(?:do|did)\s(?:you|u|we)\b
        |is\s(?:this|there|it)\s\w+\s(?:for|in|on|available|or|a\s)|do\syou\s(?:use|have|sell
        |ship)\b)
    | \b(?:any(?:one|body)\s(?:knows?|here\sknow|have)|does\sany(?:one|body)\s(?:know|have)
        |what'?s\sthe\s(?:name|song|title))\b
    """,
    re.VERBOSE,
)
_ENGLISH_RHETORIC: Final = re.compile(
    r"""
    \b(?:who|any(?:one|body)|am\si|is\sit|is\sany(?:one|body)|does\sany(?:one|body))\s
        (?:else|the\sonly|just\sme|still|here|watching|listening|in\s20\d\d|feel|actually
        |remember)\b
    | \b(?:did|has|have)\sany(?:one|body)\s
        (?:notic|see|saw|catch|caught|hear|spot|tried|try|figure|watch)\w*
    | \bjust\sme\b | \bhow\smany\s(?:of\s(?:you|us)|more|people|times\s(?:do|must|have\si))\b
    | \bhow\s(?:do|did|does|can|could|would|is|are)\s(?:\w+\s){1,4}(?:so\s(?!much\sfor)|even\b
        |not\b|only\b|still\b
        |sleep|like\sthis\b|like\sthat\b|better\b|dislike|hate)
    | \bwhat\s(?:is|are|was|were|'s)\s(?:wrong|going\son|happening|life|love|this\sworld
        |this\ssorcery|this\?|he\sthinking
        |they\s(?:thinking|doing|talking)|you\s(?:talking|waiting|even)|the\s(?:point|matter
        |difference\sbetween\sme))
    | \bwhat\s(?:more|else|a|an|if|kind\sof\s(?:person|monster|idiot|people|world))\b
    | \bwhat\s(?:did|have)\s(?:i|we)\s(?:just|do\sto|done|ever)\b
    | \bwhat\sdo\s(?:you|they)\s(?:guys\s)?(?:think|expect|mean|want)\b
    | \bwhere\s(?:is|are|was)\s(?:the\s)?(?:justice|melody|soul|love|humanity|logic|lie|respect
        |outrage)\b
    | \bwhere\shave\s(?:you|i)\b | \ball\smy\slife\b
    | \bwhen\swill\s(?:people|they|we|this\send|you\slearn|humanity)
    | \bcan\s(?:we|you)\s(?:all\s)?(?:talk|just|appreciate|take\sa|imagine|believe|feel|hear
        |smell|see\show|please\sget|not)\b
    | \bare\s(?:you|u)\s(?:kidding|serious|sure|ok\b|okay|blind|deaf|stupid|dumb|crazy|human|real
        |insane|mad|joking
        |telling|high|drunk|not\sentertained|for\sreal|even|still\sthere|ready|happy\snow)
    | \b(?:do|did|have|would|will)\s(?:you|u)\s(?:guys\s)?(?:ever|think|agree|remember|realise
        |realize|feel|know\s(?:that|what\si|how|why)
        |see\s(?:that|how|what|it)|hear\sthat|notice|guys\salso|also|want\sto\sknow|not|even
        |really|call\sthis|mean)\b
    | \bdid\s(?:you|u)\sknow\b | \b(?:you\sknow|guess)\swh(?:at|y|o)\b
    | \bhave\s(?:you|u)\s(?:seen|heard)\b
    | \byour\sfavou?rite\b
    | \b(?:is|was)\s(?:this|that|it)\s(?:even|a\sjoke|real\b|real\slife|heaven|love|what|all|not
        |really|legal|the\sbest|for\sreal)
    | \b(?:isn'?t|aren'?t|wasn'?t|don'?t\s(?:you|we|they)|doesn'?t\sit|wouldn'?t|can'?t\s(?:you
        |we|they)|didn'?t\s(?:we|they|he|she))\b
    | \bwhy\s(?:is|are|was|does|do|did|would|can'?t|am)\s(?:\w+\s){1,5}so\b
    | \bwhy\s(?:do|does|did|is|are)\s(?:people|everyone|nobody|no\sone|he|she|they|this|it)\b
    | \bwhy\sdo\swe\s(?:even|always|keep|let|have\sto)\b
    | \bwho\s(?:cares|asked|needs|wants|would|could|did\sthis|let|hurt|is\s(?:she|he)\sto
        |are\syou\sto)\b
    | \b(?:what|who|why|how)\sthe\s(?:hell|heck|f\w+)\b
    | ,\s(?:right|huh|eh|no|ok|okay|yeah|really|seriously|isn't\sit|aren't\swe)\s?\?
    | \b(?:government|president|congress|biden|trump|politicians?|the\smedia|society|humanity
        |god)\b
    | \b(?:remember|imagine|know|wonder)\s(?:when|those|that\sfeeling)\b | \bthe\slast\stime\b
    | \bshould\s(?:i|we)\s(?:be\s(?:worried|scared)|cry|laugh)\b
    | \bdoes\s(?:this|that|it)\smake\s(?:me|you|sense)\b
    | \b(?:is|are)\s(?:there\sanything|anyone)\s(?:he|she|they|you|surprised)\b
    | \b(?:can|could)\s(?:it|this|that|things|life)\s(?:get|be)\s(?:any|more)\b
    | \bwould\syou\srather\b | \bwhat\sabout\s(?:me|us)\b
    """,
    re.VERBOSE,
)
"""Amazement, blame and small talk in the form of questions, and questions to other viewers."""
_LETTER: Final = re.compile("[a-z]")
