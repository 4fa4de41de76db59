"""What is said about conversations that were looked through."""

WORDS: dict[str, tuple[str, str]] = {
    "chats.none": ("聊天记录里没有找到。", "I found nothing like that in our conversations."),
    "chats.you": ("你", "you"),
    "chats.me": ("我（助手）", "me (the assistant)"),
    "chats.forwarded": ("你转发的（别人的话）", "forwarded by you (somebody else's words)"),
}

RECEIPTS: tuple[str, ...] = ()
