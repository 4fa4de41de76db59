"""Who thinks: the model that converses, who extracts memory, who reads and judges pictures; all from the settings."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from bot.agent.claims import load as load_claims
from bot.agent.eyes import Paper
from bot.commands.command import Merge, nothing_to_merge
from bot.errors import HomeUnwritable, ModelError
from bot.models import open_models
from bot.models.embeddings import Embeddings, open_embed
from bot.models.metering import Meter, Metered
from bot.models.model import Model, Prompt, Said
from bot.models.pausing import Providers
from bot.models.problems import SENTENCES
from bot.models.transcribing import Transcribe
from bot.settings import Settings
from bot.storage import Storage
from bot.storage.pauses import MODEL
from bot.types import Language
from bot.wording import say
from classifiers.errors import Unreadable
from classifiers.image import Judges
from classifiers.judge import ModelJudge
from classifiers.ocr import Limits, Reader
from classifiers.offline import OfflineJudge
from classifiers.ports import Ask, Embed, See
from classifiers.types import Reading
from memory import Line, Utterance
from memory.changes import Revise, Speaker
from memory.extraction import Extraction
from memory.extractor import Extractor
from memory.intake import Extract, Lines
from memory.merging import merges

if TYPE_CHECKING:
    from bot.models.embedded import Embedded
    from memory.offline import Offline

Holds = Callable[[str, str], Awaitable[bool]]
"""Whether a message may hold anything to keep: its text, and what the assistant said just before it."""
Wish = Callable[[str], Awaitable[str]]
LANGUAGES: tuple[Language, Language] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Minds:
    """Everybody who thinks, ready to be asked."""

    main: Model
    embedded: Embedded | None  # `main` too, where no language model is configured
    embed: Embeddings
    wish: Wish  # which category a one-off wish about a picture names
    extract: Extract
    ponder: Ask | None  # the extract model as question and answer, for slow memory; None = no language model
    may_hold: Holds  # whether a message may hold anything to keep: if not, nobody needs to read it for memory
    judges: Judges  # of pictures
    reader: Reader
    # load what the first message would wait for; a service does so while idle
    warm: Callable[[], Awaitable[object]]
    merge: Merge = nothing_to_merge  # proposes shorter rules
    transcribe: Transcribe | None = None  # speech to text


async def left_alone(storage: Storage, now: Callable[[], datetime]) -> Providers:
    """Which models' providers are left alone, as an earlier process was told; what they ask of this one is kept."""

    async def noted(host: str, until: datetime) -> None:
        with suppress(HomeUnwritable):  # then it holds for this process only
            await storage.pauses.put(f"{MODEL}{host}", until)

    providers = Providers(now, noted)
    for pause in await storage.queue.providers(now()):
        providers.restore(pause.matter, pause.until)
    return providers


@asynccontextmanager
async def open_minds(
    settings: Settings,
    model: Model | None = None,
    providers: Providers | None = None,
    meter: Meter | None = None,
) -> AsyncIterator[Minds]:
    """Open what the settings name; `model` takes the place of every model of theirs (for tests). `providers`: which of
    them are left alone for now. `meter`: who counts what their calls take."""
    embed = open_embed()
    offline = understanding(embed.queries)
    # Beside a model, a head over words alone decides who is asked: 99 % of what is to be kept passes, and 17 % of
    # everyday talk.
    may_hold = remembered(_may_hold)
    models = open_models(settings, providers, meter)
    model = Metered(model, meter) if model is not None and meter is not None else model
    main = model or models.main
    vision = model if model is not None and model.sees else models.vision
    extractor = model or models.extract
    text_judge = model or models.judge
    reader = Reader(Limits(read=settings.ocr_seconds, idle=settings.ocr_idle))
    embedded = None
    if main is None:
        from bot.models.embedded import Embedded

        main = embedded = Embedded(offline(), None if settings.language == "auto" else settings.language)

    async def warm() -> None:
        await asyncio.gather(models.warm(), may_hold("warm", ""), asyncio.to_thread(load_claims))

    try:
        yield Minds(
            main=main,
            embedded=embedded,
            embed=embed,
            wish=wishing(offline),
            extract=offline().extract if extractor is None else gated(may_hold, Extractor(asking(extractor))),
            ponder=None if extractor is None else asking(extractor),
            may_hold=may_hold,
            judges=_judges(embed, vision, text_judge, limit=settings.filing_timeout),
            reader=reader,
            warm=warm,
            merge=nothing_to_merge if embedded else merging(asking(main)),
            transcribe=models.transcribe,
        )
    finally:
        await reader.close()
        await models.aclose()
        embed.close()


def _judges(embed: Embed, vision: Model | None, text: Model | None, *, limit: float) -> Judges:
    """The model-free judge, and before it the best one there is: a model that sees, else one that reads.

    When that one cannot be had now, or says nothing for `limit` seconds, the model-free judge files at once, by the
    same rules: nobody waits for a picture.
    """
    offline = OfflineJudge(embed)
    judge = None
    if vision is not None:
        judge = ModelJudge(offline, see=seeing(vision), embed=embed)
    elif text is not None:
        judge = ModelJudge(offline, ask=asking(text), embed=embed)
    reads = ModelJudge(offline, ask=asking(text), embed=embed) if text is not None else None
    return Judges(offline, judge, sees=vision is not None, permanent=(ModelError,), reads=reads, limit=limit)


def understanding(embed: Embed | None) -> Callable[[], Offline]:
    """The embedded default, loaded when it is first asked: its patterns take a fifth of a second to compile, which a
    start with a model need not wait for."""

    @cache
    def made() -> Offline:
        from memory.offline import Offline

        return Offline(embed)

    return made


def asking(model: Model) -> Ask:
    """A model as a plain question and answer."""

    async def ask(system: str, user: str) -> str:
        return (await model.generate(Prompt(system, messages=(Said("user", user),), steady=True))).text

    return ask


def merging(ask: Ask) -> Merge:
    """Which rules could become one, by a model."""

    async def merge(rules: Sequence[Line], now: datetime) -> Sequence[Revise]:
        return await merges(rules, ask, now)

    return merge


def seeing(model: Model) -> See:
    """A model that sees as a plain question about one picture."""

    async def see(system: str, user: str, jpeg: bytes) -> str:
        said = Said("user", user, images=(jpeg,))
        return (await model.generate(Prompt(system, messages=(said,), steady=True))).text

    return see


async def _may_hold(text: str, heard: str) -> bool:
    from memory.offline.gate import may_hold

    return await may_hold(text, heard)


def remembered(holds: Holds, most: int = 64) -> Holds:
    """The same, but what was asked a moment ago is not worked out again: a turn and its extraction both ask."""
    known: OrderedDict[tuple[str, str], bool] = OrderedDict()

    async def may_hold(text: str, heard: str) -> bool:
        if (text, heard) not in known:
            known[text, heard] = await holds(text, heard)
            if len(known) > most:
                known.popitem(last=False)
        return known[text, heard]

    return may_hold


def gated(may_hold: Holds, extractor: Extractor) -> Extract:
    """Extraction by a model, asked only where the gate sees anything that might be kept: most turns cost nothing."""

    async def extract(utterances: Sequence[Utterance], lines: Lines, now: datetime) -> Extraction:
        heard = next((each.text for each in reversed(utterances) if each.role is Speaker.ASSISTANT), "")
        if utterances and not await may_hold(utterances[-1].text, heard):
            return Extraction((), ())
        return await extractor.extract(utterances, lines, now)

    return extract


_RECORDING = re.compile(r"\.(?:mp3|m4a|ogg|oga|opus|wav|flac|aac|amr|wma)$", re.IGNORECASE)


def reading(papers: Paper, transcribe: Transcribe | None) -> Paper:
    """The text of a document; of a recording, the words in it, which are somebody's and no proof of whose."""

    async def read(data: bytes, name: str) -> Reading:
        if not _RECORDING.search(name):
            return await papers(data, name)
        if transcribe is None:
            raise Unreadable(say("zh", "voice.deaf"), say("en", "voice.deaf"), False)
        try:
            text = await transcribe(data, name)
        except ModelError as error:
            why = SENTENCES[error.code] if error.code in SENTENCES else SENTENCES["server"]
            zh, en = (say(each, "voice.failed", why=why[each]) for each in LANGUAGES)
            raise Unreadable(zh, en, False) from error
        if not text:
            raise Unreadable(say("zh", "voice.silent"), say("en", "voice.silent"), False)
        return Reading(text, text.count("\n") + 1, 1.0, "transcribed")

    return read


def wishing(offline: Callable[[], Offline]) -> Wish:
    """Tells which category a one-off wish about a picture names; "" of everything else people say around one."""

    async def wish(text: str) -> str:
        if not text.strip():
            return ""
        from bot.models.embedded import wished

        return wished(text, await offline().understand(text))

    return wish
