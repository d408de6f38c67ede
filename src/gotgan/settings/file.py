"""``gotgan.toml`` in the data folder: settings in a file, which environment variables override.

A key is the name of the variable in lower case, without ``GOTGAN_``: ``contact``, ``krx_id``.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import secrets
from collections.abc import Iterable, Mapping
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


def read_config(folder: Path, variables: Iterable[str]) -> dict[str, str]:
    """The texts of the variables that the file of a data folder sets; none without a file."""
    path = folder / CONFIG_FILE
    try:
        found = _parsed(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        cause = foreign(str(error.strerror))
        raise SettingsError(messages.NO_CONFIG(path=path, cause=cause)) from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise SettingsError(messages.BAD_CONFIG(path=path, cause=foreign(str(error)))) from None
    known = {file_key(each): each for each in variables if file_key(each) != _FOLDER_KEY}
    for key in found.keys() - known.keys():
        raise SettingsError(_unknown_key(path, key, known))
    return {known[key]: _variable_text(path, key, value) for key, value in found.items()}


def write_config(folder: Path, values: Mapping[str, str]) -> Path:
    """Set variables in the file of a data folder, and keep everything else in it."""
    path = folder / CONFIG_FILE
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else _HEAD
        text = before if before.endswith("\n") or not before else f"{before}\n"
        for variable, value in values.items():
            text = _with_line(path, text, file_key(variable), value)
        _replace(path, text)
    except OSError as error:
        cause = foreign(str(error.strerror))
        raise SettingsError(messages.CONFIG_NOT_SAVED(path=path, cause=cause)) from error
    return path


def _parsed(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - most commands find no file

    return tomllib.loads(text)


def _unknown_key(path: Path, key: str, known: Mapping[str, str]) -> str:
    if key == _FOLDER_KEY:
        return messages.FOLDER_IN_CONFIG(path=path)
    if near := difflib.get_close_matches(key, known, n=1, cutoff=0.8):
        return messages.UNKNOWN_KEY_BUT_NEAR(path=path, key=key, near=near[0])
    return messages.UNKNOWN_KEY(path=path, key=key, known=sorted(known))


def _variable_text(path: Path, key: str, value: Any) -> str:
    """A value as the text of its variable: lists and tables are written with commas."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
        return ",".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise SettingsError(messages.BAD_VALUE(path=path, key=key))


def _with_line(path: Path, text: str, key: str, value: str) -> str:
    """The text of the file with that value; the line of the key is replaced, or one is added."""
    line = f"{key} = {_quoted(value)}\n"
    lines = text.splitlines(keepends=True)
    at = next((i for i, each in enumerate(lines) if re.match(rf"\s*{key}\s*=", each)), None)
    if at is None:
        # Keys below the heading of a table would belong to the table.
        at = next((i for i, each in enumerate(lines) if each.startswith("[")), len(lines))
        lines.insert(at, line)
    else:
        lines[at] = line
    changed = "".join(lines)
    with contextlib.suppress(ValueError):
        if _parsed(changed).get(key) == value:
            return changed
    raise SettingsError(messages.EDIT_CONFIG(path=path, key=key))


def _quoted(value: str) -> str:
    """A basic string of TOML."""
    letters = (
        _ESCAPES.get(each, each if each.isprintable() else f"\\U{ord(each):08X}") for each in value
    )
    return f'"{"".join(letters)}"'


def _replace(path: Path, text: str) -> None:
    """Write the file as a whole, readable only by its owner."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
