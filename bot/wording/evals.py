"""What `kairos eval` says of case files. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "evals.unreadable": (
        "用例「{case}」读不了：字段 {field} {wrong}。",
        "Case “{case}” cannot be read: field {field} {wrong}.",
    ),
    "evals.missing": ("没有填", "is missing"),
    "evals.object": ("要是一个 JSON 对象", "must be a JSON object"),
    "evals.list": ("要是一个列表", "must be a list"),
    "evals.text": ("要是文字", "must be text"),
    "evals.number": ("要是整数", "must be a whole number"),
    "evals.time": (
        "要是日期或时间，例如 2026-03-11 或 2026-03-11T21:00+08:00",
        "must be a date or time such as 2026-03-11 or 2026-03-11T21:00+08:00",
    ),
    "evals.no_model": (
        "没有配置模型：这里量到的只是记住了什么、载入了什么。反问、查询条件、展示形式和是否用上记忆，都要有模型才有得量。",
        "No model is configured: only what is kept and loaded is measured here. Questions asked, conditions of queries,"
        " how things are shown and whether a line is used cannot be measured without one.",
    ),
    "evals.other": ("的值类型不对", "has a value of the wrong kind"),
}

RECEIPTS: tuple[str, ...] = ()
