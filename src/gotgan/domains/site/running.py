"""The verbs that take a while, run in the background: whoever starts one, all see the same run."""

from __future__ import annotations

from typing import Final

from gotgan.domains.site.adoption import ADOPT_RECORDS, Adopted
from gotgan.domains.site.mails import Mails, Sent
from gotgan.domains.site.service import Site
from gotgan.runs import Run, Runs, Tell

__all__ = ["ADOPT_VERB", "SEND_MAILS_VERB", "start_adopt", "start_send_mails"]

ADOPT_VERB: Final = "site.adopt"
SEND_MAILS_VERB: Final = "site.send_mails"


def start_adopt(runs: Runs, site: Site, *, max_records: int = ADOPT_RECORDS) -> Run:
    """Adopt what other tools wrote; the report is an ``Adopted``."""

    def work(tell: Tell) -> Adopted:
        return site.adopt(max_records=max_records, on_step=lambda read: tell(read, 0, ""))

    return runs.start(ADOPT_VERB, work, asked=max_records)


def start_send_mails(runs: Runs, mails: Mails) -> Run:
    """Send the mails that are due; the report is a ``Sent``."""

    def work(tell: Tell) -> Sent:
        return mails.send_due(on_progress=lambda done: tell(done, 0, ""))

    return runs.start(SEND_MAILS_VERB, work)
