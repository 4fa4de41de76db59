"""What is said about background work. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "queue.empty": ("后台没有要做的，也没有失败的。", "Nothing waits, and nothing has failed."),
    "queue.counts": (
        "在做 {running}，等待 {waiting}，稍后再试 {paused}，失败 {failed}",
        "In hand {running}, waiting {waiting}, tried again later {paused}, failed {failed}",
    ),
    "queue.running": ("▶ {name} {what}", "▶ {name} {what}"),
    "queue.waiting": ("· {name} {what}", "· {name} {what}"),
    "queue.paused": ("⏳ {name} {what}：{time} 再试{why}", "⏳ {name} {what}: again at {time}{why}"),
    "queue.failed": ("✗ {name} {what}{why}", "✗ {name} {what}{why}"),
    "queue.why": ("（{why}）", " ({why})"),
    "queue.more": ("… 还有 {count} 项", "… and {count} more"),
    "queue.kind.file": ("图片", "picture"),
    "queue.kind.extract": ("读进记忆", "memory"),
    "queue.kind.cultivate": ("整理页面", "tending"),
    "queue.provider": (
        "{host} 要求 {time} 之前先别问它；这期间图片照规则归档，不经过模型。",
        "{host} asked not to be called before {time}; until then pictures are filed by your rules without it.",
    ),
    "queue.hint": ("重试：/queue retry {name}，或 /queue retry all", "To retry: /queue retry {name}, or all"),
    "queue.retried": ("重新开始：{names}", "Started again: {names}"),
    "queue.retry_all": ("全部重试", "Retry all"),
    "queue.none_failed": ("没有失败的可重试。", "Nothing has failed, so there is nothing to retry."),
    "queue.no_such": (
        "{name} 不在失败的里面。/queue 看有哪些。",
        "{name} is not among what failed. /queue lists it.",
    ),
    "queue.usage": (
        "这样用：/queue 看后台；/queue retry 编号，或 /queue retry all",
        "Usage: /queue shows the work; /queue retry NUMBER, or /queue retry all",
    ),
}

RECEIPTS: tuple[str, ...] = ("queue.retried",)
