"""Program text or what a program reported: both speak of errors, and their vectors hardly differ.

A function that raises is code; a traceback, a log or a compiler's complaint is a report, although it quotes code. The
form of their lines tells, so it decides between these two kinds and leaves all others alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

CODE, REPORT = "code", "error"
_FEW = 2  # lines of program text from which it counts as such …
_SHARE = 0.4  # … if they are this share of all lines
_QUOTES = 4  # lines of code that one line of a report may quote
_CERTAIN = 0.9  # share of both chances that the kind told by form takes

_NUMBER = re.compile(r"^\s*\d{1,4}(?:\s*[|│:]\s*|\s+)(?=\D)")  # of a line, in an editor
_STATEMENT = re.compile(
    "|".join(
        (
            r"^(?:async )?(?:def|class|func|fn|function|fun|interface|struct|enum|impl|namespace|package|"
            r"module)\b[^。，！？]+$",
            r"^(?:import|from|using|#include|export|public|private|protected|internal|static|final)\b [^。，！？]+$",
            r"^(?:const|let|var|val|int|void|bool|auto|string|float|double|char|type|trait)\b [^。，！？]+$",
            r"^(?:if|elif|else|for|while|try|except|finally|with|match|case|default|switch|do|catch|when|unless|begin|"
            r"ensure|rescue)\b[^。，！？]*[:{]$",
            r"^(?:if|for|while|catch|switch|elif|foreach|until) ?[(\[!]",
            r"^(?:return|yield|await|assert|pass|break|continue|raise|throw|del|defer|go|new)\b[^。，！？.]*(?:[.(\[\w].*)?$",
            r"^(?:raise|except|throw ?new) ?[A-Z(]",  # OCR drops spaces
            r"^(?:fi|done|then|esac|end|echo .*|exit \d|set -\w+.*|trap .*|local \w+=.*)$|; ?(?:then|do)$",
            r"^@\w[\w.]*(?:\(.*\))?$",  # a decorator
            r"^[\w.\[\]\"']+(?:: ?[\w<>\[\], |]+)? ?(?:[-+*/|&?:]?=|<-|:=)[ \w\"'\[({]",  # an assignment
            r"^[}\])]+[;,)]*(?: ?(?:else|catch|finally|while).*)?$|[{;]$",
            r"^(?:[\w$]+[.>-]+)*[\w$!]+\(.*\)?[;{:,)]*$",  # a call
            r"(?:=>|->) ?[\w({]",
            r"^(?:#|//|/\*|\*/|<!--|--) ?\S|^\"\"\"",  # a comment
        )
    )
)
_REPORTED = re.compile(
    "|".join(
        (
            r"Traceback ?\(most|^File ?\"[^\"]+\", ?line ?\d+",
            r"^at \S.*[:(]\S*:\d+\)?|^at [\w.$<>]+\(|^Caused by:|Exception in thread",
            r"^(?:Uncaught |Unhandled )?(?:\([\w ]+\) )?[\w.]*(?:Error|Exception|Warning)(?:\(\d+\))?: ?\S",
            r"^npm ERR|^(?:fatal |compile )?error(?:\[\w+\])?: |\berror [A-Z]{2}\d{3,}|^--> ?\S+:\d+:\d+|[\^~]{3,}",
            r"\.\w{1,4}:\d+(?::\d+)?:? (?:- )?(?:fatal )?(?:error|warning|\w*Error)\b",
            r"^\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d|^\d\d:\d\d:\d\d[.,]?\d* ",  # a log
            r"\[(?:ERROR|FATAL|WARN|CRITICAL)\]|^(?:ERROR|FATAL|CRITICAL|WARN)\b",
            r"^panic: |^goroutine \d+ \[|^exit (?:status|code) \d|Exit status \d|[Ss]egmentation fault|core dumped",
            r"^E {2,}\S|\b\d+ failed, |BUILD FAILED|^make: \*\*\*",
            r"\bUncaught\b|\bUnhandled\b|\b0x[0-9a-fA-F]{8}\b|status code \d{3}\b",
        )
    )
)


def form_of(text: str) -> str:
    """ "code", "error" (what a program reported), or "" where the form of the lines leaves it open."""
    lines = [bare for line in text.splitlines() if (bare := _NUMBER.sub("", line).strip())]
    reported = sum(_REPORTED.search(line) is not None for line in lines)
    program = sum(_STATEMENT.search(line) is not None and _REPORTED.search(line) is None for line in lines)
    if reported:
        return REPORT if program <= _QUOTES * reported else ""
    return CODE if program >= _FEW and program >= _SHARE * len(lines) else ""


def told_apart(chances: Mapping[str, float], text: str) -> dict[str, float]:
    """The chances of the kinds, those of code and of reports shared out by the form of the text."""
    told = form_of(text)
    if not told:
        return dict(chances)
    both = chances[CODE] + chances[REPORT]
    other = REPORT if told == CODE else CODE
    return {**chances, told: _CERTAIN * both, other: (1 - _CERTAIN) * both}
