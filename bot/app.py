"""The composition root: every noun made once, wired once, in one `async with`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

import structlog

from bot.agent.ears import Ears
from bot.agent.eyes import Eyes
from bot.answer import Answer
from bot.background import Aloud, Background
from bot.channels.channel import Channel, HasConnections, HasDoor, HasMenu
from bot.channels.outbox import Outbox
from bot.commands import Context
from bot.counting import Counting
from bot.door import Door
from bot.drafts import Drafts
from bot.errors import DatabaseUnusable, HomeUnwritable, SendError
from bot.filer import Filer
from bot.growing import Growing
from bot.health import checks, standing, versions
from bot.household import Household
from bot.menus import Menus
from bot.meter import Meter
from bot.minds import Minds, left_alone, open_minds, reading
from bot.models.model import Model
from bot.progress import Progress
from bot.router import Router
from bot.settings import OWNER, Settings
from bot.slow import covered
from bot.storage import Storage, open_storage
from bot.storage.rebuild import Rebuilt
from bot.storage.records import FilingRow
from bot.tools import Tool
from bot.tools.outside import Outside
from bot.turns import Patience, Turns, Voice
from bot.types import Check, Incoming, Language, Message, Outgoing, Words, may_be_person
from bot.wording import language_of, say
from memory import Memory
from memory.snapshot import plain

log = structlog.get_logger(__name__)

CATCHES_UP = 60.0  # seconds that a process for one message stays for what was left by one before it
GRACE = 5.0  # seconds that turns under way have to end when we stop


@dataclass(frozen=True, slots=True)
class Finished:
    """How one message and all that it set off have ended."""

    ok: bool
    loaded: tuple[str, ...] = ()  # memory lines that it was answered with
    problem: str = ""


class App:
    """A running assistant: channels call `receive`, everything else follows from what that stored."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        minds: Minds,
        channels: Sequence[Channel],
        now: Callable[[], datetime],
        tools: Sequence[Tool] = (),
        meter: Meter | None = None,
    ) -> None:
        self.meter = meter or Meter(storage, settings.background_tokens, now)
        self.settings = settings
        self.storage = storage
        self.minds = minds
        self.channels = {channel.name: channel for channel in channels}
        self.progress = Progress()
        self.menus = Menus(self.channels, storage.preferences)
        self.outside = Outside(settings.mcp_servers)
        self.household = Household(settings, storage, minds, self.progress, now)
        self.door = Door(storage, settings, now)
        self.outbox = Outbox(storage.outbox, self.channels, self.progress.ring, self.door.barred)
        storage.outbox.stored = self.outbox.wake
        eyes = Eyes(
            minds.reader.glance,
            minds.reader.read,
            storage.blobs,
            storage.filings,
            paper=reading(minds.reader.paper, minds.transcribe),
            kept=self.household.kept,
        )
        filer = Filer(storage, minds, self.household, eyes)
        drafts = Drafts(storage.messages, storage.drafts, self.channels, self.door.barred)
        self.background = Background(
            settings, storage, minds, self.household, filer, self.meter, Aloud(self._speak, Counting(drafts))
        )
        for channel in channels:
            if isinstance(channel, HasDoor):
                channel.guard(self.door)
        self._answer = Answer(
            storage=storage,
            household=self.household,
            minds=minds,
            eyes=eyes,
            ears=Ears(
                minds.transcribe, storage.messages, storage.filings, storage.blobs, storage.people.language
            ),
            window=settings.model_context,
            outside=self.outside,
            context=Context(
                storage.fresh,
                storage.preferences,
                self.brain,
                self._waiting,
                storage.schedules,
                self.background.cultivate,
                self.background.rescheduled,
                self._parts,
                versions,
                minds.merge,
                self._distilled,
                self.background.at_work,
                self.meter.spending,
                settings.prices,
                self.door,
                self._chosen,
            ),
            given={each.spec.name: each for each in tools},
        )
        self._turns = Turns(
            storage.messages,
            storage.outbox,
            Growing(self._answer, drafts, storage.preferences.watches),
            after=self.background.after_turn,
            changed=self.background.rejudge,
            voice=Voice(self._typing, self._speak, storage.people.language),
            patience=Patience(settings.first_word, settings.model_timeout),
        )
        self._turns.care = self.background.care
        self.door.renamed = self._renamed
        self._router = Router(
            storage.messages,
            storage.blobs,
            wake=self._turns.wake,
            file=self.background.file,
            now=self.household.now,
            revise=self._turns.revise,
            late=self._late,
        )

    @property
    def brain(self) -> str:
        """Name of the model in use; "" when it is the embedded default."""
        return "" if self.minds.embedded else self.minds.main.name

    async def receive(self, incoming: Incoming) -> bool:
        """Store one message and set off what it needs; False when it was heard before. Raises `HomeUnwritable`."""
        try:
            if incoming.language is not None and may_be_person(incoming.person):
                await self.storage.people.meet(incoming.person, incoming.language)
            return await self._router.receive(incoming)
        except HomeUnwritable as error:
            language = await self._spoken_by(incoming)
            away = isinstance(error, DatabaseUnusable)
            raise HomeUnwritable(say(language, "trouble.server" if away else "trouble.disk")) from error

    async def _spoken_by(self, incoming: Incoming) -> Language:
        """The language for whom nothing can be written down: what they chose, else write now, else wrote before."""
        chosen = self.storage.preferences.language(incoming.person)
        if found := chosen or language_of(incoming.text):
            return found
        with suppress(HomeUnwritable):  # somebody new, whom no row knows
            return await self.storage.people.language(incoming.person)
        return incoming.language or "zh"

    async def listen(self) -> None:
        """Run all channels and the outbox until cancelled. Then nothing is heard any more, turns that end soon are
        answered, and what is being sent arrives before connections are closed: it would be sent again.
        """
        sending = asyncio.create_task(self.outbox.run(), name="outbox")
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._with(sending), name="with-outbox")
                for channel in self.channels.values():
                    group.create_task(channel.listen(self.receive), name=f"listen-{channel.name}")
                    if isinstance(channel, HasMenu):
                        group.create_task(self.menus.offer(channel), name=f"menu-{channel.name}")
        finally:
            await self._turns.stop(grace=GRACE)
            await self.outbox.drain()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await self.menus.close()
            for channel in self.channels.values():
                if isinstance(channel, HasConnections):
                    await channel.close()

    @staticmethod
    async def _with(task: asyncio.Task[None]) -> None:
        await asyncio.shield(task)

    def _chosen(self, message: Message, name: str) -> None:
        """A person has chosen something: what runs already goes by it."""
        if name == "timezone":
            self.background.moved()
        elif name == "language":
            self.menus.speak(message)

    def wake(self, channel: str) -> None:
        """The channel can send again (somebody connected)."""
        self.outbox.again(channel)

    async def owners_code(self) -> str:
        """A one-time code for the owner where some channel does not know them yet, else ""."""
        return await self.door.code_if_needed()

    def look(self) -> None:
        """Another process has stored something to be said."""
        for name in self.channels:
            self.outbox.wake(name)

    def memory(self, person: str) -> Memory:
        """A person's memory."""
        return self.household.memory(person)

    async def filings(self, person: str) -> list[FilingRow]:
        """A person's filed pictures, by number."""
        return await self.storage.filings.all(person)

    async def rebuild(self, person: str) -> Rebuilt:
        """Make the records of a person's pictures from their folder alone. Only while nothing else works here."""
        return await self.background.keeper.rebuild(person, self.minds.reader.open, self.minds.embed)

    async def status(self, language: Language = "en") -> list[Check]:
        """Everything `doctor` looks at, said in a language."""
        found = await checks(
            self.settings, self.minds, self.household, self.storage.database, self.channels.values(), language
        )
        coverage = await self.background.slow.coverage(OWNER)
        fine = coverage is None or not coverage.failed
        found.append(Check("notes", fine, covered(coverage, language)))
        servers = await self.outside.states(language)
        return [*found, *(Check(f"mcp {each.name}", each.ok, each.sentence) for each in servers)]

    async def finished(self, channel: str, chat: str, id: str) -> Finished:
        """Wait until a message's turn, filings, extraction and everything said about it have ended."""
        ended: list[Finished] = []

        async def reached() -> bool:
            state = await self._state(channel, chat, id)
            if state is not None:
                ended.append(state)
            return state is not None

        await self.progress.until(reached)
        return ended[-1]

    async def wound_up(self, channel: str, chat: str, id: str) -> Finished:
        """`finished`, and this person's pictures that an earlier process left unfiled: who leaves now and starts again
        for the next message would never get through them. Waits for these no longer than `CATCHES_UP`.
        """
        ended = await self.finished(channel, chat, id)
        row = await self.storage.messages.find(channel, chat, id)
        left: set[int] = set()

        async def at_rest() -> bool:
            due = await self.storage.filings.due(row.person) if row is not None else []
            left.update(each.message for each in due)
            sent = [await self.storage.outbox.states(each) for each in left]
            filed = all(each.id in self.background.homeless for each in due)
            return filed and not any("unsent" in states for states in sent)

        await self.progress.until(at_rest, seconds=CATCHES_UP)
        return ended

    async def _state(self, channel: str, chat: str, id: str) -> Finished | None:
        row = await self.storage.messages.find(channel, chat, id)
        if row is not None and (unsaved := self._turns.unsaved.get(row.id)):
            return Finished(ok=False, problem=unsaved)  # for now: the disk is waited for without end
        if row is None or not row.answered or not (row.extracted or row.put_off):
            return None
        filed = await self.storage.filings.of_message(row.id)
        runs = await self.storage.schedules.asked_in(row.id)
        sent = await self.storage.outbox.states(row.id)  # last: what ends the others also stores what it says
        if (
            any(each.state == "due" and each.id not in self.background.homeless for each in filed)
            or "unsent" in sent
            or any(run.state == "due" for run in runs)
        ):
            return None
        problems = [row.problem] if row.problem else []
        ill = [each for each in filed if each.state not in ("filed", "duplicate")]
        problems += [self.background.homeless.get(each.id) or each.problem or each.state for each in ill]
        problems += [run.problem for run in runs if run.state == "failed"]
        problems += ["not sent" for state in sent if state == "refused"]
        lines = tuple(plain(line) for line in row.loaded)
        return Finished(not problems, lines, problems[0] if problems else "")

    # ---- what turns and jobs need of the channels

    async def _typing(self, message: Message) -> None:
        channel = self.channels.get(message.channel)
        if channel is not None:
            await channel.typing(message.chat)

    async def _renamed(self, channel: str, chat: str) -> None:
        """What waits in a chat for its turn waits under its new name."""
        for message in await self.storage.messages.unanswered():
            if (message.channel, message.chat) == (channel, chat):
                self._turns.wake(message)

    async def _late(self, message: Message) -> None:
        language = await self.storage.people.language(message.person)
        await self.storage.outbox.add(message, Words(say(language, "edit.late"), "notice"))

    async def _speak(self, about: Message, text: str) -> None:
        """Say something past the outbox, because it cannot be written."""
        channel = self.channels.get(about.channel)
        if channel is not None:
            with suppress(SendError, HomeUnwritable):
                asked = await self.storage.messages.outside(about.id)
                await channel.send(
                    Outgoing(-about.id, about.channel, about.chat, text, "notice", asked, about=about.id)
                )
        self.progress.ring()

    # ---- the state of things

    def troubles(self) -> dict[str, str]:
        """Channels that are not well, and why."""
        return {name: wrong for name, channel in self.channels.items() if (wrong := channel.health())}

    async def _parts(self, language: Language) -> list[Check]:
        return await standing(self.minds, self.meter.heard, self.channels.values(), language)

    async def _distilled(self, person: str, language: Language) -> str:
        return covered(await self.background.slow.coverage(person), language)

    async def _waiting(self, person: str) -> int:
        return len(await self.storage.filings.due(person))

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Work: take up what was due when the last process ended, answer and do what comes in."""
        await self.door.open()
        await self.storage.drafts.load()
        try:
            async with self.background.working():
                due = await self.storage.messages.unanswered()
                await self.background.take_up([message.id for message in due])
                for message in due:
                    self._turns.wake(message)
                try:
                    yield
                finally:
                    await self._turns.stop(grace=GRACE)
        finally:
            await self.background.care.close()


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    model: Model | None = None,
    channels: Sequence[Channel] | None = None,
    now: Callable[[], datetime] | None = None,
    looking: bool = False,
    tools: Sequence[Tool] = (),
) -> AsyncIterator[App]:
    """Open a home. `looking`: no channels, no jobs; a read-only home will do. Tests pass `model`, `channels`, `now`.
    `tools`: what the main model can do beside its own.

    Raises:
        HomeUnwritable: the home cannot be written.
    """
    # a home that is not there holds nothing, and that can be said; a slip in its name makes none
    if not looking:
        try:
            await asyncio.to_thread(settings.home.mkdir, parents=True, exist_ok=True)
        except OSError as error:
            raise HomeUnwritable() from error
    zone = await asyncio.to_thread(settings.zone)
    clock = now or (lambda: datetime.now(zone))
    async with AsyncExitStack() as stack:
        storage = await stack.enter_async_context(open_storage(settings, clock, looking=looking))
        meter = Meter(storage, settings.background_tokens, clock)
        stack.push_async_callback(meter.close)
        providers = await left_alone(storage, clock)
        minds = await stack.enter_async_context(open_minds(settings, model, providers, meter))
        app = App(settings, storage, minds, channels or (), clock, tools, meter)
        stack.push_async_callback(app.household.close)
        stack.push_async_callback(app.outside.close)
        if not looking:
            await stack.enter_async_context(app.working())
        yield app
