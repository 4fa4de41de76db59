"""Slash commands and buttons: the same in every channel, no model involved."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.desk import Desk
from bot.storage.people import People
from bot.storage.proposals import change_from_json, source_from_json
from bot.storage.tables import whole
from bot.tools.notes import forget, outline, receipt
from bot.tools.pictures import move_picture, search_pictures
from bot.tools.tool import whole_number
from bot.tools.undoing import undo_entry, undo_last, undo_move
from bot.types import Language, Message, Words
from bot.wording import say
from memory.changes import Retire

LONGEST = 500  # characters after a command that are looked at
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
    due: Callable[[str], Awaitable[int]]  # how many pictures of a person wait
    troubles: Callable[[], Sequence[str]] = list  # what is wrong with channels, a sentence each

    async def serve(self, desk: Desk, text: str) -> Words:
        """Run `/name rest`."""
        name, *more = text.split(maxsplit=1)
        name, rest = name.split("@")[0].lower(), whole("".join(more)).replace("\0", "")[:LONGEST]
        command = COMMANDS.get(name)
        if command is None:
            return Words(say(desk.language, "command.unknown", command=name[:40]))
        return await command.run(self, desk, rest.strip())

    async def press(self, desk: Desk, data: str) -> Words:
        """A button was pressed: `undo:12`, `yes:3`, `no:3`, `move:7` (to the other category it could be)."""
        verb, _, rest = data.partition(":")
        number = whole_number(rest)
        if number is not None:
            match verb:
                case "undo":
                    return Words((await undo_entry(desk, number)).receipt)
                case "unmove":
                    return Words((await undo_move(desk, number)).receipt)
                case "yes" | "no":
                    return await decide(desk, number, yes=verb == "yes")
                case "move":
                    row = await desk.pictures.numbered(number)
                    if row is not None and row.runner_up:
                        moved = await move_picture(desk, {"number": number, "category": row.runner_up})
                        return Words(moved.receipt, buttons=moved.buttons)
        return Words(say(desk.language, "question.gone"))


async def decide(desk: Desk, row_id: int, *, yes: bool) -> Words:
    """Accept or decline an open question."""
    proposal = next((each for each in await desk.proposals.open(desk.person) if each.id == row_id), None)
    if proposal is None:
        return Words(say(desk.language, "question.gone"))
    change = change_from_json(proposal.change)
    if not yes:
        await desk.proposals.settle(row_id, desk.person, "declined")
        key = "declined.forget" if isinstance(change, Retire) else "declined"
        return Words(say(desk.language, key))
    [outcome] = await desk.memory.apply([change], source_from_json(proposal.source))
    await desk.proposals.settle(
        row_id, desk.person, "accepted"
    )  # after it is written: a crash asks for it again
    told = receipt(desk, outcome)
    return Words(told.receipt, buttons=told.buttons)


_YES = re.compile(
    r"^(是|是的|好|好的|嗯|嗯嗯|对|可以|行|要|记吧|记住|yes|yep|yeah|y|ok|okay|sure|please do)[。.!！~～]*$",
    re.I,
)
_NO = re.compile(r"^(不|不用|不要|不必|别记|算了|no|nope|n|no thanks|don't)[。.!！~～]*$", re.I)


SOON = timedelta(minutes=15)  # how long a bare "yes" may come after its question


def decision(message: Message) -> bool | None:
    """Whether a message is a bare yes (True) or a bare no (False), typed by the person and with nothing beside it."""
    words = message.typed.strip()
    if message.attachments:
        return None
    return True if _YES.match(words) else False if _NO.match(words) else None


async def typed_decision(desk: Desk, asked: Sequence[int], *, yes: bool) -> Words | None:
    """A bare yes or no counts as the button of what was asked last in this conversation, when it comes soon.

    Args:
        asked: ids of the questions in what we said last there; after anything else we said there are none, since
            the yes may be meant for that.
    """
    waiting = reversed(await desk.proposals.open(desk.person))
    meant = [each.id for each in waiting if each.id in asked and desk.now() - each.at <= SOON]
    words = [await decide(desk, each, yes=yes) for each in meant]
    if not words:
        return None
    buttons = tuple(button for each in words for button in each.buttons)
    return Words("\n".join(dict.fromkeys(each.text for each in words)), buttons=buttons)


async def help_(counter: Counter, desk: Desk, rest: str) -> Words:
    """List the commands."""
    return Words(say(desk.language, "help", commands=_list(desk.language)))


async def start(counter: Counter, desk: Desk, rest: str) -> Words:
    """Say hello."""
    words = say(desk.language, "help", commands=_list(desk.language))
    return Words(say(desk.language, "start", help=words))


def menu(language: Language) -> list[tuple[str, str]]:
    """(name, what it does) of every command, for channels that show a menu."""
    return [(name, command.words(language)) for name, command in COMMANDS.items()]


def _list(language: Language) -> str:
    return "\n".join(f"{name} {command.words(language)}" for name, command in COMMANDS.items())


async def memory(counter: Counter, desk: Desk, rest: str) -> Words:
    """What is remembered."""
    return Words(await outline(desk))


async def undo(counter: Counter, desk: Desk, rest: str) -> Words:
    """Take back what was done last, or the change of memory with a number."""
    number = whole_number(rest)
    if rest and number is None:
        return Words(say(desk.language, "undo.nothing"))
    undone = await (undo_last(desk, {}) if number is None else undo_entry(desk, number))
    return Words(undone.receipt)


async def forget_(counter: Counter, desk: Desk, rest: str) -> Words:
    """Forget a rule by its number in /memory, or a line by words."""
    rules = [line for page, line in await desk.memory.lines() if page == "CORE.md"]
    number = whole_number(rest)
    if not rest or (number is not None and not 0 < number <= len(rules)):
        return Words(say(desk.language, "forget.unknown"))
    what = rules[number - 1].id if number is not None else rest
    told = await forget(desk, {"what": what, "quote": rest})
    return Words(told.receipt, buttons=told.buttons)


async def pictures(counter: Counter, desk: Desk, rest: str) -> Words:
    """Find pictures, or list the newest."""
    return Words((await search_pictures(desk, {"words": rest})).text)


async def new(counter: Counter, desk: Desk, rest: str) -> Words:
    """Start the conversation afresh."""
    await counter.people.start_afresh(desk.person, desk.burst[-1].id)
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
        due=await counter.due(desk.person),
    )
    return Words("\n".join([words, *counter.troubles()]))


COMMANDS: dict[str, Command] = {
    "/help": Command("看有哪些命令", "list the commands", help_),
    "/start": Command("打个招呼", "say hello", start),
    "/memory": Command("看我记住了什么", "show what I remember", memory),
    "/undo": Command("撤销上一步：记忆改动或移动图片", "take back what was done last", undo),
    "/forget": Command("忘掉一条：编号或几个词", "forget a line: its number or some words", forget_),
    "/pictures": Command("找图：几个词，或最近的", "find pictures: some words, or the newest", pictures),
    "/status": Command("看现在的状态", "show how things stand", status),
    "/new": Command("重新开始聊，记忆保留", "start afresh; memory stays", new),
}
