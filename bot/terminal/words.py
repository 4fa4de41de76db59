"""What the terminal itself says, in Chinese and in English (the bot's own sentences are in `bot.wording`)."""

from __future__ import annotations

from bot.types import Language

_WORDS: dict[str, tuple[str, str]] = {
    "brain.embedded": ("内置默认（没有接语言模型）", "embedded default (no language model)"),
    "brain.model": ("模型 {brain}", "model {brain}"),
    "keys": (
        "Ctrl-D 离开 · Alt-Enter 换行 · 图片拖进来或写路径",
        "Ctrl-D leaves · Alt-Enter new line · drag pictures in, or write their path",
    ),
    "keys.leave": ("Ctrl-D 离开", "Ctrl-D leaves"),
    "thinking": ("正在想", "thinking"),
    "behind": ("后台处理中", "working in the background"),
    "reconnecting": ("正在连接", "connecting"),
    "lost": ("正在运行的 Kairos 停了，我自己接着做。", "The running Kairos stopped; I carry on by myself."),
    "earlier": ("之前的", "from before"),
    "missing": ("没有这个文件：{names}", "There is no such file: {names}"),
    "missing.text": (
        "没有这个文件：{names}（只发了文字）",
        "There is no such file: {names} (only the words were sent)",
    ),
    "unreadable": ("读不了这个文件：{name}（{why}）", "Cannot read this file: {name} ({why})"),
    "too_large": (
        "「{name}」太大了（图片合计上限 {limit} MB），没有发送。",
        "“{name}” is too large (pictures may have {limit} MB together); nothing was sent.",
    ),
    "waiting": (
        "还有 {count} 条没处理完，等一下就好（Ctrl-C 立即离开，下次启动会接着做）",
        "{count} message(s) still in work, a moment (Ctrl-C leaves now; the next start carries on)",
    ),
    "problem": ("没能处理好：{problem}", "That did not end well: {problem}"),
    "problem.unknown": (
        "这条消息没能处理好，原因在日志里。",
        "That message did not end well; the log says why.",
    ),
}


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key`, with its blanks filled."""
    words = _WORDS[key][0 if language == "zh" else 1]
    return words.format(**values) if values else words
