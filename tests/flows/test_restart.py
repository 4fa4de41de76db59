"""What a start finds of the process before: half-done moves, files nobody needs, work that is due."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.models.model import Prompt
from bot.models.scripted import Scripted
from bot.storage.records import FilingRow
from tests.bot.desks import NOW, Rig, open_rig
from tests.fakes.channel import FakeChannel
from tests.fakes.drawing import CODE, drawn
from tests.flows.conftest import opened
from tests.flows.quick_eyes import QuickEyes, quick_eyes  # noqa: F401 - a fixture

NOTHING = json.dumps({"changes": []})


def fine(prompt: Prompt) -> str:
    return "fine" if prompt.tools else NOTHING


async def half_moved(rig: Rig) -> FilingRow:
    """A picture whose move died after the row was written and before the file was moved."""
    row = await rig.filed("Old", "title")
    target = "archive/New/2026-09-01 title #1.png"
    await rig.storage.filings.update(row.id, file=target, leaving=[row.file])
    return await rig.storage.filings.get(row.id)


async def test_a_half_done_move_is_put_right(home: Path) -> None:
    async with open_rig(home) as rig:
        await half_moved(rig)
    async with opened(home, Scripted(fine)) as talk:
        [row] = await talk.app.filings("me")
        assert (row.category, row.file, row.leaving) == ("Old", "archive/Old/2026-09-01 title #1.png", ())
        assert (home / "me" / row.file).exists()


async def test_bytes_that_lie_in_the_archive_are_let_go_after_days(home: Path) -> None:
    async with open_rig(home) as rig:
        row = await rig.filed("Old", "title")
        assert rig.storage.blobs.path(row.blob).exists()
        blob = rig.storage.blobs.path(row.blob)
    async with opened(home, Scripted(fine), now=lambda: NOW.replace(day=2)):
        assert blob.exists()
    async with opened(home, Scripted(fine), now=lambda: NOW.replace(day=5)) as talk:
        assert not blob.exists()
        [row] = await talk.app.filings("me")
        assert await talk.app.household.kept(row) == b"meOldtitle"


async def test_a_message_about_a_picture_from_days_ago_is_shown_its_text(home: Path) -> None:
    async with open_rig(home) as rig:
        await rig.filed("Old", "title", text="what it said")
        await rig.storage.blobs.keep_only(set())
    model = Scripted(fine)
    async with opened(home, model) as talk:
        await talk.say("what does it say?", reply_to="m1", id="q")
    assert "what it said" in model.prompts[0].messages[-1].text


async def test_each_message_is_answered_once_though_the_process_dies_at_every_answer(home: Path) -> None:
    """Killed after the answer was worked out and before, after it was stored and before it was sent."""
    channel = FakeChannel()
    names: list[tuple[str, str, str]] = []
    for life in range(4):
        stuck = life % 2 == 0

        async def play(prompt: Prompt, stuck: bool = stuck) -> str:
            if not prompt.tools:
                return NOTHING
            if stuck:
                await asyncio.sleep(60)
            return "+".join(prompt.messages[-1].typed)

        async with opened(home, Scripted(play), channel=channel) as talk:
            names.append(await channel.say(f"m{life}", id=f"m{life}"))
            if stuck:
                await asyncio.sleep(0.05)
                talk.app._turns._stopping = True  # no five seconds of grace: as if killed
                for worker in talk.app._turns._workers.values():
                    worker.cancel()
            else:
                for name in names:
                    await talk.done(name)
        channel._listening.clear()
    assert "+".join(channel.texts()).split("+") == ["m0", "m1", "m2", "m3"]


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_a_picture_left_unfiled_is_filed_by_the_next_short_process(
    home: Path,
    quick_eyes: QuickEyes,  # noqa: F811
) -> None:
    channel = FakeChannel()
    quick_eyes.open.clear()
    async with opened(home, channel=channel):
        await channel.say("", quick_eyes.draw("禾苗超市\n合计 24.00\n实付 24.00"))  # and it is killed
    channel._listening.clear()
    async with opened(home, channel=channel) as talk:
        name = await channel.say("我爱喝茶")
        leaving = asyncio.create_task(talk.app.wound_up(*name))
        await talk.done(name)
        assert not leaving.done()
        quick_eyes.open.set()
        assert (await leaving).ok
        assert [row.state for row in await talk.app.filings("me")] == ["filed"]
        assert "已存档 #1【票据】" in "\n".join(channel.texts())


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_an_album_is_seen_whole_by_whoever_is_asked_about_it(home: Path) -> None:
    model = Scripted(fine)
    async with opened(home, model) as talk:
        asked = await talk.channel.say("what are these?", drawn("FIRST PAGE"), album="a1")
        await asyncio.sleep(0.1)
        other = await talk.channel.say("", drawn(CODE), album="a1")
        await talk.done(asked)
        await talk.done(other)
    said = next(prompt for prompt in model.prompts if prompt.tools).messages[-1].text
    assert "FIRST" in said
    assert "numpy" in said


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_process_in_the_c_locale(tmp_path: Path) -> None:
    """Python then takes file names for ASCII, and no folder 代码笔记 could be made."""
    home = tmp_path / "家"
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "KAIROS_HOME": str(home)}
    root = str(Path(__file__).parents[2])
    environment["PYTHONPATH"] = os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])

    def kairos(*arguments: str) -> Any:
        command = [sys.executable, "-m", "bot.cli", *arguments]
        done = subprocess.run(
            command, capture_output=True, env=environment, cwd=root, timeout=100, check=False
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return json.loads(done.stdout.decode("utf-8"))

    said = kairos("say", "--json", "以后代码截图都归到「代码笔记」")
    assert "代码笔记" in said["answer"]
    assert "代码笔记" in (home / "me" / "CORE.md").read_text(encoding="utf-8")
