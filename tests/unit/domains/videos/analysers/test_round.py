"""All analysers from a video to a valid result, and models as they misbehave in the world."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from gotgan.clock import SystemClock
from gotgan.domains.videos.analysers.protocol import Analyser
from gotgan.domains.videos.analysers.registry import create_analyser
from gotgan.domains.videos.documents import build_result, shape_1
from gotgan.domains.videos.models import ANALYSERS
from gotgan.domains.videos.schemas import Insights, Result1
from gotgan.domains.videos.validation import validate_insights
from gotgan.errors import (
    AnalysisError,
    KeyRefused,
    OutputInvalid,
    UpstreamBusy,
    UpstreamUnavailable,
)
from gotgan.fetch import FetchRules, Web
from gotgan.settings import Secret, Settings
from gotgan.world import FaultKind, ServedWorld, World, world_server
from tests.unit.domains.videos.opinions import MAKING, MATERIAL, MEASURED

KNOWN = {each.comment_id for each in MATERIAL.comments}
HOSTS = {"gemini": "generativelanguage.googleapis.com", "openai": "api.openai.test"}
MODELS = tuple(HOSTS)


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWorld]:
    with world_server(World()) as served:
        yield served


@pytest.fixture(scope="module")
def web(served: ServedWorld) -> Iterator[Web]:
    with Web(FetchRules(delay=0.0, resolve=served.resolve), clock=SystemClock()) as web:
        yield web


@pytest.fixture(autouse=True)
def _well(served: ServedWorld) -> Iterator[None]:
    yield
    served.world.heal()


def chosen(name: str, served: ServedWorld, web: Web) -> Analyser:
    settings = Settings(
        resolve=served.resolve, gemini_key=Secret("k"), openai="https://api.openai.test/v1"
    )
    return create_analyser(name, settings, web)


def heard(analyser: Analyser) -> tuple[Insights, tuple[str, ...]]:
    return validate_insights(analyser.say(MATERIAL, MEASURED), KNOWN)


@pytest.mark.parametrize("name", ANALYSERS)
def test_every_analyser_says_what_becomes_a_valid_result_as_it_is(
    name: str, served: ServedWorld, web: Web
) -> None:
    insights, warnings = heard(chosen(name, served, web))
    assert warnings == ()
    assert any(idea.evidence for idea in insights.contentIdeas)
    assert {each for idea in insights.contentIdeas for each in idea.evidence} <= KNOWN
    result = build_result(MATERIAL, MEASURED, insights, MAKING).model_dump()
    Result1.model_validate(json.loads(json.dumps(shape_1(result))))


@pytest.mark.parametrize("name", MODELS)
def test_what_a_model_costs_is_counted(name: str, served: ServedWorld, web: Web) -> None:
    usage = chosen(name, served, web).say(MATERIAL, MEASURED).usage
    assert usage.input_tokens > usage.output_tokens > 0
    assert bool(usage.cost_usd) == (name == "gemini")  # nobody knows what the other one asks


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_chats_is_understood(name: str, served: ServedWorld, web: Web) -> None:
    served.world.fail(HOSTS[name], "*", FaultKind.FENCED)
    _, warnings = heard(chosen(name, served, web))
    assert len(warnings) == 1


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        (FaultKind.CUT_JSON, OutputInvalid, "answer was cut off"),
        (FaultKind.WRONG_SCHEMA, OutputInvalid, "summary is not an object"),
        (FaultKind.REFUSED, OutputInvalid, "answer"),
        (FaultKind.EMPTY, OutputInvalid, "Could not read"),
        (FaultKind.KEY_INVALID, KeyRefused, "_API_KEY"),
        (FaultKind.THROTTLED, UpstreamBusy, "in 2 seconds"),
        (FaultKind.UNAVAILABLE, UpstreamUnavailable, "503"),
    ],
)
def test_a_model_that_misbehaves_gives_no_result(
    name: str,
    fault: FaultKind,
    kind: type[AnalysisError],
    told: str,
    served: ServedWorld,
) -> None:
    served.world.fail(HOSTS[name], "*", fault)
    with (
        Web(FetchRules(delay=0.0, resolve=served.resolve), clock=SystemClock()) as web,
        pytest.raises(AnalysisError) as failure,
    ):
        heard(chosen(name, served, web))
    assert type(failure.value) is kind
    assert told in failure.value.message
