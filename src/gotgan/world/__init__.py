"""The world: a small, simulated web on loopback, for demos, tests and benchmarks.

It answers under names (``finance.yahoo.com``), so no stored address ever holds a port; a client is
directed there by the setting ``GOTGAN_RESOLVE``. Its pages follow from a seed and a moment, and it
misbehaves on request.
"""

from __future__ import annotations

from gotgan.world.faults import (
    EXCHANGE_FAULTS,
    MAIL_FAULTS,
    MODEL_FAULTS,
    YOUTUBE_FAULTS,
    FaultKind,
)
from gotgan.world.mail import MAIL_HOST, ReceivedMail, mail_server
from gotgan.world.scene import Markup
from gotgan.world.server import ServedWorld, serve_world, world_server
from gotgan.world.world import RequestRecord, ShiftedClock, World

__all__ = [
    "EXCHANGE_FAULTS",
    "MAIL_FAULTS",
    "MAIL_HOST",
    "MODEL_FAULTS",
    "YOUTUBE_FAULTS",
    "FaultKind",
    "Markup",
    "ReceivedMail",
    "RequestRecord",
    "ServedWorld",
    "ShiftedClock",
    "World",
    "mail_server",
    "serve_world",
    "world_server",
]
