"""`kairos chat`: a conversation in a terminal. What arrives meanwhile appears above the prompt."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import FileHistory, ThreadedHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from bot.channels.terminal_wire import Done, Heard
from bot.terminal.choices import Choices
from bot.terminal.dropped import dropped
from bot.terminal.rendering import clean, coloured, rendered
from bot.terminal.talk import Reach, Talk
from bot.terminal.uploads import Unreadable, load
from bot.terminal.words import say
from bot.types import Language

_STYLE = Style.from_dict({"prompt": "ansicyan bold", "bottom-toolbar": "noreverse ansibrightblack"})
_PROMPT: StyleAndTextTuples = [("class:prompt", "› ")]
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_PATIENT = 0.5  # seconds before the spinner shows
_TICK = 0.1


async def chat(reach: Reach, *, home: Path, person: str, language: Language) -> bool:
    """Talk until the person leaves; False when something did not end well. Raises what `reach` raises.

    Without a terminal on both ends it reads lines, and answers each with all its work before the next. A person
    has seen what went wrong: leaving a window is no failure.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        await _Window(home, person, language).run(reach)
        return True
    return await _lines(reach, language, sys.stdin, sys.stdout)


async def submit(talk: Talk, choices: Choices, typed: str, language: Language) -> str:
    """Say what was typed: a button, or words and pictures. Returns a note for the person, mostly "".

    Raises:
        Unreadable: a picture cannot be sent; nothing was.
    """
    if (button := choices.pressed(typed)) is not None:
        choices.close()
        await talk.say("", pressed=button.data)
        return ""
    found = await asyncio.to_thread(dropped, typed, Path.cwd())
    names = ", ".join(found.missing)
    if found.missing and not found.files and not found.words:
        raise Unreadable(say(language, "missing", names=names))
    images = await asyncio.to_thread(load, found.files, language)
    choices.close()
    await talk.say(found.words, images)
    return say(language, "missing.text", names=names) if found.missing and not found.files else ""


# -------------------------------------------------------------------- with a terminal


class _Window:
    """The prompt with its key bindings and spinner; also the `Screen` above it."""

    def __init__(self, home: Path, person: str, language: Language) -> None:
        self._home = home
        self._language = language
        self._choices = Choices()
        self._talk: Talk | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._blank = True  # the last line above the prompt is empty
        self._history = _History(home / f".history-{person}")
        self._session: PromptSession[str] = PromptSession(
            history=ThreadedHistory(self._history),
            key_bindings=_keys(idle=lambda: self.note(say(language, "keys.leave"))),
            style=_STYLE,
            multiline=False,
            prompt_continuation="  ",
            enable_open_in_editor=True,
            reserve_space_for_menu=0,
        )

    async def run(self, reach: Reach) -> None:
        async with Talk(reach, self) as talk:
            self._talk = talk
            with patch_stdout(raw=True):
                self._greet(talk.brain)
                await talk.until(self._converse(talk))
                if talk.pending:
                    self.note(say(self._language, "waiting", count=len(talk.pending)))
            await talk.settled()
        await asyncio.to_thread(self._history.close)

    async def _converse(self, talk: Talk) -> None:
        while True:
            try:
                typed = await self._session.prompt_async(_PROMPT, set_exception_handler=False)
            except EOFError:
                return
            if not typed.strip():
                continue
            self._blank = False
            try:
                if note := await submit(talk, self._choices, typed, self._language):
                    self.note(note)
            except Unreadable as problem:
                self.note(str(problem), style="yellow")
            if self._ticking is None or self._ticking.done():
                self._ticking = asyncio.create_task(self._tick(talk), name="spinner")

    def _greet(self, brain: str) -> None:
        which = (
            say(self._language, "brain.model", brain=brain)
            if brain
            else say(self._language, "brain.embedded")
        )
        home = str(self._home).replace(str(Path.home()), "~", 1)
        self._print(rendered(f"**Kairos** · {which} · {home}", self._width()))
        self.note(say(self._language, "keys"))
        self._print("\n")

    # what is heard

    def words(self, heard: Heard) -> None:
        earlier = say(self._language, "earlier") if heard.earlier else ""
        answer = heard.kind == "answer"
        if answer and not self._blank:
            self._print("\n")
        mark = "" if answer or not heard.text[:1].isalnum() else "·" if heard.kind == "receipt" else "!"
        if earlier:
            self._print(coloured(f"↩ {earlier}", "dim", self._width()))
        self._print(rendered(heard.text, self._width(), mark=mark, style="yellow" if mark == "!" else "dim"))
        if heard.picture:
            self._print(coloured(f"  ▣ {heard.picture}", "dim", self._width()))
        if heard.buttons:
            offered = "  ".join(f"[{number}] {label}" for number, label in self._choices.offer(heard.buttons))
            self._print(coloured("  " + offered if not answer else offered, "cyan", self._width()))
        self._blank = answer
        if answer:
            self._print("\n")

    def done(self, done: Done, *, said: bool) -> None:
        if not done.ok and not said:
            known = say(self._language, "problem", problem=done.problem) if done.problem else ""
            self.note(known or say(self._language, "problem.unknown"), style="red")

    def lost(self) -> None:
        self.note(say(self._language, "lost"))

    def note(self, text: str, *, style: str = "dim") -> None:
        """A word of the terminal itself."""
        self._print(coloured(text, style, self._width()))
        self._blank = False

    def _print(self, text: str) -> None:
        sys.stdout.write(text)  # patched: it appears above the prompt
        sys.stdout.flush()

    def _width(self) -> int:
        return min(self._session.app.output.get_size().columns, 100)

    # the spinner

    async def _tick(self, talk: Talk) -> None:
        """Redraw the spinner while there is work, and only then: an idle prompt costs nothing."""
        while talk.pending:
            first = next(iter(talk.pending.values()))
            elapsed = time.monotonic() - first.since
            shown = elapsed >= _PATIENT
            self._session.bottom_toolbar = self._spinner(elapsed, answered=first.answered) if shown else None
            self._session.app.invalidate()
            await asyncio.sleep(_TICK)
        self._session.bottom_toolbar = None
        self._session.app.invalidate()

    def _spinner(self, elapsed: float, *, answered: bool) -> StyleAndTextTuples:
        frame = _FRAMES[int(elapsed / _TICK) % len(_FRAMES)]
        what = say(self._language, "behind" if answered else "thinking")
        seconds = f" {int(elapsed)}s" if elapsed >= 3 else ""
        return [("class:bottom-toolbar", f"{frame} {what}…{seconds}")]


class _History(FileHistory):
    """What was typed, in the home, for its owner only. A disk that cannot be written costs the history, not
    the chat."""

    def __init__(self, file: Path) -> None:
        super().__init__(str(file))
        self._file = file
        self._writing = ThreadPoolExecutor(1, "history")  # one thread: the order is kept, the loop is not

    def store_string(self, string: str) -> None:
        self._writing.submit(self._write, string)

    def _write(self, string: str) -> None:
        with suppress(OSError):
            os.close(os.open(self._file, os.O_CREAT | os.O_WRONLY, 0o600))
            super().store_string(string)

    def close(self) -> None:
        """Wait until all is written. Blocking, for milliseconds."""
        self._writing.shutdown()


def _keys(idle: Callable[[], None]) -> KeyBindings:
    """`idle`: Ctrl-C was pressed with nothing typed."""
    keys = KeyBindings()

    @keys.add(Keys.Escape, Keys.Enter)
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add(Keys.ControlC)
    def _(event: KeyPressEvent) -> None:
        if not event.current_buffer.text:
            idle()
        event.current_buffer.reset()

    return keys


# -------------------------------------------------------------------- without one


class _Plain:
    """A `Screen` of plain lines."""

    def __init__(self, out: TextIO, language: Language, choices: Choices) -> None:
        self._out = out
        self._language = language
        self._choices = choices

    def words(self, heard: Heard) -> None:
        earlier = f"[{say(self._language, 'earlier')}] " if heard.earlier else ""
        self.line(earlier + clean(heard.text))
        if heard.picture:
            self.line(heard.picture)
        if heard.buttons:
            self.line("  ".join(f"[{at}] {clean(label)}" for at, label in self._choices.offer(heard.buttons)))

    def done(self, done: Done, *, said: bool) -> None:
        if not done.ok and not said:
            self.line(done.problem or say(self._language, "problem.unknown"))

    def lost(self) -> None:
        self.line(say(self._language, "lost"))

    def line(self, text: str) -> None:
        """Print it."""
        print(text, file=self._out, flush=True)


async def _lines(reach: Reach, language: Language, into: TextIO, out: TextIO) -> bool:
    choices = Choices()
    screen = _Plain(out, language, choices)
    ok = True
    async with Talk(reach, screen) as talk:
        lines = _reader(into)
        while line := await lines():
            if not line.strip():
                continue
            try:
                if note := await submit(talk, choices, line.rstrip("\n"), language):
                    screen.line(note)
            except Unreadable as problem:
                screen.line(str(problem))
                ok = False
            await talk.settled()
    return ok and talk.ok


def _reader(stream: TextIO) -> Callable[[], asyncio.Future[str]]:
    """Read lines in a thread that does not keep the process alive: Ctrl-C must not wait for a line."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str] = asyncio.Queue()

    def read() -> None:
        for line in stream:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        loop.call_soon_threadsafe(queue.put_nowait, "")

    threading.Thread(target=read, daemon=True, name="stdin").start()
    return lambda: asyncio.ensure_future(queue.get())
