"""What servers send is looked at field by field; garbage is an error, never a crash."""

from typing import Any

import pytest

from engine.answer.generation.server.protocols import PROTOCOLS, Part, Request, error_of

OPENAI, OLLAMA = PROTOCOLS["openai"], PROTOCOLS["ollama"]
REQUEST = Request("m", [{"role": "user", "content": "问"}], 1200, 0.1, 4096, 7)


def test_both_send_the_length_of_the_answer_and_the_temperature() -> None:
    body = OPENAI.body(REQUEST)
    assert (body["max_tokens"], body["temperature"], body["stream"]) == (1200, 0.1, True)
    options = OLLAMA.body(REQUEST)["options"]
    assert (options["num_predict"], options["temperature"], options["num_ctx"]) == (1200, 0.1, 4096)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (b'data: {"choices":[{"delta":{"content":"\xe5\x8d\x81"}}]}\n', Part("十")),
        (b'data:{"choices":[{"delta":{"content":null,"reasoning_content":"hm"}}]}\n', Part()),
        (b"data: [DONE]\n", Part(is_last=True)),
        (b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n', Part(is_whole=True)),
        (b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":null}]}\n', Part("a")),
        (b": ping\n", None),
        (b"event: message\n", None),
        (b'data: {"choices":[],"usage":{"prompt_tokens":9}}\n', Part(prompt_tokens=9)),
        (
            b'data: {"timings":{"prompt_n":90,"prompt_ms":500},"usage":{"prompt_tokens":90}}\n',
            Part(prompt_tokens=90, prompt_s=0.5),
        ),
        (b'data: {"error":{"message":"out of\\nmemory"}}\n', Part(error="out of memory")),
        (b'{"error":"no model"}\n', Part(error="no model")),
        (b'data: {"choices":"x"}\n', Part()),
        (b'data: {"choices":[7]}\n', Part()),
        (b'data: {"choices":[{"delta":[1]}]}\n', Part()),
        (b'data: {"choices":[{"delta":{"content":{"a":1}}}]}\n', Part()),
        (b'data: {"usage":{"prompt_tokens":true}}\n', Part()),
    ],
)
def test_lines_of_openai(line: bytes, part: Part | None) -> None:
    assert OPENAI.part(line) == part


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (b'{"message":{"content":"a","thinking":"b"},"done":false}\n', Part("a")),
        (b'{"message":{"content":""},"done":true,"prompt_eval_count":8,"prompt_eval_duration":2000000000}\n',
         Part(is_last=True, prompt_tokens=8, prompt_s=2.0)),
        (b'{"error":"model not found"}\n', Part(error="model not found")),
        (b'{"done":"yes","message":[]}\n', Part()),
    ],
)  # fmt: skip
def test_lines_of_ollama(line: bytes, part: Part | None) -> None:
    assert OLLAMA.part(line) == part


@pytest.mark.parametrize(
    "line", [b"data: {\n", b"data: [1]\n", b"<html>\n", b"\xff\xfe\n", b"data: nan nan\n"]
)
def test_garbage_of_openai_is_an_error(line: bytes) -> None:
    with pytest.raises(ValueError):
        OPENAI.part(line)


@pytest.mark.parametrize("line", [b"{\n", b"[]\n", b'"x"\n', b'{"other":1}\n', b"data: {}\n"])
def test_garbage_of_ollama_is_an_error(line: bytes) -> None:
    with pytest.raises(ValueError):
        OLLAMA.part(line)


@pytest.mark.parametrize("data", [None, [], {}, {"data": 1}, {"models": {}}, "x"])
def test_something_else_than_a_list_of_models_is_an_error(data: Any) -> None:
    for protocol in PROTOCOLS.values():
        with pytest.raises(ValueError):
            protocol.models(data)


def test_names_of_models_are_taken_where_they_are_names() -> None:
    assert OPENAI.models({"data": [{"id": "a"}, {"id": 1}, 7, {"id": ""}, {"id": "b"}]}) == ("a", "b")
    assert OLLAMA.models({"models": [{"name": "qwen2.5:1.5b"}]}) == ("qwen2.5:1.5b",)


def test_a_long_error_is_cut() -> None:
    assert len(error_of({"error": "x" * 5000}) or "") == 300
