"""The one door to mail servers: SMTP, encrypted where it can be, its errors as sentences."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from ipaddress import ip_address
from typing import Final, Self
from urllib.parse import unquote, urlsplit

from gotgan.domains.site import messages
from gotgan.errors import MailFailed, MailUnreachable
from gotgan.messages import Message, text
from gotgan.settings import Secret

_PORT: Final = 587
_TLS_PORT: Final = 465
_TIMEOUT_S: Final = 10.0
_OK: Final = 250
_CLOSING: Final = 421
"""What a server says that closes the connection, whatever it was asked."""
_MAX_ERROR_LENGTH: Final = 300


class Postbox:
    """Where mails are handed in."""

    def __init__(
        self,
        url: Secret,
        sender: str = "",
        *,
        tls: ssl.SSLContext | None = None,
        patience: float = _TIMEOUT_S,
    ) -> None:
        """Mails without ``sender`` come from the company; ``patience`` is in seconds an answer."""
        self.sender = sender
        self._server = _Server.parse(url)
        self._tls = tls
        self._patience = patience

    def deliver(self, message: EmailMessage) -> None:
        """Hand in one mail."""
        with self.session() as session:
            session.deliver(message)

    @contextmanager
    def session(self) -> Iterator[SmtpSession]:
        """Hand in several over one connection."""
        session = SmtpSession(self._server, self._tls, self._patience)
        try:
            yield session
        finally:
            session.close()


@dataclass(frozen=True)
class _Server:
    """What the address of a mail server says."""

    host: str
    port: int
    is_tls: bool
    user: str
    password: Secret

    @classmethod
    def parse(cls, url: Secret) -> Self:
        """Read an address that the settings have checked."""
        parts = urlsplit(url.reveal())
        is_tls = parts.scheme == "smtps"
        return cls(
            host=parts.hostname or "",
            port=parts.port or (_TLS_PORT if is_tls else _PORT),
            is_tls=is_tls,
            user=unquote(parts.username or ""),
            password=Secret(unquote(parts.password or "")),
        )

    @property
    def is_loopback(self) -> bool:
        """Whether what is sent there never leaves the machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class SmtpSession:
    """A connection to a mail server: opened when a mail needs it, and again when it broke."""

    def __init__(self, server: _Server, tls: ssl.SSLContext | None, patience: float) -> None:
        self._server = server
        self._tls = tls
        self._patience = patience
        self._connection: smtplib.SMTP | None = None

    def deliver(self, message: EmailMessage) -> None:
        """Hand in a mail; when this returns, the server has taken it upon itself."""
        connection = self._open_connection()
        try:
            connection.send_message(message)
        except smtplib.SMTPRecipientsRefused as refusal:
            raise self._refusal_error(*next(iter(refusal.recipients.values()))) from refusal
        except smtplib.SMTPResponseException as refusal:
            raise self._refusal_error(refusal.smtp_code, refusal.smtp_error) from refusal
        except OSError as error:
            connection.close()
            raise MailUnreachable(
                messages.SERVER_CLOSED(server=self._server, cause=_cause(error))
            ) from error

    def open(self) -> None:
        """Connect and log in; MailUnreachable or MailFailed if that fails."""
        self._open_connection()

    def close(self) -> None:
        """Take leave of the server, if it is still there."""
        if self._connection is None:
            return
        with suppress(OSError):
            self._connection.quit()
        self._connection.close()
        self._connection = None

    def _open_connection(self) -> smtplib.SMTP:
        if self._connection is not None:
            with suppress(OSError):  # many servers close a connection that was used enough
                if self._connection.noop()[0] == _OK:
                    return self._connection
        self.close()
        self._connection = self._connect()
        return self._connection

    def _connect(self) -> smtplib.SMTP:
        """A connection that is encrypted and logged in, as far as the address asks for it."""
        server = self._server
        try:
            at, timeout = (server.host, server.port), self._patience
            connection = (
                smtplib.SMTP_SSL(*at, timeout=timeout, context=self._trust())
                if server.is_tls
                else smtplib.SMTP(*at, timeout=timeout)
            )
            try:
                self._encrypt(connection)
                self._log_in(connection)
            except BaseException:
                connection.close()
                raise
            return connection
        except smtplib.SMTPAuthenticationError as error:
            # Not in the server's words: some repeat what they received.
            raise MailUnreachable(
                messages.SERVER_LOGIN(server=server, status=str(error.smtp_code))
            ) from None
        except ssl.SSLCertVerificationError as error:
            raise MailUnreachable(
                messages.SERVER_CERTIFICATE(server=server, cause=_cause(error.verify_message))
            ) from error
        except OSError as error:
            raise MailUnreachable(
                messages.SERVER_UNREACHABLE(server=server, cause=_cause(error))
            ) from error

    def _encrypt(self, connection: smtplib.SMTP) -> None:
        server = self._server
        if server.is_tls:
            return
        connection.ehlo()
        if connection.has_extn("starttls"):
            connection.starttls(context=self._trust())
        elif server.user and not server.is_loopback:
            raise MailUnreachable(messages.SERVER_UNENCRYPTED(server=server))

    def _log_in(self, connection: smtplib.SMTP) -> None:
        server = self._server
        if not server.user:
            return
        try:
            connection.login(server.user, server.password.reveal())
        except smtplib.SMTPNotSupportedError:
            raise MailUnreachable(messages.SERVER_WITHOUT_LOGIN(server=server)) from None
        except UnicodeEncodeError:  # it holds the password
            raise MailUnreachable(messages.BAD_PASSWORD()) from None

    def _trust(self) -> ssl.SSLContext:
        return self._tls or ssl.create_default_context()

    def _refusal_error(self, code: int, said: bytes | str) -> MailFailed:
        message = messages.SERVER_REFUSED(server=self._server, status=str(code), cause=_cause(said))
        return MailUnreachable(message) if code == _CLOSING else MailFailed(message)


def _cause(said: object) -> Message:
    """What a server or the machine said, on one line and not too long."""
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    printable = "".join(c if c.isprintable() else " " for c in words)
    return text(printable[:_MAX_ERROR_LENGTH].strip())
