"""What is said about what people send: changed too late, or of a kind that cannot be read."""

WORDS: dict[str, tuple[str, str]] = {
    "edit.late": (
        "这条消息我已经处理过了，改动来晚了，没有照办；要按新的来，请另发一条。",
        "I had already dealt with that message, so your edit came too late and changed nothing."
        " Please send it as a new message if you want it done.",
    ),
}

RECEIPTS: tuple[str, ...] = ()
