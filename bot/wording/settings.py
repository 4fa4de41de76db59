"""What is said of a person's own settings. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "settings.head": ("你的设置（只管你自己）：", "Your settings (for you alone):"),
    "settings.hint": (
        "改：点按钮，或发 /settings learning ask、/settings language en、/settings timezone 东京",
        "To change one: press a button, or /settings learning ask, /settings language zh, /settings timezone Tokyo",
    ),
    "settings.done": ("✓ {what}", "✓ {what}"),
    "settings.not_here": (
        "这里能改的是 learning（学习）、language（语言）、timezone（时区）、streaming（边写边看）、"
        "cultivate（夜间打理）。"
        "模型、密钥和地址只能在运行它的机器上用 `kairos setup` 改，聊天里看不到也改不了。",
        "What can be changed here: learning, language, timezone, streaming, cultivate. Models, keys and addresses are"
        " changed with `kairos setup` on the machine it runs on; a chat neither shows nor changes them.",
    ),
    "settings.learning.on": (
        "学习：开。顺口提到的事也会记下，每次都告诉你，能撤销",
        "Learning: on. What you mention in passing is kept too, said each time, with an undo",
    ),
    "settings.learning.ask": (
        "学习：先问。顺口提到的事先问你，点头才记",
        "Learning: ask. What you mention in passing is kept only after your yes",
    ),
    "settings.learning.off": (
        "学习：关。只记你让我记的",
        "Learning: off. Only what you ask to be remembered is kept",
    ),
    "settings.learning.on.button": ("学习：开", "Learning: on"),
    "settings.learning.ask.button": ("学习：先问", "Learning: ask"),
    "settings.learning.off.button": ("学习：关", "Learning: off"),
    "settings.learning.how": (
        "这样改：/settings learning on、ask 或 off",
        "Like this: /settings learning on, ask or off",
    ),
    "settings.language.auto": ("语言：跟着你写的语言", "Language: the one you write"),
    "settings.language.zh": ("语言：中文", "Language: Chinese"),
    "settings.language.en": ("语言：英文", "Language: English"),
    "settings.language.auto.button": ("语言：跟着我", "Language: as I write"),
    "settings.language.zh.button": ("语言：中文", "Language: Chinese"),
    "settings.language.en.button": ("语言：英文", "Language: English"),
    "settings.language.how": (
        "这样改：/settings language zh、en 或 auto",
        "Like this: /settings language zh, en or auto",
    ),
    "settings.timezone": ("时区：{zone}，现在 {now}", "Time zone: {zone}, where it is {now}"),
    "settings.timezone.machine": ("运行它的机器的时区", "that of the machine it runs on"),
    "settings.timezone.how": (
        "没认出这个时区。这样改：/settings timezone Asia/Shanghai、东京、UTC+8；auto 用回原来的",
        "That is no time zone I know. Like this: /settings timezone Europe/Berlin, Tokyo or UTC+8; auto takes it back",
    ),
    "settings.streaming.on": (
        "边写边看：开。慢的回答一边写一边显示",
        "Streaming: on. A slow answer is shown while it is written",
    ),
    "settings.streaming.off": (
        "边写边看：关。回答写完才发",
        "Streaming: off. An answer is sent when it is whole",
    ),
    "settings.streaming.on.button": ("边写边看：开", "Streaming: on"),
    "settings.streaming.off.button": ("边写边看：关", "Streaming: off"),
    "settings.streaming.how": (
        "这样改：/settings streaming on 或 off",
        "Like this: /settings streaming on or off",
    ),
    "settings.cultivate.on": (
        "夜间打理：开（/cultivate 看时间）",
        "Tending memory by night: on (/cultivate shows when)",
    ),
    "settings.cultivate.off": ("夜间打理：关", "Tending memory by night: off"),
    "settings.cultivate.on.button": ("夜间打理：开", "Tend by night: on"),
    "settings.cultivate.off.button": ("夜间打理：关", "Tend by night: off"),
    "settings.cultivate.how": (
        "这样改：/settings cultivate on 或 off",
        "Like this: /settings cultivate on or off",
    ),
}

RECEIPTS: tuple[str, ...] = ()
