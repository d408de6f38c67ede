"""The world's mail server: SMTP on loopback. It keeps the last mails, and never sends one on."""

from __future__ import annotations

import contextlib
import re
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from typing import TYPE_CHECKING, Final, cast

from gotgan.world.faults import FaultKind
from gotgan.world.scene import Scene, SceneRequest, SceneResponse, plain_text

if TYPE_CHECKING:
    from gotgan.world.world import World

MAIL_HOST: Final = "mail.test"
_LOOPBACK: Final = "127.0.0.1"
_MAX_LINE_BYTES: Final = 8_192
"""SMTP allows for less."""
_MAX_MAIL_BYTES: Final = 10_000_000
_TIMEOUT_S: Final = 60.0
_ADDRESS: Final = re.compile(r"(?:FROM|TO):\s*<([^<>\s]*)>.*", re.IGNORECASE)
_BYE: Final = "221 2.0.0 good-bye"
_OK: Final = "250 2.0.0 OK"
_SEND_DATA: Final = "354 end with a dot on a separate line"
_CLOSED: Final = f"421 4.3.2 {MAIL_HOST} takes nothing at this moment"
"""The server hangs up after this answer."""
_UNKNOWN: Final = "500 5.5.2 no such command"
_BAD_ADDRESS: Final = "501 5.5.4 an address stands between < and >"
_TOO_SOON: Final = "503 5.5.1 something else comes first"
_TOO_LARGE: Final = "552 5.3.4 the mail is too large"
_EXTENSIONS: Final = (f"SIZE {_MAX_MAIL_BYTES}", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES")
_REFUSALS: Final[Mapping[FaultKind, str]] = {
    FaultKind.GREYLISTED: "451 4.7.1 greylisted, come again in a minute",
    FaultKind.NO_MAILBOX: "550 5.1.1 no such mailbox",
}


@dataclass(frozen=True)
class ReceivedMail:
    """A mail that was handed in; it is never sent on."""

    at: datetime
    """By the world's clock."""
    sender: str
    to: tuple[str, ...]
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """The mail as a mailbox reads it."""
        return BytesParser(policy=default).parsebytes(self.raw)


def mail_site(_scene: Scene, _request: SceneRequest) -> SceneResponse:
    """The mail server's response over HTTP."""
    return plain_text("mails are handed in by SMTP, and go no further\n")


@contextlib.contextmanager
def mail_server(world: World, port: int = 0) -> Iterator[str]:
    """Receive mails while the block runs; its URL is ``smtp://…``."""
    with _SmtpServer((_LOOPBACK, port), _SmtpConnection) as server:
        server.world = world
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="gotgan-post")
        thread.start()
        try:
            yield f"smtp://{_LOOPBACK}:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class _SmtpServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True  # a client that never leaves must not keep the process alive
    world: World


class _SmtpConnection(socketserver.StreamRequestHandler):
    """One connection: its commands, and the mail that is being handed in."""

    timeout = _TIMEOUT_S

    def setup(self) -> None:
        """Begin without a mail."""
        super().setup()
        self._world = cast("_SmtpServer", self.server).world
        self._clear()

    def handle(self) -> None:
        """Answer commands until the client leaves; an unfinished mail is dropped."""
        with contextlib.suppress(OSError):
            self._send(f"220 {MAIL_HOST} keeps mails, and sends none on")
            while line := self.rfile.readline(_MAX_LINE_BYTES):
                verb, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
                command = _COMMANDS.get(verb.upper())
                answer = _UNKNOWN if command is None else command(self, rest)
                self._send(answer)
                if answer in {_BYE, _CLOSED}:
                    return

    def _send(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())

    def _clear(self) -> None:
        self._sender: str | None = None
        self._to: list[str] = []

    def ehlo(self, _name: str) -> str:
        """Start again, and list the extensions."""
        self._clear()
        lines = (MAIL_HOST, *_EXTENSIONS)
        return "\r\n".join([*(f"250-{each}" for each in lines[:-1]), f"250 {lines[-1]}"])

    def reset(self, _rest: str) -> str:
        """HELO and RSET: start again."""
        self._clear()
        return _OK

    def mail(self, rest: str) -> str:
        """Take the sender."""
        found = _ADDRESS.fullmatch(rest)
        if found is None:
            return _BAD_ADDRESS
        self._clear()
        self._sender = found[1]
        return _OK

    def rcpt(self, rest: str) -> str:
        """Take a recipient, unless a fault is planned for it."""
        found = _ADDRESS.fullmatch(rest)
        if self._sender is None:
            return _TOO_SOON
        if found is None:
            return _BAD_ADDRESS
        request = SceneRequest(MAIL_HOST, f"/{found[1]}", method="RCPT")
        fault = self._world.faults.take(request)
        self._world.note(request, fault)
        if fault is not None:
            return _REFUSALS.get(fault, _CLOSED)
        self._to.append(found[1])
        return _OK

    def data(self, _rest: str) -> str:
        """Take the mail itself."""
        if self._sender is None or not self._to:
            return _TOO_SOON
        self._send(_SEND_DATA)
        raw = self._content()
        if raw is not None:
            now = self._world.clock.now()
            self._world.keep(ReceivedMail(now, self._sender, tuple(self._to), raw))
        self._clear()
        return _TOO_LARGE if raw is None else _OK

    def _content(self) -> bytes | None:
        """All lines up to the dot; None if they are too large."""
        lines: list[bytes] = []
        size = 0
        while (line := self.rfile.readline(_MAX_MAIL_BYTES)) != b".\r\n":
            if not line:
                raise ConnectionResetError
            size += len(line)
            if size <= _MAX_MAIL_BYTES:
                lines.append(line.removeprefix(b"."))
        return b"".join(lines) if size <= _MAX_MAIL_BYTES else None


_COMMANDS: Final[Mapping[str, Callable[[_SmtpConnection, str], str]]] = {
    "EHLO": _SmtpConnection.ehlo,
    "HELO": _SmtpConnection.reset,
    "RSET": _SmtpConnection.reset,
    "MAIL": _SmtpConnection.mail,
    "RCPT": _SmtpConnection.rcpt,
    "DATA": _SmtpConnection.data,
    "NOOP": lambda _connection, _rest: _OK,
    "QUIT": lambda _connection, _rest: _BYE,
}
