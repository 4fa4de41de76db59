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


_MATERIAL = re.compile(  # what a text, list or form is to be made of: "as a checklist: gas off, …", 写个简介：住在…
    r"^\W*(?:(?:please|pls|can you|could you|ok|so|now|and)\W+)*(?:correct|check|fix|make (?:me )?(?:an?|this|"
    r"the)|turn|write|"
    r"(?:put|get) (?:this|these|it)|list|draft|compose|format|arrange|rewrite|as an?|for an?|"
    r"here['’]?s|here is)\b"
    r"[^.:!?\n]{0,60}:\s"
    r"|^\W*(?:请|麻烦|帮\S{0,5}|给\S{0,5}|把\S{0,5}|再)?(?:写|填|列|弄|排|编|拟|做|起草|"
    r"改写)(?:一?[个份段篇首张条句]|进|成|下)"
    r"[^：:。！？]{0,12}[：:]",
    re.I,
)
_STANDING = re.compile(
    r"以后|每次|一律|凡是|记住|规矩|规则|\b(?:memory|record|down|always|never|from now|every|remember|note|rule|"
    r"going forward)\b",
    re.I,
)


def _made_of(text: str, kept: str) -> bool:
    """Whether what would be kept, or what lies in it, stands under such a heading."""
    found = _MATERIAL.match(text)
    if found is None or _STANDING.search(found[0]):
        return False
    at = text.find(kept)
    return at < 0 or at + len(kept) > found.end()


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
        or _made_of(text, kept)
        or (inside[:1] in '「『“"' and inside[-1:] in '」』”"')
    )
