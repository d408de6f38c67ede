"""Who may do what: three roles, each of which may do all that the one before it may."""

from __future__ import annotations

from typing import Final, Literal

__all__ = ["ROLES", "Role", "allows", "lesser"]

Role = Literal["viewer", "editor", "admin"]

ROLES: Final[tuple[Role, ...]] = ("viewer", "editor", "admin")
"""From the least to the greatest."""


def allows(role: Role | None, needed: Role | None) -> bool:
    """Whether a role is enough; no role is the public, and nothing is needed of it."""
    if needed is None:
        return True
    return role is not None and ROLES.index(role) >= ROLES.index(needed)


def lesser(one: Role, other: Role) -> Role:
    """The one of two roles that may do less."""
    return min(one, other, key=ROLES.index)
