"""Memory over the Model Context Protocol, by the SDK's own client: a real process on stdio, a real one on HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation, TextContent, TextResourceContents

from bot.mcp_server import served
from tests.bot.commands.test_commands import keep
from tests.bot.desks import Rig
from tests.bot.test_programs import programs
from tests.conftest import Golden

ROOT = str(Path(__file__).parents[2])
TOKEN = "a-token-that-nobody-guesses"
RULE = "提交信息用英文写"
INFO = Implementation(name="claude-code", version="1")


def environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": ROOT, "KAIROS_HOME": str(home), "LANG": "zh_CN.UTF-8", **more}


def stdio(home: Path, *more: str) -> StdioServerParameters:
    arguments = ["-m", "bot.cli", "mcp", *more]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment(home))


async def call(client: Client, name: str, **arguments: Any) -> str:
    """What a tool says; "!" before it when it is an error."""
    result = await client.call_tool(name, arguments)
    [content] = result.content
    assert isinstance(content, TextContent)
    return "!" * bool(result.is_error) + content.text


@asynccontextmanager
async def http(home: Path, **more: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """`kairos mcp --http` and its address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.cli", "mcp", "--http", "--port", "0"),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=environment(home, **more),
    )
    assert process.stderr is not None
    line = (await process.stderr.readline()).decode()
    try:
        yield process, line.strip().removeprefix("记忆在 ")
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def test_what_a_program_sees(rig: Rig, golden: Golden) -> None:
    async with Client(served(programs(rig))) as client:
        tools = (await client.list_tools()).tools
        [resource] = (await client.list_resources()).resources
        [prompt] = (await client.list_prompts()).prompts
        shown = [
            f"=== tool {each.name} ===\n{each.description}\n"
            + json.dumps(each.input_schema, ensure_ascii=False, indent=1)
            for each in tools
        ]
        shown += [
            f"=== resource {resource.uri} ===\n{resource.description}",
            f"=== prompt {prompt.name} ===\n{prompt.description}",
        ]
        golden("programs.md", "\n\n".join([f"=== instructions ===\n{client.instructions}", *shown]) + "\n")


async def test_rules_come_as_a_resource_and_as_a_prompt_too(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    async with Client(served(programs(rig))) as client:
        [content] = (await client.read_resource("kairos://rules")).contents
        assert isinstance(content, TextResourceContents)
        assert content.text == "[r1] 回答都要简短"
        [message] = (await client.get_prompt("rules")).messages
        assert isinstance(message.content, TextContent)
        assert message.content.text.endswith("within its scope.\n\n[r1] 回答都要简短")


async def test_trouble_is_a_sentence_for_the_program(rig: Rig) -> None:
    async with Client(served(programs(rig))) as client:
        assert (await call(client, "read_memory", page="没有")).endswith(
            "there is no page '没有'; read_memory without a page lists them"
        )
        for arguments in ({}, {"text": 7}, {"text": "x", "kind": "order"}, {"text": ["x"]}):
            assert (await call(client, "propose_memory", **arguments)).startswith("!")
        assert await rig.storage.proposals.open("me") == []


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_real_process_on_stdio(rig: Rig, mode: str) -> None:
    await keep(rig, "回答都要简短")
    await keep(rig, "Answer in English", person="noah")
    await rig.said("你好")
    async with Client(stdio(rig.home), client_info=INFO, mode=mode) as client:
        assert await call(client, "read_rules") == "[r1] 回答都要简短"
        await keep(rig, "代码截图归档到「代码笔记」")  # said to the bot meanwhile
        assert "代码笔记" in await call(client, "read_rules")
        assert await call(client, "search_memory", words="代码") == (
            "[r2] 代码截图归档到「代码笔记」 (when: 归档图片) ⟵ 你说过的规矩, 2026-09-01"
        )
        assert (await call(client, "propose_memory", text=RULE, quote="都用英文")).startswith("Proposed.")
    [proposal] = await rig.storage.proposals.open("me")
    assert proposal.source["by"] == "program:claude-code"
    [sent] = [each for each in await rig.storage.outbox.unsent("fake") if each.kind == "notice"]
    assert sent.text.startswith(f"claude-code 提议记住这一条，你点头才记：\n「{RULE}」")
    async with Client(stdio(rig.home, "--person", "noah"), mode=mode) as client:
        assert await call(client, "read_rules") == "[r1] Answer in English"
    log = await asyncio.to_thread((rig.home / "logs" / "kairos.log").read_text, "utf-8")
    assert "Traceback" not in log


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_over_http_only_with_the_token_and_from_this_machine(rig: Rig) -> None:
    await keep(rig, "回答都要简短")
    async with http(rig.home, KAIROS_MCP_TOKEN=TOKEN) as (process, url):
        assert url.startswith("http://127.0.0.1:")
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        right = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
        async with httpx2.AsyncClient() as anybody:
            tries: list[tuple[dict[str, Any], int]] = [
                ({}, 401),
                ({"Authorization": "Bearer wrong"}, 401),
                ({"Authorization": TOKEN}, 401),
                ({"Authorization": f"Bearer {TOKEN}x"}, 401),
                ({"Authorization": "Bearer 令牌".encode()}, 401),
                ({**right, "Host": "evil.example"}, 421),
                ({**right, "Origin": "https://evil.example"}, 403),
            ]
            for headers, status in tries:
                answer = await anybody.post(url, json=ping, headers={**right, "Authorization": "", **headers})
                assert answer.status_code == status, headers
                assert "简短" not in answer.text
        async with (
            httpx2.AsyncClient(headers=right) as known,
            Client(streamable_http_client(url, http_client=known), client_info=INFO) as client,
        ):
            assert await call(client, "read_rules") == "[r1] 回答都要简短"
            assert (await call(client, "propose_memory", text=RULE)).startswith("Proposed.")
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), 20)
    [proposal] = await rig.storage.proposals.open("me")
    assert proposal.source["by"] == "program:claude-code"
    log = await asyncio.to_thread((rig.home / "logs" / "kairos.log").read_text, "utf-8")
    assert TOKEN not in log
    assert "program_unauthorized" in log


@pytest.mark.slow
@pytest.mark.parametrize("token", ["", "short"])
async def test_http_without_a_token_is_refused(rig: Rig, token: str) -> None:
    async with http(rig.home, KAIROS_MCP_TOKEN=token) as (process, sentence):
        assert await asyncio.wait_for(process.wait(), 30) == 1
        assert sentence.startswith("要通过 HTTP 提供记忆，先设一个至少 16 个字符的 KAIROS_MCP_TOKEN")
