"""The job that tries a new filing rule on what was filed before, and offers the moves it would make. It moves nothing.

It is judged without a model, so that it costs nothing however often the rules change: 40 pictures take about a second.
Only a rule in words that nobody but a model understands ("by project") is tried by one, over the words in them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.storage.filings import Filings
from bot.storage.messages import Messages
from bot.storage.outbox import OutboxRows
from bot.storage.proposals import Proposals
from bot.storage.records import FilingRow, Proposal
from bot.types import Button, Language, Words
from bot.wording import say
from classifiers.categories import find, is_unfiled
from classifiers.kinds import ready
from classifiers.ports import Judge
from classifiers.rules import read_rules, scoped_to_pictures
from classifiers.types import Case, Picture, Reading

log = structlog.get_logger(__name__)

LAST = 40  # pictures that a new rule is tried on
TOLD = 10  # moves that the offer names


@dataclass(frozen=True, slots=True)
class TrialJob:
    """One for the whole app."""

    proposals: Proposals
    filings: Filings
    messages: Messages
    outbox: OutboxRows
    core: Callable[[str], Awaitable[str]]  # a person's rules as they are now
    judge: Judge  # without a model
    language: Callable[[str], Awaitable[Language]]
    model: Judge | None = None  # one that reads

    async def run(self, row_id: int) -> None:
        """Try the rule of proposal `row_id`; offer the moves in one message, or close it where there are none."""
        proposal = await self.proposals.due(row_id)
        if proposal is None:
            return
        rule, language = str(proposal.change["rule"]), await self.language(proposal.person)
        moves = await self._moves(proposal, rule, language)
        log.info("rule tried", action="rule_tried", row=row_id, moves=len(moves))
        if not moves:
            await self.proposals.close(row_id, "void")
            return
        lines = [
            say(language, "refile.line", number=row.number, title=row.title, old=row.category, new=category)
            for row, category in moves[:TOLD]
        ]
        if len(moves) > TOLD:
            lines.append(say(language, "refile.more", count=len(moves) - TOLD))
        question = say(language, "refile.ask", count=len(moves), rule=rule)
        buttons = (
            Button(say(language, "refile.yes", count=len(moves)), f"yes:{row_id}"),
            Button(say(language, "no"), f"no:{row_id}"),
        )
        change = {**proposal.change, "moves": [[row.id, category] for row, category in moves]}
        words = Words("\n".join([question, *lines]), "notice", buttons)
        about = await self.messages.get(int(str(proposal.source["message"])))
        await self.outbox.add(about, words, also=(self.proposals.asking(row_id, change, question),))

    async def give_up(self, row_id: int, why: str) -> None:
        """The rule holds all the same; only the offer is missing."""
        await self.proposals.close(row_id, "void")

    async def _moves(self, proposal: Proposal, rule: str, language: Language) -> list[tuple[FilingRow, str]]:
        """What the rule would put elsewhere, of the last pictures that came before it."""
        await ready()
        rules = await self.core(proposal.person)
        categories = tuple(
            each for each in await self.filings.categories(proposal.person) if not is_unfiled(each.name)
        )
        before = int(str(proposal.source["message"]))
        rows = [
            row
            for row in (await self.filings.all(proposal.person))
            if row.state == "filed" and row.message < before and not row.corrected
        ]
        judge = self.judge if read_rules(rule) else self.model or self.judge
        moves: list[tuple[FilingRow, str]] = []
        for row in rows[-LAST:]:
            picture = Picture(row.blob, b"", 0, 0, "", "")
            case = Case(picture, Reading(row.text), rules, categories, (), row.caption, language)
            filing = await judge(case)
            found = find(filing.category, categories)
            category = found.name if found else filing.category
            if filing.rule is not None and _same(filing.rule, rule) and category != row.category:
                moves.append((row, category))
        return moves


def files_pictures(rule: str, *, model: bool = False) -> bool:
    """Whether a line of memory says where pictures go, so that it is worth trying on those that are there.

    `model`: there is one that can try it, so that a line which says it in words of its own counts too.
    """
    known = read_rules(rule)
    return any(not each.forbids for each in known) if known else model and scoped_to_pictures(rule)


def _same(applied: str, rule: str) -> bool:
    return "".join(rule.split()).casefold() in "".join(applied.split()).casefold()
