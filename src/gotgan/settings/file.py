"""``gotgan.toml`` in the data folder: settings in a file, which environment variables override.

A key is the name of the variable in lower case, without ``GOTGAN_``: ``contact``, ``krx_id``.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from gotgan.errors import SettingsError
from gotgan.messages import text as foreign
from gotgan.settings import messages

PREFIX: Final = "GOTGAN_"
CONFIG_FILE: Final = "gotgan.toml"
_FOLDER_KEY: Final = "data"
_HEAD: Final = """\
# Settings of Gotgan; docs/settings.md lists them all. Environment variables override this file.
"""
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"'}


def file_key(variable: str) -> str:
    """The name of a variable in the file."""
    return variable.removeprefix(PREFIX).lower()


def key_place(path: Path, key: str) -> str:
    """The file, and the number of the line that begins with the key, where one does."""
    pattern = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    numbers = (number for number, line in enumerate(lines, 1) if pattern.match(line))
    return ":".join(map(str, [path, *list(numbers)[:1]]))


def read_config(folder: Path, variables: Iterable[str]) -> dict[str, str]:
    """The texts of the variables that the file of a data folder sets; none without a file.

    An empty text counts as not set, like that of a variable.
    """
    path = folder / CONFIG_FILE
    try:
        text = _decoded(path, path.read_bytes())
        found = _parsed(text)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        cause = foreign(str(error.strerror))
        raise SettingsError(messages.NO_CONFIG(path=path, cause=cause)) from error
    except ValueError as error:
        raise SettingsError(messages.BAD_CONFIG(path=path, cause=foreign(str(error)))) from None
    known = {file_key(each): each for each in variables if file_key(each) != _FOLDER_KEY}
    if unknown := next((key for key in found if key not in known), None):
        raise SettingsError(_unknown_key(key_place(path, unknown), unknown, known))
    texts = {known[key]: _variable_text(path, key, value) for key, value in found.items()}
    return {variable: text for variable, text in texts.items() if text}


def write_config(folder: Path, values: Mapping[str, str]) -> Path:
    """Set variables in the file of a data folder, and keep everything else in it."""
    path = folder / CONFIG_FILE
    try:
        with _locked(folder):
            text = _HEAD
            if path.exists():
                with path.open("r+b") as file:  # fails if it must not be changed
                    text = _decoded(path, file.read())
            for variable, value in values.items():
                text = _with_line(path, text, file_key(variable), value)
            _replace(path.resolve(), text)
    except OSError as error:
        cause = foreign(str(error.strerror))
        raise SettingsError(messages.CONFIG_NOT_SAVED(path=path, cause=cause)) from error
    return path


def _decoded(path: Path, content: bytes) -> str:
    """The text of the file; the mark that editors on Windows put before it is left out."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(messages.CONFIG_NOT_UTF8(path=f"{path}:{line}")) from None


def _parsed(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - most commands find no file

    return tomllib.loads(f"{text}\n")  # so that an error in the last line has its number


def _unknown_key(place: str, key: str, known: Mapping[str, str]) -> str:
    if key == _FOLDER_KEY:
        return messages.FOLDER_IN_CONFIG(path=place)
    if near := difflib.get_close_matches(file_key(key), known, n=1, cutoff=0.8):
        return messages.UNKNOWN_KEY_BUT_NEAR(path=place, key=key, near=near[0])
    return messages.UNKNOWN_KEY(path=place, key=key, known=sorted(known))


def _variable_text(path: Path, key: str, value: Any) -> str:
    """A value as the text of its variable: lists and tables are written with commas."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
        return ",".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise SettingsError(messages.BAD_VALUE(path=key_place(path, key), key=key))


def _with_line(path: Path, text: str, key: str, value: str) -> str:
    """The text of the file with that value; the line of the key is replaced, or one is added."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    # Keys below the heading of a table would belong to the table.
    last = next((i for i, each in enumerate(lines) if each.lstrip().startswith("[")), len(lines))
    at = next((i for i in range(last) if re.match(rf"\s*{key}\s*=", lines[i])), None)
    line = f"{key} = {_quoted(value)}"
    if at is not None:
        lines[at] = f"{line}{_comment(lines[at])}{end}"
    else:
        if last and not lines[last - 1].endswith("\n"):
            lines[last - 1] += end
        lines.insert(last, f"{line}{end}")
    changed = "".join(lines)
    with contextlib.suppress(ValueError):
        if _parsed(changed) == {**_parsed(text), key: value}:
            return changed
    raise SettingsError(messages.EDIT_CONFIG(path=path, key=key))


def _comment(line: str) -> str:
    """The comment at the end of a line: what a sign of a comment follows that is not in a text."""
    for sign in re.finditer(r"\s*#", line):
        with contextlib.suppress(ValueError):
            _parsed(line[: sign.start()])
            return line[sign.start() :].rstrip()
    return ""


def _quoted(value: str) -> str:
    """A basic string of TOML."""
    letters = (
        _ESCAPES.get(each, each if each.isprintable() else f"\\U{ord(each):08X}") for each in value
    )
    return f'"{"".join(letters)}"'


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process change the file at a time; the lock of a killed process is released."""
    import fcntl  # noqa: PLC0415 - not on Windows, where settings can be read

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace(path: Path, text: str) -> None:
    """Write the file as a whole, readable only by its owner; the folder is locked."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)  # of a killed process
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
