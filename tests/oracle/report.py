"""What a run found, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.oracle.compare import MESSAGE
from tests.oracle.explained import Explanation
from tests.oracle.known import KNOWN
from tests.oracle.run import Tally
from tests.oracle.verdict import Case, Judged
from tests.oracle.wire import Answer

__all__ = ["Findings", "as_json", "as_text"]

_LONGEST = 600


class Findings:
    """The differences of a run, sorted as they come."""

    def __init__(self) -> None:
        self.unexplained: list[Judged] = []
        self.messages: list[Judged] = []
        self.explained: Counter[Explanation] = Counter()
        self.outvoted: Counter[str] = Counter()

    def add(self, found: Iterable[Judged]) -> None:
        """Take the verdicts of one case."""
        for one in found:
            if one.difference.kind == MESSAGE:
                self.messages.append(one)
            elif one.explained is None:
                self.unexplained.append(one)
            elif one.explained.peers:
                self.explained[one.explained] += 1
            else:
                self.outvoted[one.peer] += 1

    @property
    def idle(self) -> list[Explanation]:
        """The entries of the list that explained nothing in this run."""
        return [entry for entry in KNOWN if entry not in self.explained]


def as_text(findings: Findings, tally: Tally, messages: bool, idle: bool) -> str:
    """The report as people read it."""
    parts = [_disputes("unexplained", findings.unexplained)]
    if messages:
        parts.append(_disputes("messages", _unexplained_messages(findings)))
    if idle:
        parts.append("\n".join(f"idle: {_entry(entry)}" for entry in findings.idle))
    parts += [_known(findings), _summary(findings, tally)]
    return "\n\n".join(part for part in parts if part)


def as_json(findings: Findings, tally: Tally) -> str:
    """The report as programs read it."""
    return json.dumps(
        {
            "scenarios": tally.scenarios,
            "steps": tally.steps,
            "compared": tally.compared,
            "missing": tally.missing,
            "outvoted": findings.outvoted,
            "explained": {_entry(entry): count for entry, count in findings.explained.items()},
            "unexplained": [_as_data(one) for one in findings.unexplained],
            "messages": [_as_data(one) for one in _unexplained_messages(findings)],
        },
        ensure_ascii=False,
    )


def _unexplained_messages(findings: Findings) -> list[Judged]:
    return [one for one in findings.messages if one.explained is None]


def _disputes(title: str, found: list[Judged]) -> str:
    cases = list({id(one.case): one.case for one in found}.values())
    return "\n\n".join(_dispute(title, case, found) for case in cases)


def _dispute(title: str, case: Case, found: list[Judged]) -> str:
    step = case.step
    lines = [
        f"{title}: {case.scenario.name}" + (f" / {step.note}" if step.note else ""),
        f"  {step.operation} {_short(step.payload)}",
        f"  subject: {_said(case.subject)}",
    ]
    lines += [f"  {name}: {_said(answer)}" for name, answer in case.peers.items()]
    lines += [_line(one) for one in found if one.case is case]
    return "\n".join(lines)


def _line(one: Judged) -> str:
    difference = one.difference
    where = f" at {difference.path}" if difference.path else ""
    values = f"{_short(difference.subject)} ≠ {_short(difference.peer)}"
    return f"    ≠ {one.peer}: {difference.kind}{where}: {values}"


def _said(answer: Answer) -> str:
    return _short(answer.body) if answer.ok else _short(f"{answer.code}: {answer.message}")


def _known(findings: Findings) -> str:
    counted = sorted(findings.explained.items(), key=lambda pair: -pair[1])
    return "\n".join(f"explained {count:>5} × {_entry(entry)}" for entry, count in counted)


def _entry(entry: Explanation) -> str:
    return f"{', '.join(sorted(entry.peers))}: {entry.what}"


def _summary(findings: Findings, tally: Tally) -> str:
    lines = [f"{tally.scenarios} scenarios, {tally.steps} requests"]
    lines += [
        f"  {name}: {tally.compared[name]} answers compared, {tally.silent[name]} not to be had, "
        f"outvoted in {findings.outvoted[name]} differences"
        for name in sorted({*tally.compared, *tally.silent})
    ]
    lines += [f"  {name}: skipped: {reason}" for name, reason in tally.missing.items()]
    lines.append(f"{len(findings.unexplained)} unexplained differences")
    return "\n".join(lines)


def _as_data(one: Judged) -> dict[str, Any]:
    difference = one.difference
    return {
        "scenario": one.case.scenario.name,
        "note": one.case.step.note,
        "operation": one.case.step.operation,
        "payload": one.case.step.payload,
        "peer": one.peer,
        "kind": difference.kind,
        "path": difference.path,
        "says": {"subject": _said(one.case.subject)}
        | {name: _said(answer) for name, answer in one.case.peers.items()},
    }


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
