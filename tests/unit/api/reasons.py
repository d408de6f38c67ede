"""What schemathesis is told of our own: a check, and what no schema can say."""

from __future__ import annotations

import re
from typing import Any

import schemathesis

from gotgan.api.analysis import PREFIX as CONTRACT
from gotgan.domains.site.params import unstorable_part

__all__ = ["before_call", "filter_body", "refused_for_a_reason"]

_REASONS = re.compile(
    "Only the posts of one category can be read consistently|If-Match takes one ETag|"
    "(this|The) cursor (is not of|was changed|belongs to another)|"
    "This expiry time has already passed"
    "|The slug of this category stays|[0-9-]{10} is at the edge of the calendar"
    "|(Nothing was stored: )?.*(is not a domain|is not a name)"
    "|No shops given|Use either a country or no_country|A name is for one domain"
    "|(Nothing was stored: )?.*(is not a country code|has the port [0-9]+|is a public suffix)"
    "|The start .* is later than the end"
    "|[0-9-]{10} is outside the exchange's calendar"
    "|[0-9-]{10} is after [0-9-]{10}|[0-9-]{10} (has no page|is in the future)"
    "|The cursor (is not valid for this list|is not from this search|does not belong to this list)"
    "|This cursor does not belong to this list|Not a YouTube URL or video ID: "
    "|Not a (date|month|range of days): |Unknown time zone "
    "|There is no job "
    "|Not a CSS selector: |.* is not a page of "
    "|.* was not added: |Not a name for a source: "
    "|A reason says why to analyse again|Give either a range or its first and last day"
)


@schemathesis.hook
def filter_body(_context: schemathesis.HookContext, body: Any) -> bool:
    """Leave out contents that no item can hold: a schema has no words for it."""
    contents = body.get("contents") if isinstance(body, dict) else None
    return unstorable_part(contents) is None


@schemathesis.hook
def before_call(
    _context: schemathesis.HookContext, case: schemathesis.Case[Any], _kwargs: dict[str, Any]
) -> None:
    """Wait for no job: nobody works on them here."""
    if case.operation.label == "POST /v1/videos/analyse" and _waits(case.query):
        case.query["wait"] = 0


def _waits(query: Any) -> bool:
    return isinstance(query, dict) and str(query.get("wait", 1)).isdecimal()


@schemathesis.check
def refused_for_a_reason(
    _context: schemathesis.CheckContext,
    response: schemathesis.Response,
    case: schemathesis.Case[Any],
) -> None:
    """A 400 says that of a request that the document allows; these are the reasons.

    The contract has no other status for whatever is wrong with a request.
    """
    if response.status_code == 400 and not case.operation.path.startswith(CONTRACT):
        message = response.json()["error"]["message"]
        assert _REASONS.match(message), message
