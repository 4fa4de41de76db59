"""What is said when the person looks into memory: lists, changes, sources. Each sentence by its key, in Chinese and
in English."""

WORDS: dict[str, tuple[str, str]] = {
    "line.when": ("（仅限：{when}）", " (when: {when})"),
    "line.until": ("（到 {until} 为止）", " (until {until})"),
    "line.expired": ("（已过期：{until}）", " (expired {until})"),
    "line.paused": ("（暂停）", " (paused)"),
    "rules.head": (
        "**你的规则**（约 {tokens} / {budget} token）",
        "**Your rules** (about {tokens} / {budget} tokens)",
    ),
    "topics.head": ("**记得的事**", "**What I know**"),
    "topic.row": ("- {title}（{count} 条）", "- {title} ({count})"),
    "waiting.head": ("**等你定**", "**Waiting for you**"),
    "yes.number": ("#{n} 好", "#{n} yes"),
    "no.number": ("#{n} 不用", "#{n} no"),
    "memory.how": (
        "/memory 关于我 看一页 · 改 1 新说法 · 暂停 1 · 日志 · 找回 5",
        "/memory About me opens a page · edit 1 new words · pause 1 · log · restore 5",
    ),
    "memory.usage": (
        "/memory 看全部 · /memory 关于我 看一页 · /memory 2 看第 2 条从哪来\n"
        "/memory 改 2 新说法 · 暂停 2 · 启用 2 · 忘掉 2\n"
        "/memory 日志 · 找回 12 · 好 7 · 不用 7 · 整理",
        "/memory all of it · /memory About me one page · /memory 2 where rule 2 comes from\n"
        "/memory edit 2 new words · pause 2 · resume 2 · forget 2\n"
        "/memory log · restore 12 · yes 7 · no 7 · tidy",
    ),
    "memory.which": ("你指哪一条？\n{lines}", "Which one do you mean?\n{lines}"),
    "memory.no_such": (
        "没找到这样的一条。发 /memory 看看都记了什么。",
        "There is no such line. /memory shows what I remember.",
    ),
    "edit.how": ("这样改：/memory 改 2 新的说法", "Like this: /memory edit 2 the new words"),
    "paused": ("⏸ 暂停了：{text}", "⏸ Paused: {text}"),
    "resumed": ("▶ 重新启用：{text}", "▶ In use again: {text}"),
    "paused.already": ("这条本来就停着：{text}", "That one is paused already: {text}"),
    "paused.not": ("这条没有暂停：{text}", "That one is not paused: {text}"),
    "expired.still": (
        "这条 {until} 就到期了，启用也不会生效；要用就改掉日期：{text}",
        "That one ended on {until}, so resuming it has no effect; change its date to use it: {text}",
    ),
    "gave_way": ("（同时去掉：{texts}）", " (and removed: {texts})"),
    "adopted.many": (
        "看到你在文件里改了很多：新增 {added} 条，改了 {changed} 条，删掉 {gone} 条，都照你的来。"
        "/memory 日志 里每一条都能找回。",
        "I noticed many edits in the files: {added} added, {changed} changed, {gone} removed; all of them count."
        " /memory log can bring any of them back.",
    ),
    "log.head": ("**最近的改动**", "**Last changes**"),
    "log.none": ("还没有改动过。", "Nothing has changed yet."),
    "log.add": ("记下 {after}", "saved {after}"),
    "log.replace": ("改 {before} → {after}", "changed {before} → {after}"),
    "log.remove": ("去掉 {before}", "removed {before}"),
    "log.back": ("撤回，又是 {after}", "taken back, again {after}"),
    "log.gone": ("撤回，去掉 {before}", "taken back, removed {before}"),
    "log.decline": ("不要记 {before}", "not wanted: {before}"),
    "log.restored": ("找回 {after}", "restored {after}"),
    "log.paused": ("暂停 {after}", "paused {after}"),
    "log.resumed": ("启用 {after}", "in use again {after}"),
    "log.how": ("/memory 找回 {n} 能恢复其中任何一条。", "/memory restore {n} brings any of them back."),
    "restore.how": ("要哪一条？/memory 日志 里有编号。", "Which one? /memory log has the numbers."),
    "restore.same": ("现在就是这样：{text}", "That is how it stands now: {text}"),
    "by.person": ("你，{where}", "you, {where}"),
    "by.file": ("你在文件里改的", "you, in the files"),
    "place.terminal": ("终端", "terminal"),
    "why.head": ("**上一条回答带着这些记忆**", "**The last answer was given with these memories**"),
    "why.none": (
        "上一条回答没有用到任何记忆。",
        "No memories were loaded for the last answer.",
    ),
    "why.no_answer": ("这里还没有回答过你。", "I have not answered you here yet."),
    "why.more": ("…… 还有 {count} 条", "… {count} more"),
    "why.said": (
        "{origin}，{at}，{where}；原话：「{quote}」",
        "{origin}, {at}, {where}; your words: “{quote}”",
    ),
    "why.before": ("之前是：「{before}」（{said}）", "before: “{before}” ({said})"),
    "why.used": ("归档时用过：{pictures}", "applied when filing: {pictures}"),
    "why.by_rule": (
        "{picture}：按你的规则「{rule}」",
        "{picture}: by your rule “{rule}”",
    ),
    "why.by_hand": ("{picture}：是你把它放到这里的", "{picture}: you put it there"),
    "why.no_rule": (
        "{picture}：没有规则管到它，是按图里的内容判断的",
        "{picture}: no rule covers it; it went by what the picture shows",
    ),
    "full.near": (
        "你的规则快满了：约 {tokens} / {budget} token。一条都没丢，每次都全部带上。我来提个合并方案，好吗？",
        "Your rules are nearly full: about {tokens} / {budget} tokens. None is dropped, all are still obeyed."
        " Shall I propose a merge?",
    ),
    "full.over": (
        "你的规则超出预算了：约 {tokens} / {budget} token。一条都没丢，每次都全部带上，只是慢一点、贵一点。"
        "我来提个合并方案，好吗？",
        "Your rules are over their budget: about {tokens} / {budget} tokens. None is dropped and all are still"
        " obeyed, only slower and more expensive. Shall I propose a merge?",
    ),
    "full.tidy": ("提个合并方案", "Propose a merge"),
    "tidy.nothing": (
        "没有找到能合并的规则（约 {tokens} / {budget} token）。",
        "I found no rules to merge (about {tokens} / {budget} tokens).",
    ),
    "tidy.merge": ("合并成一条？\n{before}\n→ {after}", "Merge into one?\n{before}\n→ {after}"),
    "tidy.drop": (
        "这两条差不多，去掉前一条？\n- {older}\n- {newer}",
        "These two say nearly the same. Drop the first?\n- {older}\n- {newer}",
    ),
    "tidy.expired": ("已过期，去掉？\n- {text}", "Expired. Drop it?\n- {text}"),
    "tidy.head": (
        "能这样精简（约 {tokens} / {budget} token）：",
        "This would make it shorter (about {tokens} / {budget} tokens):",
    ),
    "tidy.approved": ("同意合并：{lines}", "merge approved: {lines}"),
}

RECEIPTS = ("paused", "resumed")
