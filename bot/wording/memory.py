"""What is said about memory: receipts, questions, explanations. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "kept": ("✓ 记住了：{text}", "✓ Saved: {text}"),
    "replaced": ("✓ 改好了：{text}（原来是：{before}）", "✓ Changed: {text} (was: {before})"),
    "removed": ("✓ 忘掉了：{before}", "✓ Forgotten: {before}"),
    "restored": ("✓ 恢复了：{text}", "✓ Restored: {text}"),
    "undone": ("↩︎ 已撤销，删掉了：{before}", "↩︎ Undone, removed: {before}"),
    "known": ("这条早就记着了：{text}", "I already remember that: {text}"),
    "undo": ("撤销", "Undo"),
    "undo.nothing": ("没有可以撤销的改动。", "There is nothing to undo."),
    "undo.usage": (
        "用法：/undo 撤销上一步；/undo 12 撤销第 12 条改动（编号见 /memory log）",
        "Usage: /undo takes back what was done last; /undo 12 the change with that number (/memory log shows them)",
    ),
    "ask": ("要我一直记住「{text}」吗？", "Shall I remember “{text}” from now on?"),
    "ask.forget": ("要我忘掉「{text}」吗？", "Shall I forget “{text}”?"),
    "yes": ("记住", "Yes, remember"),
    "no": ("不用", "No"),
    "yes.forget": ("忘掉", "Yes, forget"),
    "declined": ("好，不记。", "All right, not remembered."),
    "declined.forget": ("好，还记着。", "All right, it stays."),
    "question.gone": ("这个问题已经处理过了。", "That question is settled already."),
    "memory.rules": ("你的规则：", "Your rules:"),
    "memory.none": (
        "我还什么都没记住。直接告诉我规则或关于你的事就行。",
        "I remember nothing yet. Just tell me a rule or something about you.",
    ),
    "memory.unread": (
        "记忆文件里有读不出来的地方，先原样留着：\n{problems}",
        "Parts of the memory files cannot be read; I left them as they are:\n{problems}",
    ),
    "memory.unknown": ("我不知道，你没跟我说过。", "I don't know that; you have not told me."),
    "forget.unknown": (
        "没找到要忘掉的那条。发 /memory 看看都记了什么。",
        "I found nothing like that to forget. /memory shows what I remember.",
    ),
    "adopted.gone": ("看到你在文件里删掉了：{text}", "I noticed you removed this in the files: {text}"),
    "adopted": ("看到你在文件里改了记忆：{text}", "I noticed your edit in the files: {text}"),
    "contradiction.paused": (
        "CORE.md 第 {row} 行「{text}」和第 {other_row} 行「{other}」矛盾，按新写的来；"
        "第 {other_row} 行没删，先暂停了。",
        "CORE.md row {row} (“{text}”) contradicts row {other_row} (“{other}”). The newer one holds; row {other_row} is"
        " still there, paused.",
    ),
    "contradiction.open": (
        "CORE.md 第 {row} 行「{text}」和第 {other_row} 行「{other}」好像矛盾，"
        "现在两条都算数。留哪条？改文件或告诉我都行。",
        "CORE.md row {row} (“{text}”) and row {other_row} (“{other}”) seem to contradict each other; both hold for now."
        " Which should stay? Edit the file, or tell me.",
    ),
    "origin.explicit": ("你说过", "you said so"),
    "origin.learned": ("从你的话里记下", "learned from what you said"),
    "origin.edited by you": ("你在文件里写的", "edited by you"),
}

RECEIPTS: tuple[str, ...] = ("kept", "replaced", "removed", "restored", "undone", "known")
