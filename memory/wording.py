"""What memory itself says to the person, in their language."""

from __future__ import annotations

from typing import Literal

Language = Literal["zh", "en"]

_WORDS: dict[str, tuple[str, str]] = {
    "rules_title": ("你说过的规矩", "What you asked for"),
    "about_me": ("关于我", "About me"),
    "about_me_purpose": ("你说过的关于自己的事", "what you said about yourself"),
    "others": ("身边的人和事", "People and things"),
    "others_purpose": ("你提到的人、宠物、项目和东西", "people, pets, projects and things you mentioned"),
    "topic_purpose": ("你说过的关于「{title}」的事", "what you said about “{title}”"),
    "index_title": ("记忆目录", "Index of memory"),
    "log_title": ("记忆日志", "Log of memory"),
    "cultivated_read": ("读了", "read"),
    "secret": (
        "这里面有{what}，我不会存下来；请放进密码管理器。",
        "That holds {what}, which I never store; please keep it in a password manager.",
    ),
    "permission": (
        "授权一类的话我不存进记忆：真要做的时候，我每次都会先问你。",
        "That grants a permission, which I never store: I ask you each time it comes to that.",
    ),
    "live": (
        "价格、库存、审批状态随时在变，我不存；要用的时候再查最新的。",
        "Prices, stock and approval states change by the hour, so I never store them; look them up when you need them.",
    ),
    "someone_else": (
        "这句话说的是别人，不是你，所以没有记成你的。",
        "That is about somebody else, so I did not store it as yours.",
    ),
    "supposed": (
        "这句话只是假设，不是真有的事，所以没有记。",
        "That was only supposed, so I did not store it as if it were so.",
    ),
    "unborne": (
        "要记的内容和你说的话对不上，所以没有记。",
        "What was to be stored is not what you said, so I did not store it.",
    ),
    "not_said": (
        "这句话不是你亲口说的，所以没有记。",
        "Those are not your own words, so I did not store them.",
    ),
    "number": (
        "要记的内容里有你没说过的数字「{what}」，所以没有记。",
        "It holds a number you did not say ({what}), so I did not store it.",
    ),
    "name": (
        "要记的内容里有你没提过的名字「{what}」，所以没有记。",
        "It holds a name you did not say ({what}), so I did not store it.",
    ),
    "polarity": (
        "要记的意思和你说的正好相反，所以没有记。",
        "It says the opposite of what you said, so I did not store it.",
    ),
    "alone": (
        "「{what}」离开这段对话就看不懂了，请把规矩说完整。",
        "“{what}” cannot be understood outside this talk; please state the whole rule.",
    ),
    "empty": ("没有可以记的内容。", "There is nothing to store."),
    "long": (
        "太长了（{what} 个字），一条记忆最多 {most} 个字；请挑要紧的说。",
        "That is too long ({what} characters; a line holds {most}). Please say the part that matters.",
    ),
    "deleted": (
        "你让我忘掉过这件事，所以没有再记。",
        "You asked me to forget this, so I did not store it again.",
    ),
    "yours": (
        "「{what}」是你让我记住的，我不会自己改；要改就直接告诉我。",
        "“{what}” is there because you asked for it, so I did not change it on my own. Tell me to, and I will.",
    ),
    "newer": (
        "「{what}」是后来说的，所以没有改回去。",
        "“{what}” was said later, so I did not change it back.",
    ),
    "changed_meanwhile": (
        "「{what}」在这期间改过了，所以没有动。",
        "“{what}” was changed in the meantime, so I left it alone.",
    ),
    "no_line": ("没有找到这一条记忆。", "There is no such line in memory."),
    "no_entry": ("没有可以撤销的更改。", "There is no change to undo."),
    "no_such_entry": ("没有第 {n} 号改动。", "There is no change #{n}."),
    "restored": ("从第 {n} 号改动找回", "restored from change #{n}"),
    "superseded": ("你后来说了：{text}", "you said later: {text}"),
    "said_as_well": ("并进了：{text}", "merged into: {text}"),
    "paused": ("暂停", "paused"),
    "resumed": ("恢复使用", "in use again"),
    "undone_already": ("这一步已经撤销过了。", "That change has been undone already."),
    "changed_since": (
        "那一条后来又改过，不能直接撤销。",
        "That line was changed again afterwards, so this step cannot be undone by itself.",
    ),
    "key": ("密钥", "a secret key"),
    "token": ("访问令牌", "an access token"),
    "password": ("密码", "a password"),
    "code": ("验证码", "a one-time code"),
    "card": ("银行卡号", "a card number"),
    "identity": ("身份证号", "an ID number"),
}


def say(language: Language, key: str, **values: object) -> str:
    """A sentence in the person's language."""
    return _WORDS[key][language == "en"].format(**values)
