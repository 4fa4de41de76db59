"""From a sentence that was understood to a change in words that stand alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from memory.asides import answers_only, closed, without_upshot
from memory.changes import Instruct, Kind, Learn, Origin, Speaker
from memory.clauses import clauses, sentences
from memory.dates import find_dates
from memory.dating import end_of, recurs
from memory.filing_rules import SCOPE, phrase, read_rule
from memory.offline.cues import corrects, ordered_for_all, orders
from memory.offline.elliptical import in_full, of_oneself
from memory.offline.known_people import known_people, last_named, named_in_full, named_too
from memory.offline.of_the_moment import no_fact
from memory.offline.practised import lacks_subject, practised
from memory.offline.scopes import scope_of
from memory.offline.terms import defined, defined_before, names_before
from memory.offline.understanding import Understanding
from memory.offline.whole import stands_alone
from memory.page import Line
from memory.people import SAID_ZH, introduces_oneself
from memory.phrasing import (
    about_oneself,
    changed,
    fact,
    is_statement,
    of_others,
    spoken_for,
    standing,
    stated,
    trimmed,
    without_questions,
)
from memory.places import kind_of_picture, names_nothing, place, place_named, says_nothing
from memory.speech_acts import back_to, carried_on
from memory.utterance import Utterance
from memory.wording import Language, say
from memory.words import content, covered, has_han, squeeze

_RECENT = 3  # utterances of the person in which "it" and "them" are looked up


def drafted(
    found: Understanding,
    utterance: Utterance,
    earlier: Sequence[Utterance],
    language: Language,
    lines: Sequence[tuple[str, Line]] = (),
    kind: str = "",
    whole: str = "",
) -> Instruct | Learn | None:
    """The change that a sentence asks for; None where it cannot stand alone.

    Args:
        utterance: the person's message, or the part of it that is read by itself.
        earlier: what was said before it, for "it", "them" and "she".
        lines: all live lines, for whose name it is.
        kind: the kind of picture that was spoken of before it.
        whole: the message, where `utterance` is a part: its sentence may say until when a rule holds.
    """
    if term := defined(utterance.text) if found.label in ("rule", "change") and found.of != "fact" else None:
        return Instruct(standing(term.line(language), utterance.at, language))
    if names_before(utterance.text):
        meant = defined_before(utterance.text, "\n".join(said.text for said in _own(earlier)[-1:]))
        return Instruct(standing(meant.line(language), utterance.at, language)) if meant else None
    kept = _CUT_OFF.sub("", found.keep or utterance.text)
    is_fact = found.label.startswith("fact") or found.of == "fact"
    if is_fact:
        kept = carried_on(utterance.text, kept, language)
    kept = without_the_rest(without_questions(kept))
    around = _sentence(utterance.text, kept)
    until = end_of(around, utterance.at, implied=not is_fact)
    if until is None and whole and not is_fact:
        until = end_of(_sentence(whole, kept), utterance.at, implied=True)
    if found.files:
        return _filed(found, utterance, earlier, language, until=until, before=kind)
    if not is_fact and len(sentences(kept)) < 2:
        kept = changed(kept, language)
    if not is_fact and not is_statement(trimmed(kept, language)):
        scope = scope_of(around, language)
        if ordered := ordered_for_all(kept):
            scope, kept = ordered[0], f"For all {ordered[0]}, {ordered[1]}"
        rule = standing(kept, utterance.at, language)
        if not any(map(str.isalpha, rule)) or not content(rule) or answers_only(kept, language):
            return None
        return Instruct(in_full(rule, language), scope, until)
    return _fact(found, utterance, earlier, language, lines, kept, until)


_CUT_OFF = re.compile(r"^(?:now )?on\b[,:]? (?=\w)", re.I)  # the end of "from now on"


_THE_REST = re.compile(  # that nothing else is ruled: 别的资料集不用管, "the rest stays as it is"
    r"[，,；;]\s*(?:其他|其它|别的|其余|平时|另外的?)[^，,。；;]{0,10}"
    r"(?:不用管|不管|不用|照旧|不变|随便|随意|正常|照常|原样)[^，,。；;]{0,4}\W*$"
    r"|[,;]\s*(?:and |but )?(?:the rest|everything else|anything else|elsewhere|others?|all other \w+)[^,;.]{0,20}\b"
    r"(?:stays?|as (?:is|before|usual|it is|they are)|normal|whatever|same|don['’]?t care|doesn['’]?t matter|fine)\b"
    r"[^,;.]{0,12}\W*$",
    re.I,
)


def without_the_rest(kept: str) -> str:
    """Without the words that nothing else is ruled."""
    return _THE_REST.sub("", kept)


def _fact(
    found: Understanding,
    utterance: Utterance,
    earlier: Sequence[Utterance],
    language: Language,
    lines: Sequence[tuple[str, Line]],
    kept: str,
    until: date | None,
) -> Learn | None:
    """The fact that the kept words state; None where they state none, or lean on somebody who was not named."""
    named = "\n".join([*(said.text for said in _own(earlier)), utterance.text.split(kept)[0]])
    people = known_people(lines, f"{named}\n{utterance.text}")
    known = last_named([each for each in people if each.name.casefold() in named.casefold()], named)
    kept = _ANSWERED.sub("", kept)
    states = _from_the_subject(stated(kept, language), language)
    named = f"{named}{kept[: max(0, kept.find(states))]}"  # 给我爸用的，他耳背: whose it is may stand in what was cut
    states = _put_right(states, language) if found.label == "change" or corrects(kept) else states
    told = spoken_for(states, named, language, known.phrase if known else "")
    told = _as_it_is_now(told, language) if told else told
    told = named_in_full(without_upshot(told, language), people, language) if told else told
    told = f"my {told[0].lower()}{told[1:]}" if told and _OF_ONES_BODY.match(told) else told
    told = practised(utterance.text, language) or (f"I {told}" if told and lacks_subject(told) else told)
    unclear = found.level == "ask" and found.label == "fact_self"
    ordered = not found.asked and orders(trimmed(told or "", language))  # an order tells nothing of anybody
    if not told or ordered or no_fact(kept) or (unclear and not about_oneself(told, language)):
        return None
    if name := introduces_oneself(utterance.text):
        told = f"my name is {name}"
    told = _FOR_WHAT.sub(lambda m: f"{closed(m['rest'].rstrip(' .!'))} {m['what']}", told)
    listed = of_oneself(utterance.text, language)
    others = not listed and of_others(trimmed(told, language))
    text = listed or fact(told, utterance.at, language, about_self=not others)
    says_nothing_of = not any(map(str.isalpha, told)) or _OF_YOU.match(told)  # "10", "you may as well"
    if says_nothing_of or not stands_alone(text, language, asked=found.asked):
        return None
    days = (
        []
        if until or recurs(told)
        else [each for each in find_dates(text, utterance.at) if each.unit == "day"]
    )
    on_a_day = bool(days)
    if len(days) == 1 and days[0].first >= utterance.at.date() and _AT_AN_HOUR.search(text):
        until = days[0].last + timedelta(days=1)  # an appointment: the day after it may still be spoken of
    origin = Origin.EXPLICIT if found.asked else Origin.LEARNED
    topic = say(language, "others" if others else "about_me")
    return Learn(text, topic, Kind.EPISODIC if on_a_day else Kind.PERSONA, origin=origin, until=until)


_AT_AN_HOUR = re.compile(
    r"\d{1,2}[:：]\d{2}|(?<![有早晚快慢差大小多少])[\d一二三四五六七八九十两]{1,3}\s*点(?![儿心])|\b\d{1,2}\s*(?:am|pm)\b"
    r"|\bat (?:noon|midday|\d{1,2}(?=\s*(?:$|[.,;!?]|(?:on|for|with|sharp|today|tonight|tomorrow|this|next)\b)))",
    re.I,
)
_SUBJECT_EN = re.compile(r"^(?:and |but |so |because |cos |as )?(?:i|i['’]\w+|my|we|our)\b", re.I)
_ANSWERED = re.compile(  # a word that answers, before the statement: "no I left the library"
    r"^\W*(?:no|nope|nah|yes|yeah|yep|yup)\b[\s,.!]*(?=(?:i|i['’]\w+|my|we|he|she|they|it)\b)"
    r"|^(?:不是的?|不|没有?|嗯|对|是的?)[，,。！\s]+(?=我|他|她|咱)",
    re.I,
)
_OF_ONES_BODY = re.compile(
    r"(?:(?:left|right|bad|both) )?(?:hands?|knees?|legs?|arms?|feet|foot|eyes?|ears?|hips?|back|neck|shoulders?|"
    r"wrists?|hearing|eyesight|sight|balance|grip)\b",
    re.I,
)
_OF_YOU = re.compile(r"you\b|你(?!们)", re.I)
_SHORT = 4  # words, or twice as many Han characters, of a clause that states nothing


def _from_the_subject(told: str, language: Language) -> str:
    """Without a few words before the statement: "no good for me, I'm coeliac"."""
    parts = clauses(told)
    if len(parts) < 2 or language == "zh":
        return told
    first, second = parts[0].text, parts[1].text
    short = len(first.split()) <= _SHORT and not _SUBJECT_EN.match(first.strip())
    return told[parts[1].start :] if short and _SUBJECT_EN.match(second.strip()) else told


_FOR_WHAT = re.compile(  # "for my thesis I'm growing moss": what is done it for comes after it
    r"^(?:(?:ok|so|and|well)\W+)*(?P<what>for (?:my|our) [\w'’ -]{2,40}?),? "
    r"(?P<rest>(?:i['’]?m|i|i['’]ve|we|we['’]re) .+)$",
    re.I,
)


def _put_right(told: str, language: Language) -> str:
    """Of several statements the one that puts something right: "I asked and Ida is 9 now"."""
    if language == "zh":
        pieces = [piece for piece in _PIECE_ZH.split(told) if piece.strip()]
    else:
        pieces = [piece for piece in _PIECE_EN.split(told) if piece.strip()]
    right = [piece.strip(" ，,。") for piece in pieces if _SO_NOW.search(piece)]
    return right[0] if len(right) == 1 < len(pieces) else told


_SO_NOW = re.compile(
    r"[级岁班任]了|啦|现在|改[成到为]|换[了成到]|搬[到去]|升[到了]|\b(?:now|these days|moved|switched|actually|"
    r"instead)\b",
    re.I,
)
_PIECE_ZH = re.compile(r"[，；,;]\s*")
_PIECE_EN = re.compile(  # where another subject follows
    r"(?:,|;|\s[—–-]|\s+and)\s+(?=(?:i|he|she|they|we)(?:['’]\w+)?\s|(?:my|our|the) \w+|[A-Z][\w'’-]+ (?:is|was|"
    r"has|lives|works)\b)",
    re.I,
)


_NOT_THAT = re.compile(r"(?:,\s*(?:and )?not|，(?:而)?不是)\s*[^,，.。]{1,20}(?=[.。!！]?\s*$)", re.I)
_IN_FACT = re.compile(r"\b(is|are|was|has|['’]s) (?:actually|really|in fact) ", re.I)


def _as_it_is_now(told: str, language: Language) -> str:
    """Without what no longer is so; whom it is about stays (我女儿早不是三年级了，升四年级了 → 我女儿升四年级了)."""
    told = _IN_FACT.sub(r"\1 ", _NOT_THAT.sub("", told))
    left = changed(told, language)
    whose = SAID_ZH.match(told) if language == "zh" and left != told else None
    return f"{whose[0]}{left}" if whose and not _SUBJECT_ZH.match(left) else left


_SUBJECT_ZH = re.compile(r"我|咱|俺|他|她|它")
_WHOSE_ZH = re.compile(
    r"^用户(?:们|他们)?的?[^，。在]{1,6}?(?=在|是|住|叫|有|上|读|学|养|每|对|不|喜|爱|今|已|打|正|没|开|做|，)"
)
_SOMEBODY_ZH = re.compile(r"用户|^(?:他|她|它)|^[A-Z]")


def of_the_same(text: str, held: str) -> str:
    """A text with whom the line that gives way to it is about: a name, a Chinese subject left out (升高中了)."""
    text = named_too(text, held)
    whose = _WHOSE_ZH.match(held)
    return f"{whose[0]}{text}" if whose and has_han(text) and not _SOMEBODY_ZH.search(text) else text


def with_more(held: str, text: str) -> str:
    """A line that says something besides, as one line; the new words alone where they say what it says."""
    if covered(content(held), content(text)) >= _SAID_AGAIN:
        return text
    held = held.rstrip("。. ")
    if has_han(held):
        return f"{held}，{_USER_ZH.sub('', text)}"
    return f"{held}; {text[:1].lower() if _COMMON_EN.match(text) else text[:1]}{text[1:]}"


_SAID_AGAIN = 0.6  # share of a line's matter from which a text says all of it
_USER_ZH = re.compile(r"^用户(?!的)")
_COMMON_EN = re.compile(r"(?:The|My|Our|His|Her|Their|Its?|An?|He|She|They|This|That)\b")


def _filed(
    found: Understanding,
    utterance: Utterance,
    earlier: Sequence[Utterance],
    language: Language,
    *,
    until: date | None,
    before: str,
) -> Instruct | None:
    where = place(found.where)
    if names_nothing(where):
        where = place_named("\n".join([*(said.text for said in _own(earlier)[-1:]), utterance.text]))
    if not has_han(utterance.text.replace(where, " ")):
        language = "en"  # an English sentence with a Chinese name in it
    what = kind_of_picture(found.what, utterance.text, language)
    if _NOT_THERE.match(utterance.text.strip()):
        return None  # "not in Photos, …": where they do not go is no rule of its own
    if says_nothing(found.what) or says_nothing(what):
        what = before  # "no, back to Bills after all"
    if not what or not where:
        return None
    return Instruct(phrase(what, where, language), SCOPE[language], until)


def narrowed(change: Instruct, words: str, language: Language) -> Instruct:
    """A rule that would take in all pictures where some were meant, with all that the words say of which."""
    loose = read_rule(trimmed(words, language), SCOPE[language])
    rule = read_rule(change.text, change.when)
    what = kind_of_picture(loose.what, words, language) if loose else ""
    return replace(change, text=phrase(what, rule.where, language)) if what and rule else change


_NOT_THERE = re.compile(
    r"^(?:别|不要|不用|甭)再?(?:放|归|存|丢|扔|搁|收)|^(?:and )?(?:not|never) (?:in|into|under)\b", re.I
)


def put_back(
    utterance: Utterance, earlier: Sequence[Utterance], kind: str, language: Language
) -> Instruct | None:
    """A change of mind that names the place only ("no, back to Bills after all"): of what, was said just before."""
    where = place(back_to(utterance.text, language))
    if not where or not any(squeeze(where) in squeeze(each.text) for each in earlier[-2 * _RECENT :]):
        return None  # the place was spoken of before, or it is none: "back to work"
    return Instruct(phrase(kind, where, language), SCOPE[language]) if kind else None


def _own(earlier: Sequence[Utterance]) -> list[Utterance]:
    """The person's last utterances."""
    return [utterance for utterance in earlier if utterance.role is Speaker.PERSON][-_RECENT:]


def _sentence(text: str, kept: str) -> str:
    """The whole sentences that the kept part lies in."""
    start = max(text.find(kept), 0)
    held = [part.text for part in sentences(text) if part.start < start + len(kept) and start < part.end]
    return " ".join(held) or kept
