"""Scopes of case files (`genre:周报`) ⇄ scopes as they stand in a line (`when: 写周报`).

A line's scope is plain words, so the way back forgives how they are put: the verb, the quotes, the plural.
"""

from __future__ import annotations

import re
import unicodedata

from memory.filing_rules import SCOPE

GLOBAL = "global"
_FORM = re.compile(r"^\s*(genre|project|collection)\s*[:：]\s*(.+?)\s*$", re.I | re.S)
_QUOTES = "“”\"'‘’「」『』《》〈〉"
_EVERYWHERE = re.compile(
    r"^(?:everywhere|always|global(?:ly)?|all|任何时候|所有(?:时候|场合)|全局|处处)$", re.I
)

_COLLECTION = re.compile(
    r"^(?:资料集|文集|知识库)\s*[「『“\"](?P<one>.+?)[」』”\"]|^(?P<two>.+?)\s*(?:这个)?(?:资料集|文集|知识库)(?:里面?|中|内)?$|"
    r"^(?:the )?collection (?P<three>.+)$|^(?P<four>.+?) collection$",
    re.I,
)
_PROJECT = re.compile(
    r"^(?:项目)\s*[「『“\"](?P<one>.+?)[」』”\"]|^(?P<two>.+?)\s*(?:这个)?项目(?:里面?|中|内|上)?$|"
    r"^(?:the )?project (?P<three>.+)$|^(?P<four>.+?) project$",
    re.I,
)
_AROUND_ZH = re.compile(
    r"^(?:在|关于|涉及|处理|整理|使用|写|起草|撰写|编写|生成|准备|用于)+(?=..)|"
    r"(?<=..)(?:里面|里头|之中|当中|里|中|时候|时|的时候|的|相关|方面|范围)+$"
)
_AROUND_EN = re.compile(
    r"^(?:(?:when|while|if|for|in|on|about|within|inside|with|to|only|i|you|we|is|are|it|am|asked|"
    r"writ(?:e|es|ing)|draft(?:s|ing)?|prepar(?:e|es|ing)|mak(?:e|es|ing)|creat(?:e|es|ing)|"
    r"compos(?:e|es|ing)|produc(?:e|es|ing)|work(?:s|ing)?|do(?:es|ing)?|answer(?:s|ing)?|"
    r"reply(?:ing)?|replies|send(?:s|ing)?|edit(?:s|ing)?|generat(?:e|es|ing)|"
    r"a|an|the|any|all|every|each|my|your|our|their|me|us)\s+)+",
    re.I,
)


def to_when(scope: str | None) -> str | None:
    """A case's scope as the words of a line; None = everywhere."""
    if not scope or _plain(scope).lower().startswith(GLOBAL):
        return None
    found = _FORM.match(scope)
    if not found:
        return scope.strip()
    kind, name = found[1].lower(), found[2]
    if kind == "genre":
        return name
    return f"{_noun(kind, name)}「{name}」" if _is_han(name) else f"{_noun(kind, name)} {name}"


def from_when(when: str | None) -> str:
    """The words of a line as a case's scope."""
    words = _plain(when or "")
    if not words or _EVERYWHERE.match(words) or words in SCOPE.values():
        return GLOBAL
    if found := _FORM.match(words):
        return f"{found[1].lower()}:{_named(found[2])}"
    for kind, form in (("collection", _COLLECTION), ("project", _PROJECT)):
        found = form.match(_AROUND_EN.sub("", words))
        name = _named(next(filter(None, found.groups()))) if found else ""
        if name:
            return f"{kind}:{name}"
    return f"genre:{_singular(_named(words)) or words}"


def same_scope(one: str, other: str) -> bool:
    """Whether two scopes in the form of case files mean the same place."""
    return _key(one) == _key(other)


def _key(scope: str) -> str:
    found = _FORM.match(scope)
    if not found:
        return _plain(scope).casefold() or GLOBAL
    return f"{found[1].lower()}:{_singular(_named(found[2])).casefold()}"


def _noun(kind: str, name: str) -> str:
    zh, en = {"project": ("项目", "project"), "collection": ("资料集", "collection")}[kind]
    return zh if _is_han(name) else en


def _is_han(text: str) -> bool:
    return re.search(r"[\u3400-\u9fff]", text) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _unquoted(text: str) -> str:
    return text.translate({ord(quote): " " for quote in _QUOTES})


def _named(text: str) -> str:
    """What is named, without the words around it."""
    words = _plain(_unquoted(text)).strip(" :：,，.。")
    while True:
        bare = _AROUND_EN.sub("", _AROUND_ZH.sub("", words) if _is_han(words) else words).strip(" :：,，.。")
        if not bare or bare == words:
            return words
        words = bare


def _singular(text: str) -> str:
    """A plural's last word in the singular: "status reports" and "status report" are one genre."""
    if not re.search(r"[A-Za-z]$", text):
        return text
    if re.search(r"(?:ss|us|is|news|series)$", text, re.I):
        return text
    if re.search(r"[^aeiou]ies$", text, re.I):
        return text[:-3] + "y"
    if re.search(r"(?:ches|shes|sses|xes|zes)$", text, re.I):
        return text[:-2]
    return text[:-1] if re.search(r"[A-Za-z]{2}s$", text) else text
