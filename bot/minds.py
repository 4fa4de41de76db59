"""Who thinks: the model that converses, who extracts memory, who reads and judges pictures; all from the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from memory.extractor import Extraction, Extractor
from memory.offline import Offline

from bot.models import open_models
from bot.models.embedded import Embedded
from bot.models.embeddings import Embeddings, open_embed
from bot.models.model import Model, Prompt, Said
from bot.settings import Settings
from bot.tools.noting import Extract, Lines
from classifiers.ocr import Limits, Reader
from classifiers.ports import Ask, See
from memory import Turn


@dataclass(frozen=True, slots=True)
class Minds:
    """Everybody who thinks, ready to be asked."""

    main: Model
    embedded: bool  # no language model is configured
    embed: Embeddings | None
    offline: Offline
    extract: Extract
    ask: Ask | None  # puts a picture's text to a text model
    see: See | None  # puts a picture to a model that sees
    reader: Reader


@asynccontextmanager
async def open_minds(settings: Settings, model: Model | None = None) -> AsyncIterator[Minds]:
    """Open what the settings name; `model` takes the place of every model of theirs (for tests)."""
    embeddings = open_embed()
    embed = embeddings if embeddings.available() else None
    offline = Offline(embed.queries if embed else None)
    models = open_models(settings)
    main = model or models.main
    vision = model if model is not None and model.sees else models.vision
    extractor = model or models.extract
    text_judge = model or models.main
    reader = Reader(Limits(read=settings.ocr_seconds, idle=settings.ocr_idle))
    try:
        yield Minds(
            main=main or Embedded(offline),
            embedded=main is None,
            embed=embed,
            offline=offline,
            extract=offline.extract if extractor is None else gated(offline, Extractor(asking(extractor))),
            ask=asking(text_judge) if text_judge else None,
            see=seeing(vision) if vision else None,
            reader=reader,
        )
    finally:
        await reader.close()
        await models.aclose()
        embeddings.close()


def asking(model: Model) -> Ask:
    """A model as a plain question and answer."""

    async def ask(system: str, user: str) -> str:
        return (await model.generate(Prompt(system, messages=(Said("user", user),)))).text

    return ask


def seeing(model: Model) -> See:
    """A model that sees as a plain question about one picture."""

    async def see(system: str, user: str, jpeg: bytes) -> str:
        said = Said("user", user, images=(jpeg,))
        return (await model.generate(Prompt(system, messages=(said,)))).text

    return see


def gated(offline: Offline, extractor: Extractor) -> Extract:
    """Extraction by a model, asked only where the probe sees anything that might be kept: most turns cost nothing."""

    async def extract(turns: Sequence[Turn], lines: Lines, now: datetime) -> Extraction:
        if turns and not await offline.may_hold(turns[-1].text):
            return Extraction((), ())
        return await extractor.extract(turns, lines, now)

    return extract


Wish = Callable[[str], Awaitable[str]]


def wishing(offline: Offline) -> Wish:
    """Tells a one-off wish about the next picture from everything else people type before sending one."""

    async def wish(text: str) -> str:
        if not text.strip():
            return ""
        understood = await offline.understand(text)
        return text if understood.label in ("once", "move") and understood.where else ""

    return wish
