"""`kairos setup`: ask for a model and a Telegram bot, try both, and write `settings.toml`.

Nothing is written before the end: Ctrl-C at any question leaves everything as it was.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.options import Home, spoken_in
from bot.cli.setup_checks import Check, check_model, check_telegram
from bot.errors import KairosError, SettingsError
from bot.logs import silence
from bot.settings import Endpoint, Settings, home_of, save
from bot.types import Language

Answers = dict[str, Any]

PROVIDERS = {
    "openai": "https://api.openai.com/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "qwen": "https://dashscope.aliyuncs.com/compatible-mode/v1",
    "kimi": "https://api.moonshot.cn/v1",
    "glm": "https://open.bigmodel.cn/api/paas/v4",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
}
"""Words that can be typed instead of an address."""

_SECRETS = ("model_api_key", "telegram_token")

_WORDS: dict[str, tuple[str, str]] = {
    "intro": (
        "Kairos 不配模型也能存图、记规则；配一个模型就能聊天。直接回车 = 保持不变，Ctrl-C = 什么都不改。",
        "Kairos files pictures and keeps rules without a model; a model adds conversation."
        " Enter keeps what is there, Ctrl-C changes nothing.",
    ),
    "broken": (
        "现有设置读不了，会另存为 settings.toml.broken：{why}",
        "The settings cannot be read: {why} They will be kept as settings.toml.broken.",
    ),
    "url": (
        "模型地址（网址，或 {names}；none = 不用模型）",
        "Model's address (URL, or {names}; none = no model)",
    ),
    "key": ("API key（不显示；本地模型可留空）", "API key (not shown; empty for a local model)"),
    "key.kept": ("API key（不显示；回车 = 用原来的）", "API key (not shown; Enter keeps the one there is)"),
    "model": ("模型名", "Model's name"),
    "vision": (
        "看图模型的名字（none = 用文字识别读图）",
        "Name of a model that sees pictures (none = read them by OCR)",
    ),
    "token": (
        "Telegram 机器人 token（不显示；none = 不用）",
        "Telegram bot token (not shown; none = no Telegram)",
    ),
    "token.kept": (
        "Telegram 机器人 token（不显示；回车 = 用原来的）",
        "Telegram bot token (not shown; Enter keeps the one there is)",
    ),
    "allowed": (
        "允许使用的 Telegram 数字 ID，逗号隔开，第一个是你自己（回车 = 之后用配对码）",
        "Numeric Telegram ids that may talk to it, separated by commas, yours first (Enter = pair by a code)",
    ),
    "anyway": ("仍然保存这一项吗？（否 = 重新填写）", "Keep this anyway? (no = enter it again)"),
    "empty": (
        "{name}：什么都没给，所以什么都没改；要去掉它请写 none。",
        "{name}: nothing was given, so nothing was changed; “none” removes it.",
    ),
    "untested": (
        "没有写入。加 --no-test 可以不测试直接保存。",
        "Nothing was written. --no-test saves without trying.",
    ),
    "saved": ("已保存到 {file}", "Saved to {file}"),
    "next": (
        "开始聊天：kairos chat　启动所有渠道：kairos run",
        "Now: kairos chat, or kairos run for all channels",
    ),
    "limits": (
        "后台工作每人每天最多用 {tokens} 个 token（background_tokens）；"
        "在 settings.toml 里写上价格（prices），/usage 就会算钱。",
        "Background work may use {tokens} tokens a person and day (background_tokens); with `prices` in settings.toml,"
        " /usage tells the money too.",
    ),
    "stopped": ("已停止，什么都没改。", "Stopped; nothing was changed."),
    "better": ("地址改为 {url}", "The address is {url}"),
}


def setup(  # noqa: PLR0913, PLR0917  (one option a setting)
    model_base_url: Annotated[str | None, typer.Option(help="Model's address, or a provider's name.")] = None,
    model_api_key: Annotated[str | None, typer.Option(help="Its API key; “-” reads it from stdin.")] = None,
    model: Annotated[str | None, typer.Option(help="Model's name; “none” for no model.")] = None,
    vision_model: Annotated[str | None, typer.Option(help="A model that sees pictures.")] = None,
    telegram_token: Annotated[
        str | None, typer.Option(help="Telegram bot token; “-” reads it from stdin.")
    ] = None,
    telegram_allowed: Annotated[str | None, typer.Option(help="Numeric ids, yours first: 123,456")] = None,
    telegram_base_url: Annotated[str | None, typer.Option(help="Root of another Bot API server.")] = None,
    language: Annotated[str | None, typer.Option(help="zh, en or auto.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
    test: Annotated[bool, typer.Option("--test/--no-test", help="Try each thing before saving.")] = True,
    home: Home = None,
) -> None:
    """Set up a model and Telegram: asked for one by one, or by flags without a question."""
    flags: Answers = {
        "model_base_url": model_base_url,
        "model_api_key": model_api_key,
        "model": model,
        "vision_model": vision_model,
        "telegram_token": telegram_token,
        "telegram_allowed": telegram_allowed,
        "telegram_base_url": telegram_base_url,
        "language": language,
    }
    given = {name: _flag(name, value) for name, value in flags.items() if value is not None}
    silence()
    draft = Draft(home_of(home, os.environ), given)
    try:
        if given or yes:
            _by_flags(draft, test)
        else:
            _by_questions(draft, test)
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("\n" + draft.words("stopped"), err=True)
        raise typer.Exit(130) from None
    typer.echo(draft.words("saved", file=save(draft.settings(), draft.home)))
    if draft.settings().telegram_token.get_secret_value():
        _pair(draft)
    if draft.settings().main() and (tokens := draft.settings().background_tokens):
        typer.echo(draft.words("limits", tokens=f"{tokens:,}"))
    typer.echo(draft.words("next"))


def _pair(draft: Draft) -> None:
    """Show the code by which the owner's account is known, where none is yet."""
    from bot.cli.pairing import owners_code
    from bot.wording import say

    if code := asyncio.run(owners_code(Settings.load(draft.home))):
        typer.echo(say(draft.language, "people.code", code=code))


def _flag(name: str, value: str) -> str:
    value = value.strip()
    if name in _SECRETS:
        value = sys.stdin.readline().strip() if value == "-" else value
        if not value:  # a variable of a script that was not set, say
            raise SettingsError(
                _WORDS["empty"][0 if spoken_in() == "zh" else 1].format(name=f"KAIROS_{name.upper()}")
            )
    return _address(value) if name == "model_base_url" else _off(name, value)


def _address(text: str) -> str:
    return PROVIDERS.get(text.strip().lower(), text.strip())


def _off(name: str, value: str) -> str:
    """`none` empties a setting; for models it is a value of its own."""
    return "" if value.lower() == "none" and not name.endswith("model") else value


class Draft:
    """The settings as they will be: the file's, with answers over them. The environment is left out of it."""

    def __init__(self, home: Path, answers: Answers) -> None:
        self.home = home
        self.answers = answers
        self._env = {"LANG": next((os.environ[name] for name in _FOR_LANGUAGE if os.environ.get(name)), "")}
        self.problem = ""  # why the file cannot be used
        try:
            self._old = Settings.load(home, self._env)
        except SettingsError as error:
            self.problem = str(error)
            self._old = Settings.load(home, self._env, use_file=False)

    def settings(self, **more: Any) -> Settings:
        """Raises SettingsError for an answer that cannot be."""
        return Settings.load(self.home, self._env, use_file=not self.problem, **{**self.answers, **more})

    def old(self, name: str) -> str:
        """What the file says, for a default."""
        value = getattr(self._old, name)
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def has(self, secret: str) -> bool:
        """Whether the file holds this secret."""
        return bool(getattr(self._old, secret).get_secret_value())

    @property
    def language(self) -> Language:
        """The language to ask in."""
        wish = str(self.answers.get("language") or self._old.language)
        if wish == "auto":
            wish = self._env["LANG"]
        return "zh" if wish.lower().startswith("zh") else "en"

    def words(self, key: str, **values: object) -> str:
        """One of our sentences."""
        return _WORDS[key][0 if self.language == "zh" else 1].format(**values)


_FOR_LANGUAGE = ("KAIROS_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def _by_flags(draft: Draft, test: bool) -> None:
    if _moves(draft, draft.answers):
        draft.answers.setdefault("model_api_key", "")
    settings = draft.settings()
    if draft.problem:
        typer.echo(draft.words("broken", why=draft.problem), err=True)
    if not test:
        return
    touched = set(draft.answers)
    tries: list[Callable[[], bool]] = []
    if touched & {"model_base_url", "model_api_key", "model"}:
        tries.append(lambda: _try_model(draft, settings.main(), "model_base_url"))
    if "vision_model" in touched:
        tries.append(lambda: _try_model(draft, settings.vision(), "vision_model_base_url"))
    if touched & {"telegram_token", "telegram_base_url"}:
        tries.append(lambda: _try_telegram(draft))
    results = [attempt() for attempt in tries]  # all of them, so that one run shows everything
    if not all(results):
        raise KairosError(draft.words("untested"))


def _by_questions(draft: Draft, test: bool) -> None:
    typer.echo(draft.words("intro"))
    if draft.problem:
        typer.echo(draft.words("broken", why=draft.problem))
    _until_good(
        draft, _ask_model, lambda: not test or _try_model(draft, draft.settings().main(), "model_base_url")
    )
    main = draft.settings().main()
    if main and not main.sees:
        _until_good(draft, _ask_vision, lambda: not test or _try_model(draft, draft.settings().vision(), ""))
    _until_good(draft, _ask_telegram, lambda: not test or _try_telegram(draft))


def _until_good(draft: Draft, ask: Callable[[Draft], Answers], attempt: Callable[[], bool]) -> None:
    """Ask, check the values, try them; again until they work or the person wants them anyway."""
    before = dict(draft.answers)
    while True:
        draft.answers = {**before, **ask(draft)}
        try:
            draft.settings()
        except SettingsError as error:
            typer.echo(f"✗ {error}")
            draft.answers = before
            continue
        if attempt() or typer.confirm(draft.words("anyway"), default=False):
            return


def _ask_model(draft: Draft) -> Answers:
    before = draft.settings().main()
    url = _prompt(draft.words("url", names=", ".join(PROVIDERS)), before.base_url if before else "none")
    if url.lower() == "none":
        return {"model": "none"} if before else {}
    answers: Answers = {"model_base_url": _address(url)}
    if key := _secret(draft, "model_api_key", "key"):
        answers["model_api_key"] = key
    elif _moves(draft, answers):
        answers["model_api_key"] = ""
    typed = str(draft.answers.get("model", ""))  # only the key may have been wrong
    answers["model"] = _prompt(draft.words("model"), typed or draft.old("model"))
    return answers


def _moves(draft: Draft, answers: Answers) -> bool:
    """Whether the model's address changes: the old key is not for another server."""
    old = draft.old("model_base_url")
    return bool(old) and answers.get("model_base_url", old).rstrip("/") != old


def _ask_vision(draft: Draft) -> Answers:
    return {"vision_model": _prompt(draft.words("vision"), draft.old("vision_model") or "none")}


def _ask_telegram(draft: Draft) -> Answers:
    token = _secret(draft, "telegram_token", "token")
    if token.lower() == "none" or not (token or draft.has("telegram_token")):
        return {"telegram_token": ""}
    answers: Answers = {"telegram_token": token} if token else {}
    answers["telegram_allowed"] = _prompt(draft.words("allowed"), draft.old("telegram_allowed"))
    return answers


def _prompt(words: str, default: str) -> str:
    return str(typer.prompt(words, default=default, show_default=bool(default))).strip()


def _secret(draft: Draft, name: str, words: str) -> str:
    """What was typed, unseen; "" keeps what is there."""
    asked = draft.words(f"{words}.kept" if draft.has(name) else words)
    return str(typer.prompt(asked, default="", show_default=False, hide_input=True)).strip()


def _try_model(draft: Draft, endpoint: Endpoint | None, address: str) -> bool:
    if endpoint is None:
        return True
    check = asyncio.run(check_model(endpoint, draft.language))
    _show(check)
    if check.base_url and address:
        draft.answers[address] = check.base_url
        typer.echo("  " + draft.words("better", url=check.base_url))
    return check.ok


def _try_telegram(draft: Draft) -> bool:
    settings = draft.settings()
    token = settings.telegram_token.get_secret_value()
    if not token:
        return True
    check = asyncio.run(check_telegram(settings.telegram_base_url, token, draft.language))
    _show(check)
    return check.ok


def _show(check: Check) -> None:
    typer.echo(f"{'✓' if check.ok else '✗'} {check.sentence}", err=not check.ok)
