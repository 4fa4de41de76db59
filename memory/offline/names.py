"""Names in full, of categories and kinds of pictures: the tagger is sure of a word or two, form of where they end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.offline.tokens import Token, quoted, shape

_MOST = 8  # tokens by which a name is grown to the left
_PLACED_EN = re.compile(r"to|in|into|under|as|inside|within|on|at|with|called|named|>|→|⇒|➜|:|：|=", re.I)
_PLACED_ZH = "到进入在去为成至归放存"  # before a name that stands apart: 放进 旅行 Travel
_TAIL_ZH = re.compile(
    r"(?:[这那]?个?(?:分类|类别|类目|文件夹|相册|目录|栏目?|类)|里面?|里头|下面?|那边|那里|那儿|中|去|就行|就好|"
    r"就可以|即可|好了|"
    r"可以|谢谢|以后|统一|吧|了|哈|哦|啊|呀|哟)*$"
)
_NO_NAME_ZH = re.compile(
    r"[别不没再也就放归存收搁给把我你他她吗呢]|都[是要用]|将|要是|如果|还有|以后|方便|[省免]得|[的地得]$"
)
_WORD = 2  # characters of Han that it may have left off a kind of picture
_REST = 3  # characters of Han that the tagger may have left off a name
_PARTICLES = "吧了哈哦啊呀哟"
_SIGNS = "-_&/.+#@·"
_NAME = ("han", "Cap", "digit")


def whole_name(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """(first, last) token of the name that tokens `first` to `last` are a part of."""
    shapes = [shape(token.text) for token in tokens]
    marks = quoted([token.text.lower() for token in tokens])
    if marks[first] or marks[last]:  # what stands in quotation marks is one name
        first = last = first if marks[first] else last
        while first and marks[first - 1]:
            first -= 1
        while last + 1 < len(tokens) and marks[last + 1]:
            last += 1
    elif shapes[first] in _NAME and (opening := _opening(tokens, shapes, first)) is not None:
        first = opening
        if _PLACED_EN.fullmatch(tokens[first - 1].text):
            last = _end(tokens, shapes, last)
    if shapes[last] in _NAME and not marks[last]:
        last = _rest(tokens, shapes, first, last)
    if not marks[first] and shapes[last] in ("Cap", "digit"):
        while last + 1 < len(tokens) and shapes[last + 1] in ("Cap", "digit") and last - first < 5:
            last += 1
        while first > 1 and shapes[first - 1] == "Cap" and last - first < 5:
            first -= 1
    while first and _glued(tokens, first - 1, first):
        first -= 1
    while last + 1 < len(tokens) and _glued(tokens, last, last + 1):
        last += 1
    return first, last


_LEADS = re.compile(
    r"^(?:以后|今后|往后|所有|全部|任何|一切|凡是?|如果|要是|只要|每次|看到|遇到|碰到|收到|这些|那些|这种|那种|"
    r"帮我|还有|对了|另外|其他|我|你|再|也|都|请|那|嗯|诶)+"
)
_APART_ZH = "把将给凡是有种个张些的在到和跟与、"  # what stands before a kind and is no part of it
_SEEN = re.compile(r"[拍截发传存放收看见说改移归要会]")
_SHOWN = ("截图", "照片", "图片", "相片", "截屏")


def whole_kind(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """(first, last) token of the kind of picture that tokens `first` to `last` are a part of: [外卖]订单[截图].

    Grown to the left by a word at most, and only where what would be taken in opens its clause.
    """
    shapes = [shape(token.text) for token in tokens]
    if shapes[first] == "han":
        start = first
        while start and shapes[start - 1] == "han" and tokens[start - 1].end == tokens[start].start:
            if tokens[start - 1].text in _APART_ZH:
                break
            start -= 1
        before = "".join(token.text for token in tokens[start:first])
        lead = _LEADS.match(before)
        rest = before[lead.end() :] if lead else before
        if 0 < len(rest) <= _WORD and not _SEEN.search(rest):
            first -= len(rest)
    if shapes[last] == "han":
        after = "".join(token.text for token in tokens[last + 1 : last + 3])
        last += 2 if after in _SHOWN else 0
    return first, last


def _opening(tokens: Sequence[Token], shapes: Sequence[str], first: int) -> int | None:
    """Where the name begins: right after the word that puts something there; None where no such word is near.

    In a Chinese sentence the name must stand apart from that word, for Han has no spaces.
    """
    for i in range(first, max(0, first - _MOST), -1):
        before = tokens[i - 1]
        if _PLACED_EN.fullmatch(before.text):
            return i
        if before.text in _PLACED_ZH and before.end < tokens[i].start:
            return i
        if shapes[i - 1] not in _NAME and before.text not in _SIGNS:
            return None
    return None


def _end(tokens: Sequence[Token], shapes: Sequence[str], last: int) -> int:
    """Where a name ends in an English sentence: at the first word that is neither Han nor capital nor number.

    Two runs of Han with a space between are a name and what follows it.
    """
    while last + 1 < len(tokens):
        after = tokens[last + 1]
        sign = after.text in _SIGNS and _glued(tokens, last, last + 1)
        apart = tokens[last].end < after.start and shapes[last] == shapes[last + 1] == "han"
        if apart or not (sign or shapes[last + 1] in _NAME):
            break
        last += 1
    while tokens[last].text in _PARTICLES and last and shapes[last - 1] == "han":
        last -= 1
    return last


def _rest(tokens: Sequence[Token], shapes: Sequence[str], first: int, last: int) -> int:
    """Where a Chinese name ends that follows 放到 and closes its clause: 代码|片段, but not 健康|那个分类."""
    if first == 0 or tokens[first - 1].text not in _PLACED_ZH:
        return last
    end = last
    latin = shapes[last] != "han"  # 放到 Code 片段: the rest may stand apart
    while (
        end + 1 < len(tokens)
        and shapes[end + 1] == "han"
        and (tokens[end].end == tokens[end + 1].start or (latin and end == last))
    ):
        end += 1
    after = "".join(token.text for token in tokens[last + 1 : end + 1])
    tail = _TAIL_ZH.search(after)
    left = after[: tail.start()] if tail else after
    closes = end + 1 == len(tokens) or shapes[end + 1] == "sign"
    return last + len(left) if closes and len(left) <= _REST and not _NO_NAME_ZH.search(left) else last


def _glued(tokens: Sequence[Token], left: int, right: int) -> bool:
    """Whether two neighbours are one name: dev-notes, api_docs, R&D, 2026/27."""
    a, b = tokens[left], tokens[right]
    if a.end != b.start:
        return False
    return (a.text in _SIGNS and b.text[0].isalnum()) or (
        b.text in _SIGNS and a.text[-1].isalnum() and _goes_on(tokens, right)
    )


def _goes_on(tokens: Sequence[Token], sign: int) -> bool:
    after = sign + 1
    return after < len(tokens) and tokens[after].start == tokens[sign].end and tokens[after].text[0].isalnum()
