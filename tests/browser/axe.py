"""axe-core, which finds what keeps people from using a page."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

__all__ = ["Axe"]

_ASK = """axe.run().then((found) => JSON.stringify(found.violations.map((one) =>
    `${one.id}: ${one.nodes.map((node) => node.target + node.failureSummary).join("; ")}`)))"""


class Axe:
    """Its program, which is given to pages past their content policy."""

    def __init__(self, path: Path) -> None:
        self._program = path.read_text(encoding="utf-8")

    def violations(self, page: Page) -> list[str]:
        """What is wrong with the page as it stands."""
        session = page.context.new_cdp_session(page)
        session.send("Runtime.evaluate", {"expression": self._program})
        answer = session.send("Runtime.evaluate", {"expression": _ASK, "awaitPromise": True})
        session.detach()
        found: list[str] = json.loads(answer["result"]["value"])
        return found
