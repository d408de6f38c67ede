"""The text of every page of the console, without values that vary between runs."""

from __future__ import annotations

import re
from typing import Final

import httpx

from gotgan.texts import Language
from tests.browser.whole.walking import walked
from tests.golden.terminal import RANDOM
from tests.unit.console.reading import lines_of

__all__ = ["every_text"]

_LEFT_OUT: Final = {"/docs", "/ops/costs"}
"""The API has a golden file of its own, and costs depend on what was read before."""
_VARYING: Final = re.compile(
    rf"{RANDOM.pattern}|(?<=/)[0-9a-f]{{8}}\b|127\.0\.0\.1:\d+"
    r"|\$[\d.,]+|[\d.,]+(?= (?:read|write)|단위)|(?<=읽기 단위 )[\d.,]+"
)
"""Random ids, names of workers, ports and costs."""


def every_text(client: httpx.Client, language: Language) -> str:
    """The lines of each page, below its route."""
    headers, parts = {"accept-language": language}, list[str]()
    for route, address in walked(client).items():
        if route not in _LEFT_OUT:
            page = client.get(address, headers=headers).raise_for_status().text
            parts.append("\n".join([f"# {route}", *lines_of(page)]))
    return _VARYING.sub("<varies>", "\n\n".join(parts)) + "\n"
