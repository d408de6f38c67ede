"""What is typed on a page is found, typed and compared, and what is wrong with it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import Block, blocks_of
from tests.docs.sessions import Terminal
from tests.docs.steps import Step, is_as_shown, steps_of
from tests.house.repository import ROOT

PAGE = ROOT / "README.md"


def _block(text: str) -> Block:
    return Block(PAGE, 1, "console", text, None)


def test_a_page_is_taken_apart_into_blocks_with_the_reasons_why_some_are_not_run() -> None:
    text = "# A page\n\n```python\n1\n```\n\n<!-- not run: a drawing -->\n```text\n-->\n```\n"
    told = [
        (block.line, block.language, block.text, block.reason) for block in blocks_of(PAGE, text)
    ]
    assert told == [(3, "python", "1\n", None), (8, "text", "-->\n", "a drawing")]


def test_what_follows_a_prompt_is_typed_and_the_rest_is_shown() -> None:
    assert steps_of("$ echo \\\n    one  # two\none\n$ true\n") == [
        Step("echo \\\n    one  # two", ("one",)),
        Step("true", ()),
    ]


def test_output_without_a_command_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no command stands above 'one'"):
        steps_of("one\n")


@pytest.mark.parametrize(
    ("command", "is_background"),
    [("gotgan up &", True), ("gotgan up &   # for ever", True), ("true && true", False)],
)
def test_a_server_is_told_by_its_sign(command: str, is_background: bool) -> None:
    assert Step(command, ()).is_background is is_background


@pytest.mark.parametrize(
    ("shown", "said", "is_right"),
    [
        ((), "anything", True),
        (("one",), "one\n", True),
        (("one",), "one\ntwo\n", False),
        (("one", "…"), "one\ntwo\nthree\n", True),
        (("…", "three"), "one\ntwo\nthree\n", True),
        (("received … new 2",), "received 50 · new 2\n", True),
        (("received … new 2",), "received 50 · new 3\n", False),
        (("a.c",), "abc\n", False),
    ],
)
def test_what_was_said_is_compared_with_what_is_shown(
    shown: tuple[str, ...], said: str, is_right: bool
) -> None:
    assert is_as_shown(shown, said) is is_right


def test_one_terminal_types_all_of_a_page(terminal: Terminal) -> None:
    first = _block("$ export WHO=reader\n$ echo $WHO > here\n")
    second = _block("$ cat here\nreader\n$ gotgan --version\ngotgan …\n")
    assert terminal.fault([first, second]) is None


def test_a_command_that_fails_is_told(terminal: Terminal) -> None:
    fault = terminal.fault([_block("$ gotgan nonsense\n$ true\n")])
    assert fault is not None
    assert fault.startswith("README.md:1: gotgan nonsense: ended with 2\n")


def test_another_output_is_told(terminal: Terminal) -> None:
    assert terminal.fault([_block("$ echo one\ntwo\n")]) == "README.md:1: echo one: said\none\n"


def test_what_cannot_be_typed_at_all_is_told(terminal: Terminal) -> None:
    assert terminal.fault([_block("$ echo 'one\n")]) == "README.md:1: echo 'one: was not reached"


def test_a_program_that_fails_is_told(terminal: Terminal) -> None:
    assert "AssertionError" in terminal.program_fault("assert 1 == 2")
    assert "DeprecationWarning" in terminal.program_fault(
        "import warnings; warnings.warn('old', DeprecationWarning)"
    )


def test_a_page_has_the_folder_of_its_terminal_to_itself(terminal: Terminal) -> None:
    assert terminal.program_fault("open('made', 'w').close()") == ""
    assert (terminal.folder / "made").exists()
    assert not Path("made").exists()
