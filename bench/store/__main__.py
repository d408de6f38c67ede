"""The benchmark's command: measure the engine and the typed store beside their peers."""

from __future__ import annotations

import argparse
import json
import signal
from pathlib import Path

from bench.store.contestants import CONTESTANTS
from bench.store.report import as_json, as_text, inserted, sections
from bench.store.run import PARTS, Plan, run

_NAMES = (*CONTESTANTS, *PARTS)


def _only(text: str) -> frozenset[str]:
    names = frozenset(text.split(","))
    unknown = ", ".join(sorted(names - set(_NAMES)))
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {unknown}; there are {', '.join(_NAMES)}")
    return names


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller tables")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--only",
        type=_only,
        default=frozenset(),
        metavar="NAMES",
        help=f"comma-separated, of {', '.join(_NAMES)}",
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help="put what was measured between the markers of this document",
    )
    return parser.parse_args()


def _plan(arguments: argparse.Namespace) -> Plan:
    if arguments.quick:
        return Plan(arguments.only, 2, 0.1, 12, 100_000, 10, 1_000)
    return Plan(arguments.only, 8, 0.25, 130, 1_000_000, 110, 10_000)


def _stop(number: int, _frame: object) -> None:
    """End as an interrupt would, so that servers are stopped and folders removed."""
    raise SystemExit(128 + number)


def main() -> None:
    """Run the benchmark."""
    signal.signal(signal.SIGTERM, _stop)
    arguments = _arguments()
    results = run(_plan(arguments))
    if arguments.write is not None:
        document = arguments.write.read_text(encoding="utf-8")
        arguments.write.write_text(inserted(document, sections(results)), encoding="utf-8")
    print(json.dumps(as_json(results)) if arguments.json else as_text(results))


if __name__ == "__main__":
    main()
