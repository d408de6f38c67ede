"""How English comments ask, and ask for something."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["asks", "asks_for"]

_DO: Final = r"""(?:
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
_REQUEST: Final = re.compile(
    rf"""
    \b(?:can|could|would|will)\s{_YOU}\s(?:{_PLEASE}\s|maybe\s|also\s|possibly\s){{0,2}}{_DO}
    | \b{_PLEASE}\s(?:can\s{_YOU}\s|also\s|just\s|keep\s){{0,2}}{_DO}
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
    | \b(?:wish|hope)\s{_YOU}\s(?:would\s|could\s|can\s|will\s)?{_DO}
    | \b(?:we|i)\s(?:really\s)?(?:need|want)\s(?:a|an|another|more|the)\s(?:\w+\s){{0,3}}{_SERIES}
    """,
    re.VERBOSE,
)
_REQUEST_HINT: Final = re.compile(r"\b(?:you|u|ya|y'all|pl[sz]+|pleas|please|i'd|i|we|would)\b")
"""What every request has some of; most comments have none, and are done with quickly."""

_ABOUT: Final = r"""(?:
    is|are|was|were|do|does|did|can|could|would|should|will|much|many|long|often|song|kind|brand
    |model|camera|app
)\b"""
_WHO: Final = r"""(?:
    any(?:one|body)|some(?:one|body)|it|this|that|there|you|u|we|i|they|he|she|the
)\b"""
_QUESTION: Final = re.compile(
    rf"""
    (?:^|[.!?]\s?|\b(?:so|but|and|hey|hi|wait|bro|guys|question),?:?\s)(?:
        (?:what|which|who|whose|where|when|why|how)(?:'s\s|\s{_ABOUT}|\b[^.!?]{{0,80}}\w\s?\?)
        | (?:does|do|is|are|can|could|has|have|did|will|would|should)\s{_WHO}[^.!]*\?
    )
    | \b(?:any(?:one|body)\s(?:knows?|here\sknow)|does\sanyone|what'?s\sthe\s(?:name|song|title))\b
    """,
    re.VERBOSE,
)
_END: Final = re.compile(r"[a-z0-9)\"'\u201d]\s?\?+[\s.\u2000-\u3000\ufe0f\U0001f000-\U0001faff]*$")
_LETTER: Final = re.compile("[a-z]")


def asks_for(text: str) -> bool:
    """Whether a plain text asks the author of the video for something."""
    return bool(_REQUEST_HINT.search(text) and _REQUEST.search(text))


def asks(text: str) -> bool:
    """Whether a plain text asks something; without its mark it has to begin as questions do."""
    if not _LETTER.search(text):
        return False
    if "?" in text:
        return bool(_QUESTION.search(text) or (" " in text and _END.search(text)))
    return "!" not in text and _QUESTION.search(text) is not None
