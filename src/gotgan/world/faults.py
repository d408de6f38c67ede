"""How the world misbehaves, where and how often."""

from __future__ import annotations

import enum
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final, Self

from gotgan.errors import UsageError
from gotgan.world.scene import SceneRequest

__all__ = [
    "OF_MAIL",
    "OF_MODELS",
    "OF_THE_EXCHANGE",
    "OF_YOUTUBE",
    "FaultKind",
    "Faults",
    "Planned",
]

_ROBOTS: Final = "/robots.txt"


class FaultKind(enum.Enum):
    """A way to misbehave; the value is its name on the command line and over HTTP."""

    sentence: str

    def __new__(cls, name: str, sentence: str) -> Self:
        """A fault that knows what it does."""
        member = object.__new__(cls)
        member._value_ = name
        member.sentence = sentence
        return member

    THROTTLED = "throttled", "429, with Retry-After."
    THROTTLED_SILENTLY = "throttled-silently", "429, without a word on when to come again."
    FORBIDDEN = "forbidden", "403."
    BROKEN = "broken", "500."
    UNAVAILABLE = "unavailable", "503."
    SLOW = "slow", "The answer comes, a few bytes at a time."
    HANG = "hang", "No answer ever comes."
    TRUNCATED = "truncated", "Fewer bytes than announced, then the connection ends."
    RESET = "reset", "The connection is reset before an answer."
    CUT = "cut", "A whole answer, in which the document ends in the middle."
    GZIP_BOMB = "gzip-bomb", "A small answer that unpacks to 100 MB."
    REDIRECT_LOOP = "redirect-loop", "Redirects that never end."
    REDIRECT_METADATA = "redirect-metadata", "A redirect to a cloud's metadata address."
    REDIRECT_LOOPBACK = "redirect-loopback", "A redirect to this machine, by its number."
    REDIRECT_ELSEWHERE = "redirect-elsewhere", "A redirect to another site."
    CONSENT = "consent", "Redirects that end at a page which asks for consent, with status 200."
    BLOCK = "block", "A page that asks whether you are a robot, with status 200."
    EMPTY = "empty", "A list without a story, a market without a share, a model without a word."
    WRONG_TYPE = "wrong-type", "JSON where a page was asked for."
    GARBAGE = "garbage", "Bytes that mean nothing."
    HOLIDAY = "holiday", "The exchange answers as on a day without trade."
    HALF = "half", "The exchange answers with half a market."
    LOGOUT = "logout", "The exchange has forgotten that one has logged in."
    CD010 = "cd010", "The exchange wants a new password before it lets anybody in."
    CD011 = "cd011", "The exchange says that one is logged in already, unless told not to mind."
    COMMENTS_DISABLED = "comments-disabled", "YouTube says that the owner wants no comments."
    QUOTA_EXCEEDED = "quota-exceeded", "YouTube says that the units of the day are used up."
    RATE_LIMITED = "rate-limited", "YouTube wants to be asked less often, and says so with a 403."
    PROCESSING_FAILURE = "processing-failure", "YouTube cannot say what is wrong, nor for how long."
    PAGE_TOKEN_INVALID = "page-token-invalid", "YouTube gives the first page, and no further one."
    KEY_INVALID = "key-invalid", "YouTube or a model does not take the key."
    FENCED = "fenced", "A model puts its JSON into a fence, as in a chat."
    CUT_JSON = "cut-json", "A model runs out of tokens in the middle of its JSON, and says so."
    WRONG_SCHEMA = "wrong-schema", "A model answers with JSON of a shape that nobody asked for."
    REFUSED = "refused", "A model does not want to answer."
    GREYLISTED = "greylisted", "The mail server wants a mail to come again later, and says 451."
    NO_MAILBOX = "no-mailbox", "The mail server knows nobody of that name, and says 550."

    @classmethod
    def named(cls, name: str) -> FaultKind:
        """The fault of that name."""
        for fault in cls:
            if fault.value == name:
                return fault
        known = ", ".join(fault.value for fault in cls)
        raise UsageError(f"there is no fault {name!r}; use one of {known}")


OF_THE_EXCHANGE: Final = frozenset(
    {FaultKind.HOLIDAY, FaultKind.HALF, FaultKind.LOGOUT, FaultKind.CD010, FaultKind.CD011}
)
"""Those that mean nothing anywhere else."""
OF_YOUTUBE: Final = frozenset(
    {
        FaultKind.COMMENTS_DISABLED,
        FaultKind.QUOTA_EXCEEDED,
        FaultKind.RATE_LIMITED,
        FaultKind.PROCESSING_FAILURE,
        FaultKind.PAGE_TOKEN_INVALID,
        FaultKind.KEY_INVALID,
    }
)
OF_MODELS: Final = frozenset(
    {
        FaultKind.FENCED,
        FaultKind.CUT_JSON,
        FaultKind.WRONG_SCHEMA,
        FaultKind.REFUSED,
        FaultKind.KEY_INVALID,
    }
)
OF_MAIL: Final = frozenset({FaultKind.GREYLISTED, FaultKind.NO_MAILBOX})


@dataclass(frozen=True)
class Planned:
    """A fault that waits for its requests."""

    host: str
    path: str
    fault: FaultKind
    times: int
    """How often it still happens; 0 is until it is cleared."""

    def meets(self, asked: SceneRequest) -> bool:
        """Whether it happens to a request; robots.txt is met only by its full path."""
        if asked.path == _ROBOTS != self.path:
            return False
        return fnmatchcase(asked.host, self.host) and fnmatchcase(asked.path, self.path)

    def once_less(self) -> Iterable[Planned]:
        """What is left of it after it has happened."""
        if self.times == 1:
            return ()
        return (replace(self, times=max(self.times - 1, 0)),)


class Faults:
    """The faults that are planned; of several that meet a request the first happens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._planned: tuple[Planned, ...] = ()

    @property
    def planned(self) -> tuple[Planned, ...]:
        """Those that are still to happen."""
        return self._planned

    def plan(self, planned: Planned) -> None:
        """Add one."""
        if planned.times < 0:
            raise UsageError("a fault happens 1 time or more, or 0 for until it is cleared")
        with self._lock:
            self._planned += (planned,)

    def clear(self) -> None:
        """Behave again."""
        with self._lock:
            self._planned = ()

    def taken(self, asked: SceneRequest) -> FaultKind | None:
        """The fault that happens to a request, counted."""
        with self._lock:
            for place, each in enumerate(self._planned):
                if each.meets(asked):
                    before, after = self._planned[:place], self._planned[place + 1 :]
                    self._planned = (*before, *each.once_less(), *after)
                    return each.fault
        return None
