"""Why a model gave no answer, in words for the person, by the `code` on a `ModelError`."""

from __future__ import annotations

from bot.errors import ModelError
from bot.types import Language

SENTENCES: dict[str, dict[Language, str]] = {
    "wrong_key": {
        "en": "The model's server does not accept the API key. `kairos setup` sets a new one.",
        "zh": "模型服务器不接受这个 API key。用 `kairos setup` 换一个。",
    },
    "not_found": {
        "en": "There is no such model at that address. `kairos setup` checks address and name.",
        "zh": "这个地址上没有这个模型。用 `kairos setup` 检查地址和模型名。",
    },
    "quota": {
        "en": "The account at the model's provider has no credit left.",
        "zh": "模型服务商的账户余额或配额用完了。",
    },
    "too_long": {
        "en": "That was too long for the model. Send less at once, or start afresh with /new.",
        "zh": "这些内容超出了模型的长度上限。请分几次发，或用 /new 重新开始。",
    },
    "too_large": {
        "en": "That was more than the model's server takes at once. Send fewer pictures, or less text, at a time.",
        "zh": "一次发给模型服务器的内容太大了。请少发几张图片，或把文字分几次发。",
    },
    "filtered": {
        "en": "The model's provider blocked this with its content filter.",
        "zh": "模型服务商的内容过滤拦下了这条消息。",
    },
    "rejected": {
        "en": "The model's server did not understand the request. The log says why.",
        "zh": "模型服务器没有接受这个请求，原因在日志里。",
    },
    "unreachable": {
        "en": "The model cannot be reached right now. Please try again in a moment.",
        "zh": "现在连不上模型，请稍后再试。",
    },
    "busy": {
        "en": "The model is overloaded right now. Please try again in a moment.",
        "zh": "模型现在太忙，请稍后再试。",
    },
    "timeout": {
        "en": "The model did not answer in time. Please try again.",
        "zh": "模型没有及时回答，请再试一次。",
    },
    "server": {
        "en": "The model's server has a problem of its own. Please try again in a moment.",
        "zh": "模型服务器自己出了问题，请稍后再试。",
    },
}
"""code → language → one sentence. The codes are the whole vocabulary of `ModelError.code`."""


def explain(error: ModelError, language: Language) -> str:
    """One sentence about `error` for the person; an unknown code gets the error's own words."""
    sentence = SENTENCES.get(error.code)
    return sentence[language] if sentence else str(error)
