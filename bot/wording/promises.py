"""What is added under an answer that claims what was not done. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "promise.kept": ("（实际上没有保存任何东西。）", "(In fact nothing was saved.)"),
    "promise.forgotten": ("（实际上没有忘掉任何东西。）", "(In fact nothing was forgotten.)"),
    "promise.picture": ("（实际上没有动过任何图片。）", "(In fact no picture was touched.)"),
    "promise.undone": ("（实际上没有撤销任何东西。）", "(In fact nothing was undone.)"),
    "promise.scheduled": (
        "（实际上没有设任何提醒或日程。）",
        "(In fact no reminder was set and nothing was scheduled.)",
    ),
    "promise.sent": ("（实际上没有发出任何东西。）", "(In fact nothing was sent.)"),
    "promise.searched": ("（实际上这次什么都没有查。）", "(In fact nothing was looked up this time.)"),
    "promise.browsed": ("（实际上没有上网查过。）", "(In fact nothing was looked up on the web.)"),
    "promise.outside": ("（实际上这件事并没有做。）", "(In fact that was not done.)"),
    "promise.later": (
        "（实际上还没有保存：这句话还在整理，存好了会告诉你。）",
        "(In fact it is not saved yet: I am still working on it and will say so when it is.)",
    ),
}

RECEIPTS: tuple[str, ...] = tuple(WORDS)  # a model that has read them may imitate them too
