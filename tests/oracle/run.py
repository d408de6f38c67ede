"""Sending scenarios to the subject and to its peers, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Self

from tests.oracle.exchange import exchange
from tests.oracle.peers import SERVERS, Running, running
from tests.oracle.scenario import Scenario, Step
from tests.oracle.verdict import Case, Judged, has_opinion, judged, left_behind
from tests.programs import Unavailable

__all__ = ["Panel", "Tally"]


@dataclass
class Tally:
    """How much was asked, of whom, and who could not be asked."""

    scenarios: int = 0
    steps: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)
    missing: dict[str, str] = field(default_factory=dict)


class Panel:
    """The subject, and the peers that could be had."""

    def __init__(self, subject: str, peers: Iterable[str], *, voting: bool = True) -> None:
        self.tally = Tally()
        self._voting = voting
        self._subject = subject
        self._wanted = [name for name in peers if name != subject]
        self._stacks: dict[str, ExitStack] = {}
        self._servers: dict[str, Running] = {}

    def __enter__(self) -> Self:
        self._start(self._subject)
        for name in self._wanted:
            try:
                self._start(name)
            except Unavailable as reason:
                self.tally.missing[name] = str(reason)
        return self

    def __exit__(self, *exception: object) -> None:
        for stack in self._stacks.values():
            stack.close()

    @property
    def peers(self) -> list[str]:
        """The peers that are there."""
        return [name for name in self._servers if name != self._subject]

    def verdicts(self, scenario: Scenario) -> Iterator[list[Judged]]:
        """The differences at each step; a peer that went another way is not asked on.

        The setup is no part of it, unless the subject refuses it.
        """
        self.tally.scenarios += 1
        present = set(self.peers)
        for step in scenario.setup:
            case = self._asked(scenario, step, present)
            found = judged(case, voting=self._voting)
            present -= left_behind(case, found)
            if not case.subject.ok:
                yield found
                break
        else:
            yield from self._compared(scenario, present)
        self._clear()

    def _compared(self, scenario: Scenario, present: set[str]) -> Iterator[list[Judged]]:
        for step in scenario.steps:
            case = self._asked(scenario, step, present)
            self._count(case)
            found = judged(case, voting=self._voting)
            present -= left_behind(case, found)
            yield found

    def _start(self, name: str) -> None:
        stack = ExitStack()
        self._servers[name] = stack.enter_context(running(SERVERS[name]))
        self._stacks[name] = stack

    def _restart(self, name: str) -> None:
        self._stacks.pop(name).close()
        del self._servers[name]
        try:
            self._start(name)
        except Unavailable as reason:
            if name == self._subject:
                raise
            self.tally.missing[name] = f"it died, and did not come back: {reason}"

    def _asked(self, scenario: Scenario, step: Step, present: set[str]) -> Case:
        subject = exchange(self._servers[self._subject].wire, step)
        answers = {name: exchange(self._servers[name].wire, step) for name in sorted(present)}
        return Case(scenario, step, subject, answers)

    def _count(self, case: Case) -> None:
        self.tally.steps += 1
        for name in self.peers:
            answer = case.peers.get(name)
            spoke = answer is not None and has_opinion(answer)
            (self.tally.compared if spoke else self.tally.silent)[name] += 1

    def _clear(self) -> None:
        for name, server in list(self._servers.items()):
            listed = server.wire.send("ListTables", {})
            if listed.status == 0:
                self._restart(name)
            for table in listed.body.get("TableNames", []):
                _drop(server, table)


def _drop(server: Running, table: str) -> None:
    deleted = exchange(server.wire, Step("DeleteTable", {"TableName": table}))
    if not deleted.ok:
        unprotected = {"TableName": table, "DeletionProtectionEnabled": False}
        exchange(server.wire, Step("UpdateTable", unprotected))
        exchange(server.wire, Step("DeleteTable", {"TableName": table}))
