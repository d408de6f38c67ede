"""Faults of the simulated web: their kinds, and the planned ones."""

from __future__ import annotations

import enum
import threading
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final, Self

from gotgan.errors import UsageError
from gotgan.world import messages
from gotgan.world.scene import SceneRequest


class FaultKind(enum.Enum):
    """A way to misbehave; the value is its name on the command line and over HTTP."""

    sentence: str

    def __new__(cls, name: str, sentence: str) -> Self:
        """A member with a description."""
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
    CD011 = "cd011", "The exchange refuses a second login unless the request overrides the first."
    COMMENTS_DISABLED = "comments-disabled", "YouTube says that the owner wants no comments."
    QUOTA_EXCEEDED = "quota-exceeded", "YouTube says that the units of the day are used up."
    RATE_LIMITED = "rate-limited", "YouTube wants to be asked less often, and says so with a 403."
    PROCESSING_FAILURE = "processing-failure", "YouTube cannot say what is wrong, nor for how long."
    PAGE_TOKEN_INVALID = "page-token-invalid", "YouTube gives the first page, and no further one."
    KEY_INVALID = "key-invalid", "YouTube or a model does not take the key."
    FENCED = "fenced", "A model puts its JSON into a fence, as in a chat."
    CUT_JSON = "cut-json", "A model runs out of tokens in the middle of its JSON, and says so."
    WRONG_SCHEMA = "wrong-schema", "A model answers with JSON that does not match the schema."
    REFUSED = "refused", "A model does not want to answer."
    GREYLISTED = "greylisted", "The mail server wants a mail to come again later, and says 451."
    NO_MAILBOX = "no-mailbox", "The mail server has no such mailbox: 550."

    @classmethod
    def named(cls, name: str) -> FaultKind:
        """The fault of that name."""
        faults = {fault.value: fault for fault in cls}
        if name not in faults:
            raise UsageError(messages.NO_FAULT(name=repr(name), known=faults))
        return faults[name]


EXCHANGE_FAULTS: Final = frozenset(
    {FaultKind.HOLIDAY, FaultKind.HALF, FaultKind.LOGOUT, FaultKind.CD010, FaultKind.CD011}
)
YOUTUBE_FAULTS: Final = frozenset(
    {
        FaultKind.COMMENTS_DISABLED,
        FaultKind.QUOTA_EXCEEDED,
        FaultKind.RATE_LIMITED,
        FaultKind.PROCESSING_FAILURE,
        FaultKind.PAGE_TOKEN_INVALID,
        FaultKind.KEY_INVALID,
    }
)
MODEL_FAULTS: Final = frozenset(
    {
        FaultKind.FENCED,
        FaultKind.CUT_JSON,
        FaultKind.WRONG_SCHEMA,
        FaultKind.REFUSED,
        FaultKind.KEY_INVALID,
    }
)
MAIL_FAULTS: Final = frozenset({FaultKind.GREYLISTED, FaultKind.NO_MAILBOX})


@dataclass(frozen=True)
class PlannedFault:
    """A fault that waits for its requests."""

    host: str
    path: str
    fault: FaultKind
    times: int
    """How often it still happens; 0 is until it is cleared."""

    def matches(self, request: SceneRequest) -> bool:
        """Whether it happens to a request; for robots.txt only if the path names it exactly."""
        if request.path == "/robots.txt" != self.path:
            return False
        return fnmatchcase(request.host, self.host) and fnmatchcase(request.path, self.path)

    def remainder(self) -> tuple[PlannedFault, ...]:
        """What is left of it after it has happened."""
        if self.times == 1:
            return ()
        return (replace(self, times=max(self.times - 1, 0)),)


class Faults:
    """The planned faults; the first that matches a request happens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.planned: tuple[PlannedFault, ...] = ()

    def plan(self, planned: PlannedFault) -> None:
        """Add a fault."""
        if planned.times < 0:
            raise UsageError(messages.BAD_TIMES())
        with self._lock:
            self.planned += (planned,)

    def clear(self) -> None:
        """Remove all faults."""
        with self._lock:
            self.planned = ()

    def take(self, request: SceneRequest) -> FaultKind | None:
        """The fault that happens to a request, counted."""
        with self._lock:
            for place, each in enumerate(self.planned):
                if each.matches(request):
                    before, after = self.planned[:place], self.planned[place + 1 :]
                    self.planned = (*before, *each.remainder(), *after)
                    return each.fault
        return None
