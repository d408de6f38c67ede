"""The models of the world: JSON of the shape that was asked for, refusals, and Google's own SDK."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from gotgan.errors import UsageError
from gotgan.world import MODEL_FAULTS, FaultKind, ServedWorld, World, world_server
from gotgan.world.videos import GEMINI, OPENAI, YOUTUBE
from tests.unit.world.asking import Got, ask

GENERATE = "/v1beta/models/gemini-2.5-flash:generateContent"
CHAT = "/v1/chat/completions"
PROMPT = "Comments below a video:\nc1: 양념장이 좋아요\nc2: 면발이 별로\nc3: nice sauce, c9999"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "$defs": {"Word": {"type": "string", "maxLength": 5}},
    "properties": {
        "summary": {"type": "string", "maxLength": 40},
        "keywords": {"type": "array", "items": {"$ref": "#/$defs/Word"}, "maxItems": 2},
        "ideas": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "title": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "mood": {"enum": ["good", "bad"]},
                    "evidence": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["title"],
            },
        },
        "score": {"type": ["integer", "null"], "minimum": 3},
        "warnings": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["summary"],
}


@dataclass(frozen=True)
class Model:
    """One of the two that can be asked, over HTTP and nothing else."""

    host: str
    path: str
    served: ServedWorld

    @property
    def world(self) -> World:
        return self.served.world

    def asked(self, key: str | None = "mine", **more: Any) -> Got:
        name = "x-goog-api-key" if self.host == GEMINI else "authorization"
        value = key if self.host == GEMINI else f"Bearer {key}"
        headers = {} if key is None else {name: str(value)}
        body = self._body(**more)
        return ask(self.served, self.path, self.host, method="POST", headers=headers, body=body)

    def _body(self, schema: Any = SCHEMA, limit: int = 4_000) -> dict[str, Any]:
        if self.host == GEMINI:
            config = {"responseJsonSchema": schema, "maxOutputTokens": limit}
            return {"contents": [{"parts": [{"text": PROMPT}]}], "generationConfig": config}
        wanted = {"type": "json_schema", "json_schema": {"schema": schema}}
        messages = [{"role": "user", "content": PROMPT}]
        more = {"response_format": wanted, "max_tokens": limit}
        return {"model": "llama3.1", "messages": messages, **more}

    def said(self, **more: Any) -> tuple[str | None, str]:
        """The text, and why it ended."""
        answer = self.asked(**more)
        assert answer.status == 200
        if self.host == GEMINI:
            [candidate] = answer.json["candidates"]
            parts = candidate.get("content", {}).get("parts", [{}])
            return parts[0].get("text"), candidate["finishReason"]
        [choice] = answer.json["choices"]
        return choice["message"]["content"], choice["finish_reason"]


@pytest.fixture(scope="module")
def running() -> Iterator[ServedWorld]:
    with world_server(World()) as served:
        yield served


@pytest.fixture(params=[(GEMINI, GENERATE), (OPENAI, CHAT)], ids=["gemini", "openai"])
def model(request: pytest.FixtureRequest, running: ServedWorld) -> Iterator[Model]:
    host, path = request.param
    yield Model(host, path, running)
    running.world.heal()


def test_an_answer_has_the_shape_that_was_asked_for(model: Model) -> None:
    text, reason = model.said()
    assert reason in {"STOP", "stop"}
    answer = json.loads(text or "")
    assert set(answer) == set(SCHEMA["properties"])
    assert 0 < len(answer["summary"]) <= 40
    assert [len(word) <= 5 for word in answer["keywords"]] == [True, True]
    assert (answer["score"], answer["warnings"]) == (3, [])
    assert {idea["mood"] for idea in answer["ideas"]} == {"good"}


def test_it_cites_comments_by_the_names_that_the_prompt_gives(model: Model) -> None:
    text, _ = model.said()
    for idea in json.loads(text or "")["ideas"]:
        assert set(idea["evidence"]) == {"c1", "c2", "c3"}


def test_the_same_question_has_the_same_answer(model: Model) -> None:
    assert model.said() == model.said()


def test_without_a_shape_it_gives_insights(model: Model) -> None:
    text, _ = model.said(schema=None)
    assert set(json.loads(text or "")) == {"summary", "contentIdeas", "recommendedKeywords"}


def test_an_answer_ends_with_its_tokens(model: Model) -> None:
    whole, _ = model.said()
    text, reason = model.said(limit=10)
    assert text == (whole or "")[:20]
    assert reason in {"MAX_TOKENS", "length"}


def test_tokens_are_counted(model: Model) -> None:
    answer = model.asked().json
    used = list((answer.get("usageMetadata") or answer["usage"]).values())[:3]
    assert used[0] + used[1] == used[2]
    assert min(used) > 0


def test_a_fence_stands_around_the_json(model: Model) -> None:
    whole, _ = model.said()
    model.world.fail(model.host, "*", FaultKind.FENCED)
    text, reason = model.said()
    assert f"```json\n{whole}\n```" in (text or "")
    assert reason in {"STOP", "stop"}


def test_json_is_cut_and_it_is_said_why(model: Model) -> None:
    whole, _ = model.said()
    model.world.fail(model.host, "*", FaultKind.CUT_JSON)
    text, reason = model.said()
    assert (whole or "").startswith(text or "-")
    assert reason in {"MAX_TOKENS", "length"}
    with pytest.raises(json.JSONDecodeError):
        json.loads(text or "")


def test_json_comes_in_another_shape(model: Model) -> None:
    model.world.fail(model.host, "*", FaultKind.WRONG_SCHEMA)
    text, _ = model.said()
    assert not {"keywords", "ideas"} & set(json.loads(text or ""))


def test_a_model_has_nothing_to_say(model: Model) -> None:
    model.world.fail(model.host, "*", FaultKind.EMPTY)
    assert not model.said()[0]


def test_a_model_does_not_want_to(model: Model) -> None:
    model.world.fail(model.host, "*", FaultKind.REFUSED)
    answer = model.asked()
    assert answer.status == 200
    if model.host == GEMINI:
        assert answer.json["promptFeedback"] == {"blockReason": "PROHIBITED_CONTENT"}
        assert "candidates" not in answer.json
    else:
        message = answer.json["choices"][0]["message"]
        assert message["content"] is None
        assert message["refusal"]


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (FaultKind.THROTTLED, 429),
        (FaultKind.THROTTLED_SILENTLY, 429),
        (FaultKind.FORBIDDEN, 403),
        (FaultKind.BROKEN, 500),
        (FaultKind.UNAVAILABLE, 503),
    ],
)
def test_errors_are_json_of_the_hosts_own_shape(
    model: Model, fault: FaultKind, status: int
) -> None:
    model.world.fail(model.host, "*", fault)
    answer = model.asked()
    assert answer.status == status
    error = answer.json["error"]
    assert error["message"]
    says_when = fault is FaultKind.THROTTLED
    if model.host == GEMINI:
        delays = [each.get("retryDelay") for each in error.get("details", [])]
        assert ("2s" in delays) is says_when
        assert error["code"] == status
        assert error["status"].isupper()
    else:
        assert answer.headers.get("Retry-After") == ("2" if says_when else None)
        assert set(error) == {"message", "type", "param", "code"}


def test_a_wrong_key_is_not_taken(model: Model) -> None:
    expected = 400 if model.host == GEMINI else 401
    assert model.asked("wrong").status == expected
    model.world.fail(model.host, "*", FaultKind.KEY_INVALID)
    assert model.asked().status == expected


def test_gemini_wants_a_key_and_a_local_server_does_not(model: Model) -> None:
    assert model.asked(None).status == (403 if model.host == GEMINI else 200)


def test_faults_of_models_leave_refusals_alone(model: Model) -> None:
    expected = model.asked("wrong").body
    for fault in (*(MODEL_FAULTS - {FaultKind.KEY_INVALID}), FaultKind.EMPTY):
        model.world.fail(model.host, "*", fault, times=1)
        assert model.asked("wrong").body == expected


@pytest.mark.parametrize("body", [[], {}, {"model": "x"}, {"contents": 1}, "text"])
def test_what_is_no_request_is_refused(model: Model, body: Any) -> None:
    headers = {"x-goog-api-key": "mine"}
    answer = ask(model.served, model.path, model.host, method="POST", headers=headers, body=body)
    assert answer.status == 400
    assert "error" in answer.json


def test_models_are_listed_and_unknown_ones_missing(running: ServedWorld) -> None:
    listed = ask(running, "/v1/models", OPENAI).json
    assert listed["object"] == "list"
    assert "llama3.1" in {each["id"] for each in listed["data"]}
    path = "/v1beta/models/llama:generateContent"
    key = {"x-goog-api-key": "mine"}
    answer = ask(running, path, GEMINI, method="POST", headers=key, body={})
    assert (answer.status, answer.json["error"]["status"]) == (404, "NOT_FOUND")


def test_faults_of_models_are_planned_there() -> None:
    world = World()
    for fault in MODEL_FAULTS - {FaultKind.KEY_INVALID}:
        with pytest.raises(UsageError, match=r"Plan it at .*, api\.openai\.test"):
            world.fail(YOUTUBE, "*", fault)


def test_the_openai_way_is_known_by_its_path_where_no_name_is_given(running: ServedWorld) -> None:
    here = ask(running, "/v1/models", running.place)
    assert here.json == ask(running, "/v1/models", OPENAI).json


def test_googles_own_sdk_is_answered(running: ServedWorld) -> None:
    with _client(running) as client:
        response = _generated(client)
        assert set(json.loads(response.text)) == set(SCHEMA["properties"])
        assert response.parsed == json.loads(response.text)
        used = response.usage_metadata
        assert used.total_token_count == used.prompt_token_count + used.candidates_token_count
        assert response.model_version == "gemini-2.5-flash"
        assert response.candidates[0].finish_reason.name == "STOP"
    assert running.world.requests[-1].host == GEMINI


def test_googles_own_sdk_sees_what_goes_wrong(running: ServedWorld) -> None:
    errors = pytest.importorskip("google.genai.errors")
    world = running.world
    with _client(running) as client:
        world.fail(GEMINI, "*", FaultKind.CUT_JSON, times=1)
        cut = _generated(client)
        assert (cut.parsed, cut.candidates[0].finish_reason.name) == (None, "MAX_TOKENS")
        world.fail(GEMINI, "*", FaultKind.REFUSED, times=1)
        refused = _generated(client)
        assert (refused.text, refused.candidates) == (None, None)
        assert refused.prompt_feedback.block_reason.name == "PROHIBITED_CONTENT"
        world.fail(GEMINI, "*", FaultKind.EMPTY, times=1)
        assert _generated(client).text is None
        world.fail(GEMINI, "*", FaultKind.THROTTLED, times=1)
        with pytest.raises(errors.ClientError) as busy:
            _generated(client)
        assert busy.value.details["error"]["details"][-1]["retryDelay"] == "2s"
        world.fail(GEMINI, "*", FaultKind.UNAVAILABLE, times=1)
        with pytest.raises(errors.ServerError, match="UNAVAILABLE"):
            _generated(client)
    with _client(running, "wrong") as client, pytest.raises(errors.ClientError, match="API key"):
        _generated(client)


def _client(served: ServedWorld, key: str = "mine") -> Any:
    genai = pytest.importorskip("google.genai")
    options = genai.types.HttpOptions(base_url=served.url, timeout=30_000)
    return genai.Client(vertexai=False, api_key=key, http_options=options)


def _generated(client: Any) -> Any:
    config = {"response_mime_type": "application/json", "response_json_schema": SCHEMA}
    return client.models.generate_content(model="gemini-2.5-flash", contents=PROMPT, config=config)
