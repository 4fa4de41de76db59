"""Slash commands and buttons: the same in every channel, no model involved."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.desk import Desk
from bot.storage.people import People
from bot.storage.proposals import change_from_json, source_from_json
from bot.tools.notes import forget, outline, receipt, restored
from bot.tools.pictures import move_picture, search_pictures
from bot.types import Language, Message, Words
from bot.wording import say
from memory.changes import Did

Run = Callable[["Counter", Desk, str], Awaitable[Words]]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it says of itself in both languages, and what it does."""

    zh: str
    en: str
    run: Run

    def words(self, language: Language) -> str:
        """Its line in the help."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Counter:
    """Where commands are served: what they may touch beyond the desk."""

    people: People
    model: str  # name of the brain in use, "" when it is the embedded default
    newest: Callable[[str], Awaitable[int]]  # person → row id of their newest message
    due: Callable[[], Awaitable[int]]  # pictures that wait

    async def serve(self, desk: Desk, text: str) -> Words:
        """Run `/name rest`."""
        name, _, rest = text.strip().partition(" ")
        name = name.split("@")[0].lower()
        command = COMMANDS.get(name)
        if command is None:
            return Words(say(desk.language, "command.unknown", command=name))
        return await command.run(self, desk, rest.strip())

    async def press(self, desk: Desk, data: str) -> Words:
        """A button was pressed: `undo:12`, `yes:3`, `no:3`, `move:7:开发备忘`."""
        verb, _, rest = data.partition(":")
        match verb:
            case "undo" if rest.isdigit():
                return await undo(self, desk, rest)
            case "yes" | "no" if rest.isdigit():
                return await decide(desk, int(rest), yes=verb == "yes")
            case "move":
                number, _, category = rest.partition(":")
                moved = await move_picture(desk, {"number": number, "category": category})
                return Words(moved.receipt)
        return Words(say(desk.language, "question.gone"))


async def decide(desk: Desk, row_id: int, *, yes: bool) -> Words:
    """Accept or decline an open question."""
    proposal = next((each for each in await desk.proposals.open(desk.person) if each.id == row_id), None)
    state = "accepted" if yes else "declined"
    if proposal is None or not await desk.proposals.settle(row_id, desk.person, state):
        return Words(say(desk.language, "question.gone"))
    if not yes:
        return Words(say(desk.language, "declined"))
    change = change_from_json(proposal.change)
    [outcome] = await desk.memory.apply([change], source_from_json(proposal.source))
    told = receipt(desk, outcome)
    return Words(told.receipt, buttons=told.buttons)


_YES = re.compile(
    r"^(是|是的|好|好的|嗯|嗯嗯|对|可以|行|要|记吧|记住|yes|yep|yeah|y|ok|okay|sure|please do)[。.!！~～]*$",
    re.I,
)
_NO = re.compile(r"^(不|不用|不要|不必|别记|算了|no|nope|n|no thanks|don't)[。.!！~～]*$", re.I)


async def typed_decision(desk: Desk, message: Message) -> Words | None:
    """A bare yes or no typed right after a question of ours in this conversation counts as its button."""
    yes, no = bool(_YES.match(message.text.strip())), bool(_NO.match(message.text.strip()))
    if not (yes or no):
        return None
    proposals = [p for p in await desk.proposals.open(desk.person) if p.conversation == message.conversation]
    if not proposals or (desk.now() - proposals[0].at).total_seconds() > 900:
        return None
    return await decide(desk, proposals[0].id, yes=yes)


async def help_(counter: Counter, desk: Desk, rest: str) -> Words:
    """List the commands."""
    return Words(say(desk.language, "help", commands=_list(desk.language)))


async def start(counter: Counter, desk: Desk, rest: str) -> Words:
    """Say hello."""
    words = say(desk.language, "help", commands=_list(desk.language))
    return Words(say(desk.language, "start", help=words))


def _list(language: Language) -> str:
    return "\n".join(f"{name} {command.words(language)}" for name, command in COMMANDS.items())


async def memory(counter: Counter, desk: Desk, rest: str) -> Words:
    """What is remembered."""
    return Words(await outline(desk))


async def undo(counter: Counter, desk: Desk, rest: str) -> Words:
    """Take back the last change of memory, or the one with a number."""
    number = re.sub(r"\D", "", rest)
    outcome = await desk.memory.undo(int(number) if number else None)
    if outcome.did is Did.REFUSED:
        return Words(outcome.reason or say(desk.language, "undo.nothing"))
    return Words(restored(desk, outcome))


async def forget_(counter: Counter, desk: Desk, rest: str) -> Words:
    """Forget a rule by its number in /memory, or a line by words."""
    rules = [line for page, line in await desk.memory.lines() if page == "CORE.md"]
    number = rest.strip("# .")
    what = rules[int(number) - 1].id if number.isdigit() and 0 < int(number) <= len(rules) else rest
    if not what:
        return Words(say(desk.language, "forget.unknown"))
    told = await forget(desk, {"what": what, "quote": rest})
    return Words(told.receipt, buttons=told.buttons)


async def pictures(counter: Counter, desk: Desk, rest: str) -> Words:
    """Find pictures, or list the newest."""
    return Words((await search_pictures(desk, {"words": rest})).text)


async def new(counter: Counter, desk: Desk, rest: str) -> Words:
    """Start the conversation afresh."""
    await counter.people.start_afresh(desk.person, await counter.newest(desk.person))
    return Words(say(desk.language, "new"))


async def status(counter: Counter, desk: Desk, rest: str) -> Words:
    """What is configured and what waits."""
    lines = await desk.memory.lines()
    rules = sum(page == "CORE.md" for page, _ in lines)
    words = say(
        desk.language,
        "status",
        model=counter.model or say(desk.language, "status.embedded"),
        rules=rules,
        facts=len(lines) - rules,
        pictures=len(await desk.pictures.all()),
        due=await counter.due(),
    )
    return Words(words)


COMMANDS: dict[str, Command] = {
    "/help": Command("看有哪些命令", "list the commands", help_),
    "/start": Command("打个招呼", "say hello", start),
    "/memory": Command("看我记住了什么", "show what I remember", memory),
    "/undo": Command("撤销上一次记忆改动", "take back the last change of memory", undo),
    "/forget": Command("忘掉一条：编号或几个词", "forget a line: its number or some words", forget_),
    "/pictures": Command("找图：几个词，或最近的", "find pictures: some words, or the newest", pictures),
    "/status": Command("看现在的状态", "show how things stand", status),
    "/new": Command("重新开始聊，记忆保留", "start afresh; memory stays", new),
}
