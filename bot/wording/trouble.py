"""What is said when something fails. Each sentence by its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "trouble.unexpected": (
        "出了点问题，已记入日志；这条消息我没能处理好，请再说一次。",
        "Something went wrong and was logged; please say that again.",
    ),
    "trouble.empty": (
        "模型没有给出回答，请再说一次或换个说法。",
        "The model gave no answer; please say it again or put it differently.",
    ),
    "trouble.filtered": ("模型拒绝回答这条内容。", "The model declined to answer this."),
    "trouble.filtered_midway": (
        "（回答到这里被模型服务商的内容过滤截断了。）",
        "(The provider's content filter cut the answer off here.)",
    ),
    "trouble.cut": (
        "（回答太长，到这里被截断了；说「继续」我接着说。）",
        "(The answer was too long and was cut off here; say “go on” for the rest.)",
    ),
    "trouble.spent": (
        "模型把长度都用在思考上了，没有说出回答；请换个简单点的问法，或分几步问。",
        "The model used up its length on thinking and said nothing; please ask more simply, or in steps.",
    ),
    "trouble.silent": ("还在等模型回答……", "Still waiting for the model…"),
    "trouble.gave_up": (
        "模型一直没有回答，这条先放下了，可以再发一次。",
        "The model never answered, so I let this one go; you can send it again.",
    ),
    "trouble.deadly": (
        "处理这条消息时，程序五次意外中断，所以先放下了，已记入日志；可以换个说法再发一次。",
        "Each of the five times I began on this message the program was ended, so I put it aside; it was logged."
        " You can send it again, put differently.",
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
    "trouble.server": (
        "数据库服务器现在用不了，这条消息没能保存。过一会儿请再发一次。",
        "The database server cannot be used right now, so this message was not saved. Please send it again later.",
    ),
    "trouble.server_undone": (
        "数据库服务器现在用不了，这件事没能做成；过一会儿请再说一次。",
        "The database server cannot be used right now, so this was not done. Please say it again later.",
    ),
    "trouble.server_unsaved": (
        "数据库服务器现在用不了。你的消息已收到，它恢复后我会接着回答。",
        "The database server cannot be used right now. Your message is safe; I will answer when it is back.",
    ),
    "trouble.memory": (
        "记忆现在用不了，已记入日志；请过一会儿再说一次。",
        "Memory cannot be used right now, which was logged; please say it again in a while.",
    ),
    "trouble.memory_unreadable": (
        "记忆文件 {page} 现在读不了，请看看它的权限和所在的磁盘。",
        "The memory file {page} cannot be read right now; please look at its permissions and its disk.",
    ),
    "trouble.memory_stale": (
        "记忆文件正在被别的程序改动，这件事没能做成；请再说一次。",
        "The memory file is being changed by something else, so this was not done; please say it again.",
    ),
    "trouble.memory_name": (
        "记忆里的页面不能叫这个名字，什么都没改。",
        "No page of memory can have that name; nothing was changed.",
    ),
    "trouble.memory_broken": (
        "一个记忆文件已经不是文本了：用备份换回来，或者删掉它。什么都没改。",
        "The memory file is no text any more; put it back from a copy, or delete it. Nothing was changed.",
    ),
    "trouble.memory_later": (
        "刚才那句话还没能整理进记忆（模型暂时不可用），我会稍后再试。",
        "I could not work that into memory yet (model unavailable); I will try again.",
    ),
    "trouble.memory_never": (
        "「{words}」没能整理进记忆：模型给出的结果读不懂，我不再试了。要紧的话请再说一遍。",
        "“{words}” did not make it into memory: what the model said about it cannot be read. I have stopped trying;"
        " please say it again if it matters.",
    ),
    "trouble.memory_deadly": (
        "把「{words}」整理进记忆时，程序五次意外中断，我不再试了。要紧的话请换个说法再说一遍。",
        "Each of the five times I began to work “{words}” into memory the program was ended. I have stopped trying;"
        " please say it again, put differently, if it matters.",
    ),
}

RECEIPTS = ("trouble.cut", "trouble.filtered_midway")
