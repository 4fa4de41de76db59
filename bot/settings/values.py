"""What a single setting may hold, and the sentence in both languages when it does not."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, SecretStr

from bot.types import Language


class InvalidError(ValueError):
    """A value cannot be used; carries the sentence in both languages."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.words: dict[Language, str] = {"en": en, "zh": zh}


def _url(value: str) -> str:
    value = value.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")
    if not value:
        return ""
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or re.search(r"\s", value):
        raise InvalidError(
            "must be a web address that begins with http:// or https://",
            "要填以 http:// 或 https:// 开头的网址",
        )
    return value


def _secret(value: SecretStr) -> SecretStr:
    text = value.get_secret_value().strip().strip("\"'")
    if not text.isascii() or re.search(r"[\s\x00-\x1f]", text):
        raise InvalidError(
            "holds characters that no key has (spaces, line breaks or non-English letters)",
            "含有密钥里不会有的字符（空格、换行或非英文字符）",
        )
    return SecretStr(text)


_PLACE = re.compile(  # user, password, host, port, database, options: each may be left out
    r"://(?:[^:/@]*(?::[^@]*)?@)?(?:\[[0-9A-Fa-f:.]+\]|[^:/@?\[\]]*)(?::[0-9]{1,5})?(?:/[^?]*)?(?:\?.*)?"
)


def _database(value: SecretStr) -> SecretStr:
    """A URL of Postgres, however its scheme is spelled, with the driver that we use; "" = the home's own file."""
    text = value.get_secret_value().strip().strip("\"'")
    if not text:
        return SecretStr("")
    found = re.fullmatch(r"(?:postgres|postgresql|postgresql\+psycopg)(://\S+)", text)
    if found is None:
        raise InvalidError(
            "must begin with postgresql:// (leave it empty for a file in the home)",
            "要以 postgresql:// 开头（留空就用主目录里的文件）",
        )
    schemas = parse_qs(found[1].partition("?")[2], keep_blank_values=True).get("schema", ["kairos"])
    if not _PLACE.fullmatch(found[1]) or not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", ",".join(schemas)):
        raise InvalidError(
            "must look like postgresql://user:password@host:5432/database",
            "要写成 postgresql://用户:密码@主机:5432/数据库名",
        )
    return SecretStr(f"postgresql+psycopg{found[1]}")


def _ids(value: object) -> object:
    """`"1, 2"`, `1` or `[1, 2]` → (1, 2), in order, each once."""
    parts = value if isinstance(value, list | tuple) else re.split(r"[,，;；\s]+", str(value).strip())
    texts = [str(part).strip() for part in parts if str(part).strip()]
    if not all(re.fullmatch(r"[0-9]{1,18}", text) and int(text) for text in texts):
        raise InvalidError(
            "must be numeric Telegram user ids, separated by commas (a @name is not one)",
            "要填 Telegram 的数字用户 ID，用逗号隔开（@用户名 不行）",
        )
    return tuple(dict.fromkeys(int(text) for text in texts))


def _language(value: object) -> object:
    text = str(value).strip().lower().replace("_", "-")
    for language, names in {"zh": ("zh", "chinese", "中文"), "en": ("en", "english", "英文")}.items():
        if text in names or text.startswith(language + "-"):
            return language
    if text in ("", "auto"):
        return "auto"
    raise InvalidError("must be zh, en or auto", "只能是 zh、en 或 auto")


def _learning(value: object) -> object:
    text = {"true": "on", "false": "off", "": "on"}.get(
        str(value).strip().lower(), str(value).strip().lower()
    )
    if text in ("on", "ask", "off"):
        return text
    raise InvalidError("must be on, ask or off", "只能是 on、ask 或 off")


def _zone(value: str) -> str:
    if value:
        try:
            ZoneInfo(value)
        except (LookupError, ValueError, OSError) as error:
            raise InvalidError(
                "must be the name of a time zone, such as Asia/Shanghai", "要填时区名，例如 Asia/Shanghai"
            ) from error
    return value


def _place(value: str) -> str:
    host, _, port = value.strip().rpartition(":")
    if not re.fullmatch(r"[\w.-]+|\[[0-9A-Fa-f:]+\]", host) or not (
        port.isdecimal() and 0 < int(port) < 65536
    ):
        raise InvalidError(
            "must be host:port, such as 127.0.0.1:8443", "要写成 主机:端口，例如 127.0.0.1:8443"
        )
    return value.strip()


def _name(value: str) -> str:
    return value.strip()


Url = Annotated[str, AfterValidator(_url)]
Secret = Annotated[SecretStr, AfterValidator(_secret)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_database)]
Place = Annotated[str, AfterValidator(_place)]
Name = Annotated[str, AfterValidator(_name)]
Ids = Annotated[tuple[int, ...], BeforeValidator(_ids)]
Wish = Annotated[Literal["zh", "en", "auto"], BeforeValidator(_language)]
Learning = Annotated[Literal["on", "ask", "off"], BeforeValidator(_learning)]
Zone = Annotated[str, AfterValidator(_zone)]
