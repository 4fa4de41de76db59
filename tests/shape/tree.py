"""The files of the project, as every shape test sees them: what git holds or would hold."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "memory", "classifiers")


@cache
def files() -> tuple[Path, ...]:
    """Every file that is or would be committed, relative to the top; all of them where there is no git."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    names = listed.stdout.decode("utf-8").split("\0") if listed.returncode == 0 else []
    if not names:  # an unpacked archive
        skipped = {".venv", ".git", "build", "dist", "__pycache__"}
        found = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        names = [str(path) for path in found if not skipped & set(path.parts)]
    return tuple(sorted({Path(name) for name in names if name and (ROOT / name).is_file()}))


def modules(*tops: str) -> tuple[Path, ...]:
    """Python files below the given top folders (all of them when none is given)."""
    return tuple(path for path in files() if path.suffix == ".py" and (not tops or path.parts[0] in tops))


def text(path: Path | str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(text(path), filename=str(path))


def imports(path: Path) -> Iterator[str]:
    """Full names of what a file imports, wherever in the file."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
