"""The demo: a simulated web, a clock that leaps from job to job, and visitors.

Everything else is the code that collects from the real web.
"""

from __future__ import annotations

from gotgan.demo.demo import Demo, LiveDemo, open_demo
from gotgan.demo.tally import DemoSummary

__all__ = ["Demo", "DemoSummary", "LiveDemo", "open_demo"]
