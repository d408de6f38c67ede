"""The demo: a simulated web and a server of its own, and a clock that leaps from job to job.

Everything that the demo shows is collected by the same code that collects from the real web. Only
three things are its own: where the web is, what time it is, and the people who come by.
"""

from __future__ import annotations

from gotgan.demo.opening import Demo, opened_demo
from gotgan.demo.tally import Happened
from gotgan.demo.watching import Watching

__all__ = ["Demo", "Happened", "Watching", "opened_demo"]
