"""An analysis as several routes show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gotgan.domains.videos.records import result_2

if TYPE_CHECKING:
    from gotgan.domains.videos.service import Videos

__all__ = ["analysis_of"]


def analysis_of(videos: Videos, result_id: str, *, cache_hit: bool = False) -> dict[str, Any]:
    """A result in shape 2, with the comments that it names, as far as they are kept."""
    result, evidence = videos.result(result_id)
    return result_2(result, evidence, is_fresh=result.is_fresh(videos.now()), cache_hit=cache_hit)
