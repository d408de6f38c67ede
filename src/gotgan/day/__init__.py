"""The day: one page that joins what the domains tell, without one of them knowing another."""

from __future__ import annotations

from gotgan.day.page import Coming, DayPage, Failure, Fault, JobDay, Part, WorkTick

__all__ = ["Coming", "DayPage", "Failure", "Fault", "JobDay", "Part", "WorkTick"]
