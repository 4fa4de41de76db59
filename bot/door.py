"""Who may talk: nobody but the owner, and whom the owner lets in.

The owner's account is known by the settings, or by a one-time code that only who sits at the machine has seen. Somebody
else may ask, once; the owner answers with a button. Nothing that a stranger writes is kept but the account's own name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot.settings import OWNER, Settings
from bot.storage import Storage
from bot.storage.accounts import Account, State, code_in
from bot.storage.moving import move_chat
from bot.types import Button, Language, Outgoing, Words
from bot.wording import say

log = structlog.get_logger(__name__)

# who may wait for the owner's decision at once: a crowd of strangers must not flood the owner
MOST_ASKING = 5
_NAME = 60  # characters of a stranger's name that are shown
_START = "/start"  # a link may carry the code: "/start CODE"


Renamed = Callable[[str, str], Awaitable[None]]
"""Hears of a chat that goes by another name now: (channel, its new name)."""


async def nobody_waits(channel: str, chat: str) -> None:
    """For those who answer nobody."""


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody we do not know wrote in a chat of theirs with us."""

    channel: str
    user: str  # the channel's own id of the account
    chat: str
    name: str  # as it calls itself
    text: str
    language: Language

    @property
    def code(self) -> str:
        """The one-time code it consists of, "" when it is something else."""
        return code_in(self.text.strip().removeprefix(_START))


class Door:
    """One a home. The settings name accounts too; what the owner took back counts more."""

    def __init__(self, storage: Storage, settings: Settings, now: Callable[[], datetime]) -> None:
        self._accounts = storage.accounts
        self._outbox = storage.outbox
        self._people = storage.people
        self._database = storage.database
        self._fresh = storage.fresh
        self._settled = {  # (channel, account) → person
            ("telegram", str(each)): settings.person(each) or "" for each in settings.telegram_allowed
        }
        self._now = now
        self.renamed: Renamed = nobody_waits
        self._known: dict[str, dict[str, str]] = {}  # channel → account → person, kept up to date
        self._revoked: dict[tuple[str, str], Account] = {}  # by channel and account
        for (channel, user), person in self._settled.items():
            self._known.setdefault(channel, {})[user] = person

    async def open(self) -> None:
        """Read who was let in before."""
        for account in await self._accounts.all():
            self._admit(account)

    def known(self, channel: str) -> Mapping[str, str]:
        """Who may talk in a channel: account → person; it changes with what the owner decides."""
        return self._known.setdefault(channel, {})

    def barred(self, outgoing: Outgoing) -> bool:
        """Whether it came of a message of somebody who may not talk any more: what was begun for them is not sent."""
        if outgoing.about is None:  # a word of ours, such as that they may not
            return False
        still = self._known.get(outgoing.channel, {}).values()
        return any(
            each.chat == outgoing.chat or (each.person == outgoing.person and each.person not in still)
            for each in self._revoked.values()
            if each.channel == outgoing.channel
        )

    async def knock(self, knock: Knock) -> str:
        """Somebody unknown wrote: what to say back to them, "" for nothing. Raises `HomeUnwritable`."""
        if knock.code:
            return await self._paired(knock)
        owners = await self._owners(knock.channel)
        if not owners:
            return say(knock.language, "door.nobody", user=knock.user)
        asking = self._account(knock, "asked")
        stands = await self._accounts.ask(asking, most=MOST_ASKING)
        if stands != "new":
            waits = {"asked": "door.waits", "full": "door.private"}.get(stands)
            return say(knock.language, waits, user=knock.user) if waits else ""
        log.info("somebody asks to talk", action="door_asked", channel=knock.channel, user=knock.user)
        await self._tell_owner(owners[0], "door.asks", asking, "allow", "decline")
        return say(knock.language, "door.asked")

    async def moved(self, channel: str, old: str, new: str) -> None:
        """A chat goes by another name now (a group became a larger one). Raises `HomeUnwritable`."""
        log.info("a chat has moved", action="chat_moved", channel=channel, old=old, new=new)
        await move_chat(self._database, channel, old, new)
        await self._fresh.load()
        await self.renamed(channel, new)

    async def decide(self, user: str, state: State) -> Account | None:
        """The owner lets an account in, declines it or takes it back; None when there is no such account.

        `user`: the channel's id of it; a name can be anybody's. Whom it concerns is told, once.
        """
        account = next((each for each in await self.accounts() if each.user == user), None)
        if account is None or account.state == state:
            return account
        first = account.state
        person = account.person or self.person_of(account.channel, account.user)
        account = replace(account, state=state, person=person, at=self._now())
        await self._accounts.put(account)
        self._admit(account)
        if state == "allowed":
            await self._people.meet(person, account.language)
        log.info("decided", action=f"door_{state}", channel=account.channel, user=account.user)
        if first == "asked" or state == "allowed":
            theirs = await self._people.language(person) if state == "allowed" else account.language
            told = Words(say(theirs, f"door.{state}"), "notice")
            await self._outbox.post(account.channel, account.chat, person, told)
        return account

    async def code(self) -> str:
        """A new one-time code for an account of the owner's."""
        return await self._accounts.new_code()

    async def code_if_needed(self) -> str:
        """A code where some channel has strangers and no owner; "" where none is needed."""
        asked = [channel for channel in self._known if OWNER not in self._known[channel].values()]
        return await self.code() if asked else ""

    async def accounts(self) -> list[Account]:
        """Everybody: whom the settings name first, then whoever asked."""
        rows = await self._accounts.all()
        kept = {(each.channel, each.user) for each in rows}
        start = self._now()
        settled = [
            Account(channel, user, user, "", "allowed", person, start, "zh")
            for (channel, user), person in self._settled.items()
            if (channel, user) not in kept
        ]
        return [*settled, *rows]

    @staticmethod
    def person_of(channel: str, user: str) -> str:
        """The name of the folder of who comes with an account."""
        return f"{'tg' if channel == 'telegram' else channel}-{user}"

    def _admit(self, account: Account) -> None:
        known = self._known.setdefault(account.channel, {})
        self._revoked.pop((account.channel, account.user), None)
        if account.state == "revoked":
            self._revoked[account.channel, account.user] = account
        if account.state == "allowed":
            known[account.user] = account.person
        elif account.state == "revoked" or (account.channel, account.user) not in self._settled:
            known.pop(account.user, None)

    async def _owners(self, channel: str) -> list[Account]:
        found = [each for each in await self.accounts() if each.person == OWNER and each.state == "allowed"]
        return sorted(found, key=lambda each: each.channel != channel)

    async def _paired(self, knock: Knock) -> str:
        if not await self._accounts.redeem(knock.code):
            log.warning("a wrong code", action="door_wrong_code", channel=knock.channel, user=knock.user)
            return say(knock.language, "door.wrong_code")
        owners = await self._owners(knock.channel)
        account = replace(self._account(knock, "allowed"), person=OWNER)
        await self._accounts.put(account)
        self._admit(account)
        log.warning("an account was paired", action="door_paired", channel=knock.channel, user=knock.user)
        if owners:  # who did not do it themself has to know
            await self._tell_owner(owners[0], "door.paired_too", account, "revoke")
        return say(knock.language, "door.paired")

    def _account(self, knock: Knock, state: State) -> Account:
        name = _clean(knock.name) or knock.user
        return Account(knock.channel, knock.user, knock.chat, name, state, "", self._now(), knock.language)

    async def _tell_owner(self, owner: Account, key: str, about: Account, *verbs: str) -> None:
        language = await self._people.language(OWNER)
        buttons = [Button(say(language, f"door.button.{verb}"), f"{verb}:{about.user}") for verb in verbs]
        words = Words(say(language, key, name=about.name, user=about.user), "notice", tuple(buttons))
        await self._outbox.post(owner.channel, owner.chat, OWNER, words)


def _clean(name: str) -> str:
    """A stranger's name as one short line that formats nothing and looks like nothing of ours."""
    plain = "".join(sign if sign.isprintable() else " " for sign in name)
    return " ".join("".join(sign for sign in plain if sign not in "*`[]()<>~|\\#").split())[:_NAME]
