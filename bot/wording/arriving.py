"""What is said about what people send: changed too late, or of a kind that cannot be read."""

WORDS: dict[str, tuple[str, str]] = {
    "edit.late": (
        "这条消息我已经处理过了，改动来晚了，没有照办；要按新的来，请另发一条。",
        "I had already dealt with that message, so your edit came too late and changed nothing."
        " Please send it as a new message if you want it done.",
    ),
    "voice.deaf": (
        "我还听不了语音（没有配置转写服务），请打字告诉我。",
        "I cannot listen to voice messages yet (no transcription service is set up); please write to me.",
    ),
    "voice.failed": (
        "这段语音没能听出来：{why}也可以打字告诉我。",
        "I could not listen to that recording: {why} You can also write to me.",
    ),
    "voice.gone": (
        "这段语音已经不在了，请再发一次。",
        "That recording is no longer there; please send it again.",
    ),
    "voice.silent": ("这段语音里没有听到话。", "I heard no words in that recording."),
    "paper.alone": (
        "我读了「{name}」（{count} 个字符）。可以问我里面写了什么；"
        "要总结、改写，需要一个语言模型（kairos setup 可以加上）。",
        "I have read “{name}” ({count} characters). Ask me what it says about something; to summarise or rewrite"
        " it takes a language model (`kairos setup` adds one).",
    ),
}

RECEIPTS: tuple[str, ...] = ()
