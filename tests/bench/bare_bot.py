"""What Kairos is compared with: python-telegram-bot and the openai SDK, the last messages, and nothing else.

Written the way their own documentation shows it: no storage, no tools, no memory beyond this process.
`python -m tests.bench.bare_bot`, with TELEGRAM_ROOT, TELEGRAM_TOKEN and MODEL_URL in the environment.
"""

from __future__ import annotations

import os
from collections import defaultdict, deque
from functools import partial
from typing import Any

from openai import AsyncOpenAI
from telegram import Update
from telegram.ext import ApplicationBuilder, ContextTypes, MessageHandler, filters

LAST = 20  # messages of both sides that it keeps
SYSTEM = "You are a helpful assistant. Answer briefly, in the language of the question."

History = defaultdict[int, deque[Any]]


async def answer(
    model: AsyncOpenAI, history: History, update: Update, context: ContextTypes.DEFAULT_TYPE
) -> None:
    """One message, one model call, one answer."""
    if update.message is None or update.message.text is None:
        return
    said = history[update.message.chat_id]
    said.append({"role": "user", "content": update.message.text})
    reply = await model.chat.completions.create(
        model="bare", messages=[{"role": "system", "content": SYSTEM}, *said]
    )
    text = reply.choices[0].message.content or "…"
    said.append({"role": "assistant", "content": text})
    await update.message.reply_text(text)


def main() -> None:
    """Poll until killed."""
    root = os.environ["TELEGRAM_ROOT"]
    model = AsyncOpenAI(base_url=os.environ["MODEL_URL"], api_key="bench")
    history: History = defaultdict(lambda: deque(maxlen=LAST))
    application = (
        ApplicationBuilder()
        .token(os.environ["TELEGRAM_TOKEN"])
        .base_url(f"{root}/bot")
        .base_file_url(f"{root}/file/bot")
        .concurrent_updates(True)
        .build()
    )
    application.add_handler(MessageHandler(filters.TEXT, partial(answer, model, history)))
    application.run_polling()


if __name__ == "__main__":
    main()
