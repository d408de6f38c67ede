"""As whom we come: a robot that says so, with all that a browser's request has."""

from __future__ import annotations

import functools
from typing import Final

import gotgan
from gotgan.fetch.messages import Validators

__all__ = ["ROBOT", "conditions", "headers"]

ROBOT: Final = "Gotgan"
"""What a robots.txt calls us."""


def headers(contact: str, accept: str) -> dict[str, str]:
    """What every request says about us and what we take.

    Nothing here pretends that a person sits in front of it. A mailbox also stands in ``From``, as
    HTTP has it for robots.
    """
    said = {
        "User-Agent": _user_agent(contact),
        "Accept": accept,
        "Accept-Language": "en-US,en;q=0.9,*;q=0.5",
        "Accept-Encoding": "gzip, deflate",
        "Upgrade-Insecure-Requests": "1",
    }
    return {**said, "From": contact} if "@" in contact and "/" not in contact else said


def conditions(validators: Validators) -> dict[str, str]:
    """What asks a server for an answer only if it has a later version than ours."""
    said = {
        "If-None-Match": validators.etag,
        "If-Modified-Since": validators.last_modified,
    }
    return {name: value for name, value in said.items() if value and value.isprintable()}


@functools.lru_cache(maxsize=8)
def _user_agent(contact: str) -> str:
    """Kept, because our version is read from a file, and every request says it."""
    about = f"{ROBOT}/{gotgan.__version__}" + (f"; +{contact}" if contact else "")
    return f"Mozilla/5.0 (compatible; {about})"
