"""`kairos eval search`: corpora of lines and questions about them, through the index that the bot searches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.evals.report import CaseFileError, Report, objects, percentile, read_json, share
from bot.storage.search import open_index
from bot.types import Language
from memory.index import Document, Encoder

MOST = 10  # results that count

_NAMES = {
    "questions": ("问题", "questions"),
    "recall_at_10": ("recall@10", "recall@10"),
    "mrr": ("MRR", "MRR"),
    "ms_p50": ("每问毫秒（中位）", "ms a question, p50"),
    "by_corpus": ("各语料 recall@10", "recall@10 by corpus"),
    "by_kind": ("各类问题 recall@10", "recall@10 by kind"),
}


class Score:
    """Recall and reciprocal rank over questions, in sums only."""

    def __init__(self) -> None:
        self.asked = 0
        self.scored = 0  # questions with evidence
        self.found = 0.0
        self.ranks = 0.0
        self.groups: dict[str, dict[str, list[float]]] = {"by_corpus": {}, "by_kind": {}}

    def count(self, corpus: str, kind: str, results: Sequence[str], evidence: Sequence[str]) -> None:
        """One question. Recall = share of the evidence among the results; rank = that of the first evidence."""
        self.asked += 1
        wanted = set(evidence)
        if not wanted:
            return
        self.scored += 1
        recall = len(wanted & set(results)) / len(wanted)
        self.found += recall
        self.ranks += next((1 / rank for rank, id in enumerate(results, 1) if id in wanted), 0.0)
        for group, name in (("by_corpus", corpus), ("by_kind", kind)):
            if name:
                self.groups[group].setdefault(name, []).append(recall)

    def totals(self, times: Sequence[float]) -> dict[str, Any]:
        """The line of totals."""
        by = {
            group: {name: share(sum(found), len(found)) for name, found in names.items()}
            for group, names in self.groups.items()
        }
        return {
            "totals": "search",
            "questions": self.asked,
            "with_evidence": self.scored,
            "recall_at_10": share(self.found, self.scored),
            "mrr": share(self.ranks, self.scored),
            "ms_p50": percentile(times, 0.5),
            **by,
        }


async def run(path: Path, encoder: Encoder | None, *, as_json: bool, language: Language) -> dict[str, Any]:
    """Index each corpus by itself, ask its questions, print; returns the totals. Raises `CaseFileError`."""
    corpora = objects(await asyncio.to_thread(read_json, path, language), path, "corpora", language)
    checked = [(_documents(each, path, language), _questions(each, path, language)) for each in corpora]
    report = Report(sum(len(questions) for _, questions in checked), as_json, language)
    score, times = Score(), list[float]()
    for corpus, (documents, questions) in zip(corpora, checked, strict=True):
        name = str(corpus.get("name", ""))
        async with open_index(None, encoder) as index:
            await index.put(documents)
            await index.understand()
            for question in questions:
                words = str(question.get("question") or "")
                began = time.perf_counter()
                hits = await index.find(words, MOST)
                times.append(round((time.perf_counter() - began) * 1000, 2))
                results = [hit.id for hit in hits]
                evidence = [str(each) for each in question.get("evidence") or []]
                score.count(name, str(question.get("kind") or ""), results, evidence)
                row = {"corpus": name, "question": words, "results": results, "ms": times[-1]}
                missed = evidence and not set(evidence) & set(results)
                report.row(row, f"✗ {name}: {words}" if missed else "")
    totals = score.totals(times)
    report.totals(totals, _NAMES)
    return totals


def _documents(corpus: dict[str, Any], path: Path, language: Language) -> list[Document]:
    found = []
    for each in objects(corpus, path, "docs", language):
        if "id" not in each:
            raise CaseFileError(
                f"{path} 里有一条没有 id 的文档。"
                if language == "zh"
                else f"{path} holds a document without an id."
            )
        found.append(
            Document(
                id=str(each["id"]),
                text=str(each.get("text") or ""),
                group=str(each.get("session") or ""),
                when=str(each.get("time") or ""),
            )
        )
    return found


def _questions(corpus: dict[str, Any], path: Path, language: Language) -> list[dict[str, Any]]:
    return objects(corpus, path, "questions", language) if corpus.get("questions") else []
