"""Messages of fetching; their Korean is in ``texts/ko/fetch.toml``."""

from __future__ import annotations

from errno import ECONNREFUSED, ECONNRESET, EHOSTUNREACH, ENETUNREACH
from typing import Final

from gotgan.messages import Template

NO_CONNECTION: Final = Template("fetch.no_connection", "Could not connect to {url}: {why}")
TIMED_OUT: Final = Template("fetch.timed_out", "Request to {url} timed out")
TIMED_OUT_AFTER: Final = Template(
    "fetch.timed_out_after", "Request to {url} timed out after {seconds} s"
)
HOST_NOT_FOUND: Final = Template("fetch.host_not_found", "host not found")
DISCONNECTED: Final = Template("fetch.disconnected", "Server disconnected")
CERTIFICATE: Final = Template("fetch.certificate", "untrusted certificate ({cause})")
TLS: Final = Template("fetch.tls", "TLS failed ({cause})")
ENDED_EARLY: Final = Template("fetch.ended_early", "{url} ended before its end; try again")
NOT_HTTP: Final = Template(
    "fetch.not_http",
    "{url} answered something that is not HTTP ({cause}); its owner must mend it",
)
BAD_ADDRESS: Final = Template(
    "fetch.bad_address", "{url} is no address that can be fetched ({cause}); look at the link"
)
CAUSES: Final = {
    ECONNREFUSED: Template("fetch.refused", "connection refused"),
    ECONNRESET: Template("fetch.reset", "connection reset by peer"),
    EHOSTUNREACH: Template("fetch.no_route", "no route to host"),
    ENETUNREACH: Template("fetch.no_network", "network is unreachable"),
}
"""What the system calls them too."""
