"""Does it work? One call to each thing that was set up, and a sentence about what came back."""

from __future__ import annotations

import time
from dataclasses import dataclass

from bot.errors import ModelError
from bot.logs import Redactor
from bot.models.model import Prompt, Said
from bot.models.openai_compatible import OpenAICompatible
from bot.models.problems import explain
from bot.models.wire import PING
from bot.settings import Endpoint
from bot.types import Language

PATIENCE = 30.0  # seconds for one call


@dataclass(frozen=True, slots=True)
class Check:
    """How one call ended."""

    ok: bool
    sentence: str
    base_url: str = ""  # a better address than the one that was given, where there is one


async def check_model(endpoint: Endpoint, language: Language) -> Check:
    """Ask for one word. An address that only lacks its `/v1` is found out."""
    check, code = await _ask(endpoint, language)
    if code == "not_found" and not endpoint.base_url.endswith("/v1"):
        longer = Endpoint(endpoint.base_url + "/v1", endpoint.api_key, endpoint.model, endpoint.sees)
        second, _ = await _ask(longer, language)
        if second.ok:
            return Check(True, second.sentence, longer.base_url)
    return check


async def _ask(endpoint: Endpoint, language: Language) -> tuple[Check, str]:
    model = OpenAICompatible(
        endpoint.base_url, endpoint.api_key.get_secret_value(), endpoint.model, timeout=PATIENCE
    )
    began = time.monotonic()
    try:
        await model.generate(Prompt("", messages=[Said("user", PING)]))
    except ModelError as error:
        redact = Redactor([endpoint.api_key.get_secret_value()])
        detail = redact(" ".join(error.detail.split()))[:200]
        return Check(
            False, f"{explain(error, language)} ({endpoint.base_url}, {endpoint.model}: {detail})"
        ), error.code
    finally:
        await model.aclose()
    seconds = f"{time.monotonic() - began:.1f}"
    words = {
        "en": f"{endpoint.model} answers ({seconds} s)",
        "zh": f"{endpoint.model} 有回答（{seconds} 秒）",
    }
    return Check(True, words[language]), ""


async def check_telegram(root: str, token: str, language: Language) -> Check:
    """Ask Telegram who this bot is (`getMe`)."""
    import httpx2

    try:
        async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=not _is_here(root)) as client:
            response = await client.get(f"{root}/bot{token}/getMe")
        body = response.json()
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        why = Redactor([token])(f"{type(error).__name__} {error}".strip())
        words = {
            "en": f"Telegram cannot be reached ({root}: {why}).",
            "zh": f"连不上 Telegram（{root}：{why}）。",
        }
        return Check(False, words[language])
    except ValueError:
        body = {}
    bot = body.get("result") if isinstance(body, dict) and body.get("ok") else None
    if isinstance(bot, dict):
        name = f"@{bot.get('username', '?')}"
        words = {"en": f"Telegram knows the bot: {name}", "zh": f"Telegram 认得这个机器人：{name}"}
        return Check(True, words[language])
    if response.status_code in (401, 404):
        words = {
            "en": f"Telegram does not know this token ({response.status_code}). @BotFather shows the right one.",
            "zh": f"Telegram 不认这个 token（{response.status_code}）。到 @BotFather 那里核对。",
        }
        return Check(False, words[language])
    words = {
        "en": f"What answers at {root} is not Telegram (status {response.status_code}).",
        "zh": f"{root} 的回答不像 Telegram（状态 {response.status_code}）。",
    }
    return Check(False, words[language])


def _is_here(url: str) -> bool:
    return any(f"//{host}" in url for host in ("127.0.0.1", "localhost", "[::1]"))
