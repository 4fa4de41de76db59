"""One turn: brief the model, let it work with its tools, and put what came of it into words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.agent.briefing import Shown, brief, loaded
from bot.agent.continuing import TIMES
from bot.agent.eyes import Eyes
from bot.agent.loop import Beat, Bounds, Conversed, converse
from bot.agent.promises import Promises
from bot.agent.showing import Showing
from bot.agent.summary import ripe
from bot.agent.trimming import fitting, room
from bot.desk import Desk
from bot.models.model import Model, Prompt
from bot.storage.filings import Filings
from bot.storage.fresh_starts import FreshStarts
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.records import HistoryLine
from bot.storage.summaries import Summaries, Summary
from bot.tools import Tool
from bot.types import Answered, Button, Language, Message, Words
from bot.wording import parted, say
from memory.snapshot import Snapshot

SAID_EACH = 5  # changes by hand that are told one by one


async def always(words: str) -> bool:
    """For a model that is given all there is."""
    return True


@dataclass(frozen=True, slots=True)
class Answering:
    """The main conversation; one for the whole app."""

    model: Model
    tools: Mapping[str, Tool]
    messages: Messages
    summaries: Summaries
    outbox: OutboxRows
    filings: Filings
    fresh: FreshStarts
    eyes: Eyes
    window: int = 32_000  # tokens that the model takes
    # the model has nothing to say to a picture that the filing beside does not say
    leaves_pictures: bool = False
    wants_text: Callable[[str], Awaitable[bool]] = always  # of a picture, to answer these words about it

    async def __call__(self, desk: Desk, burst: Sequence[Message], beat: Beat) -> Answered:
        """Answer a burst at its desk. Raises what the model layer raises."""
        files = [each for message in burst for each in message.attachments]
        refused = [each.problem for each in files if each.problem]
        read = [each for each in files if each.kind == "paper"]
        wordless = not any(message.text.strip() for message in burst)
        if refused and wordless and not read:
            return Answered((Words("\n".join(refused)),), refused[0])
        snapshot = await desk.memory.snapshot()
        fresh = self.fresh.after(desk.person, burst[0].channel, burst[0].chat)
        summary, history = await self.summaries.opening(burst[0], fresh)
        lately = any(line.files for line in history) or bool(files)
        pictures = await self._showing.of(burst, lately)
        shown = [each for every in pictures.values() for each in every]
        meant = [
            each
            for about in burst
            if about.attachments or about.reply_to
            for each in pictures.get(about.id, ())
        ]
        refused += [
            each.refused.sentence(desk.language) for each in meant if each.refused
        ]  # of earlier ones: once
        if wordless and read and (self.leaves_pictures or not any(each.text for each in shown)):
            told = "\n".join([*refused, *(_read_alone(each, desk.language) for each in shown if each.paper)])
            return Answered((Words(told),), refused[0] if refused else "")
        beat()
        offered = [tool.spec for tool in self.tools.values()]
        whole = brief(snapshot, history, burst, pictures, desk.now(), offered, summary.text)
        prompt = fitting(whole, self.window)
        promises = Promises(desk, history, shows=bool(shown))
        speaks = not self.leaves_pictures  # the embedded default only says what it did
        conversed = await converse(
            self.model, prompt, self.tools, desk, beat, promises if speaks else None, Bounds(continued=TIMES)
        )
        if speaks:
            await self._sum_up(summary, history, prompt, conversed.prompt)
        silent = self.leaves_pictures and any(each.kind == "picture" for each in files)
        answered = _spoken(conversed, snapshot, desk.language, may_be_silent=silent)
        ahead = [*([] if desk.shared else _by_hand(desk)), *([Words("\n".join(refused))] if refused else [])]
        return Answered(
            (*ahead, *answered.words), refused[0] if refused else answered.problem, tuple(promises.read)
        )

    async def _sum_up(
        self, summary: Summary, history: Sequence[HistoryLine], asked: Prompt, taken: Prompt
    ) -> None:
        """Have the older part of a long talk summed up after the turn. What the model's server did not take is not
        sent again: talk is shown from behind it at once.
        """
        if len(taken.messages) < len(asked.messages):
            kept = summary if taken.pinned else replace(summary, text="")
            await self.summaries.owe(kept, taken.messages[taken.pinned].row - 1, at_once=True)
        elif not summary.owed and (row := ripe(history, max(room(asked, self.window), self.window * 0.1))):
            await self.summaries.owe(summary, row)

    @property
    def _showing(self) -> Showing:
        return Showing(
            self.messages,
            self.outbox,
            self.filings,
            self.eyes,
            self.model,
            self.window,
            self.leaves_pictures,
            self.wants_text,
        )


def _read_alone(shown: Shown, language: Language) -> str:
    """What the embedded default says to a document that came without a word."""
    return say(language, "paper.alone", name=shown.name, count=len(shown.text) + shown.left_out)


def _by_hand(desk: Desk) -> list[Words]:
    """What the person changed in the files themself: it counts already, and is said once, with an undo."""
    said = _contradicting(desk)
    changes = desk.memory.untold()
    if len(changes) > SAID_EACH:  # a file that was replaced, or taken away
        added = sum(1 for each in changes if each.before is None)
        gone = sum(1 for each in changes if each.after is None)
        counts = {"added": added, "gone": gone, "changed": len(changes) - added - gone}
        return [Words(say(desk.language, "adopted.many", **counts), "notice"), *said]
    seen = []
    for outcome in changes:
        text = outcome.after or outcome.before or ""
        key = "adopted" if outcome.after else "adopted.gone"
        undo = (Button(say(desk.language, "undo"), f"undo:{outcome.entry}"),) if outcome.entry else ()
        seen.append(Words(say(desk.language, key, text=text), "notice", undo))
    return seen + said


def _contradicting(desk: Desk) -> list[Words]:
    """Rules typed by hand of which only one can be obeyed, with their rows in the file."""
    said = []
    for each in desk.memory.contradictions()[:SAID_EACH]:
        key = "contradiction.paused" if each.paused else "contradiction.open"
        values = {"row": each.row, "text": each.text, "other_row": each.other_row, "other": each.other}
        undo = (Button(say(desk.language, "undo"), f"undo:{each.paused}"),) if each.paused else ()
        said.append(Words(say(desk.language, key, **values), "notice", undo))
    return said


def _spoken(conversed: Conversed, snapshot: Snapshot, language: Language, *, may_be_silent: bool) -> Answered:
    """A conversation's end as what the person reads: the model's words, then one receipt a deed, with buttons; each
    picture that is shown is a message of its own, with the line that names it.
    """
    said, _ = parted(conversed.text)  # a receipt that stands there is repeated, or made up
    shown = {result.picture: result.receipt for result in conversed.results if result.picture}
    lines = [said] if said else []
    lines += conversed.unkept
    lines += [line for line in conversed.receipts if line not in said and line not in shown.values()]
    if said and (conversed.cut or conversed.filtered):
        lines.insert(1, say(language, "trouble.cut" if conversed.cut else "trouble.filtered_midway"))
    problem = ""
    if not lines and not shown and not may_be_silent:
        why = "filtered" if conversed.filtered else "spent" if conversed.cut else "empty"
        problem = say(language, f"trouble.{why}")
        lines = [problem]
    read = tuple(dict.fromkeys((*conversed.loaded, *loaded(snapshot))))
    pictures = [Words(line, picture=path) for path, line in shown.items()]
    told = [Words("\n\n".join(lines), buttons=conversed.buttons, loaded=read)] if lines else []
    return Answered((*pictures, *told), problem)
