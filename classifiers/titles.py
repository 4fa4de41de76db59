"""A title, one sentence and a few tags in the picture's own words, with no model."""

from __future__ import annotations

import re

from classifiers.categories import EMOJI, clean_words
from classifiers.kinds import HAN, load
from classifiers.types import Case, Language

LONGEST_TITLE = 40
LOOKED_AT = 25  # lines from the top among which a heading is sought

_DEFINITIONS = (
    re.compile(r"\b(?:class|interface|struct|enum|trait)\s+([A-Za-z_]\w+)"),
    re.compile(r"\bfunc\s*\([^)\n]*\)\s*([A-Za-z_]\w+)\s*\("),  # a method in Go
    re.compile(r"\b(?:def|func|fn|function|sub)\s+([A-Za-z_]\w+)\s*[(<]"),
    re.compile(
        r"\b([\w-]+\.(?:py|js|ts|tsx|jsx|java|go|rs|c|cpp|cs|rb|php|sh|sql|ya?ml|toml|vue|kt|swift|ipynb))\b"
    ),
    re.compile(r"\bCREATE TABLE\s+(\w+)", re.IGNORECASE),
)
_FAILURE = re.compile(
    r"(?:\b[\w.]*(?:Error|Exception|Panic|Warning)\b.{0,60}|错误[:：].{2,40}|.{0,20}(?:失败|无法|异常).{0,20})"
)
_NOISE = re.compile(
    r"^(?:[\d\s:./%\-+,|·•<>…×xX—_()\[\]{}]*|\d{1,2}:\d{2}.*|.*\d{1,3}%$|https?://\S+|www\.\S+|"
    r"(?:返回|取消|确定|完成|编辑|分享|更多|搜索|发送|关闭|保存|登录|注册|首页|我的|消息|微信|设置|4G|5G|"
    r"用料|食材|配料|原料|步骤|做法|方法|目录|正文|摘要|"
    r"ingredients?|method|directions|instructions|steps?|notes?|contents|summary|total|subtotal|"
    r"back|cancel|ok|done|edit|share|more|search|send|close|save|menu|home|file|view|help|login|sign in|reply))$",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"[{};=<>()\[\]]{2,}|^\s*(?:import|from|#include|using|package|return|if|for|while|const|let|var)\b|[;{}]$"
)
_LANGUAGES = (
    ("Python", re.compile(r"\bdef \w+\(|\bimport \w+|\bself\.|\.py\b|Traceback")),
    ("JavaScript", re.compile(r"\bconst \w+|=>|\bconsole\.log|\.jsx?\b|\brequire\(")),
    ("TypeScript", re.compile(r"\.tsx?\b|: (?:string|number|boolean)\b|\binterface \w+ \{")),
    ("Rust", re.compile(r"\bfn \w+|\blet mut |\bimpl \w+|\.rs\b|\bpub fn")),
    ("Go", re.compile(r"\bfunc \w*\(|\bpackage \w+|:= |\.go\b")),
    ("Java", re.compile(r"\bpublic (?:class|static|void)|\.java\b|System\.out")),
    ("C/C++", re.compile(r"#include|\bstd::|\bprintf\(|\.cpp\b")),
    ("SQL", re.compile(r"\bSELECT\b.+\bFROM\b|\bINSERT INTO\b|\bCREATE TABLE\b", re.IGNORECASE | re.DOTALL)),
)


def title_of(case: Case, kind: str) -> str:
    """A readable title of at most 40 characters: the text's best line, or what the person said, or its kind."""
    lines = [_tidy(line) for line in case.reading.text.splitlines()[: LOOKED_AT * 2]]
    found = ""
    if kind == "code":
        found = _definition(case.reading.text)
    elif kind == "error":
        found = _failure(lines)
    elif kind == "chat":  # who it is with stands on top
        found = next((line for line in lines[:3] if _worth(line) > 0), "")
    elif kind in ("table", "schedule", "chart"):
        found = _columns(lines)
    found = found or _heading(lines)
    if not found or (len(case.reading.text) < 4 and case.caption):
        found = case.caption.strip().splitlines()[0] if case.caption.strip() else found
    return clean_title(found) or _bare(case, kind)


def clean_title(words: str) -> str:
    """One line, no Markdown, no emoji, nothing a file name cannot hold, cut at a word's end."""
    words = re.sub(
        r"^#{1,6}\s+|!?\[([^\]]*)\]\([^)]*\)|\*\*|__|~~|`", lambda match: match[1] or "", words.strip()
    )
    words = clean_words(" ".join(words.split()), longest=400)
    if len(words) <= LONGEST_TITLE:
        return _closed(words)
    cut = words[:LONGEST_TITLE]
    if not HAN.search(cut[-8:]) and " " in cut[20:]:
        cut = cut[: cut.rindex(" ")]
    return _closed(cut.rstrip(" ,，。.、:：;；-—(（[【"))


def _closed(words: str) -> str:
    """With the bracket that trimming took off its end; what is opened at the very end goes."""
    for opening, closing in ("（）", "()", "【】", "《》", "「」"):
        if words.count(opening) > words.count(closing):
            inside = words[words.rindex(opening) + 1 :]
            words = words + closing if len(inside) > 1 else words[: words.rindex(opening)].rstrip()
    return words


def summary_of(case: Case, kind: str, title: str) -> str:
    """One sentence: what it is, and how it begins."""
    name = load()[kind].name(case.language) if kind in load() else ""
    lines = [
        line for line in map(_tidy, case.reading.text.splitlines()) if _worth(line) > 0 and line != title
    ]
    said = "；".join(lines[:2]) if case.language == "zh" else "; ".join(lines[:2])
    said = said[:120].rstrip()
    if case.language == "zh":
        return (
            f"{name}：{title}。{said}"
            if said
            else (f"{name}，图中没有读到文字。" if not case.reading.text else f"{name}：{title}。")
        )
    return (
        f"{name}: {title}. {said}"
        if said
        else (f"{name}; no text was found in it." if not case.reading.text else f"{name}: {title}.")
    )


def tags_of(case: Case, kind: str) -> tuple[str, ...]:
    """At most three: the kind, and for code its language."""
    tags = [load()[kind].name(case.language)] if kind in load() else []
    if kind in ("code", "error"):
        tags += [name for name, pattern in _LANGUAGES if pattern.search(case.reading.text)][:2]
    return tuple(tags[:3])


def _definition(text: str) -> str:
    names = [match[1] for pattern in _DEFINITIONS if (match := pattern.search(text))]
    if not names:
        return ""
    file = next((name for name in names if "." in name), "")
    first = next((name for name in names if name != file), "")
    return f"{file} · {first}" if file and first else file or first


def _failure(lines: list[str]) -> str:
    for line in reversed(lines):  # the last line of a stack says what went wrong
        if match := _FAILURE.search(line):
            return match[0].strip()
    return ""


def _columns(lines: list[str]) -> str:
    """The first cells of a table that has no heading: "Month, Revenue, Costs"; "" where the top line says enough."""
    cells = [line for line in lines[:4] if line]
    if len(cells) < 3 or any(len(cell) * (2.2 if HAN.search(cell) else 1.0) > 14 for cell in cells[:3]):
        return ""
    return ("、" if HAN.search("".join(cells)) else ", ").join(cells[:3])


_FURNITURE = re.compile(  # what an app or a form shows whatever it is about: itself, its address, heads of columns
    r"(?:https?://)?[\w-]+(?:\.[\w-]+)+/?|"
    r"(?:微信|支付宝?|携程|美团|淘宝|京东|拼多多|饿了么|去哪儿|高德|百度|滴滴|钉钉|飞书|小红书|下厨房|知乎)(?:旅行|支付|地图|外卖|出行|网|APP)?|"
    r"(?:(?:品名|名称|商品|数量|单价|小计|金额|合计|规格|序号|折扣|备注)\s*){1,6}|"
    r"(?:(?:搜索|search)\b.{0,16})|"
    r"(?:账单|订单|物流|商品|行程|交易|支付|预订)(?:详情|信息|成功|明细)|"
    r"(?:(?:qty|item|price|amount|total|subtotal|description|units?|parameter|results?|reference|range|value|test|name|"
    r"date|due|status|type|no\.?|number|id|invoice|order|bill|to|from)\s*){1,6}",
    re.IGNORECASE,
)


_LABEL = re.compile(
    r"[:：]$|^(?:[.…\s]*typing|.{0,12}正在输入)[.…]*$", re.IGNORECASE
)  # of what stands beside it
_ICON = re.compile(  # what OCR makes of a magnifier, a bullet, a formula bar, a cross to close; the number of an item
    r"^(?:[QOX〇]\s+(?=\S{2})|Q(?=[\u3400-\u9fff]{2})|fx\s+(?=\S)|[(（]?\d{1,2}[.、)）]\s*(?=[^\W\d]{2}))|\s*[×✕]$"
)


def _heading(lines: list[str]) -> str:
    depth = max(8, min(LOOKED_AT, len(lines)))  # of a short text, the end is far from the top too
    scored = [
        (_worth(line) * (1.0 - 0.6 * index / depth), -index, line)
        for index, line in enumerate(lines[:LOOKED_AT])
    ]
    best = max(scored, default=(0.0, 0, ""))
    return best[2] if best[0] > 0 else ""


def _worth(line: str) -> float:
    """How much a line looks like a heading: letters, neither a word nor a paragraph, no machine's marks."""
    if _NOISE.match(line) or len(line) < 2:
        return 0.0
    letters = sum(char.isalpha() or char == " " for char in line) / len(line)
    length = len(line) * (2.2 if HAN.search(line) else 1.0)
    size = min(1.0, length / 10) * (1.0 if length <= 60 else 0.6)
    if _LABEL.search(line) or _FURNITURE.fullmatch(line):
        return letters * size * 0.3
    return letters * size * (0.35 if _CODE_LINE.search(line) else 1.0)


def _tidy(line: str) -> str:
    return _ICON.sub("", " ".join(EMOJI.sub("", line).split()).strip("|·•*<>←→-—=~ "))


def _bare(case: Case, kind: str) -> str:
    name = load()[kind].name(case.language) if kind in load() else ""
    taken = case.picture.taken
    when = f" {taken:%Y-%m-%d}" if taken else ""
    fallback: dict[Language, str] = {"zh": "无文字图片", "en": "Picture without text"}
    return f"{name}{when}" if name else f"{fallback[case.language]}{when}"
