"""The verb that takes a while, run in the background: whoever starts it, all see the same run."""

from __future__ import annotations

from typing import Final

from gotgan.domains.site.mails import Mails, Sent
from gotgan.runs import Run, Runs, Tell

__all__ = ["SEND_MAILS_VERB", "start_send_mails"]

SEND_MAILS_VERB: Final = "site.send_mails"


def start_send_mails(runs: Runs, mails: Mails) -> Run:
    """Send the mails that are due; the report is a ``Sent``."""

    def work(tell: Tell) -> Sent:
        return mails.send_due(on_progress=lambda done: tell(done, 0, ""))

    return runs.start(SEND_MAILS_VERB, work)
