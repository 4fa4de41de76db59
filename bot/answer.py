"""What answers a burst of messages: a button, a command, a bare yes or no, and for all else the main conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.agent.answering import Answering, always
from bot.agent.ears import Ears
from bot.agent.eyes import Eyes
from bot.agent.loop import Beat
from bot.commands import Context, serve
from bot.commands.buttons import decision, press, typed_decision
from bot.commands.receipts import typed_at_receipt
from bot.household import Household
from bot.minds import Minds
from bot.models.metering import CHAT, charge
from bot.storage import Storage
from bot.tools import EMBEDDED_TOOLS, TOOLS, Tool
from bot.tools.outside import Outside
from bot.types import Answered, Message
from bot.unbroken import unbroken

_ANSWER = 60  # characters of a message that may be an answer: "Jonno" tells something only after a question


@dataclass(frozen=True, slots=True)
class Answer:
    """One for the whole app."""

    storage: Storage
    household: Household
    minds: Minds
    eyes: Eyes
    ears: Ears
    window: int  # tokens that the model takes
    outside: Outside  # servers whose tools a language model may use
    context: Context  # of commands
    given: Mapping[str, Tool] = field(default_factory=dict)  # tools that are not our own, by name

    async def __call__(self, burst: Sequence[Message], beat: Beat) -> Answered:
        """Answer it, and tell which of its messages memory has read. Raises what the model layer raises."""
        charge(burst[-1].person, CHAT)
        burst = await self.ears.heard(burst)
        answered = await self._answered(burst, beat)
        alone = not any(each.shared for each in burst)
        if alone and (crowded := await self.household.crowded(burst[-1].person)):
            answered = replace(answered, words=(*answered.words, crowded))
        read = [each.id for each in burst if each.id in answered.read or not await self._unread(each)]
        return replace(answered, read=tuple(read))

    async def _answered(self, burst: Sequence[Message], beat: Beat) -> Answered:
        first = burst[0]
        if first.pressed:
            desk = await self.household.desk(burst)
            offered = await self.storage.outbox.offered(first)
            said = await unbroken(press(desk, first.pressed if offered else "", self.context))
            return Answered((said,), changed=True)
        if first.command:
            desk = await self.household.desk(burst)
            return Answered((await unbroken(serve(self.context, desk, first.text)),))
        desk = await self.household.desk(burst)
        if len(burst) == 1 and (yes := decision(first)) is not None:
            asked = await self.storage.outbox.asked(first)
            decided = await unbroken(typed_decision(desk, asked, yes=yes))
            if decided is not None:
                return Answered((decided,), changed=True)
        if len(burst) == 1:
            words = await unbroken(typed_at_receipt(desk, first, self.storage.outbox))
            if words is not None:
                return Answered((words,), read=(first.id,))
        conversation = await self._conversation(first.person)
        return await conversation(desk, burst, beat)

    async def _unread(self, message: Message) -> bool:
        """Whether memory has yet to read it: never without a model, since the turn has read everything itself."""
        if self.minds.embedded or not message.typed or message.command:
            return False
        if await self.minds.may_hold(message.text, ""):
            return True
        if len(message.text) > _ANSWER:
            return False
        return await self.minds.may_hold(message.text, await self.storage.outbox.last_said(message))

    async def _conversation(self, person: str) -> Answering:
        storage, embedded = self.storage, self.minds.embedded
        if embedded:
            embedded = embedded.speaking(storage.preferences.language(person))
        own = EMBEDDED_TOOLS if embedded else TOOLS
        tools = {**own, **{name: each for name, each in self.given.items() if name not in own}}
        if not embedded:
            tools |= await self.outside.tools(tuple(tools))
        return Answering(
            model=embedded or self.minds.main,
            tools=tools,
            messages=storage.messages,
            summaries=storage.summaries,
            outbox=storage.outbox,
            filings=storage.filings,
            fresh=storage.fresh,
            eyes=self.eyes,
            window=self.window,
            leaves_pictures=embedded is not None,
            wants_text=embedded.wants_text if embedded else always,
        )
