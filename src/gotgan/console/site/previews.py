"""How contents and banners will look, before anything is saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.given import Editor, Sent
from gotgan.console.site.checking import Unreadable, contents_of
from gotgan.console.site.filled import Fields, Filled
from gotgan.domains.site.contents import Format, detect, render

__all__ = ["FORMATS", "Preview", "preview_banner", "preview_contents", "preview_of", "router"]

router = APIRouter()
FORMATS: Final[tuple[Format, ...]] = ("markdown", "text", "tiptap")


@dataclass(frozen=True)
class Preview:
    """Contents as they will look, or why they cannot be shown."""

    html: Markup
    format: Format
    problem: str | None = None


@router.post("/site/preview")
def preview_contents(request: Request, who: Editor, form: Sent) -> Response:
    """Show contents as they will look."""
    shown = preview_of(Filled.sent(Fields.to_change("posts"), form), who.t)
    return page(request, "site/preview.html", foreign_images=True, preview=shown)


@router.post("/site/banners/preview")
def preview_banner(request: Request, who: Editor, form: Sent) -> Response:  # noqa: ARG001 - a role
    """Show a banner as it will look."""
    filled = Filled.sent(Fields.to_change("banners"), form)
    return page(request, "site/banner_preview.html", foreign_images=True, form=filled)


def preview_of(filled: Filled, t: Callable[..., str]) -> Preview:
    """What the contents of a form look like."""
    text, chosen = filled.text("contents"), filled.text("contents_format")
    form = next((each for each in FORMATS if each == chosen), None)
    try:
        contents = contents_of(text, chosen)
    except Unreadable as problem:
        return Preview(Markup(), form or "tiptap", problem.sentence(t))
    form = form or detect(contents)
    return Preview(Markup(render(contents, form)), form)  # noqa: S704 - render cleans it
