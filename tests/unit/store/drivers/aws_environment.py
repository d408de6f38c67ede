"""AWS's environment as a laptop has it that has never heard of AWS."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["KEYS", "forget_aws"]

KEYS = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}


def forget_aws(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Take away every variable and file that boto3 looks at."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(folder / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(folder / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
