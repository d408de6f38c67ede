"""Messages of the API; their Korean is in ``texts/ko/api.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

# Who may call

TOKEN_NEEDED: Final = Template(
    "api.token_needed",
    "Send a token in the header Authorization: Bearer <token>. An admin can create one.",
)
ROLE_NEEDED: Final = Template(
    "api.role_needed", "This needs the role {needed}, but this token has the role {role}."
)
TYPE_NEEDS_TOKEN: Final = Template(
    "api.type_needs_token", "Items of the type {type} need the role {needed}. Send a token."
)
TYPE_NEEDS_ROLE: Final = Template(
    "api.type_needs_role", "Items of the type {type} need the role {needed}."
)
UNKNOWN_HOST: Final = Template(
    "api.unknown_host",
    "This server does not answer to the host name {name}. If the name is yours, add it to "
    "GOTGAN_HOSTS (comma-separated; *.example.com for all below it) and restart the server.",
)

# Requests

BODY_TOO_LARGE: Final = Template(
    "api.body_too_large",
    "The body is larger than {most:byte|bytes}. Send a smaller one.",
)
BODY_INCOMPLETE: Final = Template("api.body_incomplete", "The body ended too early. Send it again.")
NESTED_TOO_DEEPLY: Final = Template("api.nested_too_deeply", "the body is nested too deeply")
NOT_AN_OBJECT: Final = Template("api.not_an_object", "send a JSON object")
UNKNOWN_PARAMETER: Final = Template(
    "api.unknown_parameter", "unknown parameter; known: {known:list}"
)
NO_PARAMETERS: Final = Template("api.no_parameters", "unknown parameter; this route takes none")

# The server

NOT_READY: Final = Template("api.not_ready", "Not ready: {checks:list}. The log says why.")
CONTRACT_INTERNAL: Final = Template(
    "api.contract_internal", "Internal error. The log has the details under this requestId."
)
VERSION_NEEDED: Final = Template(
    "api.version_needed",
    "A change needs the version that it is for: If-Match with the ETag that was read, or version "
    "in the body. If-Match: * changes any version.",
)
BAD_ETAG: Final = Template(
    "api.bad_etag", 'If-Match takes one ETag as it was read, a version such as "3", or *.'
)
