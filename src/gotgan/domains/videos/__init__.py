"""Videos: what people say below them, analysed once, with what each answer rests on."""

from __future__ import annotations

from typing import Final

from gotgan.domain import Command, Domain, Job

__all__ = ["DOMAIN"]

DOMAIN: Final = Domain(
    name="videos",
    line="Analyse YouTube comments.",
    service="gotgan.domains.videos.service:Videos",
    exports="gotgan.domains.videos.exports",
    section="gotgan.console.videos",
    terminal="gotgan.cli.terminal.videos",
    routes="gotgan.api.videos",
    commands={
        name: Command("gotgan.cli.videos", line, {"import": "import_files"}.get(name, name))
        for name, line in {
            "analyse": "Analyse a video (queued for a worker).",
            "delete": "Delete everything stored about a video, including its results.",
            "get": "Show a video and its analysis.",
            "import": "Import videos and comments from files, without a YouTube key.",
            "job": "Show a job.",
            "work": "Run queued jobs until you stop it.",
        }.items()
    },
    jobs=(
        Job(
            "videos.purge",
            "20 * * * *",
            gate="videos.is_to_purge",
            words="Deletes video data collected more than thirty days ago.",
        ),
    ),
)
