"""Gemini as an analyser, by Google's own client: asked once, for JSON alone, without any tools."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

from gotgan.domains.videos.analysers.evidence import pack_of
from gotgan.domains.videos.analysers.gemini_wire import connected, failures_told
from gotgan.domains.videos.analysers.prices import priced
from gotgan.domains.videos.analysers.prompt import INSTRUCTIONS, PROMPT_VERSION, answer_schema
from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.measuring.measured import Measurements
from gotgan.domains.videos.models import Material, Usage
from gotgan.errors import OutputInvalid
from gotgan.settings import Secret, Settings

__all__ = ["Gemini", "is_installed"]

_SECONDS: Final = 120.0
_MOST_TOKENS: Final = 16_384
"""Of an answer and of the thoughts before it."""
_GOOGLE: Final = "https://generativelanguage.googleapis.com"
"""Whose prices hold, wherever the settings say that Gemini answers."""
_WHOLE: Final = "STOP"
_CUT: Final = "MAX_TOKENS"


def is_installed() -> bool:
    """Whether Google's client is there."""
    try:
        return find_spec("google.genai") is not None
    except ModuleNotFoundError:
        return False


class Gemini:
    """The analyser ``gemini``."""

    name: Final = "gemini"
    prompt_version: Final = PROMPT_VERSION

    def __init__(self, settings: Settings, key: Secret, *, seconds: float = _SECONDS) -> None:
        self.model = settings.gemini_model
        self._settings = settings
        self._key = key
        self._seconds = seconds

    def say(self, material: Material, measured: Measurements) -> AnalyserResponse:
        """What it makes of the comments."""
        pack = pack_of(material, measured)
        with failures_told(self.model, self._seconds):
            response = self._asked(pack.text)
        text, is_cut = _text_of(response)
        return AnalyserResponse(text, self._usage(response), is_cut, pack.names)

    def _asked(self, document: str) -> Any:
        # Late, because it is heavy, and only those have it who want it.
        from google.genai import Client, types  # noqa: PLC0415

        config = types.GenerateContentConfig(**_config())
        with connected(self._settings, self._seconds) as connection:
            options = types.HttpOptions(**connection)
            client = Client(vertexai=False, api_key=self._key.reveal(), http_options=options)
            return client.models.generate_content(
                model=self.model, contents=document, config=config
            )

    def _usage(self, response: Any) -> Usage:
        used = response.usage_metadata
        if used is None:
            return Usage(cost_usd=None)
        thoughts = used.thoughts_token_count or 0  # they cost as much as what is said
        answered = (used.candidates_token_count or 0) + thoughts
        model = self.model.removeprefix("models/")
        return priced(_GOOGLE, model, used.prompt_token_count or 0, answered)


def _config() -> dict[str, Any]:
    return {
        "system_instruction": INSTRUCTIONS,
        "temperature": 0.0,
        "max_output_tokens": _MOST_TOKENS,
        "response_mime_type": "application/json",
        "response_json_schema": answer_schema(),
        "automatic_function_calling": {"disable": True},
    }


def _text_of(response: Any) -> tuple[str, bool]:
    """What was said, and whether it broke off."""
    candidate = next(iter(response.candidates or ()), None)
    if candidate is None:
        feedback = response.prompt_feedback
        raise _silent(_name(feedback.block_reason) if feedback else "")
    reason = _name(candidate.finish_reason) or _WHOLE
    if reason not in {_WHOLE, _CUT}:
        raise _silent(reason)
    parts = (candidate.content.parts if candidate.content else None) or ()
    text = "".join(part.text for part in parts if part.text and not part.thought)
    return text, reason == _CUT


def _name(reason: Any) -> str:
    """What Google calls a reason; it is a word of an enumeration, or one that is not known yet."""
    return str(getattr(reason, "value", None) or "")[:50]


def _silent(reason: str) -> OutputInvalid:
    why = f"it stopped for the reason {reason}" if reason else "it gave no reason"
    return OutputInvalid(
        f"gemini did not answer: {why}; take another analyser for this video, such as builtin"
    )
