"""What mails say, and how they are put together so that no text in them can act as a header.

Text of visitors is in one header alone, the subject, on one line and encoded. Composing never
fails, so that no text can get stuck in the queue.
"""

from __future__ import annotations

import re
import unicodedata
from email.contentmanager import raw_data_manager
from email.header import Header
from email.message import EmailMessage
from email.policy import compat32
from email.utils import format_datetime
from typing import Final, NewType
from urllib.parse import quote
from zoneinfo import ZoneInfo

from gotgan.clock import utc_iso
from gotgan.domains.site import messages
from gotgan.domains.site.models import ContactInquiry, Mail
from gotgan.messages import render
from gotgan.texts import Language

Mailbox = NewType("Mailbox", str)
"""One address that was checked."""

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_MAILBOX: Final = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
_MAX_LOCAL_PART: Final = 64
_MAX_MAILBOX: Final = 254
_MAX_SUBJECT: Final = 200
_MAX_PLAIN_SUBJECT: Final = 60
"""Up to here a subject in plain letters fits its line; a longer one is encoded, and so folded."""
_INVISIBLE_CATEGORIES: Final = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, halves of characters, and what ends a line or a paragraph."""
_WIRE: Final = compat32.clone(linesep="\r\n", cte_type="7bit")
"""Folds an encoded subject without losing its spaces, as the newer policies do."""


def compose(mail: Mail, to: Mailbox, sender: Mailbox) -> EmailMessage:
    """A mail as it goes over the wire; the same one whenever it is composed again."""
    message = EmailMessage(policy=_WIRE)
    message["Message-ID"] = f"<{quote(mail.id, safe='')}@{sender.rpartition('@')[2]}>"
    message["Date"] = format_datetime(mail.created_at, usegmt=True)
    message["From"] = sender
    message["To"] = to
    answers = parse_mailbox(mail.reply_to or "")
    if answers is not None:
        message["Reply-To"] = answers
    if mail.purpose == "notice":
        message["Auto-Submitted"] = "auto-generated"
    # A subject that is read as it was written, also where it looks like an encoded one.
    subject = one_line(mail.subject)[:_MAX_SUBJECT]
    is_plain = subject.isascii() and "=?" not in subject and len(subject) <= _MAX_PLAIN_SUBJECT
    message["Subject"] = subject if is_plain else Header(subject, "utf-8", header_name="Subject")
    message.set_content(_lines(mail.body), content_manager=raw_data_manager)
    return message


def parse_mailbox(text: str) -> Mailbox | None:
    """The one address that a text is; None of lists, names, brackets and anything else."""
    local, _, domain = text.strip().rpartition("@")
    try:
        address = f"{local}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        return None
    fits = len(local) <= _MAX_LOCAL_PART and len(address) <= _MAX_MAILBOX
    return Mailbox(address) if fits and _MAILBOX.fullmatch(address) else None


def notice_text(
    inquiry: ContactInquiry, language: Language = "ko", zone: ZoneInfo | None = None
) -> tuple[str, str]:
    """The subject and the body of the mail that tells the company of an inquiry."""
    subject = one_line(inquiry.subject)
    # One line each, so that no field can pretend to be another.
    fields = [
        template(value=one_line(value))
        for name, template in messages.NOTICE_FIELDS.items()
        if (value := getattr(inquiry, name))
    ]
    lines = [*fields, messages.NOTICE_RECEIVED(at=inquiry.created_at)]
    head = "\n".join(render(line, language, zone) for line in lines)
    title = render(messages.NOTICE_TITLE(subject=subject), language)
    return title, f"{head}\n\n{inquiry.message}\n"


def reply_text(inquiry: ContactInquiry, message: str) -> tuple[str, str]:
    """The subject and the body of a reply, with the inquiry below it."""
    asked = "\n".join(f"> {line}".rstrip() for line in _lines(inquiry.message).splitlines())
    wrote = f"{utc_iso(inquiry.created_at)} {one_line(inquiry.name)}:"
    return f"Re: {one_line(inquiry.subject)}", f"{message}\n\n{wrote}\n{asked}\n"


def one_line(text: str) -> str:
    """A text on one line, without what cannot be seen."""
    return " ".join("".join(" " if _is_invisible(c) else c for c in text).split())


def _lines(text: str) -> str:
    """A text of several lines, with invisible characters replaced."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c if c in "\n\t" or not _is_invisible(c) else "\ufffd" for c in unified)


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE_CATEGORIES
