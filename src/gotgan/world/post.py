"""The world's mail server: SMTP on loopback. It keeps the last mails, and never sends one on."""

from __future__ import annotations

import contextlib
import re
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from gotgan.world.letters import CLOSING, MAIL, Letter, refusal_of
from gotgan.world.scene import SceneRequest
from gotgan.world.world import World

__all__ = ["serving_post"]

_LOOPBACK: Final = "127.0.0.1"
_LINE: Final = 8_192
"""The longest command that is read; SMTP allows for less."""
_MOST: Final = 10_000_000
_PATIENCE: Final = 60.0
_ADDRESS: Final = re.compile(r"(?:FROM|TO):\s*<([^<>\s]*)>.*", re.IGNORECASE)
_BYE: Final = "221 2.0.0 good-bye"
_OK: Final = "250 2.0.0 OK"
_UNKNOWN: Final = "500 5.5.2 no such command"
_UNREAD: Final = "501 5.5.4 an address stands between < and >"
_TOO_SOON: Final = "503 5.5.1 something else comes first"
_TOO_LARGE: Final = "552 5.3.4 the mail is too large"
_GO_ON: Final = "354 end with a dot on a line of its own"
_OFFERS: Final = (f"SIZE {_MOST}", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES")


@contextlib.contextmanager
def serving_post(world: World, port: int = 0) -> Iterator[str]:
    """Take mails for as long as the block runs, which is given the address: ``smtp://…``."""
    with _Post((_LOOPBACK, port), _Visit) as server:
        server.world = world
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="gotgan-post")
        thread.start()
        try:
            yield f"smtp://{_LOOPBACK}:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class _Post(socketserver.ThreadingTCPServer):
    """Listens, and lets each connection have a thread."""

    allow_reuse_address = True
    daemon_threads = True  # a client that never leaves keeps nobody
    world: World


class _Visit(socketserver.StreamRequestHandler):
    """One connection: its commands, and the mail that is being handed in."""

    timeout = _PATIENCE

    def setup(self) -> None:
        """Begin without a mail."""
        super().setup()
        self._world = cast("_Post", self.server).world
        self._clear()

    def handle(self) -> None:
        """Answer one command after the other; who goes away in the middle has handed in nothing."""
        with contextlib.suppress(OSError):
            self._say(f"220 {MAIL} keeps mails, and sends none on")
            while line := self.rfile.readline(_LINE):
                answer = self._answer(line.decode("utf-8", "replace").strip())
                self._say(answer)
                if answer == _BYE or answer.startswith(CLOSING):
                    return

    def _say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())

    def _answer(self, line: str) -> str:
        verb, _, rest = line.partition(" ")
        command = _COMMANDS.get(verb.upper())
        return _UNKNOWN if command is None else command(self, rest)

    def _clear(self) -> None:
        self._sender: str | None = None
        self._to: list[str] = []

    def greet(self, _name: str) -> str:
        """EHLO: begin anew, and say what is on offer."""
        self._clear()
        lines = (MAIL, *_OFFERS)
        return "\r\n".join([*(f"250-{each}" for each in lines[:-1]), f"250 {lines[-1]}"])

    def reset(self, _rest: str) -> str:
        """HELO and RSET: begin anew."""
        self._clear()
        return _OK

    def begin(self, rest: str) -> str:
        """MAIL: who sends it."""
        found = _ADDRESS.fullmatch(rest)
        if found is None:
            return _UNREAD
        self._clear()
        self._sender = found[1]
        return _OK

    def address(self, rest: str) -> str:
        """RCPT: whom it is for, unless the world misbehaves there."""
        found = _ADDRESS.fullmatch(rest)
        if self._sender is None:
            return _TOO_SOON
        if found is None:
            return _UNREAD
        asked = SceneRequest(MAIL, f"/{found[1]}", method="RCPT")
        fault = self._world.faults.taken(asked)
        self._world.note(asked, fault)
        refusal = refusal_of(fault)
        if refusal is None:
            self._to.append(found[1])
        return refusal or _OK

    def take(self, _rest: str) -> str:
        """DATA: the mail itself."""
        if self._sender is None or not self._to:
            return _TOO_SOON
        self._say(_GO_ON)
        raw = self._content()
        if raw is not None:
            self._world.keep(Letter(self._world.clock.now(), self._sender, tuple(self._to), raw))
        self._clear()
        return _TOO_LARGE if raw is None else _OK

    def _content(self) -> bytes | None:
        """All lines up to the dot; None where they are too many."""
        lines: list[bytes] = []
        size = 0
        while (line := self.rfile.readline(_MOST)) != b".\r\n":
            if not line:
                raise ConnectionResetError
            size += len(line)
            if size <= _MOST:
                lines.append(line.removeprefix(b"."))
        return b"".join(lines) if size <= _MOST else None


_COMMANDS: Final[Mapping[str, Callable[[_Visit, str], str]]] = {
    "EHLO": _Visit.greet,
    "HELO": _Visit.reset,
    "RSET": _Visit.reset,
    "MAIL": _Visit.begin,
    "RCPT": _Visit.address,
    "DATA": _Visit.take,
    "NOOP": lambda _visit, _rest: _OK,
    "QUIT": lambda _visit, _rest: _BYE,
}
