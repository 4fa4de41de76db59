"""Model ⇄ tools: every call is answered, every deed kept, and an end is reached."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.agent.loop import ROUNDS, converse
from bot.desk import Desk
from bot.errors import HomeUnwritable, ModelRefused, ModelUnavailable, ToolError
from bot.models.model import Call, Prompt, Reply, Said, ToolSpec
from bot.models.scripted import Scripted
from bot.tools import TOOLS, Result
from bot.tools.tool import Tool
from bot.types import Button
from memory.errors import BadName, StoreUnwritable
from tests.bot.desks import Rig
from tests.conftest import Golden

UNDO = Button("Undo", "undo:1")


def tool(name: str, ends: Any) -> Tool:
    async def run(desk: Desk, arguments: dict[str, Any]) -> Result:
        if isinstance(ends, Exception):
            raise ends
        return ends if isinstance(ends, Result) else Result(text=str(arguments))

    return Tool(ToolSpec(name, "for tests", {"type": "object", "properties": {}}), run)


TRYING = {
    each.spec.name: each
    for each in (
        tool("echo", None),
        tool("look", Result("nothing there", found=False)),
        tool("known", Result("nothing to do", "known already")),
        tool("deed", Result("done", "✓ saved", (UNDO,), deed=True)),
        tool("no", ToolError("cannot")),
        tool("full", StoreUnwritable()),
        tool("disk", HomeUnwritable()),
        tool("bad", BadName("that is no page")),
    )
}


def calls(*names: str, problem: str = "", text: str = "") -> Reply:
    made = tuple(Call(f"c{i}", name, {"i": i}, problem) for i, name in enumerate(names))
    return Reply(text, calls=made, finish="calls")


class Talked:
    """A conversation and everything one may want to know of it."""

    def __init__(self, *replies: Any) -> None:
        self.model = Scripted(*replies)
        self.beats: list[Result | None] = []

    async def run(self, rig: Rig) -> Any:
        desk = rig.desk(await rig.said("x"))
        prompt = Prompt(
            "system", tuple(each.spec for each in TRYING.values()), (Said("user", "x", typed=("x",)),)
        )
        with capture_logs():
            return await converse(
                self.model, prompt, TRYING, desk, lambda result=None: self.beats.append(result)
            )

    @property
    def read(self) -> list[Said]:
        """What the model read last."""
        return list(self.model.prompts[-1].messages)


async def test_words_end_it(rig: Rig) -> None:
    talked = Talked(" hello ")
    conversed = await talked.run(rig)
    assert (conversed.text, conversed.results) == ("hello", ())


async def test_every_call_gets_an_answer_in_order_under_its_id(rig: Rig) -> None:
    talked = Talked(calls("echo", "nobody", "no", "deed"), "done")
    conversed = await talked.run(rig)
    _, assistant, *answers = talked.read
    assert (
        [call.id for call in assistant.calls]
        == [said.call_id for said in answers]
        == ["c0", "c1", "c2", "c3"]
    )
    assert [said.text for said in answers] == [
        "{'i': 0}",
        "error: there is no tool 'nobody'",
        "error: cannot",
        "done",
    ]
    assert conversed.receipts == ["✓ saved"]
    assert conversed.buttons == (UNDO,)


async def test_a_look_up_that_found_nothing_says_so_to_the_model(rig: Rig) -> None:
    talked = Talked(calls("look", "echo"), "ok")
    await talked.run(rig)
    told = [said for said in talked.read if said.role == "tool"]
    assert [(said.name, said.found) for said in told] == [("look", False), ("echo", True)]


async def test_arguments_that_could_not_be_read_run_nothing(rig: Rig) -> None:
    talked = Talked(calls("deed", problem="not JSON"), "sorry")
    conversed = await talked.run(rig)
    assert "could not be read: not JSON" in talked.read[-1].text
    assert conversed.receipts == []


@pytest.mark.parametrize("name", ["full", "disk", "bad"])
async def test_a_disk_that_is_full_is_told_to_the_person_in_their_language(rig: Rig, name: str) -> None:
    conversed = await Talked(calls(name), "hm").run(rig)
    [receipt] = conversed.receipts
    assert any("\u4e00" <= c <= "\u9fff" for c in receipt)
    assert conversed.buttons == ()


async def test_what_a_tool_did_is_told_at_once_so_that_it_is_known_when_the_model_then_fails(
    rig: Rig,
) -> None:
    talked = Talked(calls("deed"), ModelUnavailable("busy"))
    with pytest.raises(ModelUnavailable):
        await talked.run(rig)
    assert [each.receipt for each in talked.beats if each] == ["✓ saved"]


async def test_a_receipt_said_twice_is_shown_once(rig: Rig) -> None:
    conversed = await Talked(calls("deed", "deed"), calls("deed"), "ok").run(rig)
    assert conversed.receipts == ["✓ saved"]
    assert conversed.buttons == (UNDO,)
    assert len(conversed.results) == 3


@pytest.mark.parametrize(
    ("replies", "asked", "text"),
    [
        (("", "now"), 2, "now"),
        (("", " \n"), 2, ""),
        ((Reply("", finish="filtered"),), 1, ""),
        ((calls("echo"), "", "found"), 3, "found"),
        ((calls("echo"), "", ""), 3, ""),
        ((calls("deed"), ""), 2, ""),
    ],
)
async def test_an_empty_answer_is_asked_for_once_more(rig: Rig, replies: Any, asked: int, text: str) -> None:
    """Unless a receipt says it all."""
    talked = Talked(*replies)
    conversed = await talked.run(rig)
    assert (len(talked.model.prompts), conversed.text) == (asked, text)
    assert conversed.filtered == (asked == 1)


async def test_a_model_that_only_calls_tools_comes_to_an_end(rig: Rig) -> None:
    talked = Talked(lambda prompt: calls("deed") if prompt.tools else Reply("enough"))
    conversed = await talked.run(rig)
    assert len(talked.model.prompts) == ROUNDS
    assert conversed.text == "enough"
    stubborn = Talked(lambda prompt: calls("deed"))
    conversed = await stubborn.run(rig)
    assert len(stubborn.model.prompts) == ROUNDS
    assert conversed.receipts == ["✓ saved"]


async def test_the_stable_part_of_a_prompt_does_not_move_between_rounds(rig: Rig) -> None:
    talked = Talked(calls("echo"), calls("echo"), "done")
    await talked.run(rig)
    first, second, third = talked.model.prompts
    assert first.system == second.system == third.system
    assert first.tools == second.tools == third.tools
    assert tuple(second.messages[:1]) == tuple(first.messages)
    assert tuple(third.messages[: len(second.messages)]) == tuple(second.messages)


def test_tools_have_names_of_their_own() -> None:
    assert len({each.spec.name for each in TOOLS.values()}) == len(TOOLS)


async def test_a_model_that_makes_the_same_call_again_and_again_is_stopped(rig: Rig) -> None:
    talked = Talked(*[calls("echo")] * ROUNDS)
    conversed = await talked.run(rig)
    assert conversed.text == ""
    assert len(talked.model.prompts) == 3


async def test_two_deeds_in_the_same_words_are_two(rig: Rig) -> None:
    """ "Undo the last four" is the same call four times."""
    talked = Talked(*[calls("deed")] * 4, "there")
    conversed = await talked.run(rig)
    assert (conversed.text, len(conversed.results)) == ("there", 4)


async def test_a_call_made_again_to_no_effect_is_not_told_again(rig: Rig) -> None:
    talked = Talked(calls("known"), calls("known"), "well")
    conversed = await talked.run(rig)
    assert [result.receipt for result in conversed.results] == ["known already", ""]


async def test_the_last_call_of_an_answer_that_was_cut_is_not_made(rig: Rig) -> None:
    """It may read well and be half of what was meant; those before it are whole."""
    cut = Reply(calls=(Call("c1", "deed", {}), Call("c2", "deed", {"page": "half of"})), finish="length")
    talked = Talked(cut, "ok")
    ended = await talked.run(rig)
    assert [(result.deed, result.text[:30]) for result in ended.results] == [
        (True, "done"),
        (False, "error: your answer was cut off"),
    ]
    assert not ended.cut


async def test_words_that_were_cut_are_known_as_such(rig: Rig) -> None:
    ended = await Talked(Reply("as I was say", finish="length")).run(rig)
    assert (ended.text, ended.cut) == ("as I was say", True)


async def test_what_memory_holds_is_shown_to_a_model_fenced_as_data(rig: Rig, golden: Golden) -> None:
    """It cannot close its own fence, and a look-up that found nothing recalled needs none."""
    held = Result("[t1] The user likes >>> tea", loaded=("[t1] The user likes >>> tea",))
    tools = {"look": tool("look", held), "miss": tool("miss", Result("nothing", found=False))}
    model = Scripted(calls("look", "miss"), "tea")
    prompt = Prompt("system", tuple(each.spec for each in tools.values()), (Said("user", "x", typed=("x",)),))
    with capture_logs():
        await converse(model, prompt, tools, rig.desk(await rig.said("x")), lambda result=None: None)
    recalled, nothing = (said.text for said in model.prompts[-1].messages if said.role == "tool")
    golden("recalled.md", recalled + "\n")
    assert recalled.endswith("<<<\n[t1] The user likes ››› tea\n>>>")
    assert nothing == "nothing"


async def test_a_result_too_long_for_the_model_is_shortened_and_stays_with_its_call(rig: Rig) -> None:
    """Before anything of the talk goes: it is what is too long."""

    def play(prompt: Prompt) -> Any:
        if prompt.messages[-1].role != "tool":
            return Reply(calls=(Call("c1", "long", {}),), finish="calls")
        return ModelRefused("too long", code="too_long") if len(prompt.messages[-1].text) > 5_000 else "read"

    model = Scripted(play)
    tools = {"long": tool("long", Result("x" * 40_000))}
    prompt = Prompt("system", messages=(Said("user", "before"), Said("assistant", "so"), Said("user", "x")))
    with capture_logs():
        ended = await converse(model, prompt, tools, rig.desk(await rig.said("x")), lambda result=None: None)
    assert ended.text == "read"
    assert ended.prompt is prompt
    assert [said.role for said in model.prompts[-1].messages] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "tool",
    ]


async def test_what_the_server_took_is_known(rig: Rig) -> None:
    def play(prompt: Prompt) -> Any:
        return ModelRefused("risk", code="filtered") if len(prompt.messages) > 1 else "fine"

    prompt = Prompt(
        "system",
        messages=(Said("user", "before", row=1), Said("assistant", "so", row=1), Said("user", "x", row=2)),
    )
    with capture_logs():
        ended = await converse(
            Scripted(play), prompt, {}, rig.desk(await rig.said("x")), lambda result=None: None
        )
    assert (ended.text, [said.row for said in ended.prompt.messages]) == ("fine", [2])
