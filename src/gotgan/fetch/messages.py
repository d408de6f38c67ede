"""Messages of fetching; their Korean is in ``texts/ko/fetch.toml``."""

from __future__ import annotations

from errno import ECONNREFUSED, ECONNRESET, EHOSTUNREACH, ENETUNREACH
from typing import Final

from gotgan.messages import Template

# Connections

CLOSED: Final = Template("fetch.closed", "The web client was closed. Open a new one.")
NO_CONNECTION: Final = Template("fetch.no_connection", "Could not connect to {url}: {why}")
TIMED_OUT: Final = Template("fetch.timed_out", "Request to {url} timed out")
TIMED_OUT_AFTER: Final = Template(
    "fetch.timed_out_after", "Request to {url} timed out after {seconds} s"
)
HOST_NOT_FOUND: Final = Template("fetch.host_not_found", "host not found")
DISCONNECTED: Final = Template("fetch.disconnected", "Server disconnected")
CERTIFICATE: Final = Template("fetch.certificate", "untrusted certificate ({cause})")
TLS: Final = Template("fetch.tls", "TLS failed ({cause})")
CAUSES: Final = {
    ECONNREFUSED: Template("fetch.refused", "connection refused"),
    ECONNRESET: Template("fetch.reset", "connection reset by peer"),
    EHOSTUNREACH: Template("fetch.no_route", "no route to host"),
    ENETUNREACH: Template("fetch.no_network", "network is unreachable"),
}
"""What the system calls them too."""

# Responses

ENDED_EARLY: Final = Template(
    "fetch.ended_early", "The response from {url} is incomplete. Try again."
)
NOT_HTTP: Final = Template(
    "fetch.not_http", "The response from {url} is not valid HTTP ({cause}). The site must fix it."
)
TOO_LARGE: Final = Template(
    "fetch.too_large", "The response from {url} has more than {limit} bytes, the limit for it."
)
TOO_LARGE_COMPRESSED: Final = Template(
    "fetch.too_large_compressed",
    "The response from {url} has more than {limit} bytes, the limit for any response.",
)
TOO_MANY_PARTS: Final = Template("fetch.too_many_parts", "too many parts")
BAD_COMPRESSION: Final = Template(
    "fetch.bad_compression",
    "Could not decompress the response from {url} ({cause}). The site must fix it.",
)
UNKNOWN_ENCODING: Final = Template(
    "fetch.unknown_encoding",
    "The response from {url} has the unsupported encoding {encoding}. The site must fix it.",
)
TOO_MANY_REDIRECTS: Final = Template(
    "fetch.too_many_redirects",
    "Too many redirects from {url}, last to {last}. Open it in a browser to check it.",
)
OTHER_SITE: Final = Template(
    "fetch.other_site",
    "{url} redirects to {target}, which is on another site. The redirect was not followed.",
)

# Statuses

TOO_MANY_REQUESTS: Final = Template(
    "fetch.too_many_requests",
    "{url} answered status {status}: too many requests. Try again later, and raise GOTGAN_DELAY.",
)
TOO_MANY_REQUESTS_WAIT: Final = Template(
    "fetch.too_many_requests_wait",
    "{url} answered status {status}: too many requests. Try again in "
    "{seconds:second|seconds}, and raise GOTGAN_DELAY.",
)
SERVER_ERROR: Final = Template(
    "fetch.server_error", "{url} answered status {status}: server error. Try again later."
)
SERVER_ERROR_WAIT: Final = Template(
    "fetch.server_error_wait",
    "{url} answered status {status}: server error. Try again in {seconds:second|seconds}.",
)
FORBIDDEN: Final = Template(
    "fetch.forbidden",
    "{url} answered status {status}: access denied. Open it in a browser to check it.",
)
NOT_FOUND: Final = Template(
    "fetch.not_found", "{url} answered status {status}: page not found. Remove the link."
)
BAD_STATUS: Final = Template("fetch.bad_status", "{url} answered status {status}. Check the link.")

# Addresses

BAD_URL: Final = Template("fetch.bad_url", "Not a valid URL: {url}. Check the link.")
BAD_ADDRESS: Final = Template(
    "fetch.bad_address", "Could not fetch {url}: not a valid URL ({cause}). Check the link."
)
NOT_WEB: Final = Template(
    "fetch.not_web", "Could not fetch {url}: only http and https URLs are supported."
)
HAS_PASSWORD: Final = Template(
    "fetch.has_password",
    "Could not fetch {url}: it contains a user name or password. Remove it from the URL.",
)
PORT_0: Final = Template("fetch.port_0", "Could not fetch {url}: 0 is not a valid port.")
ODD_IP: Final = Template(
    "fetch.odd_ip",
    "Could not fetch {url}: its IP address has an unusual form. Write it as four decimal numbers.",
)
LINK_LOCAL: Final = Template(
    "fetch.link_local", "Could not fetch {url}: the address is local to one network link."
)
PRIVATE_ADDRESS: Final = Template(
    "fetch.private_address",
    "Links to private addresses are not followed: {host}. If it is intended, add it to the "
    "settings.",
)
PRIVATE_NAME: Final = Template(
    "fetch.private_name",
    "{host} resolves to a private address, and links to those are not followed. If it should be "
    "public, check its DNS records.",
)

# robots.txt

ROBOTS_DISALLOWED: Final = Template(
    "fetch.robots_disallowed", "The robots.txt of {host} disallows {url}. It was not fetched."
)
ROBOTS_STATUS: Final = Template(
    "fetch.robots_status",
    "Could not fetch {url}: status {status}. Nothing is fetched from a site whose robots.txt is "
    "unavailable. Try again in a few minutes.",
)
ROBOTS_UNAVAILABLE: Final = Template(
    "fetch.robots_unavailable",
    "{why} Nothing is fetched from a site whose robots.txt is unavailable. Try again in a few "
    "minutes.",
)

# Recordings

RECORD_AND_REPLAY: Final = Template(
    "fetch.record_and_replay",
    "GOTGAN_RECORD and GOTGAN_REPLAY are both set. Unset one of them.",
)
NOT_WRITABLE: Final = Template(
    "fetch.not_writable",
    "Could not record responses in {folder}: {cause}. Use a writable folder with free space, or "
    "unset GOTGAN_RECORD.",
)
NOT_RECORDED: Final = Template(
    "fetch.not_recorded",
    "There is no complete recording of {url} at {path}. Set GOTGAN_RECORD to {folder} to record "
    "it, or unset GOTGAN_REPLAY to fetch it from the web.",
)
BACKING_OFF: Final = Template(
    "fetch.backing_off",
    "The host asked for a pause of another {seconds:second|seconds}. Nothing was requested.",
)
