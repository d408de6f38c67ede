"""``gotgan shops`` and the other domains: the verbs of each service."""

from __future__ import annotations

from gotgan.cli.binder import VerbGroup
from gotgan.domain import domain_named

__all__ = ["day", "group_of"]

day = VerbGroup(
    "day",
    "gotgan.day.service:Days",
    default="get",
    help="Show what a day brought, or publish it.\n\n"
    "gotgan day [DAY] is short for gotgan day get [DAY].",
)


def group_of(name: str) -> VerbGroup:
    """The commands of a domain."""
    domain = domain_named(name)
    return VerbGroup(domain.name, domain.service, by_hand=domain.commands, help=domain.line)
