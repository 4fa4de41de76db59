"""Every sentence we say ourselves, in Chinese and in English, and which of the two to use."""

from __future__ import annotations

import re

from bot.types import Language

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_TOKEN = re.compile(r"[^\s\u3400-\u9fff\uf900-\ufaff]+")
_FILE = re.compile(r"[\w-]+\.[A-Za-z]\w{1,4}", re.ASCII)
# in nearly every Chinese sentence, in few names
_PARTICLE = re.compile("[的了是我你他她它们把被在到放给帮请吗呢吧啊就都这那不没]|一下")
_FUNCTION = re.compile(
    r"\b(?:a|an|and|about|are|for|from|goes?|i|in|instead|into|is|it|keep|me|my|of|please|put|that|the|these|this|to"
    r"|under|what|when|where|with|you)\b",
    re.IGNORECASE,
)
_EVERYBODYS = {"ok", "okay", "yes", "no", "yep", "nope", "lol", "haha", "hahaha", "wow"}


def _neutral(token: str) -> bool:
    """Addresses, paths, file names, and words that everybody uses."""
    return (
        any(mark in token for mark in "/\\@_")
        or token.strip(".,!?~。，！？～").lower() in _EVERYBODYS
        or bool(_FILE.fullmatch(token))
    )


def language_of(text: str) -> Language | None:
    """The language a text is written in; None when it cannot be told (numbers, emoji, a path, "ok")."""
    head = text[:4000]
    han = len(_HAN.findall(head))
    words = sum(len(_LATIN.findall(token)) for token in _TOKEN.findall(head) if not _neutral(token))
    if han == 0 and words == 0:
        return None
    if words > 2 and _FUNCTION.search(head) and not _PARTICLE.search(head):
        return "en"  # "receipts go to 报销 from now on": an English sentence about a Chinese name
    return "zh" if han * 2 >= words else "en"


_WORDS: dict[str, tuple[str, str]] = {
    # filing
    "filed": ("已存档 #{number}【{category}】《{title}》", "Filed #{number} [{category}] “{title}”"),
    "filed.rule": ("规则：{rule}", "rule: {rule}"),
    "filed.unsure": ("也可能是【{other}】", "could also be [{other}]"),
    "filed.kept": (
        "已保存 #{number}，但没能读出内容：{why}",
        "Kept #{number}, but it could not be read: {why}",
    ),
    "filed.duplicate": (
        "这张已经存过了：#{number}【{category}】《{title}》",
        "You sent this one before: #{number} [{category}] “{title}”",
    ),
    "filed.similar": ("疑似与 #{number} 重复，两张都留着", "looks like #{number}; both are kept"),
    "filed.failed": ("这张图没能存档：{why}", "This picture could not be filed: {why}"),
    "filed.again": (
        "按新规则重新归档：#{number}【{category}】《{title}》",
        "Re-filed by your new rule: #{number} [{category}] “{title}”",
    ),
    "filed.gone": ("它的文件已经不在了。", "its file is gone."),
    "filing.disk": (
        "磁盘写不进去了（已满或只读）。图片已收到，腾出空间后我会接着归档。",
        "The disk cannot be written (full or read-only). Your picture is safe; I will file it when there is room.",
    ),
    "filing.memory": (
        "记忆文件现在用不了：{what} 图片已收到，能用了我就归档。",
        "The memory files cannot be used right now: {what} Your picture is safe; I will file it when they can.",
    ),
    "filing.unknown": (
        "出了意外，已记入日志；请重新发送。",
        "something unexpected happened and was logged; please send it again.",
    ),
    "moved": ("已移动 #{number}：【{old}】→【{new}】", "Moved #{number}: [{old}] → [{new}]"),
    "moved.back": (
        "↩︎ 已移回 #{number}：【{old}】→【{new}】",
        "↩︎ Moved back #{number}: [{old}] → [{new}]",
    ),
    "moved.same": ("#{number} 本来就在【{new}】里。", "#{number} already is in [{new}]."),
    "pictures.none": ("还没有存过图片。", "No pictures have been filed yet."),
    "pictures.nothing": ("没有找到和「{words}」有关的图片。", "No picture found for “{words}”."),
    "pictures.no_number": ("没有 #{number} 这张图。", "There is no picture #{number}."),
    "picture.line": ("#{number}【{category}】《{title}》 {date}", "#{number} [{category}] “{title}” {date}"),
    # memory
    "kept": ("✓ 记住了：{text}", "✓ Saved: {text}"),
    "replaced": ("✓ 改好了：{text}（原来是：{before}）", "✓ Changed: {text} (was: {before})"),
    "removed": ("✓ 忘掉了：{before}", "✓ Forgotten: {before}"),
    "restored": ("✓ 恢复了：{text}", "✓ Restored: {text}"),
    "undone": ("↩︎ 已撤销，删掉了：{before}", "↩︎ Undone, removed: {before}"),
    "known": ("这条早就记着了：{text}", "That is already remembered: {text}"),
    "undo": ("撤销", "Undo"),
    "undo.nothing": ("没有可以撤销的改动。", "There is nothing to undo."),
    "ask": ("要我一直记住「{text}」吗？", "Shall I remember “{text}” from now on?"),
    "ask.forget": ("要我忘掉「{text}」吗？", "Shall I forget “{text}”?"),
    "yes": ("记住", "Yes, remember"),
    "no": ("不用", "No"),
    "yes.forget": ("忘掉", "Yes, forget"),
    "declined": ("好，不记。", "All right, not remembered."),
    "declined.forget": ("好，还记着。", "All right, it stays."),
    "question.gone": ("这个问题已经处理过了。", "That question is settled already."),
    "memory.rules": ("你的规则：", "Your rules:"),
    "memory.topics": ("记得的事：", "What I know:"),
    "memory.none": (
        "我还什么都没记住。直接告诉我规则或关于你的事就行。",
        "I remember nothing yet. Just tell me a rule or something about you.",
    ),
    "memory.unread": (
        "记忆文件里有读不出来的地方，先原样留着：\n{problems}",
        "Some of the memory files cannot be read; I left it as it is:\n{problems}",
    ),
    "memory.unknown": ("我不知道，你没跟我说过。", "I don't know that; you have not told me."),
    "forget.unknown": (
        "没找到要忘掉的那条。发 /memory 看看都记了什么。",
        "I found nothing like that to forget. /memory shows what I remember.",
    ),
    "adopted.gone": ("看到你在文件里删掉了：{text}", "I noticed you removed this in the files: {text}"),
    "adopted": ("看到你在文件里改了记忆：{text}", "I noticed your edit in the files: {text}"),
    "why.line": (
        "「{text}」\n　{origin}，{at}；原话：「{quote}」",
        "“{text}”\n  {origin}, {at}; your words: “{quote}”",
    ),
    "origin.explicit": ("你说过", "you said so"),
    "origin.learned": ("从你的话里记下", "learned from what you said"),
    "origin.edited by you": ("你在文件里写的", "edited by you"),
    # no model
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
        "看懂图片要语言模型（`kairos setup` 可以接上一个）。图里的文字：\n{text}",
        "Understanding a picture takes a language model (`kairos setup` adds one). The text in it:\n{text}",
    ),
    "embedded.picture_lines": ("图里写着：\n{text}", "The picture says:\n{text}"),
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
    "embedded.forwarded": (
        "收到。转发来的话只当资料看，不会当成你的吩咐。",
        "Received. I treat forwarded words as material, never as your wishes.",
    ),
    "embedded.secret": (
        "密码、密钥、证件号这类我从不保存，请放进密码管理器。",
        "I never store passwords, keys or ID numbers; a password manager is the place for them.",
    ),
    # trouble
    "trouble.unexpected": (
        "出了点问题，已记入日志；这条消息我没能处理好，请再说一次。",
        "Something went wrong and was logged; please say that again.",
    ),
    "trouble.empty": (
        "模型没有给出回答，请再说一次或换个说法。",
        "The model gave no answer; please say it again or put it differently.",
    ),
    "trouble.filtered": ("模型拒绝回答这条内容。", "The model declined to answer this."),
    "trouble.silent": ("还在等模型回答……", "Still waiting for the model…"),
    "trouble.gave_up": (
        "模型一直没有回答，这条先放下了，可以再发一次。",
        "The model never answered, so I let this one go; you can send it again.",
    ),
    "trouble.disk": (
        "磁盘写不进去了（已满或只读），这条消息没能保存。腾出空间后请再发一次。",
        "The disk cannot be written (full or read-only), so this message was not saved."
        " Please send it again when there is room.",
    ),
    "trouble.unwritable": (
        "磁盘写不进去了（已满或只读），这件事没能做成；腾出空间后请再说一次。",
        "The disk cannot be written (full or read-only), so this was not done."
        " Please say it again when there is room.",
    ),
    "trouble.unsaved": (
        "磁盘写不进去了（已满或只读）。你的消息已收到，腾出空间后我会接着回答。",
        "The disk cannot be written (full or read-only). Your message is safe; I will answer when there is room.",
    ),
    "trouble.memory": ("记忆文件现在用不了：{what}", "The memory files cannot be used right now: {what}"),
    "trouble.memory_later": (
        "刚才那句话还没能整理进记忆（模型暂时不可用），我会稍后再试。",
        "I could not work that into memory yet (model unavailable); I will try again.",
    ),
    "trouble.memory_never": (
        "「{words}」没能整理进记忆：模型给出的结果读不懂，我不再试了。要紧的话请再说一遍。",
        "“{words}” did not make it into memory: what the model said about it cannot be read. I have stopped trying;"
        " please say it again if it matters.",
    ),
    # commands
    "help": (
        "发消息、发截图就行。命令：\n{commands}",
        "Just send messages and screenshots. Commands:\n{commands}",
    ),
    "start": (
        "你好，我是 Kairos：截图发给我，我替你归档；规则说一次，我一直照做。\n{help}",
        "Hello, I'm Kairos. Send screenshots and I file them; tell me a rule once and I keep to it.\n{help}",
    ),
    "new": ("好，从头聊起；记忆都还在。", "A fresh start; memory stays."),
    "command.unknown": (
        "没有 {command} 这个命令。发 /help 看看有什么。",
        "There is no {command}. /help lists what there is.",
    ),
    "status": (
        "模型：{model}\n记忆：{rules} 条规则，{facts} 条事实\n图片：{pictures} 张，等待归档 {due} 张",
        "Model: {model}\nMemory: {rules} rules, {facts} facts\nPictures: {pictures}, waiting: {due}",
    ),
    "status.embedded": ("没有接模型（内置默认）", "none (embedded default)"),
    # health
    "health.home": ("{home}，剩余 {megabytes:,} MB", "{home}, {megabytes:,} MB free"),
    "health.unwritable": ("{home} 写不进去", "{home} cannot be written"),
    "health.lines": ("{lines} 条", "{lines} lines"),
    "health.embedded": (
        "没有接模型，用内置默认（`kairos setup` 可以接上一个）",
        "none: the embedded default (`kairos setup` adds one)",
    ),
    "health.silent": ("{model}：{seconds} 秒内没有回答", "{model}: no answer within {seconds} s"),
    "health.missing": ("没有安装：{what}", "not installed: {what}"),
}


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key` in a language, with its blanks filled."""
    words = _WORDS[key][0 if language == "zh" else 1]
    return words.format(**values) if values else words


_RECEIPTS = tuple(
    words.partition("{")[0]
    for key in ("kept", "replaced", "removed", "restored", "undone", "known")
    for words in _WORDS[key]
)


def parted(text: str) -> tuple[str, list[str]]:
    """(what was said, the receipts under it): lines that only a deed may put there, and a model could imitate."""
    lines = text.split("\n")
    receipts = [line.strip() for line in lines if line.strip().startswith(_RECEIPTS)]
    if not receipts:
        return text, []
    kept = "\n".join(line for line in lines if not line.strip().startswith(_RECEIPTS))
    return re.sub(r"\n{3,}", "\n\n", kept).strip(), receipts


def has(key: str) -> bool:
    """Whether there is such a sentence."""
    return key in _WORDS
