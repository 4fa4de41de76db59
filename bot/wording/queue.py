"""What is said about background work. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "queue.empty": ("后台没有要做的，也没有失败的。", "Nothing waits, and nothing has failed."),
    "queue.counts": (
        "进行中 {running}，等待 {waiting}，待重试 {paused}，失败 {failed}",
        "Running {running}, waiting {waiting}, to retry {paused}, failed {failed}",
    ),
    "queue.running": ("▶ {name} {what}", "▶ {name} {what}"),
    "queue.waiting": ("· {name} {what}", "· {name} {what}"),
    "queue.paused": ("⏳ {name} {what}：{time} 再试{why}", "⏳ {name} {what}: again at {time}{why}"),
    "queue.failed": ("✗ {name} {what}{why}", "✗ {name} {what}{why}"),
    "queue.why": ("（{why}）", " ({why})"),
    "queue.more": ("… 还有 {count} 项", "… and {count} more"),
    "queue.kind.file": ("图片", "picture"),
    "queue.kind.extract": ("记忆提取", "reading for memory"),
    "queue.kind.cultivate": ("打理记忆", "tending memory"),
    "queue.kind.trial": ("试新的归档规则", "trying a filing rule"),
    "queue.kind.notes": ("把对话提炼成笔记", "distilling a conversation"),
    "queue.kind.consolidate": ("整理笔记", "weighing notes"),
    "queue.kind.summary": ("总结长对话", "summing up long talk"),
    "queue.allowance": (
        "今天的后台用量到上限了，{time} 再继续；聊天照常，图片照规则归档，不经过模型。/usage 看用量",
        "Background work has used its tokens of today and goes on at {time}. Chat goes on; pictures are filed by your"
        " rules, without the model. /usage shows what was used.",
    ),
    "queue.provider": (
        "{host} 要求 {time} 前暂停调用；这期间图片照规则归档，不经过模型。",
        "{host} asked not to be called before {time}; until then pictures are filed by your rules without it.",
    ),
    "queue.hint": (
        "重试：/queue retry {name}，或 /queue retry all",
        "To retry: /queue retry {name}, or /queue retry all",
    ),
    "queue.retried": ("重新开始：{names}", "Started again: {names}"),
    "queue.retry_all": ("全部重试", "Retry all"),
    "queue.none_failed": ("没有失败的可重试。", "Nothing has failed, so there is nothing to retry."),
    "queue.no_such": (
        "没有失败的任务 {name}。/queue 看有哪些。",
        "{name} is not among what failed. /queue lists it.",
    ),
    "queue.usage": (
        "这样用：/queue 看后台；/queue retry 编号，或 /queue retry all",
        "Usage: /queue shows the work; /queue retry NUMBER, or /queue retry all",
    ),
}

RECEIPTS: tuple[str, ...] = ("queue.retried",)
