"""What `doctor` and `/status` say of the parts. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "health.home": ("{home}，剩余 {megabytes:,} MB", "{home}, {megabytes:,} MB free"),
    "health.unwritable": ("{home} 写不进去", "{home} cannot be written"),
    "health.lines": ("{lines} 条", "{lines} lines"),
    "health.embedded": (
        "没有接模型，用内置默认（`kairos setup` 可以接上一个）",
        "none, so the embedded default works (`kairos setup` adds one)",
    ),
    "health.silent": ("{model}：{seconds} 秒内没有回答", "{model}: no answer within {seconds} s"),
    "health.stand_in": (
        "{model}：现在不回答，由备用模型顶着",
        "{model}: does not answer now; the fallback model stands in",
    ),
    "health.well": ("正常", "fine"),
    "health.missing": ("没有安装：{what}", "not installed: {what}"),
}

RECEIPTS: tuple[str, ...] = ()
