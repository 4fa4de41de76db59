"""Tests lie where their code lies, so that either leads to the other."""

from __future__ import annotations

from tests.shape.tree import PACKAGES, modules

# What only shows when several modules work together keeps a name of its own.
STORIES = {
    "tests/bot/cli/test_boundary.py",
    "tests/bot/cli/test_looking.py",
    "tests/bot/cli/test_processes.py",
}
ELSEWHERE = {"bench", "soak", "contracts", "fakes", "flows", "golden", "shape"}


def test_folders_mirror_packages() -> None:
    folders = {path.parent.as_posix() for path in modules(*PACKAGES)}
    tests = {path.relative_to("tests").parent for path in modules("tests")}
    strays = {str(folder) for folder in tests if folder.parts and folder.parts[0] not in ELSEWHERE} - folders
    assert strays == set()


def test_test_files_are_named_after_what_they_test() -> None:
    strays = []
    for path in modules("tests"):
        mirrored = path.relative_to("tests").parent
        if path.name.startswith("test_") and mirrored.parts[0] in PACKAGES and str(path) not in STORIES:
            below = [module for module in modules(*PACKAGES) if module.is_relative_to(mirrored)]
            parts = {part for module in below for part in module.with_suffix("").parts}
            words = {"prompts"} | {word for part in parts for word in part.split("_")}
            if not words & set(path.stem.split("_")[1:]):
                strays.append(str(path))
    assert strays == []
