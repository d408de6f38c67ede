"""What Airflow is left to try again, and what not."""

from __future__ import annotations

import json

from tests.airflow.servers import Airflow

PROGRAM = """
import json
from gotgan.dags.base import record_failure, retry_transient
from gotgan.errors import BadMarketAnswer, DatabaseUnavailable, PasswordExpired, ProviderBlocked

notes = []

def ended(block, error):
    try:
        with block:
            raise error("it is so")
    except Exception as raised:
        return type(raised).__name__

errors = (BadMarketAnswer, DatabaseUnavailable, PasswordExpired, ProviderBlocked)
print(json.dumps({
    "noted": {error.__name__: ended(record_failure(notes.append), error) for error in errors},
    "passing": {error.__name__: ended(retry_transient(), error) for error in errors},
    "notes": [type(note).__name__ for note in notes],
}))
"""
FAILED = "AirflowFailException"


def test_airflow_tries_again_only_what_nobody_could_note(airflow: Airflow) -> None:
    ended = json.loads(airflow.command("-c", PROGRAM))
    assert ended["noted"] == {
        "BadMarketAnswer": FAILED,
        "DatabaseUnavailable": "DatabaseUnavailable",
        "PasswordExpired": FAILED,
        "ProviderBlocked": FAILED,
    }
    assert ended["notes"] == ["BadMarketAnswer", "PasswordExpired", "ProviderBlocked"]
    assert ended["passing"] == {
        "BadMarketAnswer": "BadMarketAnswer",
        "DatabaseUnavailable": "DatabaseUnavailable",
        "PasswordExpired": FAILED,
        "ProviderBlocked": FAILED,
    }
