"""The guards of `conftest.py` really guard."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.conftest import Golden, is_local

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]


def test_home_is_a_temporary_one(home: Path, tmp_path: Path) -> None:
    assert home.is_relative_to(tmp_path)
    assert Path.home() == tmp_path
    assert [name for name in os.environ if name.startswith(("KAIROS_", "OPENAI_"))] == ["KAIROS_HOME"]


@pytest.mark.parametrize(
    ("address", "local"),
    [
        (("127.0.0.1", 80), True),
        (("127.8.8.8", 80), True),
        (("::1", 80, 0, 0), True),
        (("localhost", 80), True),
        ("/tmp/a.sock", True),
        (("192.168.1.1", 80), False),
        (("8.8.8.8", 53), False),
        (("example.invalid", 443), False),
    ],
)
def test_only_this_machine_is_local(address: object, local: bool) -> None:
    assert is_local(address) is local


def test_leaving_the_machine_fails_a_test_that_swallowed_the_error(pytester: pytest.Pytester) -> None:
    ended = _run(
        pytester,
        """
        import socket, contextlib

        def test_dials():
            with contextlib.suppress(OSError):
                socket.create_connection(("192.0.2.1", 9), timeout=1)

        def test_looks_up():
            with contextlib.suppress(OSError):
                socket.getaddrinfo("example.invalid", 80)

        def test_stays():
            with socket.create_server(("127.0.0.1", 0)) as server:
                socket.create_connection(server.getsockname()).close()
        """,
    )
    ended.assert_outcomes(passed=3, errors=2)


def test_blocking_the_loop_fails_a_test_that_swallowed_the_error(pytester: pytest.Pytester) -> None:
    ended = _run(
        pytester,
        """
        import contextlib, time
        import memory

        sleep = eval(compile("lambda: time.sleep(0)", memory.__file__, "eval"))

        async def test_blocks():
            with contextlib.suppress(Exception):
                sleep()

        async def test_own_sleep_is_a_tests_own_business():
            time.sleep(0)

        def test_no_loop():
            sleep()
        """,
    )
    ended.assert_outcomes(passed=3, errors=1)


def test_slow_tests_come_last(pytester: pytest.Pytester) -> None:
    ended = _run(
        pytester,
        """
        import pytest

        @pytest.mark.slow
        def test_a_slow(): ...

        def test_b_fast(): ...
        """,
        "-v",
    )
    ended.stdout.fnmatch_lines(["*test_b_fast PASSED*", "*test_a_slow PASSED*"])


def test_golden_says_how_to_make_one(golden: Golden, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        pytest.skip("would write it")
    with pytest.raises(pytest.fail.Exception, match="--update-golden"):
        golden("never-written.md", "words")


def test_sockets_work_on_this_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


def _run(pytester: pytest.Pytester, source: str, *options: str) -> pytest.RunResult:
    """Run one test file under the project's own conftest and settings."""
    pytester.makeconftest(f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom tests.conftest import *")
    pytester.makeini("[pytest]\nasyncio_mode = auto\nmarkers = slow: slow")
    pytester.makepyfile(source)
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)
