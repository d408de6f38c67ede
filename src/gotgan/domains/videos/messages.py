"""Messages of videos; their Korean is in ``texts/ko/videos.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

NO_VIDEOS: Final = Template("videos.no_videos", "no video was analysed or imported yet")
NO_KEY: Final = Template(
    "videos.no_key",
    "YouTube is not asked without a key; set YOUTUBE_API_KEY, or import videos from files",
)
NO_MODEL: Final = Template(
    "videos.no_model",
    "comments are counted, and nothing is suggested; set GOTGAN_ANALYSER=gemini and "
    "GEMINI_API_KEY, or GOTGAN_ANALYSER=openai for a server of your own",
)
NONE_EXPIRED: Final = Template(
    "videos.none_expired", "nothing is kept that was collected thirty days ago"
)
COMMENTS_DISABLED: Final = Template(
    "videos.comments_disabled", "comments are turned off for this video"
)
COMMENTS_FAILED: Final = Template(
    "videos.comments_failed", "YouTube failed before all comments were fetched"
)
COMMENTS_QUOTA: Final = Template(
    "videos.comments_quota", "the daily YouTube quota ran out before all comments were fetched"
)
COMMENTS_TIMEOUT: Final = Template(
    "videos.comments_timeout", "YouTube timed out before all comments were fetched"
)
ANALYSED_SINCE: Final = Template("videos.analysed_since", "was analysed since")
ANALYSE_AGAIN: Final = Template("videos.analyse_again", "ask for it again")
ANALYSE_AGAIN_FROM: Final = Template("videos.analyse_again_from", "ask for it again from {at} on")
