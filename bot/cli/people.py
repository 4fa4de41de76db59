"""`kairos people`: who may talk, and deciding it from the machine; goes through the chat, so that it counts at once."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.cli.options import OWNER, Home, Json


def people(
    what: Annotated[
        str, typer.Argument(help="allow, decline, revoke (with an ID), or code.", show_default=False)
    ] = "",
    account: Annotated[str, typer.Argument(metavar="ID", help="Of the account.", show_default=False)] = "",
    json_: Json = False,
    home: Home = None,
) -> None:
    """List who may talk and who asks; let somebody in or take it back; make a code for an account of yours."""
    from bot.cli.say import say

    say(f"/people {what} {account}".strip(), person=OWNER, json_=json_, home=home)
