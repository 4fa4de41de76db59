"""A bare line that sends a kind of thing to a place with a name: "Train tickets go to Trips", 登机牌放到旅途.

Nothing in it speaks of pictures and the category may not exist yet, so the whole line must have that form, and its end
must be able to be a name: no "my calendar", no language, no day, no part of a text.
"""

from __future__ import annotations

import re

_NO_NAME_EN = (
    r"(?!(?:the|a|an|my|your|our|his|her|their|this|that|these|those|it|them|me|you|us|mind|order|place|bed|hell|"
    r"work|school|town|front|general|advance|answers?|repl(?:y|ies)|emails?|charts?|brackets|caps|capitals|bold|italics|"
    r"english|chinese|mandarin|french|german|spanish|japanese|korean|russian|italian|portuguese|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|today|tomorrow|tonight)\b)"
)
_GO_EN = re.compile(
    r"^(?!(?:i|we|you|he|she|they)\b)(?:all |any |every |the |my |our |new )*[\w&' /-]{2,50}? "
    r"(?:(?:should |must |can |will |always |all |also )*(?:go|goes|belong|belongs|live|lives|land|lands|end up)|"
    r"(?:are|is|get|should be|must be) (?:filed|stored|saved|kept|put|sorted|archived)) "
    rf"(?:in|into|under|to|inside|with) {_NO_NAME_EN}(?:[\w&'/+#.-]+ ?){{1,4}}[.!]?$",
    re.I,
)
_PUT_EN = re.compile(
    r"^(?i:(?:please |always )*(?:put|file|save|store|keep|archive|stick|drop) (?:all |any |every |the |my |our |new )*"
    rf"[\w&' /-]{{2,50}}? (?:in|into|under|to) {_NO_NAME_EN})(?=[A-Z\u3400-\u9fff])(?:[\w&'/+#.-]+ ?){{1,4}}[.!]?$"
)
_PUT_ZH = re.compile(
    r"^(?:请|以后|凡是|所有|把|将)*(?![我你他她])[^，,。；;]{1,20}?(?:以后|今后|都|全|一律|统一|统统|请|就|应该|要)*"
    r"[放存归收丢](?:到|进|入|在)\s*"
    r"(?![这那我你他她它])(?!\S*(?:代码块|开头|结尾|末尾|文末|句[首尾]|最[前后]|[前后]面|括号|附件|正文|标题|脚注|表格|"
    r"回答|回复|第.[行段页句]|心[里上]|一[起边]|桌|抽屉))[^，,。；;]{1,12}[。！!]?$"
)


def sends_to_a_name(text: str) -> bool:
    """Whether all of a line says that something goes to a place that can be a category's name."""
    text = text.strip()
    return any(pattern.match(text) for pattern in (_GO_EN, _PUT_EN, _PUT_ZH))
