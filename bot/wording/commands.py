"""What slash commands answer. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "help": (
        "发消息、发截图就行。命令：\n{commands}",
        "Just send messages and screenshots. Commands:\n{commands}",
    ),
    "start": (
        "你好，我是 Kairos：截图发给我，我替你归档；规则说一次，我一直照做。\n{help}",
        "Hello, I'm Kairos. Send screenshots and I file them; tell me a rule once and I keep to it.\n{help}",
    ),
    "new": ("好，这里从头聊起；记忆都还在。", "A fresh start here; memory stays."),
    "stopped": ("停下了；在这之前说的都不做了。", "Stopped, with all that you said before this."),
    "stop.nothing": ("现在没有在做的事。", "Nothing is being done right now."),
    "command.unknown": (
        "没有 {command} 这个命令。发 /help 看看有什么。",
        "There is no {command}. /help lists what there is.",
    ),
    "status": (
        "记忆：{rules} 条规则，{facts} 条事实\n图片：{pictures} 张，等待归档 {due} 张",
        "Memory: {rules} rules, {facts} facts\nPictures: {pictures}, waiting: {due}",
    ),
    "status.work": ("后台：{counts}", "Background: {counts}"),
    "status.model": ("模型", "Model"),
    "status.part": ("{mark} {name}：{sentence}", "{mark} {name}: {sentence}"),
}

RECEIPTS: tuple[str, ...] = ()
