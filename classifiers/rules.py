"""Read the standing instructions that speak of filing pictures: which pictures (`what`) go where (`where`).

The lines come from `core()`, one a line, as memory writes them (代码截图归档到「代码笔记」 · File code
screenshots under "Code notes") or as the person typed them. Whether a rule fits a picture is decided in
`classifiers.obeying`; this file only reads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from classifiers.kinds import HAN, fold, mentions, plain
from classifiers.leaving import left_out
from classifiers.sending import sends_to_a_name
from classifiers.topics import topics_in


@dataclass(frozen=True, slots=True)
class Rule:
    """One standing instruction about filing."""

    line: str  # as the person's line reads, without its number
    id: str  # "r7"; "" when the line has none
    what: str  # which pictures, in the line's words; "" = all
    where: str  # the category's name
    order: int  # place among the lines: a later one is newer
    forbids: bool = False  # "never file … under where"
    negated: bool = False  # everything *but* `what`
    unless: str = ""  # pictures meant by `what` that the line excepts ("receipts except taxi rides")
    unfiled: bool = False  # they go to no category; `where` says nothing


PICTURE = re.compile(
    r"截图|截屏|图片|照片|相片|图像|拍的|拍照|存图|归档|归类|[图照]|"
    r"\b(?:screen ?shots?|pictures?|photos?|images?|pics?|snaps?|snapshots?|scans?|fil(?:e|ed|ing)|archive)\b",
    re.IGNORECASE,
)
_OTHER_WORK = re.compile(
    r"回复|回答|写|邮件|聊天时|提醒|翻译|总结|日程安排|\b(?:repl|answer|writ|email|remind|translat|summar)",
    re.IGNORECASE,
)

_NAME = r"(?P<id>[A-Za-z0-9][A-Za-z0-9-]{0,31})"  # of a line, as long as memory takes one that a person typed
_ID = re.compile(rf"^\s*(?:[-*•]|\d{{1,3}}[.)、])?\s*(?:\[{_NAME}\])?\s*(?:[-*•])?\s*")
_ANCHOR = re.compile(rf"\s\^{_NAME}\s*$")
_SCOPE = re.compile(r"[(（](when|until|何时|直到)\s*[:：]\s*([^)）]*)[)）]", re.IGNORECASE)

_QUOTED = r"[「『“\"‘'《【](?P<{n}>[^」』”\"’'》】]{{1,60}})[」』”\"’'》】]"
_ZH_VERB = (
    r"(?:归档|归类|归入|归进|归到|归在|归为|存档|存放|存入|存进|存到|存在|保存|收录|收纳|收进|收入|收到|收在|"
    r"放到|放进|放入|放在|放去|丢到|丢进|扔到|扔进|塞进|分到|分类|分入|分进|划到|划入|移到|移动|挪到|整理|算作|算进|"
    r"归|存(?![款折])|放(?![假学疗射])|丢|扔|收(?![据入款货银支件藏费纳养割听拾获])|算(?![法术式]))"
    r"(?:到|进|入|在|为|至|成|作|去)*"
)
_ZH_END = r"(?:这?个?(?:分类|类别|文件夹|目录|相册|类)|里面?|下面?|中|去|吧|就行|即可|好了|了)*"
_EN_VERB = r"(?:files?|puts?|saves?|sorts?|stores?|archives?|moves?|keeps?|drops?|place|add|throw|stick|send|collect)"
_EN_PAST = (
    r"(?:goes|go|belongs?|lives?|is|are|gets?|end up|land|filed|stored|saved|put|kept|sorted|moved|archived|"
    r"placed|to|be|should|must|shall|will|always|all|also|now|in future|please)"
)
_EN_INTO = r"(?:in|into|under|to|as|inside|within)"
_EN_END = r"(?:\s+(?:category|folder|album|drawer|section|please|instead|from now on|too))*"
_ARROW = re.compile(r"^(?P<what>.+?)\s*(?:→|->|=>|⇒|➜|——>|：|:)\s*(?P<where>[^→:：]{1,60}?)\s*[。.]?$")

# As memory writes them: nothing in `what` may pass for the verb (放假的图归档到「度假」).
_WRITTEN = (
    re.compile(r"^(?:把|将)?(?P<what>[^「」，,；;]{1,80}?)归档到「(?P<q>[^「」]{1,60})」$"),
    re.compile(r"^File (?P<what>.{1,120}?) under [\"“](?P<q>[^\"“”]{1,60})[\"”]$"),
)
_ZH = re.compile(
    rf"(?P<what>.*?)(?P<verb>{_ZH_VERB})\s*(?:{_QUOTED.format(n='q')}|(?P<where>[^，,。；;]{{1,30}}))"
)
_ZH_REVERSED = re.compile(
    rf"(?:把)?{_QUOTED.format(n='q')}{_ZH_END}(?:只|专门|专|用来|拿来|都|里|是)*(?:放|存|收|装|归档)(?P<what>[^，,。；;]{{2,40}})"
)
_EN_IF = re.compile(
    rf"^(?:if|when(?:ever)?|for|every time)\s+(?P<what>.+?),?\s+(?:then\s+)?(?:please\s+|always\s+|you should\s+)*"
    rf"{_EN_VERB}\s+(?:it|them|that|this|those|these)\s+{_EN_INTO}\s+(?:{_QUOTED.format(n='q')}|(?P<where>.{{1,60}}))",
    re.IGNORECASE,
)
_EN_DO = re.compile(
    rf"\b(?P<verb>{_EN_VERB})\s+(?P<what>.+?)\s+{_EN_INTO}\s+(?:{_QUOTED.format(n='q')}|(?P<where>[^,;]{{1,60}}))$",
    re.IGNORECASE,
)
_EN_GO = re.compile(
    rf"^(?P<what>.+?)\s+(?P<verb>(?:{_EN_PAST}\s+)+)(?:with|{_EN_INTO})\s+(?:{_QUOTED.format(n='q')}|(?P<where>[^,;]{{1,60}}))$",
    re.IGNORECASE,
)
_EN_USE = re.compile(
    rf"\buse\s+(?:the\s+)?(?:{_QUOTED.format(n='q')}|(?P<where>.{{1,40}}?))(?:\s+(?:category|folder|album))?\s+for\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"(?:不要|别(?![人的墅])|不准|不得|禁止|不能|不该|不应|请勿|不(?=[再把放归存进往用许]|$))\s*(?:再|把)?\S{0,12}$|"
    r"\b(?:never|don'?t|do not|not|no longer)\b",
    re.IGNORECASE,
)
_MORE = re.compile(r"[；;]|[,，]\s*(?:不|别|而|but|not)", re.IGNORECASE)
_FILED = re.compile(r"->|→|=>|⇒|➜|归[到入进在为]|[「『《【“\"]|\bbelongs?\b", re.IGNORECASE)
_BUT = (
    re.compile(
        r"(?:除了?|除开|除去|不是|非|不(?:包)?[括含]|不算)(?P<but>[^，,()（）]+?)"
        r"(?:(?:以外|之外|外)的?|的(?=所有|其[他余它]|全部|截图|图)|(?=[，,)）]|$))"
    ),
    re.compile(
        r"\b(?:except(?:ing)?(?: for)?|excluding|other than|apart from|but not|not including|"
        r"(?:that|which) (?:is|are)(?: not|n'?t))\b\s*(?P<but>[^,()]+)",
        re.IGNORECASE,
    ),
)
_TAIL = re.compile(
    r"(?:\s*[,，(（]\s*|\s+)(?:但|不过)?(?:除了|不包括|不含|不算|\bexcept(?:ing)?(?: for)?\b|\bexcluding\b|"
    r"\bapart from\b|\bother than\b)\s*(?P<but>[^，,;；「“\"]+?)(?:以外|之外|除外|外)?[)）]?$|"
    r"[,，]\s*(?P<zh>[^，,「“\"]{1,20}?)(?:的)?除外$",
    re.IGNORECASE,
)


def scoped_to_pictures(line: str) -> bool:
    """Whether a line says of itself that it is about the filing of pictures."""
    return any(
        PICTURE.search(words) for key, words in _SCOPE.findall(line) if key.lower() in ("when", "何时")
    )


def read_rules(core: str, categories: Sequence[str] = ()) -> list[Rule]:
    """The filing rules among the standing instructions, oldest first. `categories`: names that exist."""
    rules: list[Rule] = []
    for order, raw in enumerate(core.splitlines()):
        if raw.lstrip().startswith("#") or not raw.strip():
            continue
        rules += _read_line(raw, order, categories)
    return rules


def _read_line(raw: str, order: int, categories: Sequence[str]) -> list[Rule]:
    head = _ID.match(raw)
    line = raw[head.end() :].strip() if head else raw.strip()
    id = (head["id"] if head else None) or ""
    if anchor := _ANCHOR.search(line):
        id, line = id or anchor["id"], line[: anchor.start()].strip()
    scopes = {key.lower(): words for key, words in _SCOPE.findall(line)}
    text, excepted = _tail(_ABOUT.sub("about", _SCOPE.sub("", line)).strip(" 。.!！"))
    scope = scopes.get("when", scopes.get("何时", ""))
    about_pictures = bool(PICTURE.search(scope))
    if scope and not about_pictures:
        return []
    rules, text = _unfiled(Rule(line, id, "", "", order, unless=excepted, unfiled=True), text, about_pictures)
    for what, where, forbids in _clauses(text):
        place = known_place(where, categories)
        speaks = about_pictures or _is_filing(text, what, place)
        if speaks and (place or where) and not re.match(r"^\d", where):
            bare, unless = _but(_at_start(what, text))
            unless = " / ".join(each for each in (unless, excepted) if each)
            if unless and not _content(bare):
                rules.append(Rule(line, id, unless, place or where, order, forbids, negated=True))
            else:
                rules.append(Rule(line, id, bare, place or where, order, forbids, unless=unless))
    return rules


def _unfiled(rule: Rule, text: str, about_pictures: bool) -> tuple[list[Rule], str]:
    """(`rule` for each kind of picture that the words want in no category, the words without those)."""
    found, rest = [], []
    for piece in [text] if left_out(text) else re.split(r"(?<=[；;，,。])\s*", text):
        what = left_out(piece.strip(" ；;，,。"))
        if what is None or not (about_pictures or PICTURE.search(piece) or kinds_in(what)):
            rest.append(piece)
            continue
        bare, unless = _but(_at_start(what, piece))
        unless = " / ".join(each for each in (unless, rule.unless) if each)
        if not _content(bare) and unless:
            found.append(replace(rule, what=unless, unless="", negated=True))
        else:
            found.append(replace(rule, what=bare, unless=unless))
    return found, " ".join(rest) if found else text


def _is_filing(text: str, what: str, place: str | None) -> bool:
    """Whether a line without a scope speaks of filing pictures and not of other work."""
    if PICTURE.search(text):
        return True
    if _OTHER_WORK.search(text) or place is not None:
        return place is not None and not _OTHER_WORK.search(text)
    named = bool(kinds_in(what) or topics_in(plain(what)))
    return named and (_FILED.search(text) is not None or sends_to_a_name(text))


def _clauses(text: str) -> list[tuple[str, str, bool]]:
    """(what, where, forbids) for each thing a line says; later clauses without a `what` keep the first's."""
    found: list[tuple[str, str, bool]] = []
    whole = match_one(text)
    several = [
        hit for piece in re.split(r"[；;，,。]\s*", text) if (hit := match_one(piece)) and _content(hit[0])
    ]
    pieces = [text] if whole and not whole[2] and len(several) < 2 and not _MORE.search(text) else []
    for piece in pieces or re.split(r"[；;，,]\s*|\s+but\s+", text):
        if (hit := match_one(piece)) is None:
            continue
        what, where, forbids = hit
        if not _content(what) and found:
            what = found[0][0]
        found.append((what, where, forbids))
    if not found and whole:
        found.append(whole)
    return found


def match_one(text: str) -> tuple[str, str, bool] | None:
    """(what, where, forbids) of the one thing that some words say about filing."""
    text = text.strip()
    for pattern in (*_WRITTEN, _EN_IF, _EN_USE, _EN_DO, _EN_GO, _ZH_REVERSED, _ZH, _ARROW):
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        quoted = groups.get("q")
        where = quoted or place_of(groups.get("where") or "")
        if not where:
            continue
        before = (
            text[: match.start()] + (groups["what"] or "") if pattern is _ZH else text[: match.start("what")]
        )
        forbids = bool(_NEVER.search(before if pattern is not _EN_GO else match["verb"]))
        what = groups["what"].strip(" ，,：:、的")
        if forbids and pattern is _ZH:
            what = re.sub(r"(?:不要|别|不准|不得|禁止|不能|不该|不应|请勿)(?:再)?", "", what)
        return what, where, forbids
    return None


def place_of(words: str) -> str:
    """A category's name out of unquoted words at the end of a rule."""
    words = re.sub(
        r"^(?:(?:the|my|a|an|other|our)\s+|到|进|在|我的|这个)+", "", words.strip(" 。.!！"), flags=re.I
    )
    words = re.sub(r"\s+(?:stuff|things|ones|pile|pictures|screenshots)$", "", words, flags=re.I)
    words = re.sub(rf"{_EN_END}$", "", words, flags=re.IGNORECASE)
    return re.sub(rf"{_ZH_END}$", "", words).strip(" 。.!！「」\"'")


_AFTER_NAME = re.compile(
    r"(?:那里|那边|这里|这边|那个|里面|里|中|下|吧|了|分类|类别|文件夹|category|folder|album|please)*"
)


def known_place(where: str, categories: Sequence[str]) -> str | None:
    """The existing category that `where` is, to the letter; "代码" is not where 代码笔记 was asked for."""
    wanted = fold(where)
    for name in sorted(categories, key=len, reverse=True):
        if wanted.startswith(fold(name)) and _AFTER_NAME.fullmatch(wanted[len(fold(name)) :]):
            return name
    return None


def _tail(text: str) -> tuple[str, str]:
    """(the line without it, what it excepts at its end): 小票归到「家用」，打车的除外."""
    match = _TAIL.search(text)
    if match is None or (match_one(text[: match.start()]) or left_out(text[: match.start()])) is None:
        return text, ""
    return text[: match.start()].rstrip(), (match["but"] or match["zh"]).strip()


def _at_start(what: str, text: str) -> str:
    """A capital that only begins the line is no name ("Train tickets go …"); "File Uber receipts …" has one."""
    return what[:1].lower() + what[1:] if text.startswith(what) and not what[:2].isupper() else what


def _but(what: str) -> tuple[str, str]:
    """(which pictures, but not which): "receipts except taxi rides" is both, "everything but code" the second."""
    for pattern in _BUT:
        if (match := pattern.search(what)) is not None:
            rest = (what[: match.start()] + " " + what[match.end() :]).strip(" ，,()（）的")
            return rest, match["but"].strip()
    return what, ""


_FILLER = re.compile(
    r"如果|要是|假如|凡是|只要|当|所有|一切|全部|任何|以后|今后|从现在起|看到|遇到|收到|有关|关于|跟|相关|之类|一类|这类|那类|"
    r"这种|那种|这些|那些|内容|类型|看起来|像是|里面|包含|含有|带有|带|出现|提到|写着|属于|是|的话|的时候|时候|时|给它|它|"
    r"我|你|发|给|请|一律|统一|统统|都|就|把|将|应该|应|要|全|截图|截屏|截的|图片|图像|照片|相片|拍的|图|照|的|了|和|或者|或|与|以及|及|、|，|"
    r"其他|其它|其余|剩下|各种|各类|各式|各样|别人?|另外|类|这|那",
)
_FILLER_EN = re.compile(
    r"\b(?:if|when(?:ever)?|for|every|any|all|each|anything|everything|things?|stuff|ones?|some|of|with|from|that|which|"
    r"is|are|was|a|an|the|my|me|i|you|send|sent|take|took|taken|shows?|showing|contains?|containing|about|mentions?|"
    r"mentioning|looks?|like|has|have|having|in|it|its|on|and|or|related|relating|to|kinds?|sorts?|types?|new|please|"
    r"always|screen ?shots?|pictures?|photos?|images?|pics?|snaps?|shots?|scans?|"
    r"should|other|else|rest|they|them|at|by|to|there|'s)\b",
    re.IGNORECASE,
)


_NO_NAMES = {
    "app",
    "apps",
    "pdf",
    "ppt",
    "word",
    "web",
    "png",
    "jpg",
    "ui",
    "pc",
    "id",
    "ids",
    "ios",
    "tv",
    "i",
}
_ABOUT = re.compile(r"\b(?:(?:has|have|having)\s+)?(?:(?:any|some)thing\s+)?to do with\b", re.IGNORECASE)


def kinds_in(what: str) -> list[str]:
    """The kinds of picture that a condition names."""
    bare = re.sub(r"截图|截屏|图片|screen ?shots?|pictures?|images?", " ", plain(what))
    found = list(dict.fromkeys(mention.kind for mention in mentions(bare)))
    others = [kind for kind in found if kind != "photo"]
    return others or found


def words_in(what: str) -> tuple[list[str], list[str]]:
    """(names, words) that a condition says beyond naming kinds.

    Names (quoted, capitalised, Latin among Chinese) must stand in a picture's text; words say what it is like.
    """
    quoted = re.findall(r"[「『“\"'《]([^」』”\"'》]{1,40})[」』”\"'》]", what)
    text = re.sub(r"[「『“\"'《].*?[」』”\"'》]", lambda match: " " * len(match[0]), what)
    capital = {plain(word) for word in re.findall(r"\b[A-Z][\w.+#-]*", text.strip())}
    if HAN.search(what):
        capital |= {plain(word) for word in re.findall(r"[A-Za-z][A-Za-z0-9.+#-]+", text)}
    capital -= _NO_NAMES
    text = plain(text)
    for mention in reversed(mentions(text)):
        text = text[: mention.start] + " " + text[mention.end :]
    text = _FILLER_EN.sub(" ", _FILLER.sub(" ", text))
    rest = [
        word
        for word in re.split(r"[\s，。、；;:：!?()（）]+", text)
        if len(word.strip("._-'")) > 1 or HAN.fullmatch(word)
    ]
    return [*quoted, *[word for word in rest if word in capital]], [
        word for word in rest if word not in capital
    ]


def _content(what: str) -> bool:
    return bool(kinds_in(what) or topics_in(plain(what)) or any(words_in(what)))


def covers_all(rule: Rule) -> bool:
    """Whether the rule is about every picture ("所有截图", "everything else")."""
    return not rule.negated and not _content(rule.what)
