"""One tree of errors, each with a message fit for the person.

KairosError
├── SettingsError        the configuration cannot be used; the message names the key
├── PersonRefused        a message from a name that can be nobody's folder
├── HomeError            the home cannot be used
│   ├── HomeBusy         another process runs this home
│   ├── HomeUnwritable   read-only, or the disk is full
│   │   └── DatabaseUnusable  the server that holds the database is away, or takes nothing
│   └── HomeDamaged      the database is no database any more
├── ModelError           a model call failed
│   ├── ModelRefused     it will never work as asked (4xx other than 408/409/429, wrong key, filtered)
│   ├── AllowanceSpent   background work has used its tokens of today; has retry_after
│   └── ModelUnavailable it may work later (network, 408/409/429, 5xx, time-out); has retry_after
├── SendError            a channel did not take a message
│   ├── SendRefused      it never will
│   └── SendDelayed      it may later; has retry_after
├── OutsideError         an outside MCP server gave no answer; has a code
└── ToolError            a tool could not do it; goes back to the model as a result
"""

from __future__ import annotations


class KairosError(Exception):
    """Something went wrong that a person can be told about."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or (self.__doc__ or "").strip())


class SettingsError(KairosError):
    """The settings cannot be used."""


class PersonRefused(KairosError):
    """That cannot be a person's name: use letters, digits, spaces, dots and dashes."""


class HomeError(KairosError):
    """The home folder cannot be used."""


class HomeBusy(HomeError):
    """Another Kairos already runs in this home."""


class HomeUnwritable(HomeError):
    """The home folder cannot be written to (read-only, or the disk is full)."""


class DatabaseUnusable(HomeUnwritable):
    """The server that holds the database is away, or takes nothing. 数据库服务器现在用不了。"""


class HomeDamaged(HomeError):
    """The file kairos.sqlite is damaged. Put a copy of it in its place, or move it away and start again.

    Rules, facts and pictures are files of their own. 数据库 kairos.sqlite 坏了：换回备份，或者把它移走再启动；
    规则、事实和图片都另有文件。
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message or " ".join((self.__doc__ or "").split()))


class ModelError(KairosError):
    """The model gave no answer."""

    def __init__(self, message: str = "", *, code: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.code = code  # a key of `bot.models.problems.SENTENCES`, by which the caller picks the language
        self.detail = detail  # what the server said, for the log only
        # tokens that its server says it took all the same: read, of these from its cache, written
        self.used: tuple[int, int, int] | None = None


class ModelRefused(ModelError):
    """The model's server refused the request."""


class AllowanceSpent(ModelError):
    """Background work has used its tokens of today."""

    def __init__(self, message: str = "", *, retry_after: float) -> None:
        super().__init__(message, code="allowance")
        self.retry_after = retry_after  # seconds until the person's midnight


class ModelUnavailable(ModelError):
    """The model cannot be reached right now."""

    def __init__(
        self, message: str = "", *, retry_after: float | None = None, code: str = "", detail: str = ""
    ) -> None:
        super().__init__(message, code=code, detail=detail)
        self.retry_after = retry_after  # seconds, when the server said


class SendError(KairosError):
    """The message could not be sent."""


class SendRefused(SendError):
    """The channel refused the message."""


class SendDelayed(SendError):
    """The channel cannot take the message right now."""

    def __init__(self, message: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class OutsideError(KairosError):
    """The outside server gave no answer."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail)
        self.code = code  # missing, silent, refused, gone, failed: `outside.<code>` is the sentence
        self.detail = detail  # what went wrong, for the log only


class ToolError(KairosError):
    """The tool could not do it."""
