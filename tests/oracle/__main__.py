"""The oracle's command: ask everybody the same, print who differs, fail on the unexplained."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator

from tests.oracle.handmade import hand_made
from tests.oracle.peers import PEERS, SERVERS
from tests.oracle.random_faults import faulty_scenario
from tests.oracle.random_requests import random_scenario
from tests.oracle.report import Findings, as_json, as_text
from tests.oracle.run import Panel
from tests.oracle.scenario import Scenario
from tests.programs import Unavailable


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("--subject", choices=sorted(SERVERS), default="gotgan")
    parser.add_argument("--peers", default=",".join(PEERS), help="comma-separated names")
    parser.add_argument("--rounds", type=int, default=100, help="random scenarios")
    parser.add_argument("--seed", type=int, default=1, help="of the first random scenario")
    parser.add_argument("--only", default="", help="scenarios whose name contains this")
    parser.add_argument("--messages", action="store_true", help="compare error messages too")
    parser.add_argument("--no-vote", action="store_true", help="let nobody be outvoted")
    parser.add_argument("--idle", action="store_true", help="list entries that explain nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def _scenarios(arguments: argparse.Namespace) -> Iterator[Scenario]:
    seeds = range(arguments.seed, arguments.seed + arguments.rounds)
    drawn = (draw(seed) for seed in seeds for draw in (random_scenario, faulty_scenario))
    for scenario in itertools.chain(hand_made(), drawn):
        if arguments.only in scenario.name:
            yield scenario


def main() -> int:
    """Run the oracle; 0 if nothing is unexplained, 1 if something is, 2 if it cannot run."""
    arguments = _arguments()
    findings = Findings()
    try:
        peers = arguments.peers.split(",")
        with Panel(arguments.subject, peers, voting=not arguments.no_vote) as panel:
            if not panel.peers:
                print(f"no peer could be had: {panel.tally.missing}", file=sys.stderr)
                return 2
            for scenario in _scenarios(arguments):
                for found in panel.verdicts(scenario):
                    findings.add(found)
    except Unavailable as reason:
        print(f"the subject cannot be had: {reason}", file=sys.stderr)
        return 2
    tally = panel.tally
    if arguments.json:
        print(as_json(findings, tally))
    else:
        print(as_text(findings, tally, arguments.messages, arguments.idle))
    return 1 if findings.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
