"""How a known difference is recognised, as narrowly as it can be said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.oracle.compare import Difference
from tests.oracle.scenario import Step
from tests.oracle.wire import Answer

__all__ = ["Explanation"]


@dataclass(frozen=True)
class Explanation:
    """A difference that we know: whose it is, what it is, and why ours is right or deliberate.

    Every condition that is given must hold. ``scenario`` (with the step's note), ``request`` (as
    JSON), ``path`` and ``refusal`` (the subject's message) are regular expressions which must
    match somewhere. A peer that ``diverges`` holds other items from then on.
    """

    peers: frozenset[str]
    what: str
    why: str
    operations: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    scenario: str = ""
    request: str = ""
    path: str = ""
    refusal: str = ""
    claims: Callable[[Any, Any], bool] | None = None
    diverges: bool = False

    def covers(
        self, peer: str, scenario: str, step: Step, subject: Answer, difference: Difference
    ) -> bool:
        """Whether this entry explains that difference."""
        return (
            peer in self.peers
            and (not self.operations or step.operation in self.operations)
            and (not self.kinds or difference.kind in self.kinds)
            and _found(self.scenario, f"{scenario} / {step.note}")
            and (not self.request or _found(self.request, json.dumps(step.payload)))
            and _found(self.path, difference.path)
            and _found(self.refusal, subject.message)
            and (self.claims is None or self.claims(difference.subject, difference.peer))
        )


def _found(pattern: str, text: str) -> bool:
    return not pattern or re.search(pattern, text) is not None
