"""What is said about cultivation, the agent that tends the pages by night. Each sentence by its key."""

WORDS: dict[str, tuple[str, str]] = {
    "cultivate.no_model": (
        "打理记忆要用到大模型，现在还没有接。运行 kairos setup 接上一个，再发 /cultivate on。",
        "Cultivation takes a language model, and none is configured. Run kairos setup, then /cultivate on.",
    ),
    "cultivate.no_learning": (
        "你关掉了学习，所以没有打理记忆。",
        "Learning is switched off, so memory was not tended.",
    ),
    "cultivate.on": (
        "好，{when} 打理记忆；有改动会告诉你。",
        "On: I tend memory {when}, and tell you what changed.",
    ),
    "cultivate.off": ("好，不再打理了。", "Off: I no longer tend memory."),
    "cultivate.one_on": ("第 {number} 个定时任务打开了：{when}。", "Schedule {number} is on: {when}."),
    "cultivate.one_off": ("第 {number} 个定时任务关掉了。", "Schedule {number} is off."),
    "cultivate.added": (
        "✓ 第 {number} 个定时任务加好了：{when}，{prompt}。下次 {due}。",
        "✓ Added schedule {number}: {when}, {prompt}. Next: {due}.",
    ),
    "cultivate.there": (
        "已经有了，第 {number} 个定时任务：{when}，{prompt}。下次 {due}。",
        "That is schedule {number} already: {when}, {prompt}. Next: {due}.",
    ),
    "cultivate.removed": ("✓ 第 {number} 个定时任务去掉了：{when}。", "✓ Removed schedule {number}: {when}."),
    "cultivate.full": (
        "定时打理已经有 {most} 个了，先用 /cultivate remove 去掉一个。",
        "There are {most} schedules already; remove one first with /cultivate remove.",
    ),
    "cultivate.no_such": (
        "没有第 {number} 个定时任务。发 /cultivate 看看有哪些。",
        "There is no schedule {number}. /cultivate lists what there is.",
    ),
    "cultivate.when": (
        "没看懂时间。这样写：/cultivate add 每周五 18:00 整理项目页",
        "I could not read the time. Write: /cultivate add every friday 18:00 tidy the project pages",
    ),
    "cultivate.what": (
        "要做什么？写在时间后面：/cultivate add 每周五 18:00 整理项目页",
        "To do what? Write it after the time: /cultivate add every friday 18:00 tidy the project pages",
    ),
    "cultivate.started": ("开始打理，好了告诉你。", "Tending memory; I will tell you when it is done."),
    "cultivate.usage": (
        "/cultivate on｜off｜now｜log，/cultivate add 每周五 18:00 整理项目页，/cultivate remove 1",
        "/cultivate on | off | now | log, /cultivate add every friday 18:00 tidy the project pages, "
        "/cultivate remove 1",
    ),
    "cultivate.state": ("打理记忆：{state}", "Cultivation: {state}"),
    "cultivate.state.on": ("开着", "on"),
    "cultivate.state.off": ("关着（/cultivate on 打开）", "off (/cultivate on switches it on)"),
    "cultivate.row": ("{number}. {when}，{prompt}；{due}", "{number}. {when}, {prompt}; {due}"),
    "cultivate.due": ("下次 {at}", "next {at}"),
    "cultivate.paused": ("停着", "paused"),
    "cultivate.nightly": ("读新的对话", "read what is new"),
    "cultivate.since": ("读到 {at} 为止。", "Read up to {at}."),
    "cultivate.failed_last": ("上次：{problem}", "Last time: {problem}"),
    "cultivate.log.none": ("还没有打理过。", "Nothing has been tended yet."),
    "cultivated": (
        "🌱 打理了记忆：读了 {read} 条，改了 {lines} 处（{pages}）",
        "🌱 Memory tended: read {read} messages, made {lines} changes (in {pages})",
    ),
    "cultivated.nothing": (
        "🌱 打理过了：读了 {read} 条，没有要改的。",
        "🌱 Memory tended: read {read} messages, nothing to change.",
    ),
    "cultivated.none_new": ("没有新的对话要读。", "There is nothing new to read."),
    "cultivated.left": ("还有 {left} 条没读，下次接着读。", "{left} are left for the next run."),
    "cultivated.unreadable": (
        "有 {count} 条没能读进去，跳过了。",
        "{count} could not be read and were passed over.",
    ),
    "cultivated.failed": (
        "这次打理记忆没做完（{why}），没读的下次接着读。",
        "Tending memory stopped early ({why}); the rest is left for the next run.",
    ),
    "cultivated.log": (
        "打理了：读了 {read}/{all} 条，改了 {lines} 处，问你 {asked} 件，拒绝 {refused} 处",
        "tended: read {read} of {all}, changed {lines}, asked {asked}, refused {refused}",
    ),
    "restored.parts": ("{line}（共 {parts} 处）", "{line} ({parts} changes in all)"),
}

RECEIPTS: tuple[str, ...] = ("cultivate.added", "cultivate.removed")
