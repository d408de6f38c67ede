"""Templates and other documents that commands write: YAML or JSON, to a file or the screen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gotgan.errors import UsageError

__all__ = ["as_json", "as_yaml", "write"]


def as_yaml(made: dict[str, Any], *, by: str) -> str:
    """A template as YAML, which says by which command it was written."""
    from gotgan.store.outputs.yaml_text import to_yaml

    return f"# Written by {by}; change the declaration, not this file.\n{to_yaml(made)}"


def as_json(made: dict[str, Any]) -> str:
    """A document as JSON that people can read."""
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def write(target: Path, text: str) -> None:
    """Write a file, or say why that cannot be."""
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}") from error
