"""The world's mail server, as its other parts see it: its name, what it has, how it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from typing import Final

from gotgan.world.faults import FaultKind
from gotgan.world.scene import Scene, SceneRequest, SceneResponse, plain

__all__ = ["CLOSING", "MAIL", "Letter", "mail_host", "refusal_of"]

MAIL: Final = "mail.test"
CLOSING: Final = "421"
"""What an answer begins with after which the server hangs up."""
_REFUSALS: Final[Mapping[FaultKind, str]] = {
    FaultKind.GREYLISTED: "451 4.7.1 greylisted, come again in a minute",
    FaultKind.NO_MAILBOX: "550 5.1.1 nobody of that name is here",
}


@dataclass(frozen=True)
class Letter:
    """A mail that was handed in; it goes no further."""

    at: datetime
    """By the world's clock."""
    sender: str
    to: tuple[str, ...]
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """The mail as a mailbox reads it."""
        return BytesParser(policy=default).parsebytes(self.raw)


def refusal_of(fault: FaultKind | None) -> str | None:
    """What a recipient is refused with; faults of other hosts close the door for a while."""
    if fault is None:
        return None
    return _REFUSALS.get(fault, f"{CLOSING} 4.3.2 {MAIL} takes nothing at this moment")


def mail_host(_scene: Scene, _asked: SceneRequest) -> SceneResponse:
    """What the mail server says to those who come by HTTP."""
    return plain("mails are handed in by SMTP, and go no further\n")
