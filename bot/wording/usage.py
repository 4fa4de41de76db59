"""What is said of tokens and money. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "usage.today": ("今天（{day}，{zone}）", "Today ({day}, {zone})"),
    "usage.month": ("本月（{month}）", "This month ({month})"),
    "usage.none": ("没有用过模型", "no model was used"),
    "usage.chat": ("聊天", "Chat"),
    "usage.voice": ("语音转文字", "Voice to text"),
    "usage.heard": ("{calls} 段", "{calls} heard"),
    "usage.heard.tokens": ("，{tokens}", ", {tokens}"),
    "usage.background": ("后台", "Background"),
    "usage.row": ("{name}：{tokens}{money}", "{name}: {tokens}{money}"),
    "usage.tokens": (
        "{all} tokens（输入 {input}，其中缓存 {cached}；输出 {output}）",
        "{all} tokens (in {input}, of them cached {cached}; out {output})",
    ),
    "usage.money": ("，{money}", ", {money}"),
    "usage.part": ("{name} {all}", "{name} {all}"),
    "usage.purpose.chat": ("聊天", "chat"),
    "usage.purpose.voice": ("语音转文字", "voice to text"),
    "usage.purpose.check": ("检查", "checks"),
    "usage.purpose.extraction": ("记忆提取", "reading for memory"),
    "usage.purpose.filing": ("图片归档", "filing pictures"),
    "usage.purpose.notes": ("提炼对话", "distilling talk"),
    "usage.purpose.consolidation": ("整理笔记", "weighing notes"),
    "usage.purpose.cultivation": ("打理记忆", "tending memory"),
    "usage.purpose.summary": ("总结长对话", "summing up long talk"),
    "usage.allowance": (
        "后台每天上限 {allowance} tokens，今天用了 {share}%",
        "Background work may use {allowance} tokens a day; {share}% used today",
    ),
    "usage.unlimited": ("后台用量没有上限", "Background work has no daily limit"),
    "usage.estimated": (
        "其中 {calls} 次调用服务器没有报用量，按字数估算",
        "{calls} of these calls are estimated by their length: the server did not count",
    ),
    "usage.unpriced": (
        "不知道 {models} 的价格（设置里的 prices），这部分没有算钱",
        "The price of {models} is not known (`prices` in the settings), so it is not in the money",
    ),
    "usage.paused": (
        "后台今天的 {allowance} tokens 用完了，停到 {time} 再继续。聊天照常；图片照规则归档，不经过模型。/usage 看用量",
        "Background work has used its {allowance} tokens of today and waits until {time}. Chat goes on; pictures are"
        " filed by your rules, without the model. /usage shows what was used.",
    ),
    "usage.spent": (
        "后台今天的 {allowance} tokens 用完了，明天再继续。",
        "Background work has used its {allowance} tokens of today and goes on tomorrow.",
    ),
}

RECEIPTS: tuple[str, ...] = ()
