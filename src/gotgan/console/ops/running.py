"""A job that is run now, without waiting until it comes round: begun by a button, and watched."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import redirect
from gotgan.console.given import Editor, Gotgan, Sent
from gotgan.console.runs import role_of, verb_named
from gotgan.domain import domains
from gotgan.domains.site.roles import Role
from gotgan.errors import Conflict
from gotgan.schedule import Job, jobs

__all__ = ["needed_for", "place_of", "router", "run_job"]

router = APIRouter()
_BACKUP: Final = "backup"
"""The job that is not a verb."""


def place_of(job: str) -> str | None:
    """The page that shows what a job did; None if there is none."""
    domain = job.partition(".")[0]
    if domain not in {each.name for each in domains()}:
        return None
    return "/site/mails" if domain == "site" else f"/{domain}"


def needed_for(job: Job) -> Role:
    """The role that running a job by hand needs: that of its verb."""
    return "admin" if job.verb == _BACKUP else role_of(verb_named(job.verb))


@router.post("/schedule/run")
def run_job(who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin what a job does; where it is under way already, leave it at that."""
    job = next((each for each in jobs() if each.name == form.text("job")), None)
    if job is None:
        raise HTTPException(404)
    if not who.may(needed_for(job)):
        raise HTTPException(403, "frame.error.role")
    return redirect(f"/schedule?job={job.name}#ticks", said=f"schedule.run.{_begun(app, job)}")


def _begun(app: App, job: Job) -> str:
    try:
        app.start(job.verb)
    except Conflict:
        return "busy"
    return "begun"
