"""How long Telegram is waited for, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds. Tests make them short."""

    poll: float = 25.0  # how long Telegram may hold a poll open
    first_wait: float = 0.5  # after a first failure; doubles
    longest_wait: float = 30.0
    contested: float = 5.0  # between polls while another program polls
    settled: float = 30.0  # without a new conflict until health is green again
    token: float = 60.0  # between polls while the token is refused
    refusal: float = 3600.0  # before a stranger is told again
    answer: float = 10.0  # for any call but a poll
    file: float = 10.0  # without a byte of a file that is being fetched
    behind: float = 8.0  # that a message waits for the file of the one before it; then it is heard first
    slow: float = 0.5  # between polls while files are still being fetched
    look: float = 60.0  # between looks at whether Telegram brings updates where it was told to
    paste: float = 1.2  # that a long text waits for its next part
