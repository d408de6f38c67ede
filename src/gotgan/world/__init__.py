"""The world: a small, simulated web on loopback, for demos, tests and benchmarks.

It answers under names (``finance.yahoo.com``), so no stored address ever holds a port; a client is
led there by the setting ``GOTGAN_RESOLVE``. Its pages follow from a seed and a moment, and it
misbehaves on request.
"""

from __future__ import annotations

from gotgan.world.faults import OF_MAIL, OF_MODELS, OF_THE_EXCHANGE, OF_YOUTUBE, FaultKind
from gotgan.world.letters import MAIL, Letter
from gotgan.world.post import serving_post
from gotgan.world.scene import Markup
from gotgan.world.server import ServedWorld, serve_world, serving_world
from gotgan.world.world import RequestRecord, ShiftedClock, World

__all__ = [
    "MAIL",
    "OF_MAIL",
    "OF_MODELS",
    "OF_THE_EXCHANGE",
    "OF_YOUTUBE",
    "FaultKind",
    "Letter",
    "Markup",
    "RequestRecord",
    "ServedWorld",
    "ShiftedClock",
    "World",
    "serve_world",
    "serving_post",
    "serving_world",
]
