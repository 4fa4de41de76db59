"""What a person has said, as it is read afterwards: without commands, buttons, and other people's rows."""

from __future__ import annotations

from bot.types import Upload, Words
from tests.bot.desks import Rig


async def test_outline(rig: Rig) -> None:
    kept = [await rig.said(text, answer=False) for text in ("诺亚在学游泳", "/etc/hosts is broken again")]
    kept.append(await rig.said("/undo 3", answer=False, forwarded=True))
    for text in ("/undo", " /cultivate now", "   ", ""):
        await rig.said(text, answer=False)
    await rig.said("", answer=False, pressed="undo:1")
    await rig.said("", Upload(b"x", "p.png"), answer=False)
    await rig.said("my turn has not ended", answer=True)
    await rig.said("hers", person="anna", answer=False)
    outline = await rig.storage.talks.outline("me")
    assert [(each.id, each.conversation, each.at) for each in outline] == [
        (each.id, "fake:me", each.at) for each in kept
    ]


async def test_messages_are_ones_own(rig: Rig) -> None:
    mine, hers = await rig.said("mine"), await rig.said("hers", person="anna")
    found = await rig.storage.talks.messages("me", [hers.id, mine.id, 99])
    assert [each.text for each in found] == ["mine"]


async def test_answers_without_receipts(rig: Rig) -> None:
    message = await rig.said("hello")
    await rig.storage.outbox.add(
        message, Words("hi"), Words("✓ 记住了：x", "receipt"), Words("🌱 …", "notice")
    )
    assert await rig.storage.talks.answers([message.id, 7]) == {message.id: ["hi"]}
