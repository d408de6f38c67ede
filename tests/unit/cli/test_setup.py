"""``gotgan setup`` says what is there, what is missing, and how to get it."""

from __future__ import annotations

import codecs
import json
import os
import pty
import select
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.settings import CONFIG_FILE, Settings, write_config
from gotgan.world import World, world_server
from gotgan.world.mail import mail_server
from gotgan.world.videos.google import INVALID_KEY
from tests.durability.rights import open_folder, read_only

__all__ = ["open_folder"]

PATIENCE_S = 60
HIDDEN = "the-text-that-nobody-may-read-anywhere"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of its own."""
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")


def test_on_the_first_day_it_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup"]) == ExitCode.OK
    said = capsys.readouterr().out
    assert said.startswith("news\n  ! contact: Set GOTGAN_CONTACT")
    assert "      export GOTGAN_CONTACT=…\n" in said
    assert "  – webhook: " in said
    assert "\n\nsite\n  ! company: " in said
    assert "✓" not in said


def test_what_is_set_is_ticked_off_without_being_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRX_ID", "kim")
    monkeypatch.setenv("KRX_PW", HIDDEN)
    main(["setup"])
    said = capsys.readouterr().out
    assert "market\n  ✓ login\n" in said
    main(["setup", "--json"])
    told = capsys.readouterr().out
    steps = {f"{step['domain']}.{step['name']}": step for step in json.loads(told)["items"]}
    assert steps["market.login"]["isSet"] is True
    assert steps["shops.shop"]["reason"] == "no_shops"
    assert HIDDEN not in said + told


# On a terminal


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._seen = 0
        self.shown = ""

    def answer(self, question: str, text: str) -> None:
        """Wait for a question, and type the answer."""
        self.wait_for(question)
        os.write(self._descriptor, f"{text}\n".encode(errors="surrogateescape"))

    def wait_for(self, text: str) -> None:
        """Read until a text is shown behind what was waited for before."""
        while (found := self.shown.find(text, self._seen)) < 0:
            self.shown += self._read()
        self._seen = found + len(text)

    def _read(self) -> str:
        if not select.select([self._descriptor], [], [], PATIENCE_S)[0]:
            pytest.fail(f"the program waits, having shown:\n{self.shown}")
        try:
            return self._decode(os.read(self._descriptor, 65536)).replace("\r", "")
        except OSError:
            pytest.fail(f"the program ended, having shown:\n{self.shown}")


@contextmanager
def on_terminal(*words: str, **environment: str) -> Iterator[Terminal]:
    """Run ``gotgan`` on a terminal; it is killed in the end if it has not ended."""
    process, descriptor = pty.fork()
    if process == 0:
        env = {**os.environ, "NO_COLOR": "1", "TERM": "xterm", "LANG": "C.UTF-8", **environment}
        os.execve(sys.executable, [sys.executable, "-m", "gotgan", *words], env)  # noqa: S606
    try:
        yield Terminal(descriptor)
    finally:
        os.close(descriptor)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def test_a_terminal_is_asked_and_what_works_is_saved(tmp_path: Path) -> None:
    world = World()
    with world_server(world) as web, mail_server(world) as mail:
        environment = {"GOTGAN_RESOLVE": f"*={web.place}", "GOTGAN_DELAY": "0"}
        with on_terminal("setup", **environment) as terminal:
            terminal.answer("GOTGAN_WEBHOOK:", "")
            terminal.answer("KRX_ID:", "world")
            terminal.answer("KRX_PW:", "wrong")
            terminal.wait_for("This does not work: KRX refused the login")
            terminal.answer("Save it anyway? [y/N]:", "n")
            terminal.answer("YOUTUBE_API_KEY:", "world")
            terminal.wait_for("This works.")
            terminal.answer("GOTGAN_ANALYSER:", "smart")
            terminal.wait_for("GOTGAN_ANALYSER is not valid. Use one of builtin, gemini, openai.")
            terminal.answer("GOTGAN_ANALYSER:", "gemini")
            terminal.answer("GEMINI_API_KEY:", INVALID_KEY)
            terminal.wait_for("This does not work: Gemini refused the key")
            terminal.answer("Save it anyway? [y/N]:", "n")
            terminal.answer("GOTGAN_SMTP_URL:", mail)
            terminal.wait_for("This works.")
            terminal.wait_for("✓ mail_server")
            assert mail not in terminal.shown
        saved = Settings.from_env({"GOTGAN_DATA": str(tmp_path)})
        assert saved.youtube_key is not None
        assert (saved.youtube_key.reveal(), saved.krx_id, saved.krx_password) == ("world", "", None)
        assert saved.smtp is not None
        assert stat.S_IMODE((tmp_path / CONFIG_FILE).stat().st_mode) == 0o600
        with on_terminal("setup", **environment) as terminal:
            terminal.answer("GOTGAN_WEBHOOK:", "")
            terminal.answer("KRX_ID:", "world")
            terminal.answer("KRX_PW:", "world")
            terminal.wait_for("This works.")
            terminal.answer("GOTGAN_ANALYSER:", "gemini")
            terminal.answer("GEMINI_API_KEY:", "world")
            terminal.wait_for("This works.")
            terminal.wait_for("✓ login")
            terminal.wait_for(f"{tmp_path / CONFIG_FILE}: GOTGAN_SMTP_URL, KRX_ID, KRX_PW")
        saved = Settings.from_env({"GOTGAN_DATA": str(tmp_path)})
        assert (saved.krx_id, saved.analyser) == ("world", "gemini")


def test_only_what_is_missing_is_asked(tmp_path: Path) -> None:
    write_config(tmp_path, {"KRX_ID": "kim", "GOTGAN_ANALYSER": "gemini"})
    with on_terminal("setup", GOTGAN_RESOLVE="*=127.0.0.1:1") as terminal:
        terminal.answer("GOTGAN_WEBHOOK:", "")
        terminal.answer("KRX_PW:", "")
        terminal.answer("YOUTUBE_API_KEY:", "")
        terminal.answer("GEMINI_API_KEY:", "")
        terminal.answer("GOTGAN_SMTP_URL:", "")
        terminal.wait_for("! login")
    assert "KRX_ID:" not in terminal.shown
    assert "GOTGAN_ANALYSER:" not in terminal.shown


def test_a_server_of_ones_own_needs_no_key_of_google() -> None:
    with on_terminal("setup", GOTGAN_RESOLVE="*=127.0.0.1:1") as terminal:
        for question in ("GOTGAN_WEBHOOK:", "KRX_ID:", "YOUTUBE_API_KEY:"):
            terminal.answer(question, "")
        terminal.answer("GOTGAN_ANALYSER:", "openai")
        terminal.wait_for("This does not work: ")
    assert "GEMINI_API_KEY:" not in terminal.shown


def test_what_cannot_be_printed_is_asked_again() -> None:
    with on_terminal("setup", GOTGAN_CONTACT="bot@example.com") as terminal:
        terminal.answer("GOTGAN_WEBHOOK:", "")
        terminal.answer("KRX_ID:", "\x1b[A")
        terminal.wait_for("characters that cannot be printed. Type it again.")
        terminal.answer("KRX_ID:", "\udcff")
        terminal.wait_for("characters that cannot be printed. Type it again.")
        terminal.wait_for("KRX_ID:")


def test_what_is_set_can_be_tried(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    with world_server(world) as web, mail_server(world) as mail:
        for name, text in {
            "GOTGAN_RESOLVE": f"*={web.place}",
            "GOTGAN_DELAY": "0",
            "KRX_ID": "world",
            "KRX_PW": "world",
            "YOUTUBE_API_KEY": "world",
            "GOTGAN_ANALYSER": "openai",
            "GOTGAN_OPENAI": f"http://{web.place}/v1",
            "GOTGAN_SMTP_URL": mail,
        }.items():
            monkeypatch.setenv(name, text)
        assert main(["setup", "--check"]) == ExitCode.OK
        said = capsys.readouterr().out
        for name in ("login", "key", "model", "mail_server"):
            assert f"✓ {name}\n" in said
        monkeypatch.setenv("KRX_PW", "wrong")
        assert main(["setup"]) == ExitCode.OK
        assert "✓ login" in capsys.readouterr().out
        assert main(["setup", "--check"]) == ExitCode.FAILED
        assert "! login: KRX refused the login" in capsys.readouterr().out
        assert main(["setup", "--check", "--json"]) == ExitCode.FAILED
        told = capsys.readouterr().out
        steps = {each["name"]: each for each in json.loads(told)["items"]}
        assert (steps["login"]["isSet"], steps["login"]["reason"]) == (False, "does_not_work")
        assert mail not in told


def test_in_a_folder_that_cannot_be_written_nothing_is_asked(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOTGAN_DATA", str(open_folder))
    main(["setup"])
    capsys.readouterr()
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    with read_only(open_folder):
        assert main(["setup"]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert f"The data folder {open_folder} is read-only." in shown
    assert "GOTGAN_CONTACT:" not in shown
    assert "contact" in shown


def test_ctrl_c_keeps_what_was_saved(tmp_path: Path) -> None:
    with on_terminal("setup") as terminal:
        terminal.answer("GOTGAN_CONTACT:", "bot@example.com")
        terminal.answer("GOTGAN_WEBHOOK:", "\x03")
        terminal.wait_for("interrupted")
    assert Settings.from_env({"GOTGAN_DATA": str(tmp_path)}).contact == "bot@example.com"
