"""What is said at the door: to strangers, and to the owner about them. By its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "door.private": (
        "这是一个私人助手，只和主人添加的人说话（你的编号是 {user}）。",
        "This is a private assistant that talks only with people its owner has added (your id is {user}).",
    ),
    "door.nobody": (
        "这是一个私人助手，还没有和主人配对。你就是主人的话，把 kairos setup 或 kairos people code 显示的配对码发给我"
        "（你的编号是 {user}）。",
        "This is a private assistant that is not paired with its owner yet. If that is you, send me the code that"
        " `kairos setup` or `kairos people code` shows (your id is {user}).",
    ),
    "door.asked": (
        "这是一个私人助手。我已经替你问了主人，同意了会告诉你。",
        "This is a private assistant. I have asked its owner for you, and will tell you.",
    ),
    "door.waits": ("主人还没有答复，请再等等。", "Its owner has not answered yet; please wait."),
    "door.asks": (
        "{name}（编号 {user}）想和我聊天。同意的话，对方会有自己的记忆和图片，看不到你的。",
        "{name} (id {user}) asks to talk with me. If you agree, they get a memory and pictures of their own and see"
        " nothing of yours.",
    ),
    "door.button.allow": ("同意", "Allow"),
    "door.button.decline": ("不同意", "Decline"),
    "door.button.revoke": ("取消", "Revoke"),
    "door.allowed": (
        "主人同意了，现在可以和我聊了。你的记忆和图片只属于你；发 /help 看看我会什么。",
        "Its owner agreed: you can talk with me now. Your memory and pictures are yours alone; /help tells what I do.",
    ),
    "door.declined": ("主人没有同意。", "Its owner declined."),
    "door.revoked": ("主人没有同意。", "Its owner declined."),
    "door.wrong_code": (
        "这个配对码不对，或已经失效（每小时可以试五次）。",
        "That code is not right, or no longer valid. You have five tries an hour.",
    ),
    "door.paired": (
        "配对好了：在这里你就是主人，和终端里是同一份记忆。发 /help 看看我会什么。",
        "Paired: here you are the owner, with the same memory as in the terminal. /help tells what I do.",
    ),
    "door.paired_too": (
        "{name}（编号 {user}）刚用配对码配对成了你本人。不是你的话，马上取消。",
        "{name} (id {user}) has just been paired as you, by a code. If that was not you, revoke it at once.",
    ),
    "people.code": (
        "配对码：{code}\n30 分钟内用你自己的 Telegram 账号把它发给机器人，只能用一次。别给别人：谁用了谁就是主人。",
        "Code: {code}\nSend it to the bot from your own Telegram account within 30 minutes; it works once."
        " Give it to nobody: whoever uses it is the owner.",
    ),
    "people.only_owner": ("这个命令只有主人能用。", "Only the owner can use this command."),
    "people.nobody": ("还没有别人。", "Nobody else yet."),
    "people.line": ("· {name}（{channel} {user}）：{state}", "· {name} ({channel} {user}): {state}"),
    "people.you": ("你", "you"),
    "people.state.allowed": ("可以聊", "may talk"),
    "people.state.asked": ("等你答复", "waits for your answer"),
    "people.state.declined": ("没有同意", "declined"),
    "people.state.revoked": ("已取消", "revoked"),
    "people.done.allowed": ("好，{name} 现在可以和我聊了。", "Done: {name} may talk with me now."),
    "people.done.declined": ("好，{name} 不会再打扰你。", "Done: {name} will not bother you again."),
    "people.done.revoked": (
        "好，{name} 不能再和我聊了；对方的记忆和图片还留着。",
        "Done: {name} can no longer talk with me. What they told me stays in their folder.",
    ),
    "people.no_such": (
        "没有编号 {user} 的人。/people 看有谁。",
        "There is nobody with the id {user}. /people lists them.",
    ),
    "people.yourself": (
        "这就是你正在用的账号；要取消它，在电脑上运行 kairos people revoke {user}。",
        "That is the account you are using; to revoke it, run `kairos people revoke {user}` on the machine.",
    ),
    "people.usage": (
        "这样用：/people；/people allow 编号；/people revoke 编号；/people code 给自己的另一个账号配对",
        "Usage: /people; /people allow ID; /people revoke ID; /people code pairs another account of yours",
    ),
    "command.alone": (
        "这里别人也看得到，请在和我的私聊里发 {command}。",
        "Others read along here: send {command} to me in our private chat.",
    ),
}

RECEIPTS: tuple[str, ...] = ()
