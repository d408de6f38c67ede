"""The door to the web: every connection to it is opened here.

It is polite (``gate``, ``robots``, ``agent``), guarded (``guard``), bounded (``rules``), and what
it brought can be kept and brought again (``recording``).
"""

from __future__ import annotations

from gotgan.fetch.addresses import shown
from gotgan.fetch.client import Web
from gotgan.fetch.messages import HTML, Answer, Ask, Fetched, Validators
from gotgan.fetch.rules import Rules

__all__ = ["HTML", "Answer", "Ask", "Fetched", "Rules", "Validators", "Web", "shown"]
