"""Nothing of one person ever reaches another: every command, tool and button, tried by one across the other.

The lists are made from the registries, so that whatever is added is tried too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from bot import mcp_server
from bot.commands import COMMANDS
from bot.commands.buttons import press
from bot.tools import EMBEDDED_TOOLS
from tests.flows.apart import GROUP, RESTS, SECRET, Two, arguments, called, two

PLACES: tuple[dict[str, Any], ...] = ({}, {"chat": GROUP, "shared": True})
pytestmark = [pytest.mark.timeout(180)]

VERBS = (
    *("undo", "unmove", "yes", "no", "accept", "tidy", "retry", "place", "to", "title", "delete", "unfile"),
    *("move", "drop", "allow", "decline", "revoke"),
)


@pytest.fixture(params=[("tg-8", "me"), ("me", "tg-8")], ids=["guest", "owner"])
async def pair(request: pytest.FixtureRequest, home: Path) -> AsyncIterator[Two]:
    me, other = request.param
    async with two(home, me, other) as made:
        yield made


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_no_command_reaches_another(pair: Two) -> None:
    before, since = await pair.world(), len(pair.channel.sent)
    for name in COMMANDS:
        for rest in RESTS:
            typed = f"{name} {rest.format(other=pair.other)}".strip()
            for place in PLACES if rest in ("", "zebra", "all") else PLACES[:1]:
                said = len(pair.channel.sent)
                await pair.said(pair.me, typed, **place)
                assert not pair.leaks(pair.outgoing(said)), typed
    assert {each.chat for each in pair.outgoing(since)} == {pair.me, GROUP}
    assert await pair.world() == before


async def test_no_tool_reaches_another(pair: Two) -> None:
    before = await pair.world()
    for place in PLACES:
        desk = await pair.desk(await pair.said(pair.me, "zebra", **place))
        for name, tool in EMBEDDED_TOOLS.items():
            for given in arguments(tool.spec, pair.other):
                assert not pair.leaks(await called(tool, desk, given)), (name, given)
            assert await pair.world() == before, name


async def test_no_button_reaches_another(pair: Two) -> None:
    """Those that were put to the other, pressed where they stand; and any that could be made up."""
    before = await pair.world()
    offered = {(each.chat, button.data) for each in pair.channel.sent for button in each.buttons}
    made_up = {
        (pair.other, f"{verb}:{n}") for verb in VERBS for n in (*range(12), "m1", "m2", "1:1", "1:other")
    }
    for chat, data in sorted(offered | made_up):
        said = len(pair.channel.sent)
        message = await pair.said(pair.me, "", chat, pressed=data, shared=True)
        assert not pair.leaks(pair.outgoing(said)), data
        await press(await pair.desk(message), data)  # even if it had been offered
    assert await pair.world() == before


async def test_a_reply_to_what_was_said_to_another_reaches_nothing(pair: Two) -> None:
    """In a group everybody can reply to anything."""
    other = await pair.said(pair.other, "zebra?", GROUP, shared=True)
    receipt = pair.channel.sent[-1]
    before = await pair.world()
    for text in ("delete it", "→ Zebras", "rename it to Zebra", "undo", "yes", "what is that?"):
        for reply in (f"s{receipt.id}", await pair.app.storage.messages.outside(other.id)):
            said, asked = len(pair.channel.sent), len(pair.model.prompts)
            await pair.said(pair.me, text, GROUP, shared=True, reply_to=reply)
            assert not pair.leaks(pair.outgoing(said)), text
            assert not pair.leaks(pair.model.prompts[asked:]), text
    assert await pair.world() == before


async def test_no_model_call_for_one_carries_anything_of_another(pair: Two) -> None:
    asked = len(pair.model.prompts)
    for text in ("what do you know about zebras?", "and what did anybody say of zebras in this group?"):
        await pair.said(pair.me, text)
        await pair.said(pair.me, text, GROUP, shared=True)
    prompts = pair.model.prompts[asked:]
    assert prompts
    assert not pair.leaks(prompts)


async def test_no_program_reaches_another(pair: Two) -> None:
    before = await pair.world()
    async with (
        mcp_server.open_programs(pair.app.settings, pair.me, "en") as programs,
        Client(mcp_server.served(programs)) as client,
    ):
        offered = (await client.list_tools()).tools
        assert {each.name for each in offered} == set(mcp_server.TOOLS)
        for tool in offered:
            for word in ("zebra", "zebras", "topics/zebras.md", f"../{pair.other}/CORE.md", "CORE.md", ""):
                given = {key: word for key in tool.input_schema["properties"] if key != "kind"}
                assert not pair.leaks(await client.call_tool(tool.name, given)), (tool.name, given)
    assert await pair.world() == before


async def test_the_probe_would_see_a_leak(pair: Two) -> None:
    """What the other asks about themself is full of it: the net has no hole."""
    said = len(pair.channel.sent)
    for typed in ("/memory", "/pictures zebra", "/queue", "/cultivate", "/memory log"):
        await pair.said(pair.other, typed)
        assert pair.leaks(pair.outgoing(said)[-1].text), typed
    desk = await pair.desk(await pair.said(pair.other, "zebra"))
    for name, given in (
        ("search_memory", {"words": "zebra"}),
        ("search_pictures", {"words": "zebra"}),
        ("read_picture", {"number": 1}),
        ("search_chats", {"words": "zebra"}),
        ("show_picture", {"number": 1}),
    ):
        assert pair.leaks(await called(EMBEDDED_TOOLS[name], desk, given)), name
    world = await pair.world()
    assert {"CORE.md", "topics/zebras.md", "journal.jsonl", "filings", "proposals", "schedules"} <= set(world)
    assert SECRET in world["messages"]
