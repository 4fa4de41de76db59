"""Hidden temporary files of a killed process go; everything else stays."""

from __future__ import annotations

from pathlib import Path

from bot.storage.leftovers import sweep


def test_only_half_written_files_go(tmp_path: Path) -> None:
    gone = [".x1.tmp", "topics/.a.tmp", "topics/people/.b.tmp", "archive/代码/.0a1b.part", "archive/.c.part"]
    kept = [
        "CORE.md",
        "topics/.obsidian.md",
        "archive/代码/2026-09-01 x #1.png",
        "archive/代码/notes.part",
        "a.tmp",
    ]
    for name in (*gone, *kept):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert sweep(tmp_path) == len(gone)
    left = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file())
    assert left == sorted(kept)
    assert sweep(tmp_path / "nobody") == 0
