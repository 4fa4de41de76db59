"""What committed files may not say, and what every prompt must have."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.shape.tree import PACKAGES, ROOT, files, modules, text

# Written in pieces, or this file would be the first offender.
FORBIDDEN = re.compile(
    "|".join(
        re.escape(first + second)
        for first, second in [
            ("/work/", "shared"),
            ("../", "shared"),
            ("pypi.", "org"),
            ("python", "hosted.org"),
            ("/opt/", "pypi"),
            ("/opt/", "wheels"),
            ("registry.", "npmjs"),
            ("deb.", "debian.org"),
        ]
    )
)
BINARY = {".npz", ".onnx", ".model", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".pdf", ".ico"}
PROMPTS = [path for path in files() if path.parent.name == "prompts" and path.suffix == ".md"]
TEXTS = [path for path in files() if path.suffix.lower() not in BINARY]


def test_no_file_names_places_that_others_do_not_have() -> None:
    found = {str(path): hit[0] for path in TEXTS if (hit := FORBIDDEN.search(text(path)))}
    assert not found


def test_text_is_utf8_with_unix_line_ends() -> None:
    assert not [str(path) for path in TEXTS if b"\r\n" in (ROOT / path).read_bytes()]


def test_versions_are_pinned_exactly() -> None:
    lines = text("constraints.txt").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+( *;.+)?", line)] == []


def test_a_wheel_holds_everything() -> None:
    """Prompts, examples, weights: what lies in a package is installed with it."""
    patterns = tomllib.loads(text("pyproject.toml"))["tool"]["setuptools"]["package-data"]["*"]
    left_out = []
    for path in files():
        if path.parts[0] in PACKAGES and path.suffix != ".py":
            package = next(folder for folder in path.parents if (ROOT / folder / "__init__.py").is_file())
            if not any(fnmatch(path.relative_to(package).as_posix(), pattern) for pattern in patterns):
                left_out.append(str(path))
    assert left_out == []


@pytest.mark.parametrize("path", PROMPTS, ids=str)
def test_every_prompt_is_used(path: Path) -> None:
    ours = [module for module in modules(path.parts[0]) if path.stem in text(module)]
    assert ours, "nobody reads this prompt"


@pytest.mark.parametrize("path", PROMPTS, ids=str)
def test_every_prompt_has_a_golden_copy(path: Path) -> None:
    """Its longest piece without a placeholder is found in some file of tests/golden/."""
    longest = max(re.split(r"\{\w*\}|\$\{?\w+\}?|\s*\n\s*", text(path)), key=len).strip()
    copies = [copy for copy in files() if copy.parts[:2] == ("tests", "golden") and copy.suffix != ".py"]
    assert any(longest in text(copy) for copy in copies), f"no golden copy shows: {longest}"
