"""The contract of the videos' document under ``/api/analysis``, in an envelope of its own."""

from __future__ import annotations

from gotgan.api.analysis.envelope import PREFIX
from gotgan.api.analysis.jobs import router
from gotgan.api.analysis.refusals import refused

__all__ = ["PREFIX", "refused", "router"]
