"""What schemathesis is told of our own: a check, and what no schema can say."""

from __future__ import annotations

import re
from typing import Any

import schemathesis

from gotgan.domains.site.nesting import misfit

__all__ = ["filter_body", "refused_for_a_reason"]

_REASONS = re.compile(
    "an index answers here|If-Match takes one ETag|this cursor is not of this query|"
    "this would have ended already"
    "|the slug of this category stays|[0-9-]{10} is at the edge of the calendar"
    "|(nothing was stored: )?.*(is no domain of a shop|the name .* cannot be used)"
    "|(nothing was stored: )?.*(is no country|names port [0-9]+; |is no shop: names under it)"
    "|after .* there is nothing"
    "|[0-9-]{10} is outside of the exchange's calendar|[0-9-]{10} has not come yet"
    "|[0-9-]{10} is after [0-9-]{10}"
)


@schemathesis.hook
def filter_body(_context: schemathesis.HookContext, body: Any) -> bool:
    """Leave out contents that no item can hold: a schema has no words for it."""
    contents = body.get("contents") if isinstance(body, dict) else None
    return misfit(contents) is None


@schemathesis.check
def refused_for_a_reason(
    _context: schemathesis.CheckContext,
    response: schemathesis.Response,
    _case: schemathesis.Case[Any],
) -> None:
    """A 400 says that of a request that the document allows; there are fifteen reasons."""
    if response.status_code == 400:
        message = response.json()["error"]["message"]
        assert _REASONS.match(message), message
