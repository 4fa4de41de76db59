"""What the assistant says with no language model configured. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "embedded.help": (
        "我现在没有接语言模型，能做的是：给截图归档、记住并遵守你的规则和你说的事、找图、找记忆、撤销。\n"
        "自由聊天需要一个模型，运行 `kairos setup` 就能接上。",
        "I run without a language model right now. I can file screenshots, remember and obey your rules, keep what"
        " you tell me, find pictures and memories, and undo.\nFor free conversation add a model with"
        " `kairos setup`.",
    ),
    "embedded.task": (
        "这个要语言模型才能回答，我现在没有接。运行 `kairos setup` 可以接上一个。",
        "That takes a language model, and none is set up. `kairos setup` adds one.",
    ),
    "embedded.hello": (
        "在的。发截图给我归档，或者告诉我要记住什么。（自由聊天要先用 `kairos setup` 接上模型）",
        "I'm here. Send me a screenshot to file, or tell me what to remember."
        " (For free chat, `kairos setup` adds a model.)",
    ),
    "embedded.picture": (
        "看懂内容要语言模型（`kairos setup` 可以接上一个）。上面的文字：\n{text}",
        "Understanding it takes a language model (`kairos setup` adds one). The text in it:\n{text}",
    ),
    "embedded.picture_lines": ("上面写着：\n{text}", "It says:\n{text}"),
    "embedded.picture_blank": (
        "这张图里没有读到文字；看懂画面要语言模型（`kairos setup` 可以接上一个）。",
        "I found no text in this picture, and seeing takes a language model (`kairos setup` adds one).",
    ),
    "embedded.forget_all": (
        "我一次忘一条，免得一句话误删全部：告诉我忘掉哪一条，或者用 /forget。"
        "要全部清空，把记忆文件夹里的 CORE.md 和 topics 删掉就行。",
        "I forget one thing at a time, so that one message cannot wipe everything: say which, or use /forget."
        " To clear all of it, delete CORE.md and topics in the memory folder.",
    ),
    "moved.soon": ("好，这张会放到【{new}】。", "All right, this one goes to [{new}]."),
    "embedded.once": (
        "好，只这一次照办，不记成规则。",
        "All right, just this once; it does not become a rule.",
    ),
    "embedded.once_unheard": (
        "没有记成规则；但没接模型时我的回答是固定的，这次也没法照做（`kairos setup` 可以接上一个）。",
        "It does not become a rule, but I cannot do it this once either: my answers are fixed sentences, and following"
        " that takes a language model (`kairos setup` adds one).",
    ),
    "embedded.forwarded": (
        "收到。转发来的话只当资料看，不会当成你的吩咐。",
        "Received. I treat forwarded words as material, never as your wishes.",
    ),
    "embedded.permit": (
        "授权一类的话我不存进记忆：真要做的时候，我每次都会先问你。",
        "I never store leave to act on my own: I ask you each time it comes to that.",
    ),
    "embedded.live": (
        "价格、库存、审批状态随时在变，我不存；要用的时候再查最新的。",
        "Prices, stock and approval states change by the hour, so I never store them; look them up when you need them.",
    ),
    "embedded.secret": (
        "密码、密钥、证件号这类我从不保存，请放进密码管理器。",
        "I never store passwords, keys or ID numbers; a password manager is the place for them.",
    ),
}

RECEIPTS: tuple[str, ...] = ()
