"""An HTTP status and what the server said with it → a `ModelError` with a code.

Servers say the same thing in many ways (a status, a code, a sentence, in English or Chinese, sometimes
with status 200), so the words are looked at before the status.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from bot.errors import ModelError, ModelRefused, ModelUnavailable
from bot.models.problems import SENTENCES

_TOO_LONG = re.compile(
    r"context.?(?:length|window|size)|maximum context|prompt is too long|too many tokens|input.{0,20}too long"
    r"|range of input length|exceed\w* .{0,40}(?:token|context|length)|(?:token|length).{0,40}exceed"
    r"|tokens must be <=|string_above_max_length|request too large.{0,80}token"
    r"|超[出过].{0,12}(?:长度|上下文)|(?:上下文|长度).{0,12}超|过长|超长",
    re.IGNORECASE,
)
_SURELY_TOO_LONG = re.compile(  # whatever the status: waiting will not help
    r"context.?(?:length|window|size)|maximum context|prompt is too long|request too large.{0,80}token",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(
    r"request (?:entity )?(?:body )?(?:is )?too large|(?:payload|body|image|file).{0,20}too large"
    r"|exceeds? .{0,20}\b\d+ ?[km]b",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content.?filter|content.?policy|data_?inspection|safety system|responsible.?ai|inappropriate content"
    r"|sensitive (?:content|words)|敏感|不安全|违规|content exists risk|risk control",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient.?(?:quota|balance|credit|funds)|exceeded your current quota|billing|arrearage"
    r"|out of credits?"
    r"|余额不足|欠费|额度.{0,4}(?:用完|不足)",
    re.IGNORECASE,
)
_WRONG_KEY = re.compile(
    r"invalid.{0,12}api.?key|incorrect api key|authentication|令牌|身份验证", re.IGNORECASE
)
_NO_MODEL = re.compile(
    r"model.{0,60}(?:not.?found|does not exist|not exist|not supported|unknown)|model_not_found|unknown model"
    r"|模型.{0,10}不存在",
    re.IGNORECASE,
)

_LATER = (408, 409, 425, 429)  # besides all of 5xx: the request itself is good


def error_of(status: int, said: str, headers: Mapping[str, str] | None = None) -> ModelError:
    """The error for an answer with `status` whose body (or error message) is `said`.

    A status of 200 means that the error came inside a normal answer; its words alone decide.
    """
    code = _code(status, said)
    detail = f"{status}: {said[:500]}"
    sentence = SENTENCES[code]["en"]
    later = (status in _LATER or status >= 500) and code != "too_long"
    if later or (status < 400 and code in ("busy", "server")):
        return ModelUnavailable(sentence, retry_after=retry_after(headers or {}), code=code, detail=detail)
    return ModelRefused(sentence, code=code, detail=detail)


def unavailable(code: str, detail: str) -> ModelUnavailable:
    """The error for a call that met no answer at all."""
    return ModelUnavailable(SENTENCES[code]["en"], code=code, detail=detail[:500])


def _code(status: int, said: str) -> str:
    by_status = {
        401: "wrong_key",
        402: "quota",
        403: "wrong_key",
        404: "not_found",
        405: "not_found",
        408: "timeout",
        409: "busy",
        413: "too_large",
        425: "busy",
        429: "busy",
        503: "busy",
        504: "timeout",
        529: "busy",
    }
    if _QUOTA.search(said) and status in (200, 400, 402, 403, 429):
        return "quota"
    if status >= 400 and _SURELY_TOO_LONG.search(said):
        return "too_long"
    if status in by_status:
        filtered = status in (403, 404) and _FILTERED.search(said)
        return "filtered" if filtered else by_status[status]
    if status >= 500:
        return "server"
    for pattern, code in (
        (_TOO_LARGE, "too_large"),
        (_TOO_LONG, "too_long"),
        (_FILTERED, "filtered"),
        (_WRONG_KEY, "wrong_key"),
        (_NO_MODEL, "not_found"),
    ):
        if pattern.search(said):
            return code
    return "rejected" if status >= 400 else "server"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait, from `retry-after-ms` or `retry-after` (seconds or a date)."""
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass
    value = headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, at.timestamp() - datetime.fromtimestamp(time.time(), UTC).timestamp())
