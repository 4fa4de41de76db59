"""Accounts in channels: which person each is, who asked to talk, what was decided; and the owner's one-time codes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.tables import accounts, codes
from bot.types import Language

State = Literal["asked", "allowed", "declined", "revoked"]

LASTS = timedelta(minutes=30)  # how long a code can be used
# wrong codes, of all accounts together, after which the right one is void too. One account has few tries (the channel
# sees to that), so it takes a crowd to come here; and among 31 ** 8 codes not even that crowd finds one.
TRIES = 1000
_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that reads like another
_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Account:
    """One account of somebody in a channel."""

    channel: str
    user: str  # the channel's own id of it
    chat: str  # where it is spoken to alone
    name: str  # as it calls itself: somebody else's words
    state: State
    person: str  # "" until it is allowed
    at: datetime  # when its state began
    language: Language  # of its first words


def code_in(text: str) -> str:
    """The code that a message consists of, in its one spelling; "" when it can be none."""
    signs = text.strip().upper().replace("-", "").replace(" ", "")
    made = len(signs) == _LENGTH and all(sign in _SIGNS for sign in signs)
    return signs if made and any(sign.isdigit() for sign in signs) else ""


class Accounts:
    """The rows of `accounts` and `codes`."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def all(self) -> list[Account]:
        """Everybody who was ever let in, turned away or heard asking, the first first."""
        query = sa.select(accounts).order_by(accounts.c.at, accounts.c.channel, accounts.c.user)
        return [Account(**row._mapping) for row in await self._database.rows(query)]

    async def ask(self, account: Account, *, most: int) -> State | Literal["new", "full"]:
        """Somebody asks to talk. "new": noted now, and to be told to the owner; "full": `most` others wait to be
        decided upon already, so this is not noted; else how it stands.
        """

        def ask(connection: sa.Connection) -> State | Literal["new", "full"]:
            known = connection.execute(sa.select(accounts.c.state).where(_here(account))).scalar()
            if known is not None:
                state: State = known
                return state
            waiting = sa.select(sa.func.count()).where(accounts.c.state == "asked")
            if connection.execute(waiting).scalar_one() >= most:
                return "full"
            connection.execute(accounts.insert().values(asdict(account)))
            return "new"

        return await self._database.write(ask)

    async def put(self, account: Account) -> None:
        """Keep how an account stands from now on, whatever it was before."""
        await self._database.do(
            accounts.delete().where(_here(account)), accounts.insert().values(asdict(account))
        )

    # ---- codes

    async def new_code(self) -> str:
        """A code that makes the account it comes from the owner's: once, soon, and not however often one guesses."""
        while True:
            code = "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
            if code_in(code):
                break
        values = {"digest": _digest(code), "until": self._now() + LASTS, "tries": TRIES}
        await self._database.do(
            codes.delete().where(codes.c.until <= self._now()), codes.insert().values(values)
        )
        return f"{code[:4]}-{code[4:]}"

    async def redeem(self, code: str) -> bool:
        """Whether a code is one of those that stand; it then stands no longer. A wrong one is one try less for all."""
        digest = _digest(code_in(code))

        def redeem(connection: sa.Connection) -> bool:
            standing = sa.and_(codes.c.until > self._now(), codes.c.tries > 0)
            rows = connection.execute(sa.select(codes.c.digest).where(standing)).all()
            found = [row.digest for row in rows if hmac.compare_digest(row.digest, digest)]
            if found:
                connection.execute(codes.delete().where(codes.c.digest == found[0]))
            else:
                connection.execute(codes.update().values(tries=codes.c.tries - 1))
            return bool(found)

        return await self._database.write(redeem)


def _here(account: Account) -> sa.ColumnElement[bool]:
    return sa.and_(accounts.c.channel == account.channel, accounts.c.user == account.user)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
