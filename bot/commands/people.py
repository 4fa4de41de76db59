"""Who may talk: `/people`, for the owner alone, and the buttons under what is asked at the door."""

from __future__ import annotations

from bot.commands.command import Command, Context
from bot.desk import Desk
from bot.settings import OWNER
from bot.storage.accounts import Account, State
from bot.types import Button, Words
from bot.wording import say

DECIDED: dict[str, State] = {"allow": "allowed", "decline": "declined", "revoke": "revoked"}
SHOWN = 20


async def people(context: Context, desk: Desk, rest: str) -> Words:
    """List who may talk and who asks; `allow ID`, `decline ID`, `revoke ID`, `code`."""
    if desk.person != OWNER or context.door is None:
        return Words(say(desk.language, "people.only_owner"))
    verb, _, user = rest.partition(" ")
    if not verb:
        return _listed(desk, await context.door.accounts())
    if verb.lower() == "code":
        return Words(say(desk.language, "people.code", code=await context.door.code()))
    if verb.lower() not in DECIDED or not user:
        return Words(say(desk.language, "people.usage"))
    return await decided(context, desk, verb.lower(), user.strip())


async def decided(context: Context, desk: Desk, verb: str, user: str) -> Words:
    """Let somebody in, decline them, or take it back: also what the buttons do."""
    if desk.person != OWNER or context.door is None:
        return Words(say(desk.language, "people.only_owner"))
    state = DECIDED[verb]
    here = desk.burst[-1]
    known = {each.user: each for each in await context.door.accounts()}
    account = known.get(user)
    if (
        account is not None
        and state != "allowed"
        and (account.channel, account.chat) == (here.channel, here.chat)
    ):
        return Words(say(desk.language, "people.yourself", user=user))
    account = await context.door.decide(user, state)
    if account is None:
        return Words(say(desk.language, "people.no_such", user=user[:40]))
    if state == "revoked" and account.person != OWNER:
        await _rest(context, account.person)
    return Words(say(desk.language, f"people.done.{state}", name=_name(desk, account)))


async def _rest(context: Context, person: str) -> None:
    """Nothing more is done by schedule for somebody who may not talk with us any more; what they told us stays."""
    for schedule in await context.schedules.of(person):
        await context.schedules.update(schedule.id, active=False)
    context.rescheduled()


def _listed(desk: Desk, accounts: list[Account]) -> Words:
    lines, buttons = [], list[Button]()
    for each in accounts[-SHOWN:]:
        name = _name(desk, each)
        state = say(desk.language, f"people.state.{each.state}")
        lines.append(
            say(desk.language, "people.line", name=name, channel=each.channel, user=each.user, state=state)
        )
        verbs = {"asked": ("allow", "decline"), "allowed": ("revoke",)}.get(each.state, ())
        if each.person != OWNER:
            labels = {verb: say(desk.language, f"door.button.{verb}") for verb in verbs}
            buttons += [
                Button(f"{label} {name}"[:40], f"{verb}:{each.user}") for verb, label in labels.items()
            ]
    if not lines:
        return Words(say(desk.language, "people.nobody"))
    return Words("\n".join(lines), buttons=tuple(buttons))


def _name(desk: Desk, account: Account) -> str:
    you = account.person == OWNER and say(desk.language, "people.you")
    return you or account.name or account.user


COMMANDS = {
    "/people": Command("谁可以和我聊（主人用）", "who may talk with me (for the owner)", people),
}
