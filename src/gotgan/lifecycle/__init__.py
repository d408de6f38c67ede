"""Lifecycles: NEVER → PROGRESS → DONE, kept in the sort key of an index.

    NEVER#  ── claim ──▶  PROGRESS#2026-01-15T10:00:00Z  ── finish ──▶  DONE#2026-01-15T12:00:00Z
       ▲                        │     ▲                                    │
       └────── release ─────────┘     └──────────────── claim ─────────────┘

The stored sort key is the only source of the state. Beside it the item keeps who holds the claim,
until when (the lease), how often there was one (the fence), how often it was tried since it was
last done, and the sort key that a release goes back to. Work that failed can be postponed: that is
a release with the reason and the time of the next attempt, before which it cannot be claimed.
Every move is one conditional write, guarded by what it moves: a worker whose claim was taken over
can no longer finish. A worker that dies leaves PROGRESS behind, which ``stuck`` shows as soon as
the lease is over.
"""

from __future__ import annotations

from gotgan.lifecycle.lifecycle import DEFAULT_LEASE, BoundLifecycle, Claim, Lifecycle
from gotgan.lifecycle.states import Position, State

__all__ = ["DEFAULT_LEASE", "BoundLifecycle", "Claim", "Lifecycle", "Position", "State"]
