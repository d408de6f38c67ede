"""A domain whose verbs take everything that a form can ask for, without texts of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from gotgan.domain import Core, Domain, Job, Service, SetupStep, skip
from gotgan.params import Day
from gotgan.verbs import RequestBody, verb

__all__ = ["DOMAIN", "Entry", "Vault"]

DOMAIN = Domain(
    name="vault",
    line="Keep things.",
    service="tests.unit.console.vault:Vault",
    jobs=(Job("vault.close_all", "0 0 * * *", gate="vault.is_open", words="Closes it."),),
)


@dataclass(frozen=True)
class Entry:
    """A thing, and what is known of it."""

    first_name: str
    size: int | None
    marks: dict[str, list[int]]


class Vault(Service):
    """Things of admins."""

    domain: ClassVar = "vault"

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []

    @classmethod
    def open(cls, core: Core) -> Self:  # noqa: ARG003 - it needs nothing
        """The service."""
        return cls()

    @verb(role="admin")
    def list(self) -> list[Entry]:
        """List things."""
        return [Entry("<b>", None, {"a": [1]})]

    @verb(role="public")
    def door(self) -> str:
        """Say whether the door is open."""
        return "open"

    @verb(role="editor", kind="write")
    def put(
        self,
        names: Annotated[Sequence[str], Field(description="Names of things.")],
        *,
        kind: Literal["box", "bag"] = "box",
        day: Day | None = None,
        count: Annotated[int, Field(ge=1)] = 1,
        is_open: bool = False,
    ) -> None:
        """Put things."""
        self.written.append(
            {"names": [*names], "kind": kind, "day": day, "count": count, "is_open": is_open}
        )

    @verb(role="editor", kind="write")
    def load(self, things: Annotated[dict[str, Any], RequestBody()]) -> None:
        """Load what only programs write."""

    @verb(role="admin", kind="run")
    def close_all(self) -> date:
        """Close everything."""
        return date(2025, 11, 14)

    def setup(self) -> tuple[SetupStep, ...]:
        """What there is to set up."""
        return (SetupStep.of("vault", "master_key", skip("no_key", "There is no key.")),)
