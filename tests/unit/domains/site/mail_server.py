"""A mail server on loopback that keeps what it accepts, and misbehaves as it is told."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from importlib.resources import files
from typing import Any, Final, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

from gotgan.settings import Secret

__all__ = ["USER", "MailServer", "Received", "certified", "serving", "trusting"]

Answer = Callable[[str], str | None]
"""What to answer to an address; None is yes."""

USER: Final = ("site@example.com", "p@ss/word:%")
_CERTIFICATES: Final = "tests/certs"


@dataclass(frozen=True)
class Received:
    """A mail that was accepted."""

    sender: str
    to: list[str]
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """The mail as a mailbox reads it."""
        return BytesParser(policy=default).parsebytes(self.raw)


@dataclass
class MailServer:
    """What the server does and has got; change it while it runs."""

    received: list[Received] = field(default_factory=list)
    answer: Answer = lambda _: None
    """To an address that a mail is for."""
    verdict: str | None = None
    """On a whole mail; None accepts it."""
    drops: bool = False
    """Whether it breaks the connection off when it has a mail."""
    leaves: bool = False
    """Whether it ends the connection after every mail."""
    connections: int = 0
    logins: list[tuple[str, str]] = field(default_factory=list)
    url: Secret = field(default_factory=lambda: Secret(""))

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's names
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        del server, envelope
        session.host_name = hostname
        self.connections += 1
        return responses

    async def handle_RCPT(  # noqa: N802 - the same
        self, server: Any, session: Any, envelope: Envelope, address: str, options: Any
    ) -> str:
        del server, session, options
        refusal = self.answer(address)
        if refusal is None:
            envelope.rcpt_tos.append(address)
        return refusal or "250 OK"

    async def handle_DATA(  # noqa: N802 - the same
        self, server: Any, session: Any, envelope: Envelope
    ) -> str:
        del session
        if self.drops:
            server.transport.abort()
            return "250 nobody hears this"
        if self.verdict is not None:
            return self.verdict
        content = cast("bytes", envelope.content)
        self.received.append(Received(envelope.mail_from or "", envelope.rcpt_tos, content))
        if self.leaves:
            server.transport.write(b"250 OK\r\n")
            server.transport.close()
        return "250 OK"

    def check(self, _: Any, __: Any, ___: Any, ____: Any, login: LoginPassword) -> AuthResult:
        """Let in whoever knows the password."""
        given = (login.login.decode(), login.password.decode())
        self.logins.append(given)
        return AuthResult(success=given == USER, handled=False)


class _AnyPort(Controller):
    """Listens on a port that is free."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def serving(
    *,
    needs_login: bool = False,
    starttls: ssl.SSLContext | None = None,
    smtps: ssl.SSLContext | None = None,
) -> Iterator[MailServer]:
    """A mail server for as long as the block runs; its ``url`` has no user."""
    server = MailServer()
    controller = _AnyPort(
        server,
        hostname="127.0.0.1",
        port=0,
        ssl_context=smtps,
        tls_context=starttls,
        authenticator=server.check if needs_login else None,
        auth_required=needs_login,
        auth_require_tls=not needs_login,
    )
    controller.start()
    try:
        server.connections = 0
        scheme = "smtp" if smtps is None else "smtps"
        server.url = Secret(f"{scheme}://127.0.0.1:{controller.port}")
        yield server
    finally:
        controller.stop()


def certified() -> ssl.SSLContext:
    """What a server needs that has a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_kept("server.crt"), _kept("server.key"))
    return context


def trusting() -> ssl.SSLContext:
    """What a client needs that trusts this certificate, which is for no name at all."""
    context = ssl.create_default_context(cafile=_kept("server.crt"))
    context.check_hostname = False
    return context


def _kept(name: str) -> str:
    return str(files("aiosmtpd").joinpath(_CERTIFICATES, name))
