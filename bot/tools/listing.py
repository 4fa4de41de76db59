"""How lines of memory are shown to the person, and which one they mean by a number or by words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.desk import Desk
from bot.tools.tool import whole_number
from bot.wording import say
from memory import Line
from memory.page import CORE
from memory.words import squeeze

LONGEST = 500  # characters of a line that are shown
FEW = 10  # facts that are shown one by one; of more, each topic is counted
CHOICE = 6  # lines among which the person is asked to choose
PROBLEMS = 5  # problems with the files that are named
_CLEARLY = 1.2  # lead of the best match of some words from which it is the one


def shown(desk: Desk, line: Line) -> str:
    """A line as the person reads it: its words, where and until when it holds, and whether it holds at all."""
    text = line.text if len(line.text) <= LONGEST else f"{line.text[:LONGEST]}…"
    if line.when:
        text += say(desk.language, "line.when", when=line.when)
    if line.until:
        key = "line.expired" if line.expired(desk.now().date()) else "line.until"
        text += say(desk.language, key, until=line.until)
    return text + (say(desk.language, "line.paused") if line.paused else "")


async def rules(desk: Desk) -> list[Line]:
    """Every rule in the order of the file, the paused and expired too: a rule's number is its place here."""
    return [line for page, line in await desk.memory.everything() if page == CORE]


async def overview(desk: Desk, *, whole: bool = False) -> str:
    """Rules by number, how full they are, and facts: each while they are few (or `whole`), else topics with counts."""
    everything = await desk.memory.everything()
    parts = []
    numbered = [f"{n}. {shown(desk, line)}" for n, line in enumerate(await rules(desk), 1)]
    if numbered:
        full = await desk.memory.fullness()
        head = say(desk.language, "rules.head", tokens=f"{full.tokens:,}", budget=f"{full.budget:,}")
        parts.append("\n".join([head, *numbered]))
    topics: dict[str, list[Line]] = {}
    for page, line in everything:
        if page != CORE:
            topics.setdefault(page, []).append(line)
    if topics:
        parts.append(say(desk.language, "topics.head"))
        rows = [
            await _topic(desk, name, lines, few=whole or len(everything) - len(numbered) <= FEW)
            for name, lines in topics.items()
        ]
        parts += rows if "\n" in rows[0] else ["\n".join(rows)]
    problems = await desk.memory.problems()
    if problems:
        listed = "\n".join(f"- {each}" for each in problems[:PROBLEMS])
        parts.append(say(desk.language, "memory.unread", problems=listed))
    return "\n\n".join(parts) or say(desk.language, "memory.none")


async def _topic(desk: Desk, name: str, lines: Sequence[Line], *, few: bool) -> str:
    page = await desk.memory.read(name)
    title = page.title if page else name
    if not few:
        return say(desk.language, "topic.row", title=title, count=len(lines))
    return "\n".join([f"**{title}**", *(f"- {shown(desk, line)}" for line in lines)])


async def page_of(desk: Desk, title: str) -> str | None:
    """A page by its title, each line with the name it is called by; None when there is none."""
    page = await desk.memory.read(title)
    if page is None or page.name == CORE:
        return None
    purpose = f"\n{page.purpose}" if page.purpose else ""
    rows = [f"- `{line.id}` {shown(desk, line)}" for line in page.lines]
    return "\n".join([f"**{page.title}**{purpose}", *rows])


@dataclass(frozen=True, slots=True)
class Meant:
    """What some words point at: one line, several that it could be, or none."""

    line: Line | None = None
    among: tuple[Line, ...] = ()
    by_name: bool = False  # it was called by its id


async def meant(desk: Desk, words: str) -> Meant:
    """The line of that number (of a rule) or name ("t3"), or the one that these words are in or are about."""
    everything = [line for _, line in await desk.memory.everything()]
    number, id = whole_number(words), words.strip("[]^#` ").casefold()
    if number is not None:
        numbered = await rules(desk)
        return Meant(numbered[number - 1] if 0 < number <= len(numbered) else None)
    if line := next((line for line in everything if line.id and line.id.casefold() == id), None):
        return Meant(line, by_name=True)
    return await _by_words(desk, words, everything)


async def _by_words(desk: Desk, words: str, everything: Sequence[Line]) -> Meant:
    wanted = squeeze(words)
    holding = [line for line in everything if wanted and wanted in squeeze(line.text)]
    same = [line for line in holding if squeeze(line.text) == wanted]
    if len(same) == 1 or len(holding) == 1:
        return Meant((same or holding)[0])
    if holding or not wanted:
        return Meant(among=tuple(holding[:CHOICE]))
    found = [each for each in await desk.memory.search(words, most=CHOICE) if each.near]
    if len(found) == 1 or (found and found[0].score >= _CLEARLY * found[1].score):
        return Meant(found[0].line)
    return Meant(among=tuple(each.line for each in found))


async def choice(desk: Desk, among: Sequence[Line]) -> str:
    """Ask which of some lines is meant, each with what it is called by; without any, that there is none."""
    if not among:
        return say(desk.language, "memory.no_such")
    numbers = {line.id: str(n) for n, line in enumerate(await rules(desk), 1)}
    rows = [f"- `{numbers.get(line.id, line.id)}` {shown(desk, line)}" for line in among]
    return say(desk.language, "memory.which", lines="\n".join(rows))
