"""What is said about slow memory. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "slow.none": (
        "对话笔记：没有接模型，旧对话不整理成笔记",
        "Conversation notes: no model is configured, so conversations are not distilled into notes",
    ),
    "slow.coverage": (
        "对话笔记：最近 7 天你说的 {said} 条里读过 {read} 条",
        "Conversation notes: {read} of your {said} messages of the last 7 days read",
    ),
    "slow.failed": ("，{failed} 条没读成", ", {failed} failed"),
    "slow.done": (
        "新笔记 {notes} 条，改动 {changes} 处，等你点头的 {proposals} 条。",
        "{notes} new notes, {changes} changes, {proposals} questions for you.",
    ),
    "slow.handed": (
        "正在运行的 Kairos 会在一分钟内处理。",
        "The running bot will see to it within a minute.",
    ),
}

RECEIPTS: tuple[str, ...] = ()
