"""Where a rule applies, read from its own words: a kind of text, a collection, a project.

A short list on purpose: a scope that is missed leaves a rule that names its matter anyway; a scope that is made up
would silence a rule.
"""

from __future__ import annotations

import re

from memory.offline.occasions import on_occasion
from memory.wording import Language

_GENRES_ZH = (
    "会议纪要|工作总结|年终总结|周报|日报|月报|季报|年报|述职报告|调研报告|实验报告|报告|邮件|简历|"
    "合同|公告|通知|标书|方案|论文|"
    "推文|公众号文章|朋友圈文案|文案|提交信息|代码注释|病历|教案|作文|请假条|发言稿|新闻稿|读书笔记|"
    "菜谱|翻译稿"
)
_GENRES_EN = (
    "commit messages?|status reports?|weekly reports?|monthly reports?|progress reports?|lab reports?|"
    "expense reports?|reports?|"
    "cover letters?|letters?|work emails?|emails?|meeting notes|minutes|newsletters?|press releases?|"
    "blog posts?|tweets|"
    "captions|invoices|essays|abstracts|pull requests?|code reviews?|code comments|lesson plans?|"
    "recipes|summaries"
)
_WRITE_ZH = re.compile(rf"(?:写|回|发|出|改|起草|拟|做)(?:的|给\S{{1,4}}的)?(?P<genre>{_GENRES_ZH})")
_LEAD_ZH = re.compile(
    rf"^(?:所有|凡是|每[份封篇次]|我的|以后的?|今后的?|给\S{{1,6}}的)?(?P<genre>{_GENRES_ZH})(?!归)"
)
_NAMED_ZH = re.compile(
    r"[“「『\"](?P<one>[^”」』\"]{1,30})[”」』\"](?:这个|这|的)?(?P<kind>资料集|文集|知识库|项目)|"
    r"(?P<kind2>资料集|文集|知识库|"
    r"项目)[“「『\"](?P<two>[^”」』\"]{1,30})[”」』\"]"
)
_ASKING_EN = re.compile(
    r"\b(?:when|whenever|if|any ?time) i(?:['’]m)? (?:ask|asking)(?: you)? (?:about|"
    r"for help with) (?P<matter>[\w+# -]{2,30}?)(?=[,;:]|$)",
    re.I,
)
_GENRE_EN = re.compile(rf"\b(?P<genre>{_GENRES_EN})\b", re.I)
_IN_EVERY_EN = re.compile(
    r"\b(?:in|for|on) (?:every|each|all|any)(?: of)?(?: (?:my|our|the|your))? (?P<one>[\w' -]{3,30}?)"
    r"(?=,| (?:you|that|i|we|put|write|use|add|keep|give|start|begin|end|leave|make|"
    r"always|never|don['’]?t|please|has|have|the|a)\b)",
    re.I,
)
_PROJECT_ZH = re.compile(
    r"(?:^|[，。！？\s])(?:在|凡是)?(?P<one>[^，。！？\s“”「」的]{1,8})项目(?:里|中|上|的)"
)
_NAMED_EN = re.compile(
    r"\b(?:in|for|on|within) (?:the |my |our )?[“\"]?(?P<one>[\w -]{2,30}?)[”\"]? (?P<kind>collection|"
    r"project)\b"
    r"|\b(?P<kind2>collection|project) [“\"](?P<two>[^”\"]{2,30})[”\"]",
    re.I,
)


_ANY_ZH = ("这个", "那个", "该", "本", "每个", "所有", "各", "新", "大", "小", "我们", "我", "整个", "个")


def scope_of(text: str, language: Language) -> str | None:
    """The scope of a rule in plain words, or None = everywhere."""
    if found := (_NAMED_ZH if language == "zh" else _NAMED_EN).search(text):
        kind, name = found["kind"] or found["kind2"], found["one"] or found["two"]
        return f"{kind}「{name}」" if language == "zh" else f"{kind.lower()} {name.strip()}"
    return _scope_zh(text) if language == "zh" else _scope_en(text)


def _scope_zh(text: str) -> str | None:
    if (project := _PROJECT_ZH.search(text)) and project["one"] not in _ANY_ZH:
        return f"项目「{project['one']}」"
    if on_occasion(text, "zh"):
        return None  # the occasion is in its words: 我发论文链接的时候 is no writing of papers
    said = _WRITE_ZH.search(text) or _LEAD_ZH.search(text)
    return f"写{said['genre']}" if said else None


def _scope_en(text: str) -> str | None:
    if found := _ASKING_EN.search(text):
        return f"about {found['matter'].strip()}"
    if on_occasion(text, "en"):
        return None
    if found := _IN_EVERY_EN.search(text):
        return found["one"].strip().lower()
    genres = {found["genre"].lower() for found in _GENRE_EN.finditer(text)}
    return genres.pop() if len(genres) == 1 else None
