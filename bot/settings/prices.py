"""`[prices."<model>"]`: what a model's tokens cost, and the sentence when one is odd. No price is ever made up."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any

from pydantic import BeforeValidator

from bot.settings.values import InvalidError

_KEYS = ("input", "cached", "output", "currency")


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens of one model cost."""

    model: str  # as the endpoint calls it
    input: float
    output: float
    cached: float  # of those read, that came from the provider's cache
    currency: str = "USD"

    def of(self, input: int, cached: int, output: int) -> float:
        """What so many tokens cost; `cached` are part of `input`."""
        return ((input - cached) * self.input + cached * self.cached + output * self.output) / 1_000_000


def _prices(given: object) -> object:
    """A table by model, or JSON of one as the environment has it."""
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
        except ValueError:
            raise InvalidError(
                "must be JSON: a table of prices by model", "要填 JSON：按模型名列出价格"
            ) from None
    if isinstance(given, tuple) and all(isinstance(each, Price) for each in given):
        return given
    if not isinstance(given, Mapping):
        raise InvalidError("must be a table of prices by model", "要按模型名列出价格")
    return tuple(_price(str(model), table) for model, table in given.items())


def _price(model: str, table: object) -> Price:
    if not isinstance(table, Mapping) or not {"input", "output"} <= set(table) <= set(_KEYS):
        raise InvalidError(
            f"needs input and output at {model}, and may have cached and currency, nothing else",
            f"的 {model} 要有 input 和 output，还可以有 cached 和 currency，别的不行",
        )
    currency = str(table.get("currency", "USD")).strip().upper()
    if not re.fullmatch(r"[A-Z]{3}", currency):
        raise InvalidError(
            f"needs a currency of three letters at {model}, such as USD or CNY",
            f"的 {model} 的 currency 要填三个字母，例如 USD、CNY",
        )
    price = _amount(model, table["input"])
    cached = _amount(model, table["cached"]) if "cached" in table else price
    return Price(model, price, _amount(model, table["output"]), cached, currency)


def _amount(model: str, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not isfinite(given) or given < 0:
        raise InvalidError(
            f"needs numbers at {model}: what a million tokens cost",
            f"的 {model} 要填数字：每百万 token 的价格",
        )
    return float(given)


Prices = Annotated[tuple[Price, ...], BeforeValidator(_prices)]
