"""Texts that are handed over (to be translated, checked, summed up) and are not the person's own words."""

from __future__ import annotations

import re

_HANDED = re.compile(
    r"^(?:\W*(?:请|帮忙|帮我|麻烦|把|给我|这[句段封]话?|下面)*)(?:翻译|译成|翻成|润色|改写|校对|"
    r"仿写|点评|朗读|总结一?下|概括一?下|缩写|解释一?下|转发[:：]|转[:：])"
    r"|^【[^】]{2,20}】|^\W*(?:fwd?|re):|^\W*\[?(?:转发|转)[\]】:：]|^\W*(?:fwd?|forwarded)\b(?: from\b|:)"
    r"|^\W*(?:please |pls |can you |could you |just |ok |quick )*(?:translate|proofread|paraphrase|rewrite|"
    r"rephrase|summari[sz]e|sum up|"
    r"tl;?dr|eli5|condense|shorten|explain)\b",
    re.I,
)
_HANDS_OVER = re.compile(  # a first line that is about the text below it
    r"看(?:一?下|看|一眼)?(?:这|下面)|这[段篇个条封份].{0,8}(?:意思|错|问题|改|翻|总结|概括)|总结|"
    r"概括|翻译|润色|改一?[改下]|转发|\btl;?dr\b|\bsummar|\btranslat|"
    r"\bproofread|\bcheck (?:this|the|my)|\bwhat does (?:this|that|it)|\b(?:look at|read|see|"
    r"got) this\b|\bthoughts\b|[:：]\s*$",
    re.I,
)


def of_others_words(text: str, kept: str) -> bool:
    """Whether what would be kept is handed over as a text (to be translated, forwarded, quoted), not said."""
    at = text.find(kept)
    before, inside = text[: max(at, 0)], kept.strip(" ，。,.!！?？")
    quoted = (
        any(before.count(a) > before.count(b) for a, b in ("「」", "『』", "“”"))
        or before.count('"') % 2 == 1
    )
    below = "\n" in before and _HANDS_OVER.search(text[: text.find("\n")]) is not None
    pasted = before.rpartition("\n")[2].lstrip().startswith((">", "|")) or inside.startswith((">", "|"))
    return (
        quoted
        or below
        or pasted
        or _HANDED.match(text) is not None
        or (inside[:1] in '「『“"' and inside[-1:] in '」』”"')
    )
