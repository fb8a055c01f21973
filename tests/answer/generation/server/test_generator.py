"""A server on loopback, over real sockets: streams, Stop, silence, busy servers and hostile ones."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.answer.generation import Generator, Piece, PromptRead
from engine.answer.generation.server import exchange
from engine.answer.generation.server.address import parse
from engine.answer.generation.server.generator import ServerGenerator
from engine.answer.generation.server.protocols import PROTOCOLS
from engine.cancel import Cancelled, CancelToken
from engine.chat import speed
from engine.errors import ServerBusy, ServerFailed, ServerUnreachable
from engine.paths import Home
from tests.chat_server import (
    ChatServer,
    Reply,
    answer,
    endless,
    ollama,
    openai,
    raw,
    serving,
    silent,
    stream,
)

MESSAGES = [{"role": "system", "content": "你是助手"}, {"role": "user", "content": "保密期限？"}]
PAUSES_S = exchange.PAUSES_S
BUSY = answer(b'{"error":"loading"}', "503 Service Unavailable")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "PAUSES_S", (0.01, 0.03))


def generator_of(
    server: ChatServer, home: Path, protocol: str = "openai", *, silence_s: float = 5, length: int = 4096
) -> ServerGenerator:
    measured = speed.of_server(server.address, "m", Home(home))
    place = parse(server.address)
    return ServerGenerator(place, PROTOCOLS[protocol], "m", "large", length, measured, silence_s)


def steps_of(
    generator: Generator, token: CancelToken | None = None, max_tokens: int = 64
) -> Iterator[PromptRead | Piece]:
    return generator.generate(MESSAGES, max_tokens=max_tokens, temperature=0.1, token=token or CancelToken())


def said(generator: Generator, max_tokens: int = 64) -> str:
    steps = steps_of(generator, max_tokens=max_tokens)
    return "".join(step.text for step in steps if isinstance(step, Piece))


@pytest.mark.parametrize(
    ("protocol", "reply"), [("openai", openai("十", "年。")), ("ollama", ollama("十", "年。"))]
)
def test_both_protocols_stream_an_answer(protocol: str, reply: Reply, tmp_path: Path) -> None:
    with serving(reply) as server:
        generator = generator_of(server, tmp_path, protocol)
        steps = list(steps_of(generator))
    assert [step.text for step in steps if isinstance(step, Piece)] == ["十", "年。"]
    total = generator.prompt_tokens(MESSAGES)
    assert steps[0] == PromptRead(0, total)
    assert [step for step in steps if isinstance(step, PromptRead)][-1] == PromptRead(total, total)
    ((line, body),) = server.requests
    assert line == f"POST {PROTOCOLS[protocol].chat_path}"
    assert body["messages"] == MESSAGES
    assert body["stream"] is True


def test_two_answers_one_after_the_other_are_kept_apart(tmp_path: Path) -> None:
    with serving(openai("一。"), openai("二。")) as server:
        generator = generator_of(server, tmp_path)
        assert [said(generator), said(generator)] == ["一。", "二。"]


def test_an_ipv6_server_is_reached(tmp_path: Path) -> None:
    try:
        with serving(openai("十年。"), family=socket.AF_INET6) as server:
            place = parse(f"[::1]:{server.port}")
            measured = speed.of_server("x", "m", Home(tmp_path))
            assert said(ServerGenerator(place, PROTOCOLS["openai"], "m", "large", 4096, measured)) == "十年。"
    except OSError:
        pytest.skip("no IPv6 on this machine")


def test_the_server_s_count_and_clock_give_the_speed(tmp_path: Path) -> None:
    reply = ollama("十年。", prompt_eval_count=128, prompt_eval_duration=2_000_000_000)
    with serving(reply) as server:
        generator = generator_of(server, tmp_path, "ollama")
        assert generator.prompt_speed is None
        reads = [step for step in steps_of(generator) if isinstance(step, PromptRead)]
        assert reads[-1] == PromptRead(128, 128)
        assert generator.prompt_speed == 64.0
        assert generator_of(server, tmp_path, "ollama").prompt_speed == 64.0


# -- what is in the stream --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (("<think>嗯", "…</th", "ink>十年。"), "十年。"),
        (("<think>没有结束", "的思考"), ""),
        (("十年。<|im", "_end|>还有别的"), "十年。"),
        (("\n\n", " 十年。"), "十年。"),
        (("表情\ud83d", "\ude00。"), "表情😀。"),
        (("坏\ud83d", "字"), "坏\ufffd字"),
        (("",), ""),
        ((), ""),
    ],
)
def test_what_people_see_went_through_the_filters(texts: tuple[str, ...], shown: str, tmp_path: Path) -> None:
    with serving(openai(*texts)) as server:
        text = said(generator_of(server, tmp_path))
    assert text == shown
    text.encode("utf-8")


def test_broken_utf_8_becomes_a_replacement_character(tmp_path: Path) -> None:
    line = b'data: {"choices":[{"delta":{"content":"\xe5\x8d\xff\xe5\xb9\xb4"}}]}\n\n'
    with serving(stream([line, b"data: [DONE]\n\n"])) as server:
        text = said(generator_of(server, tmp_path))
    assert "\ufffd" in text
    assert text.endswith("年")


def test_lines_may_arrive_in_any_pieces(tmp_path: Path) -> None:
    whole = 'data: {"choices":[{"delta":{"content":"十年。"}}]}\n\ndata: [DONE]\n\n'.encode()
    with serving(stream([whole[at : at + 7] for at in range(0, len(whole), 7)])) as server:
        assert said(generator_of(server, tmp_path)) == "十年。"


def test_an_answer_is_over_when_it_says_so_also_where_the_stream_ends_without_done(tmp_path: Path) -> None:
    last = b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'
    with serving(openai("十年。", last=last)) as server:
        assert said(generator_of(server, tmp_path)) == "十年。"


def test_nothing_is_waited_for_behind_the_last_line(tmp_path: Path) -> None:
    def reply(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        connection.sendall(b'data: {"choices":[{"delta":{"content":"ok"}}]}\n\ndata: [DONE]\n\n')
        silent(connection)

    with serving(reply) as server:
        assert said(generator_of(server, tmp_path)) == "ok"
        assert server.closed_early.wait(5)


def test_a_loop_is_cut_short_and_the_socket_closed(tmp_path: Path) -> None:
    sentence = "秘密级数据的保密期限为六年，到期自动解密并归档。"
    line = json.dumps({"choices": [{"delta": {"content": sentence}}]})
    with serving(endless(f"data: {line}\n\n".encode())) as server:
        assert len(said(generator_of(server, tmp_path), 1200)) < 24 * 5
        assert server.closed_early.wait(5)


def test_an_answer_without_end_is_cut_at_its_length(tmp_path: Path) -> None:
    lines = [
        b"data: %s\n\n" % json.dumps({"choices": [{"delta": {"content": f"第{at}条。"}}]}).encode()
        for at in range(10_000)
    ]
    with serving(stream(lines)) as server:
        steps = list(steps_of(generator_of(server, tmp_path), max_tokens=40))
    assert isinstance(steps[-1], Piece)
    assert steps[-1].tokens == 40


def test_pieces_of_any_size_do_not_get_round_the_length(tmp_path: Path) -> None:
    pieces = ["".join(map(chr, range(at, at + 900))) for at in range(0x4E00, 0x4E00 + 9000, 900)]
    with serving(openai(*pieces)) as server:
        assert len(said(generator_of(server, tmp_path), 64)) < 64 * 8 + 900


# -- a server that fails ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        answer(b"<html><body>Welcome to nginx</body></html>", kind="text/html"),
        answer(b'{"error":{"message":"model m not found"}}', "404 Not Found"),
        answer(b"", "301 Moved\r\nLocation: http://192.0.2.7/"),
        answer(b"\xff\xfe\x00", "500 Internal Server Error"),
        stream([b'data: {"error":{"message":"out of memory"}}\n\n']),
        stream([b"data: {broken\n\n"]),
        stream([b"data: " + b"x" * (exchange.LONGEST_LINE + 10)]),
        stream([b"<html>" * 10 + b"\n"]),
        stream([b"\x00\x01\x02\n" * 5]),
    ],
)
def test_errors_pages_and_garbage_are_typed_errors(reply: Reply, tmp_path: Path) -> None:
    with serving(reply) as server, pytest.raises(ServerFailed) as failure:
        said(generator_of(server, tmp_path))
    assert failure.value.params["address"] == server.address
    assert failure.value.params["detail"]
    assert len(server.requests) == 1, "nothing is followed and nothing tried again"


@pytest.mark.parametrize(
    "reply",
    [
        stream([b'data: {"choices":[{"delta":{"content":"\xe5\x8d\x81"}}]}\n\n'], ends=False),
        stream([b'data: {"choices":[{"delta":{"content":"\xe5\x8d\x81"}}]}\n\n']),
        raw(b""),
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"),
        raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n"),
    ],
)
def test_a_server_that_breaks_off_or_speaks_something_else_is_a_typed_error(
    reply: Reply, tmp_path: Path
) -> None:
    with serving(reply) as server, pytest.raises(ServerUnreachable) as failure:
        said(generator_of(server, tmp_path))
    assert failure.value.params["address"] == server.address
    assert failure.value.params["detail"]


def test_a_server_that_falls_silent_is_given_up(tmp_path: Path) -> None:
    with serving(silent) as server:
        with pytest.raises(ServerUnreachable, match="no byte within"):
            said(generator_of(server, tmp_path, silence_s=0.2))
        assert server.closed_early.wait(5)


@pytest.mark.parametrize("status", ["503 Service Unavailable", "429 Too Many Requests"])
def test_a_busy_server_is_asked_twice_more(status: str, tmp_path: Path) -> None:
    busy = answer(b'{"error":"loading"}', status)
    with serving(busy, busy, openai("十年。")) as server:
        assert said(generator_of(server, tmp_path)) == "十年。"
    assert len(server.requests) == 3


def test_the_pauses_before_trying_again_grow() -> None:
    assert len(PAUSES_S) == 2
    assert PAUSES_S[0] < PAUSES_S[1]


def test_a_server_that_stays_busy_is_said_to_be(tmp_path: Path) -> None:
    with serving(BUSY) as server, pytest.raises(ServerBusy, match="loading"):
        said(generator_of(server, tmp_path))
    assert len(server.requests) == 3


def test_where_nobody_listens_it_is_tried_three_times_and_said(tmp_path: Path) -> None:
    with serving(openai("x")) as server:
        generator = generator_of(server, tmp_path)
    with pytest.raises(ServerUnreachable, match="nobody listens"):
        said(generator)


def test_a_server_that_is_only_starting_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "PAUSES_S", (0.3, 0.5))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    def start() -> None:
        time.sleep(0.1)
        with socket.create_server(("127.0.0.1", port)) as listener:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                openai("十年。")(connection)

    starting = threading.Thread(target=start)
    starting.start()
    server = ChatServer(port, [])
    assert said(generator_of(server, tmp_path)) == "十年。"
    starting.join(5)
    assert not starting.is_alive()


def test_a_prompt_that_does_not_fit_is_never_sent(tmp_path: Path) -> None:
    with serving(openai("x")) as server, pytest.raises(ServerFailed, match="does not fit"):
        said(generator_of(server, tmp_path, length=80))
    assert server.requests == []


# -- Stop -------------------------------------------------------------------------------------------


def stopped_within(steps: Iterator[PromptRead | Piece], token: CancelToken) -> float:
    token.cancel()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        for _ in steps:
            pass
    return time.monotonic() - begun


def test_stop_while_the_server_reads_the_prompt_closes_the_socket(tmp_path: Path) -> None:
    token = CancelToken()
    with serving(silent) as server:
        steps = steps_of(generator_of(server, tmp_path), token)
        assert [next(steps) for _ in range(3)] == [next(steps)] * 3
        assert stopped_within(steps, token) < 1
        assert server.closed_early.wait(5)


def test_stop_while_it_writes_closes_the_socket(tmp_path: Path) -> None:
    token = CancelToken()
    counted = iter(range(10**6))

    def reply(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        while True:
            text = json.dumps({"choices": [{"delta": {"content": f"第{next(counted)}条，"}}]})
            connection.sendall(f"data: {text}\n\n".encode())
            time.sleep(0.005)

    with serving(reply) as server:
        steps = steps_of(generator_of(server, tmp_path), token, 2000)
        assert any(isinstance(step, Piece) for step in steps)
        assert stopped_within(steps, token) < 1
        assert server.closed_early.wait(5)


def test_stop_during_a_pause_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "PAUSES_S", (60.0, 60.0))
    token = CancelToken()
    with serving(BUSY) as server:
        steps = steps_of(generator_of(server, tmp_path), token)
        while not server.requests:
            next(steps)
        for _ in range(5):
            next(steps)
        assert stopped_within(steps, token) < 1
    assert len(server.requests) == 1


def test_stop_before_anything_was_sent_sends_nothing(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with serving(openai("x")) as server:
        with pytest.raises(Cancelled):
            list(steps_of(generator_of(server, tmp_path), token))
        assert server.requests == []


def test_whoever_walks_away_closes_the_socket_too(tmp_path: Path) -> None:
    with serving(silent) as server:
        steps = steps_of(generator_of(server, tmp_path))
        for _ in range(3):
            next(steps)
        steps.close()  # type: ignore[attr-defined]
        assert server.closed_early.wait(5)
