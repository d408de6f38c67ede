"""Programs from npm that are clients of the endpoint."""

from __future__ import annotations

import os

import pytest

from tests.programs import Unavailable, node, npm_package

__all__ = ["node_program"]


def node_program(package: str, version: str, entry: str) -> list[str]:
    """The command that runs a program of an npm package, which is installed if it is missing."""
    try:
        return [node(), str(npm_package(package, version, entry))]
    except Unavailable as error:
        # Skip on a machine without npm; where every check counts, that is a failure.
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))
