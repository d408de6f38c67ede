"""The frame of the command line: help, version, errors and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from click import shell_completion

from gotgan.cli import commands, main
from gotgan.cli.output import ExitCode, error_exit_code
from gotgan.errors import GotganError, SettingsError, StoreLocked, UsageError
from gotgan.operations.service import Operations
from gotgan.verbs import verbs_of

Capture = pytest.CaptureFixture[str]


def _raising(error: BaseException) -> click.Command:
    def fail() -> None:
        raise error

    return click.Command("fail", callback=fail)


def test_help_lists_every_command(capsys: Capture) -> None:
    assert main(["--help"]) == ExitCode.OK
    shown = capsys.readouterr().out
    for name, command in commands.COMMANDS.items():
        assert name in shown
        assert command.line in shown


def test_a_verb_without_a_group_is_listed_with_its_summary() -> None:
    for verb in verbs_of(Operations).values():
        if not verb.mark.is_remote:
            assert commands.COMMANDS[verb.command].line == verb.summary


def test_no_word_at_all_shows_the_help(capsys: Capture) -> None:
    assert main([]) == ExitCode.OK
    assert "Commands:" in capsys.readouterr().out


def test_the_version_is_the_one_that_is_installed(capsys: Capture) -> None:
    assert main(["--version"]) == ExitCode.OK
    assert capsys.readouterr().out == f"gotgan {version('gotgan')}\n"


@pytest.mark.parametrize("words", [["--json", "--version"], ["--version", "--json"]])
def test_json_may_stand_anywhere(words: list[str], capsys: Capture) -> None:
    assert main(words) == ExitCode.OK
    assert json.loads(capsys.readouterr().out) == {"version": version("gotgan")}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "nonsense"),
        (["--nonsense"], "--nonsense"),
        (["dynamodb", "--port", "many"], "--port"),
        (["dynamodb", "--port", "65536"], "--port"),
        (["dynamodb", "--synchronous", "off"], "--synchronous"),
    ],
)
def test_a_wrong_word_is_a_sentence_that_says_where_to_read_on(
    words: list[str], said: str, capsys: Capture
) -> None:
    assert main(words) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("gotgan: ")
    assert shown.err.endswith("--help [usage]\n")
    assert said in shown.err


def test_a_wrong_word_is_json_when_json_was_asked_for(capsys: Capture) -> None:
    assert main(["nonsense", "--json"]) == ExitCode.USAGE
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "usage"
    assert "nonsense" in error["message"]


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (SettingsError("set it"), ExitCode.FAILED, "gotgan: set it [settings]\n"),
        (UsageError("not both"), ExitCode.USAGE, "gotgan: not both [usage]\n"),
        (StoreLocked("held"), ExitCode.RETRY, "gotgan: held [store.locked]\n"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "gotgan: interrupted [interrupted]\n"),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(
    error: BaseException,
    code: ExitCode,
    line: str,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands.LazyGroup, "get_command", lambda *_: _raising(error))
    assert main(["fail"]) == code
    assert capsys.readouterr().err.lstrip("\n") == line


def test_an_error_is_json_when_json_was_asked_for(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands.LazyGroup, "get_command", lambda *_: _raising(StoreLocked("held")))
    assert main(["--json", "fail"]) == ExitCode.RETRY
    assert json.loads(capsys.readouterr().err) == {
        "error": {
            "code": "store.locked",
            "message": "held",
            "retry": True,
            "reason": None,
            "values": {},
        }
    }


def test_a_defect_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands.LazyGroup, "get_command", lambda *_: _raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        main(["fail"])


@pytest.mark.parametrize("error", [GotganError("x"), StoreLocked("x"), UsageError("x")])
def test_no_error_ends_well(error: GotganError) -> None:
    assert error_exit_code(error) != ExitCode.OK


def test_the_module_runs_as_the_command_does() -> None:
    command = [sys.executable, "-m", "gotgan", "nonsense"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == ExitCode.USAGE
    assert result.stderr.startswith("gotgan: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nws list", "No such command 'nws'. Did you mean 'news'? See gotgan --help"),
        ("news lst", "No such command 'lst'. Did you mean 'list'? See gotgan news --help"),
        ("site pots", "No such command 'pots'. Did you mean 'posts'? See gotgan site --help"),
        ("day pubish", "No such command 'pubish'. Did you mean 'publish'? See gotgan day --help"),
        ("news lit", "No such command 'lit'. Did you mean 'list'? See gotgan news --help"),
        (
            "news list --limt 1",
            "No such option '--limt'. Did you mean '--limit'? See gotgan news list --help",
        ),
        ("xyzzy", "No such command 'xyzzy'; see gotgan --help"),
        ("site sign-in --base", "No such option '--base'; see gotgan site sign-in --help"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_likely_one(
    words: str, said: str, capsys: Capture
) -> None:
    assert main(words.split()) == ExitCode.USAGE
    assert capsys.readouterr().err == f"gotgan: {said} [usage]\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nws", "'nws' 명령이 없습니다. 혹시 'news'인가요? (도움말: gotgan --help)"),
        (
            "news list --limt",
            "'--limt' 옵션이 없습니다. 혹시 '--limit'인가요? (도움말: gotgan news list --help)",
        ),
    ],
)
def test_the_likely_word_is_named_in_korean(
    words: str, said: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOTGAN_LANGUAGE", "ko")
    assert main(words.split()) == ExitCode.USAGE
    assert capsys.readouterr().err == f"gotgan: {said} [usage]\n"


@pytest.mark.parametrize(
    "words",
    [
        "market gaps",
        "market screen oversold",
        "market status",
        "market stocks",
        "news list",
        "news queue",
        "shops due",
        "shops list",
        "shops stuck",
        *(
            f"site {each} list"
            for each in (
                *("banners", "categories", "drafts", "inquiries"),
                *("mails", "posts", "tokens", "users"),
            )
        ),
        "tables browse news_items",
        "ticks",
        "videos costs",
        "videos jobs",
        "videos list",
        "videos versions",
    ],
)
def test_an_empty_list_is_no_failure(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    assert main(["tables", "create"]) == ExitCode.OK
    capsys.readouterr()
    assert main(words.split()) == ExitCode.OK
    shown = capsys.readouterr()
    assert shown.out.strip()
    assert shown.err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(
    shell: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shell == "bash":  # click asks bash for its version
        bash = shell_completion.BashComplete
        monkeypatch.setattr(bash, "_check_version", staticmethod(lambda: None))
    monkeypatch.setenv("_GOTGAN_COMPLETE", f"{shell}_source")
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 0
    assert "_gotgan_completion" in capsys.readouterr().out
    monkeypatch.setenv("_GOTGAN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "gotgan news l")
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 0
    assert capsys.readouterr().out == "plain,list\n"
