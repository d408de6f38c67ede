"""A verb, and what it is called by each of those who offer it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Names", "Verb", "Without", "names_of"]


class Without(str):
    """Why a verb is not offered somewhere."""

    __slots__ = ()


Names = str | tuple[str, ...]


@dataclass(frozen=True)
class Verb:
    """What somebody does daily: its method of the app, command, operations and pages."""

    library: Names
    command: Names
    route: Names
    page: Names

    def __str__(self) -> str:
        everywhere = (self.library, self.command, self.route, self.page)
        return next(name for names in everywhere for name in names_of(names))


def names_of(names: Names) -> tuple[str, ...]:
    """The names of a verb somewhere; none where it is not offered."""
    if isinstance(names, Without):
        return ()
    return (names,) if isinstance(names, str) else names
