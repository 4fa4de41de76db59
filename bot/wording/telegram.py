"""What is said about Telegram: what it cannot bring, why it is not reached. By its key, in Chinese and in English."""

WORDS: dict[str, tuple[str, str]] = {
    "telegram.large": (
        "这个文件有 {size} MB，Telegram 只让机器人取 20 MB 以内的文件。",
        "That file has {size} MB, and Telegram lets bots fetch no more than 20 MB.",
    ),
    "telegram.lost": (
        "没能从 Telegram 取到这个文件，请再发一次。",
        "I could not fetch that file from Telegram; please send it again.",
    ),
    "telegram.voice": (
        "我还听不了语音，请打字告诉我。",
        "I cannot listen to voice messages yet; please write to me.",
    ),
    "telegram.video": (
        "我还看不了视频，请发图片或文字。",
        "I cannot watch videos yet; please send a picture or words.",
    ),
    "telegram.location": (
        "我还看不懂位置，请用文字告诉我是哪里。",
        "I cannot read locations yet; please tell me the place in words.",
    ),
    "telegram.contact": (
        "我还读不了名片，请用文字告诉我名字和号码。",
        "I cannot read contact cards yet; please write me the name and number.",
    ),
    "telegram.poll": (
        "我还参加不了投票，请用文字告诉我。",
        "I cannot read polls yet; please tell me in words.",
    ),
    "telegram.other": (
        "我还读不了这类消息，请发文字或图片。",
        "I cannot read that yet; please send text or a picture.",
    ),
    "telegram.token": (
        "Telegram 不认这个令牌，请运行 kairos setup 换一个。",
        "Telegram refuses the token; put in a valid one with `kairos setup`.",
    ),
    "telegram.door": (
        "收不到 Telegram 的消息：webhook 的端口 {place} 用不了（{why}）。",
        "Telegram's messages cannot be received: the webhook's port {place} cannot be used ({why}).",
    ),
    "telegram.unbrought": (
        "Telegram 送不到消息：{why}。请检查 KAIROS_TELEGRAM_WEBHOOK_URL。",
        "Telegram cannot bring messages: {why}. Please check KAIROS_TELEGRAM_WEBHOOK_URL.",
    ),
    "telegram.conflict": (
        "另一个程序正在用同一个令牌收取 Telegram 消息，请停掉其中一个。",
        "Another program is receiving Telegram messages with the same token; stop one of the two.",
    ),
    "telegram.network": (
        "连不上 Telegram（已试 {count} 次），会继续重试。",
        "Telegram cannot be reached ({count} tries so far); still trying.",
    ),
    "telegram.empty": ("（这条回答是空的。）", "(The answer was empty.)"),
    "telegram.picture": ("（图片没能发出去。）", "(The picture could not be sent.)"),
}

RECEIPTS: tuple[str, ...] = ()
