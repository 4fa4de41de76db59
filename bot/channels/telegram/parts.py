"""One message as Telegram takes it: words with their formatting, a file, buttons."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from bot.channels.chunks import Entity
from bot.channels.telegram.calls import AlbumOut, FileOut
from bot.storage.sheets import thumbnails
from bot.types import Button, Language
from bot.wording import say

log = structlog.get_logger(__name__)

FILE_BYTES = 50 * 2**20
ROW_WIDTH = 28  # label columns that fit beside each other
ALBUM = range(2, 11)  # pictures that make one


@dataclass(slots=True)
class Part:
    """A message of at most the length that Telegram takes. What is refused about it is taken away, its words never."""

    text: str
    entities: list[Entity]
    file: FileOut | None = None
    as_document: bool = False
    reply_to: str = ""
    buttons: tuple[Button, ...] = ()
    album: AlbumOut = ()  # in place of text and file

    @property
    def method(self) -> str:
        """What sends it."""
        if self.album:
            return "sendMediaGroup"
        if self.file is None:
            return "sendMessage"
        return "sendDocument" if self.as_document else "sendPhoto"

    @property
    def edit(self) -> str:
        """What changes its words."""
        return "editMessageText" if self.file is None else "editMessageCaption"

    def content(self) -> dict[str, Any]:
        """Words, their formatting and the buttons: what sending and editing have in common.

        Of an album, the words of its first picture.
        """
        if self.album:
            return {"caption": self.album[0][0]}
        name = "text" if self.file is None else "caption"
        told: dict[str, Any] = {}
        if self.text:
            told[name] = self.text
        if self.entities:
            entities = json.dumps(self.entities, ensure_ascii=False)
            told["entities" if self.file is None else "caption_entities"] = entities
        if keyboard := _keyboard(self.buttons):
            told["reply_markup"] = json.dumps({"inline_keyboard": keyboard}, ensure_ascii=False)
        return told

    def parameters(self, chat: int, thread: int | None) -> dict[str, Any]:
        """Of the call that sends it."""
        told: dict[str, Any] = {"chat_id": chat}
        if thread is not None:
            told["message_thread_id"] = thread
        if self.album:
            told["media"] = self.album
        else:
            told |= self.content()
        if self.file is not None and not self.album:
            told["document" if self.as_document else "photo"] = self.file
        if self.reply_to.isdigit():
            told["reply_parameters"] = json.dumps(
                {"message_id": int(self.reply_to), "allow_sending_without_reply": True}
            )
        return told

    def simpler(self, why: str, language: Language) -> bool:
        """Take away what was refused; False when there is nothing left to take."""
        if self.entities and ("entit" in why or "parse" in why):
            self.entities = []
        elif self.buttons and ("button" in why or "markup" in why or "keyboard" in why):
            self.buttons = ()
        elif self.reply_to and ("repl" in why):
            self.reply_to = ""
        elif self.album and "chat not found" not in why:
            self.album = ()
        elif self.file is not None and "chat not found" not in why:
            if self.as_document:
                self.file = None
                self.text = self.text or say(language, "telegram.picture")
            self.as_document = True
        else:
            return False
        return True


def load(path: str) -> FileOut | None:
    """The picture to send along; None when there is none that could be sent."""
    try:
        file = Path(path)
        data = file.read_bytes() if file.stat().st_size <= FILE_BYTES else b""
    except OSError as error:
        log.warning("the picture cannot be read", action="picture_unreadable", error=str(error))
        return None
    return FileOut(data, file.name) if data else None


def load_album(path: str, text: str) -> AlbumOut:
    """The pictures of a sheet one by one, each under its number; none where the words say more than the numbers do,
    where a picture is missing, or where there are too few or too many for an album."""
    found = thumbnails(Path(path))
    if len(found) not in ALBUM or text.split() != [each.label for each in found]:
        return ()
    try:
        return tuple((each.label, FileOut(each.path.read_bytes(), f"{each.label}.jpg")) for each in found)
    except OSError as error:
        log.warning("a thumbnail cannot be read", action="thumbnail_unreadable", error=str(error))
        return ()


def _keyboard(buttons: tuple[Button, ...]) -> list[list[dict[str, str]]]:
    """Short buttons share a row."""
    rows: list[list[dict[str, str]]] = []
    width = 0
    for button in buttons:
        if not button.label.strip() or not 1 <= len(button.data.encode()) <= 64:
            log.warning("a button cannot be shown", action="button_dropped", data=button.data[:64])
            continue
        columns = sum(2 if ord(c) > 0x2E80 else 1 for c in button.label) + 4
        if not rows or width + columns > ROW_WIDTH:
            rows.append([])
            width = 0
        rows[-1].append({"text": button.label, "callback_data": button.data})
        width += columns
    return rows
