"""Messages of the MCP server; their Korean is in ``texts/ko/mcp.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

NO_VERB: Final = Template("mcp.no_verb", "There is no verb {name}. Verbs: {known:list}.")
NO_VERB_IN_TOOL: Final = Template(
    "mcp.no_verb_in_tool", "{tool} has no verb {name}. Use one of: {known:list}."
)
NO_TOOL: Final = Template("mcp.no_tool", "No such tool. Use one of: {known:list}.")
ROLE_NEEDED: Final = Template(
    "mcp.role_needed", "{verb} needs the role {needed}; this client has the role {role}."
)
INSIDE_ARGUMENTS: Final = Template("mcp.inside_arguments", "Pass {names:list} inside `arguments`.")
NOT_AN_OBJECT: Final = Template("mcp.not_an_object", "`arguments` is not an object. Use {usage}.")
UNKNOWN_ARGUMENTS: Final = Template(
    "mcp.unknown_arguments", "Unknown arguments: {names:list}. Use {usage}."
)
BAD_ARGUMENT: Final = Template("mcp.bad_argument", "{place}: {cause}. Use {usage}.")
RESULT_TOO_LONG: Final = Template(
    "mcp.result_too_long",
    "The result of {verb} has {count:character|characters}; the most is {most}. Ask for less: a "
    "smaller limit, or fewer days.",
)
