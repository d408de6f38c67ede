"""axe-core, which finds what keeps people from using a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import CDPSession, Page

__all__ = ["Axe"]

_ASK: Final = """axe.run(%s).then((found) => JSON.stringify(found.violations.map((one) =>
    `${one.id}: ${one.nodes.map((node) => node.target + node.failureSummary).join("; ")}`)))"""
_ALL: Final = ""
_COLOURS: Final = '{runOnly: ["color-contrast", "link-in-text-block"]}'
"""What can differ in the dark: all else is the same page."""
_SCHEMES: Final[tuple[tuple[Literal["light", "dark"], str], ...]] = (
    ("dark", _COLOURS),
    ("light", _ALL),
)


class Axe:
    """Its program, which is given to pages past their content policy."""

    def __init__(self, path: Path) -> None:
        self._program = path.read_text(encoding="utf-8")

    def violations(self, page: Page) -> list[str]:
        """What is wrong with the page as it stands, in the dark and in the light."""
        session = page.context.new_cdp_session(page)
        session.send("Runtime.evaluate", {"expression": self._program})
        found = []
        for scheme, rules in _SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [f"{scheme}: {each}" for each in _asked(session, rules)]
        session.detach()
        return found


def _asked(session: CDPSession, rules: str) -> list[str]:
    asked = {"expression": _ASK % rules, "awaitPromise": True}
    found: list[str] = json.loads(session.send("Runtime.evaluate", asked)["result"]["value"])
    return found
