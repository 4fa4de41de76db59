"""The time zone that somebody names: in the tz database's words, by its city, or by its hours from Greenwich."""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

_CITIES = {
    "Asia/Shanghai": "北京 上海 广州 深圳 杭州 成都 重庆 武汉 西安 南京 中国 beijing shenzhen guangzhou china",
    "Asia/Hong_Kong": "香港",
    "Asia/Taipei": "台北 台湾",
    "Asia/Tokyo": "东京 大阪 日本 osaka japan",
    "Asia/Seoul": "首尔 韩国 korea",
    "Asia/Singapore": "新加坡",
    "Asia/Bangkok": "曼谷 泰国",
    "Asia/Dubai": "迪拜",
    "Asia/Kolkata": "印度 德里 孟买 india delhi mumbai bangalore",
    "Europe/London": "伦敦 英国",
    "Europe/Paris": "巴黎 法国 france",
    "Europe/Berlin": "柏林 德国 慕尼黑 germany munich frankfurt",
    "Europe/Zurich": "苏黎世 瑞士 switzerland geneva",
    "Europe/Moscow": "莫斯科",
    "America/New_York": "纽约 波士顿 华盛顿 boston washington",
    "America/Chicago": "芝加哥 houston dallas",
    "America/Los_Angeles": "洛杉矶 旧金山 西雅图 san_francisco seattle",
    "America/Toronto": "多伦多",
    "America/Vancouver": "温哥华",
    "Australia/Sydney": "悉尼",
    "Australia/Melbourne": "墨尔本",
}
"""Places that have no zone of their own name, and how Chinese calls the large ones."""

_HOURS = re.compile(r"(?:utc|gmt)?([+-])(\d{1,2})(?::?00)?")


def zone_named(text: str) -> str | None:
    """The tz database's name of it; None when there is none. Reads the disk the first time: not on the loop."""
    word = "_".join(text.replace("−", "-").split()).casefold().strip("。.")
    if word in ("utc", "gmt"):
        return "UTC"
    if found := _HOURS.fullmatch(word):
        east, hours = found[1] == "+", int(found[2])
        if hours > (14 if east else 12):
            return None
        return f"Etc/GMT{'-' if east else '+'}{hours}" if hours else "UTC"  # the database counts westwards
    return _named().get(word)


@cache
def _named() -> dict[str, str]:
    """Every spelling → its zone. A city that two continents share has none of its own."""
    zones = sorted(available_timezones())
    cities: dict[str, list[str]] = {}
    for zone in zones:
        if "/" in zone and not zone.startswith(("Etc/", "SystemV/", "posix", "right")):
            cities.setdefault(zone.rpartition("/")[2].casefold(), []).append(zone)
    named = {city: found[0] for city, found in cities.items() if len(found) == 1}
    named |= {zone.casefold(): zone for zone in zones}
    return named | {city: zone for zone, names in _CITIES.items() for city in names.split()}
