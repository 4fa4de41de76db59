"""Settings: constructor over environment over `<home>/settings.toml`, read once and then frozen.

`OPENAI_API_KEY` and `OPENAI_BASE_URL` are honoured where Kairos' own names say nothing: they configure
the main model together with `KAIROS_MODEL`, or alone with a default model when the endpoint is OpenAI's
own. A key found there is never sent to another server than the one it is for. `none` as a model's name
switches that model off.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bot.errors import HomeUnwritable, SettingsError
from bot.settings.file import TABLES, read_toml, refusal, unknown_keys, write_toml
from bot.settings.prices import Prices
from bot.settings.servers import Servers
from bot.settings.values import DatabaseUrl, Ids, InvalidError, Learning, Name, Place, Secret, Url, Wish, Zone
from bot.types import Language

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-5-mini"
TELEGRAM_URL = "https://api.telegram.org"
OWNER = "me"
NOT_IN_FILE = {"home", "problems", "openai_api_key", "openai_base_url"}
"""Fields that are no keys of `settings.toml`."""
NOT_SAVED = NOT_IN_FILE | TABLES
"""Fields that are left in the file as the person wrote them."""

_SEEING = re.compile(
    r"gpt-4o|gpt-4\.1|gpt-5|chatgpt|\bo[34]\b|qwen[\w.]*-?(?:vl|omni)|glm-[\w.]*v\b|gemini|gemma-?3|claude|llava|pixtral|vision"
    r"|(?:^|[-/_])vl(?:[-:_]|\d|$)|internvl|minicpm-v|grok-[4-9]|kimi-k2\.[5-9]|omni|step-\d+v",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where one model is."""

    base_url: str
    api_key: SecretStr
    model: str
    sees: bool


class Settings(BaseSettings):
    """All that can be set. A field `x` is `KAIROS_X` in the environment and `x` in the file."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", hide_input_in_errors=True, protected_namespaces=()
    )

    home: Path = Path("~/Kairos")
    database_url: DatabaseUrl = SecretStr("")  # of Postgres; holds a password. "" = kairos.sqlite in the home

    model: Name = ""
    model_base_url: Url = ""
    model_api_key: Secret = SecretStr("")
    model_vision: bool | None = None  # None = guessed from the model's name
    model_context: PositiveInt = 32_000  # tokens a prompt may have
    vision_model: Name = ""
    vision_model_base_url: Url = ""
    vision_model_api_key: Secret = SecretStr("")
    extract_model: Name = ""
    extract_model_base_url: Url = ""
    extract_model_api_key: Secret = SecretStr("")
    fallback_model: Name = ""
    fallback_model_base_url: Url = ""
    fallback_model_api_key: Secret = SecretStr("")
    transcribe_model: Name = ""  # speech to text
    transcribe_model_base_url: Url = ""
    transcribe_model_api_key: Secret = SecretStr("")
    openai_api_key: Secret = Field(default=SecretStr(""), exclude=True)
    openai_base_url: Url = Field(default="", exclude=True)

    telegram_token: Secret = SecretStr("")
    telegram_base_url: Url = TELEGRAM_URL
    telegram_allowed: Ids = ()
    telegram_webhook_url: Url = ""  # where Telegram is to bring messages; "" = they are fetched
    telegram_webhook_listen: Place = "127.0.0.1:8443"  # where what serves that address hands them on to us

    mcp_token: Secret = SecretStr("")  # that programs show to `kairos mcp --http`
    mcp_servers: Servers = ()  # outside servers whose tools the main model may use

    prices: Prices = ()  # of models' tokens, for `/usage`; none is known unless it stands here
    # a person and day, then background work waits; 0 = no limit
    background_tokens: NonNegativeInt = 1_000_000

    learning: Learning = "on"  # of facts told in passing; what is asked for is always kept
    language: Wish = "auto"
    timezone: Zone = ""

    model_timeout: PositiveFloat = 120.0  # seconds for one answer
    filing_timeout: PositiveFloat = 30.0  # seconds for the judgement of one picture, then we judge without it
    first_word: PositiveFloat = 15.0  # seconds of silence before a word to the person
    retry_budget: PositiveFloat = 8.0  # seconds a turn may spend on trying again
    core_budget: PositiveInt = 2_000  # tokens that the rules may take before the person is told; never cut
    extraction_wait: PositiveFloat = 30.0  # seconds `core()` waits for the extractor
    notes_after_hours: PositiveFloat = 6.0  # of silence, after which a conversation is distilled into notes
    ocr_seconds: PositiveFloat = 60.0  # for one picture
    ocr_idle: PositiveFloat = 300.0  # seconds until the OCR process leaves

    problems: tuple[str, ...] = Field(default=(), exclude=True)  # odd but not fatal: for the log and `doctor`

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is given: a `Settings()` never reads the machine it happens to run on; `load` does."""
        return (init_settings,)

    @classmethod
    def load(
        cls,
        home: Path | None = None,
        env: Mapping[str, str] | None = None,
        use_file: bool = True,
        **given: Any,
    ) -> Self:
        """Read everything. `given` (field names) outranks the environment, which outranks the file.

        `use_file=False` is for mending a file that cannot be read.

        Raises:
            SettingsError: one sentence that names the key and where it stands, never a secret.
        """
        env = os.environ if env is None else env
        language = _words_for(env)
        folder = home_of(home, env)
        file = folder / "settings.toml"
        written, odd = read_toml(file, language) if use_file else ({}, [])
        fields = set(cls.model_fields) - NOT_IN_FILE
        environment = _environment(env, fields)
        odd += unknown_keys(written, fields, str(file), language)
        names = [name for name in env if name.startswith("KAIROS_") and name != "KAIROS_HOME"]
        odd += unknown_keys(
            names,
            {f"KAIROS_{field.upper()}" for field in fields},
            {"en": "the environment", "zh": "环境变量"}[language],
            language,
        )
        known = {key: value for key, value in written.items() if key in fields}
        values = {**known, **environment, **{key: value for key, value in given.items() if value is not None}}
        try:
            settings = cls.model_validate({**values, "home": folder, "problems": tuple(odd)})
        except ValidationError as error:
            raise SettingsError(_sentence(error, environment, given, file, language)) from None
        settings.check(language)
        return settings

    def check(self, language: Language = "en") -> None:
        """Raises SettingsError for settings that make no sense together."""
        if self.model.lower() == "none":
            return
        if not self.model and self.model_base_url and not _is_openai(self.model_base_url):
            raise refusal(
                language,
                en="KAIROS_MODEL is missing: there is an address for the model, but not the model's name.",
                zh="缺少 KAIROS_MODEL：填了模型地址，但没有模型名。",
            )
        if self.model and self.main() is None:
            raise refusal(
                language,
                en="KAIROS_MODEL is set, but there is no KAIROS_MODEL_BASE_URL or KAIROS_MODEL_API_KEY.",
                zh="设置了 KAIROS_MODEL，但缺少 KAIROS_MODEL_BASE_URL 或 KAIROS_MODEL_API_KEY。",
            )

    def main(self) -> Endpoint | None:
        """The model that converses; None = the embedded default."""
        if self.model.lower() == "none":
            return None
        base_url = self.model_base_url or self.openai_base_url or OPENAI_URL
        key = self.model_api_key
        foreign = self.model_base_url and not (
            _is_openai(base_url) or _host(base_url) == _host(self.openai_base_url)
        )
        if not key.get_secret_value() and not foreign:
            key = self.openai_api_key
        given = self.model_base_url or key.get_secret_value() or (self.model and self.openai_base_url)
        name = self.model or (OPENAI_MODEL if _is_openai(base_url) else "")
        if not given or not name:
            return None
        return Endpoint(base_url, key, name, self._sees(name))

    def vision(self) -> Endpoint | None:
        """The model that judges pictures: its own, else the main one if that sees."""
        if self.vision_model.lower() == "none":
            return None
        if self.vision_model:
            return self._other(
                self.vision_model, self.vision_model_base_url, self.vision_model_api_key, sees=True
            )
        main = self.main()
        return main if main and main.sees else None

    def extract(self) -> Endpoint | None:
        """The model that extracts memory after a turn: its own, else the main one."""
        if self.extract_model.lower() == "none":
            return None
        if self.extract_model:
            return self._other(self.extract_model, self.extract_model_base_url, self.extract_model_api_key)
        return self.main()

    def fallback(self) -> Endpoint | None:
        """The model that is asked when the main one is away."""
        if not self.fallback_model or self.fallback_model.lower() == "none":
            return None
        return self._other(self.fallback_model, self.fallback_model_base_url, self.fallback_model_api_key)

    def transcriber(self) -> Endpoint | None:
        """The model that turns speech into text; None = voice messages are declined."""
        if not self.transcribe_model or self.transcribe_model.lower() == "none":
            return None
        return self._other(
            self.transcribe_model, self.transcribe_model_base_url, self.transcribe_model_api_key
        )

    def _other(
        self, name: str, base_url: str, key: SecretStr, *, sees: bool | None = None
    ) -> Endpoint | None:
        """Another model: at an address of its own, else where the main one is (whose key stays there)."""
        main = self.main()
        seeing = bool(_SEEING.search(name)) if sees is None else sees
        if not base_url:
            base_url = main.base_url if main else OPENAI_URL if key.get_secret_value() else ""
        if not base_url:
            return None
        if not key.get_secret_value() and main and _host(base_url) == _host(main.base_url):
            key = main.api_key
        return Endpoint(base_url, key, name, seeing)

    def _sees(self, name: str) -> bool:
        return bool(_SEEING.search(name)) if self.model_vision is None else self.model_vision

    def person(self, telegram_id: int) -> str | None:
        """Who a Telegram account is: the first allowed one is the owner. None = a stranger."""
        if telegram_id not in self.telegram_allowed:
            return None
        return OWNER if telegram_id == self.telegram_allowed[0] else f"tg-{telegram_id}"

    def zone(self) -> tzinfo:
        """The person's time zone, daylight saving included where the machine tells."""
        if self.timezone:
            return ZoneInfo(self.timezone)
        import tzlocal

        try:
            return tzlocal.get_localzone()
        except (LookupError, ValueError, OSError):  # contradictory or broken system files
            return datetime.now().astimezone().tzinfo or ZoneInfo("UTC")

    def secrets(self) -> tuple[str, ...]:
        """Every secret value that is set, for the log's redaction."""
        values = [getattr(self, name) for name in type(self).model_fields]
        held = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
        held += [text for server in self.mcp_servers for text in server.secrets()]
        return tuple(dict.fromkeys(text for text in (*held, *self._passwords()) if text))

    def _passwords(self) -> tuple[str, ...]:
        """The database's password, as it is and as it stands in its URL: messages of others may name it alone."""
        found = re.match(r"[^:]+://[^:/@]*:(.+)@[^@]*$", self.database_url.get_secret_value())
        return (found[1], unquote(found[1])) if found else ()


def save(settings: Settings, home: Path) -> Path:
    """Write what differs from the defaults to `<home>/settings.toml`, for the owner's eyes only.

    Keys of the file that we do not know stay. Raises HomeUnwritable.
    """
    values: dict[str, object] = {}
    for name in type(settings).model_fields:
        if name in NOT_SAVED:
            continue
        value = getattr(settings, name)
        if value == type(settings).model_fields[name].default:
            continue
        plain = value.get_secret_value() if isinstance(value, SecretStr) else value
        values[name] = list(plain) if isinstance(plain, tuple) else plain
    file = home / "settings.toml"
    try:
        write_toml(file, values, known=set(type(settings).model_fields) - NOT_SAVED)
    except OSError as error:
        raise HomeUnwritable(f"{file}: {error.strerror or error}") from error
    return file


def home_of(home: Path | None, env: Mapping[str, str]) -> Path:
    """The home folder: as given, else KAIROS_HOME, else ~/Kairos; absolute. Raises SettingsError."""
    text = str(home) if home is not None else env.get("KAIROS_HOME", "").strip() or "~/Kairos"
    if text.startswith("~") and env.get("HOME"):
        text = env["HOME"] + text[1:] if text[1:2] in ("", "/", "\\") else text
    try:
        return Path(text).expanduser().absolute()
    except (RuntimeError, ValueError, OSError):
        raise refusal(
            _words_for(env),
            en=f"KAIROS_HOME cannot be used: there is no such folder as {text!r}.",
            zh=f"KAIROS_HOME 不能用：找不到文件夹 {text!r}。",
        ) from None


def _environment(env: Mapping[str, str], fields: set[str]) -> dict[str, str]:
    """Fields set in the environment; an empty value counts as unset."""
    found = {field: env.get(f"KAIROS_{field.upper()}", "").strip() for field in fields}
    found |= {field: env.get(field.upper(), "").strip() for field in ("openai_api_key", "openai_base_url")}
    return {field: value for field, value in found.items() if value}


def _sentence(
    error: ValidationError,
    environment: Mapping[str, str],
    given: Mapping[str, object],
    file: Path,
    language: Language,
) -> str:
    """One sentence about the first thing that is wrong.

    Never holds the value: it may be a secret in the wrong place.
    """
    first = error.errors(include_input=False, include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else "settings"
    name = field.upper() if field.startswith("openai_") else f"KAIROS_{field.upper()}"
    if given.get(field) is not None:
        where = {"en": f"{name}: the value that was given", "zh": f"{name}：给的值"}
    elif field in environment:
        where = {"en": f"{name} in the environment", "zh": f"环境变量 {name} "}
    else:
        where = {"en": f"{field} in {file}", "zh": f"{file} 里的 {field} "}
    cause = first.get("ctx", {}).get("error")
    words: dict[Language, str] = (
        cause.words if isinstance(cause, InvalidError) else _expected(str(first["type"]))
    )
    return (
        f"{where[language]} {words[language]}."
        if language == "en"
        else f"{where[language]}{words[language]}。"
    )


def _expected(kind: str) -> dict[Language, str]:
    if kind.startswith("bool"):
        return {"en": "must be true or false", "zh": "只能是 true 或 false"}
    if kind == "greater_than_equal":
        return {"en": "must be zero or a number above", "zh": "要填零或大于零的数"}
    if kind.startswith(("int", "float", "greater", "finite")):
        return {"en": "must be a number above zero", "zh": "要填大于零的数"}
    return {"en": "has a value of the wrong kind", "zh": "的值类型不对"}


def _words_for(env: Mapping[str, str]) -> Language:
    """The language for errors met before the settings are known."""
    wish = env.get("KAIROS_LANGUAGE") or env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if wish.lower().startswith("zh") else "en"


def _host(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_openai(url: str) -> bool:
    return _host(url) == _host(OPENAI_URL)
