"""How people ask about their pictures: where one lies and why, what came lately, which one shows something, what one
says. Told by how the words are put, in both languages; what the words ask *for* is left to whoever looks.
"""

from __future__ import annotations

import re

from classifiers.kinds import mentions

_PICTURE = r"(?:截图|截屏|图片|照片|相片|(?<!地)图|照)"
_PICTURE_EN = r"(?:screen ?shot|picture|photo|image|pic|snap|scan|shot)s?"
_NAMED = (  # one picture, called a picture
    rf"(?:这|那|刚才?|刚刚|方才|上|前|最后|我发|发你)(?:发|存|传|给你)*(?:的|一|那|这|几)*(?:[张幅份]|个{_PICTURE}|{_PICTURE})|"
    rf"(?:图|照片|截图)[里上中]|\b(?:this|that|the)(?: last| latest| first)? {_PICTURE_EN}\b(?! of| about| with| from)"
)
_POINTS = re.compile(  # at one picture, without saying what it shows
    rf"{_NAMED}|(?:它|这个|那个|这上面|那上面|上面|上边|这里面|这里|那里|这儿|那儿)|这是(?=什么|谁|哪|啥)|"
    r"\b(?:it|this|that|these|those|them|(?:the )?one)\b",
    re.IGNORECASE,
)
_NAMES_ONE = re.compile(_NAMED, re.IGNORECASE)
_FILED = re.compile(
    r"[归放存分搁丢收塞挪移扔](?:档|类|[到在进入了成好])?|分类|类别|文件夹|目录|那[里儿边]|这[里儿边]|"
    r"\b(?:put|fil(?:e|ed|ing)|sort(?:ed)?|mov(?:e|ed)|stor(?:e|ed)|sav(?:e|ed)|keep|kept|end(?:ed)? up|go|went|"
    r"category|folder|album|there|here|in|under|land(?:ed)?|archived?)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"为什么|为啥|为何|凭什么|怎么(?:会|就|又|给|把|归|放|存|分|跑|到|在)|咋(?:会|就|给|把|归|放|存|跑|到|在)|"
    r"\bwhy\b|\bhow come\b|\bwhat made you\b|\bfor what reason\b",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"(?:[归放存分搁丢收塞挪移扔跑去](?:档|类)?[到在进]?了?|在|进了?)(?:哪|什么地方|什么(?:分类|类别|文件夹))|"
    r"(?:哪个|什么)(?:分类|类别|文件夹|目录)|"
    r"\bwhere (?:did|have|do) (?:you|it|that|this)\b|"
    rf"\bwhere(?:[’']s| is| was| are) (?:it|this|that|the (?:last |latest )?{_PICTURE_EN})\b|"
    r"\b(?:which|what) (?:category|folder|album)\b",
    re.IGNORECASE,
)
_LATELY = re.compile(
    r"最近|近来|近期|刚才|刚刚|这几天|新近|一共|总共|多少[张幅]|几[张幅]图|哪些图|"
    r"\b(?:lately|recent(?:ly)?|latest|newest|last few|so far|how many|in total|just now)\b",
    re.IGNORECASE,
)
_SENT = re.compile(
    rf"[存归收发传]|{_PICTURE}|\b(?:fil(?:e|ed)|sav(?:e|ed)|stor(?:e|ed)|sen[dt]|archived?|{_PICTURE_EN})\b",
    re.IGNORECASE,
)
_FIND = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|给我|你|能不能|可以|再|快)*"
    r"(?:找(?:一?[下找]|出来?|到|给我|个|张)?|搜(?:一?[下搜]|索)?|翻(?:一?[下翻]|出来?)|"
    r"查(?:一?[下查])|看(?:一?[下看])|调出来?|发一?下)(?:我|那|这|之前|上次|存|的|张|个|给)*(?=.)|"
    r"(?:在哪[里儿]?|哪去了|去哪了|找出来|呢)[?？。]?$|"
    r"^(?:please |can you |could you |can i |let me |let[’']s )*"
    r"(?:find|look (?:for|up)|search (?:for)?|show|see|pull up|bring up|"
    r"get|dig (?:up|out)|where(?:[’']s| is| are| was| did))\b",
    re.IGNORECASE,
)
_SEEK = (
    re.compile(  # an order to look something up that is not yet a request for advice ("find me a …", 找个…)
        r"^(?:请|麻烦|帮我|帮忙|给我)*(?:找(?:一下|找)?|搜(?:一下|搜|索)?)(?![个家点些人到出])|"
        r"^(?:please )?(?:find|search(?: for)?|look (?:for|up)) (?!.*\b(?:web|internet|online)\b)"
        r"(?!out\b|me\b|us\b|a\b|an\b|some\b|another\b|ways?\b)",
        re.IGNORECASE,
    )
)
FEW = 3  # words after which it is more than a name that is looked for
_FRAME = re.compile(
    rf"{_PICTURE}|最近|近来|近期|刚才|刚刚|这几天|一共|总共|多少|几|哪些|哪[里儿张]?|什么|啥|有没有|没有|有|了|过|"
    r"吗|呢|吧|啊|的|"
    r"我|你|您|帮忙?|给|请|麻烦|找|搜索?|翻|查|看|调|出来|一下|下|那|这|之前|上次|以前|都|张|幅|个|些|能不能|可以|"
    r"再|在|到(?![期账达货])|去(?!年)|把|"
    r"[归存]档|归类|归|存(?![款折储])|收(?![据入支款货])|发(?![票货])|传(?!真)|来(?!往)|里(?!程)",
    re.IGNORECASE,
)
_FRAME_EN = re.compile(
    rf"\b(?:{_PICTURE_EN}|lately|recent(?:ly)?|latest|newest|last|few|so far|just now|how many|in total|please|"
    r"can|could|would|will|let|lets|find|look(?:ing)?|search|show|see|pull|bring|get|dig|up|out|for|where|what|which|who|"
    r"when|did|do|does|have|has|had|is|are|was|were|there|any|all|the|a|an|i|you|me|my|your|we|us|of|to|in|from|with|"
    r"about|that|this|these|those|it|ones?|filed?|filing|saved?|save|sent|send|stored?|archived?|go|went|gone|some|things?|new|"
    r"again|ever|been|lot|many|recently)\b|[’']s\b",
    re.IGNORECASE,
)
_LIKE = re.compile(
    r"(?:和|跟|与|像|同).{0,12}(?:相似|类似|相近|长得像)|(?:相似|类似)的|"
    r"\b(?:similar|alike|resembl\w+|look(?:s|ing)? like|(?:pictures?|photos?|images?|screenshots?|ones?|more) like)\b",
    re.IGNORECASE,
)
_ONE = re.compile(rf"[#＃]\s*\d+|第\s*\d+\s*张|{_PICTURE}|\b(?:{_PICTURE_EN}|number|no\.?)\b", re.IGNORECASE)
_SEE = re.compile(
    r"给我看|看看|看一[下眼]|发(?:给)?我(?!的)|发出来|调出来|拿出来|\b(?:show|send|let) (?:me|us)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\W+", re.UNICODE)


def points_at_one(words: str) -> bool:
    """Whether they point at a picture without saying which: this one, it, 刚才那张."""
    return _POINTS.search(words) is not None


def names_one(words: str) -> bool:
    """Whether they speak of one picture in so many words, and so may mean it after other talk: 这张, the picture."""
    return _NAMES_ONE.search(words) is not None


def asks_where_it_lies(words: str) -> bool:
    """Whether they ask where a picture was put, or why there, and not about pictures of a kind in general."""
    if _WHY.search(words):
        return _FILED.search(words) is not None and points_at_one(words)
    return _WHERE.search(words) is not None and not mentions(words) and points_at_one(words)


def asks_why_of_a_kind(words: str) -> bool:
    """Whether they ask why pictures of some kind lie where they lie."""
    return _WHY.search(words) is not None and _FILED.search(words) is not None and bool(mentions(words))


def asks_for_like(words: str) -> bool:
    """Whether they ask for pictures that are like one: 和 #3 类似的图, "similar to this one"."""
    return _LIKE.search(words) is not None and _ONE.search(words) is not None


def asks_to_see(words: str) -> bool:
    """Whether they want to look at pictures, not only to hear of them."""
    return _SEE.search(words) is not None


def asks_what_came(words: str) -> bool:
    """Whether they ask which pictures there are, of late or at all, whatever these show."""
    late = _LATELY.search(words) is not None and _SENT.search(words) is not None
    return late and not sought(words) and not asks_where_it_lies(words)


def looks_for_one(words: str) -> bool:
    """Whether they want a picture of some kind brought out."""
    return _FIND.search(words.strip()) is not None and bool(mentions(words))


def seeks(words: str) -> bool:
    """Whether they are nothing but an order to find a thing by its name: 搜 retry, "find grocery"."""
    return _SEEK.match(words.strip()) is not None and 0 < len(sought(words).split()) <= FEW


def sought(words: str) -> str:
    """What is looked for, in the words of a request for pictures: nothing but the words of asking are left out."""
    bare = _FRAME_EN.sub(" ", _FRAME.sub(" ", words))
    return " ".join(part for part in _ASKED.split(bare) if part)
