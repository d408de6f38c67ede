"""The world: a small, simulated web on loopback, for demos, tests and benchmarks.

It answers under names (``finance.yahoo.com``), so no stored address ever holds a port; a client is
led there by the setting ``GOTGAN_RESOLVE``. Its pages follow from a seed and a moment, and it
misbehaves on request.
"""

from __future__ import annotations

from gotgan.world.faults import OF_MODELS, OF_THE_EXCHANGE, OF_YOUTUBE, Fault
from gotgan.world.scene import Markup
from gotgan.world.server import ServedWorld, serve_world, serving_world
from gotgan.world.world import DayClock, Seen, World

__all__ = [
    "OF_MODELS",
    "OF_THE_EXCHANGE",
    "OF_YOUTUBE",
    "DayClock",
    "Fault",
    "Markup",
    "Seen",
    "ServedWorld",
    "World",
    "serve_world",
    "serving_world",
]
