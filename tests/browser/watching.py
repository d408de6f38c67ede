"""A page of the browser that remembers what it complained about."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Page, Request

from gotgan.app import App

__all__ = ["Watched", "sign_in"]


class Watched:
    """A page, with every error and warning of its console, its scripts and its policy."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", self._failed)

    def is_expected(self, words: str) -> None:
        """Forgive the complaints that a test provoked; there must be one."""
        others = [each for each in self.complaints if words not in each]
        assert len(others) < len(self.complaints)
        self.complaints = others

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        root = self.page.locator("html")
        return int(root.evaluate("root => root.scrollWidth - root.clientWidth"))

    def _failed(self, request: Request) -> None:
        # Whoever goes on to the next page takes no notice of what the last one still loads.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"{request.url}: {request.failure}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)


def sign_in(watched: Watched, app: App, user_id: str, path: str = "/") -> None:
    """Sign in as somebody does who opens the link of the terminal."""
    code = app.site.tokens.sign_in_code(user_id)
    watched.page.goto(f"/sign-in?code={code}&next={path}")
    watched.page.locator("main button").click()
    watched.page.wait_for_url(lambda url: "/sign-in" not in url)
