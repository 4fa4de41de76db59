"""How English answers claim deeds."""

from __future__ import annotations

import re

from bot.agent.claim import Form, Language
from bot.tools.deeds import Deed

_ADVERB = (
    r"(?:(?:now|just|also|already|gladly|happily|certainly|definitely|gone ahead and|went ahead and|"
    r"go ahead and|"
    r"made sure to|make sure to|be sure to|successfully|quickly|carefully|permanently|then|always|to) )*"
)
_PAST = rf"\bI(?:['’]ve| have| had|['’]ve gone| went)? ?{_ADVERB}"
_WILL = (
    rf"\b(?:I(?:['’]ll| will| shall|['’]m going to| am going to|['’]m about to| promise to)|let me) {_ADVERB}"
)
_DOING = rf"\bI(?:['’]m| am) {_ADVERB}"
_OPEN = (
    r"^(?:(?:ok(?:ay)?|sure|alright|all right|got it|great|perfect|thanks|right|yes|yep|done|"
    r"of course|absolutely|"
    r"understood|all set|no problem|good)[,.!:; –—-]+)*(?:and |now |also |successfully |it['’]s |"
    r"that['’]s |all |duly )*"
)
_IT = (
    r"\b(?:it|that|this|they|those|everything|(?:your|the|that|this|both|all|a|an|these|"
    r"those)(?: [\w’'-]+){0,3} (?:notes?|rules?|preferences?|pictures?|"
    r"photos?|screenshots?|images?|lines?|entr(?:y|ies)|facts?|details?|info|address|name|birthday|"
    r"dates?|changes?|requests?|wish|memory|memories)|#\d+)"
    r"(?:['’]s| is| are|['’]re| has| have| was| were)(?: now| all| been| just| also| already| safely|"
    r" successfully)* "
)
_PIC = r"(?:#\d+|\w*screenshots?|pictures?|photos?|images?|pics?|album)"
_MEM = r"(?:memory|rules?|preferences?|notes?|profile|records?|instructions?)"


_TEXT = re.compile(
    r"\b(?:commas?|sentences?|paragraphs?|wording|repetitions?|bullets?|headings?|punctuation|typos?|"
    r"phrases?|words?)\b",
    re.I,
)


def _form(deed: Deed, *said: str, kept_by: frozenset[Deed] = frozenset(), standing: bool = False) -> Form:
    unless = _TEXT if deed in (Deed.FORGOTTEN, Deed.PICTURE) else None
    return Form(deed, re.compile("|".join(said), re.I), kept_by, standing, unless)


def _verbs(past: str, bare: str, doing: str, after: str = "") -> tuple[str, ...]:
    """A verb in all the ways one claims to have done, to do, or to be about to do something."""
    joined = r"(?:[^,.]{1,50}? and (?:also |then |now )?)?"
    return (
        rf"{_PAST}{joined}(?:{past})\b{after}",
        rf"{_WILL}{joined}(?:{bare})\b{after}",
        rf"{_DOING}{joined}(?:{doing})\b{after}",
        rf"{_OPEN}(?:{past})\b{after}(?=\s*[.!,:;–—-]|\s*$| (?:it|that|this|them|those|both|all|#|the|your|"
        rf"\w+ to|\w+ as)\b)",
        rf"{_OPEN}(?:{doing})\b{after} (?:(?:that|it|this|them)[.!…]*$|(?:that|it|this|them|your|the|"
        rf"#\d)[^.]{{0,40}}?(?:\bnow\b|right away|…|\.\.\.))",
    )


_SAVED = (
    r"saved|stored|noted|recorded|memori[sz]ed|remembered|committed|written|jotted|logged|"
    r"made a note|taken note|took note"
)
_THING = (
    r"(?: (?:down|away|to memory|in memory|as a rule|as your \w+|for you|it|that|this|"
    r"for (?:next time|later|the future)))*"
)
_KEPT = (
    rf"{_PAST}(?:{_SAVED})\b(?! (?:in|on|from|by) (?:the|a) (?:picture|image|file|article|"
    rf"document))(?! that\b.{{0,60}}\bmay\b)",
    rf"{_WILL}(?:save|store|note|record|remember|memori[sz]e|keep (?:that|this|it|"
    rf"your [\w ]{{1,30}}) in mind|keep in mind|"
    r"bear (?:that|this|it) in mind|make (?:a )?note|take note|write (?:that|this|it) down|jot|"
    r"commit)\b(?! to (?:do|be|ask|send|bring|take)\b)",
    rf"{_DOING}(?:saving|storing|noting|recording|memori[sz]ing|remembering|making a note|"
    rf"writing (?:that|this|it) down)\b",
    rf"{_OPEN}(?:saved|stored|noted|recorded|memori[sz]ed|remembered|logged|"
    rf"duly noted)\b{_THING}(?=\s*[.!,:;–—-]|\s*$| (?:that|your|under)\b)",
    rf"{_OPEN}(?:saving|storing|noting|recording|memori[sz]ing)\b (?:that|it|this|your)\b(?=[.!…]*$|"
    rf" (?:down|now|for you))",
    rf"{_IT}(?:{_SAVED}|in (?:my |the |your )?memory|on (?:file|record)|added to (?:my |your |"
    rf"the )?{_MEM})\b(?! (?:in|on|under|at|to) (?:the|your|my|a) (?:file|cloud|disk|phone|folder|"
    rf"server|app|download))",
    rf"{_PAST}(?:added|updated|changed|set|created|put|adjusted|replaced)\b[^,.]{{0,40}}\b(?:to|in|"
    rf"your|a|the|my|that|this)\b[^,.]{{0,12}}\b{_MEM}\b",
    rf"{_WILL}(?:add|update|change|set|create|put|adjust|replace)\b[^,.]{{0,40}}\b{_MEM}\b",
    rf"\b(?:your|the|my|that|this|a new) {_MEM} (?:has been|have been|is now|are now|is|was) (?:now |"
    rf"all )?(?:updated|saved|set|changed|added|in force|in place|created|stored)\b",
    rf"{_OPEN}(?:updated|added|changed|set)\b[^,.]{{0,24}}\b{_MEM}\b",
)

_FORMS = (
    _form(Deed.KEPT, *_KEPT),
    _form(
        Deed.KEPT,
        rf"(?:{_PAST}|{_OPEN})(?:updated|changed|corrected) your (?:[\w’'-]+ ){{0,2}}(?:address|name|"
        rf"birthday|phone|number|"
        r"e-?mail|info|details|profile|job|diet|nickname|settings?)\b",
        kept_by=frozenset({Deed.FORGOTTEN, Deed.UNDONE}),
    ),
    _form(
        Deed.KEPT,
        r"\bI(?:['’]ve| have| now have)(?: now)?(?: got)? [^.,]{1,40}? (?:saved|noted|stored|on file|"
        r"written down|recorded)\b",
    ),
    _form(
        Deed.KEPT,
        r"\b(?:from now on|from here on|going forward|from today|from this point|in (?:the )?future|"
        r"next time|henceforth)\b"
        r"[^.!?]{0,80}?\bI(?:['’]ll| will) (?!(?:do better|try|be more|do my best|be careful|pay|"
        r"double-check|aim|be here|continue)\b)",
        r"\bI(?:['’]ll| will) (?!(?:do better|try|be more|do my best|be careful|pay|double-check|aim|"
        r"be here|continue)\b)[^.!?]{2,80}?"
        r"\b(?:from now on|going forward|from here on|every time|in (?:the )?future|henceforth|"
        r"from today on)\b",
        r"\bI(?:['’]ll| will) (?:make sure to |be sure to )?(?:always|only ever|"
        r"never again) (?!(?:be here|be happy|try|do my best|"
        r"be honest)\b)\w",
        standing=True,
    ),
    _form(
        Deed.FORGOTTEN,
        *_verbs(
            "forgotten|erased|wiped|cleared|deleted|removed|dropped|discarded",
            "forget|erase|wipe|clear|delete|remove|drop|discard|stop remembering",
            "forgetting|erasing|wiping|clearing|deleting|removing|dropping",
            rf"(?![^,.]{{0,24}}\b(?:{_PIC}|reminders?|line of|lines from|the (?:word|sentence|paragraph|"
            rf"comma))\b)",
        ),
        rf"{_IT}(?:forgotten|erased|wiped|deleted|removed|cleared|gone from (?:my |your )?memory)\b",
        r"\b(?:rule|line|fact|entry|memory|note|preference)s? (?:is|are) (?:now |all )?gone\b",
        kept_by=frozenset({Deed.UNDONE, Deed.PICTURE, Deed.KEPT}),
    ),
    _form(
        Deed.PICTURE,
        *_verbs(
            "filed|moved|renamed|archived|re-?filed|relocated|categori[sz]ed|sorted|tagged",
            "file|move|rename|archive|re-?file|relocate|categori[sz]e|sort|tag",
            "filing|moving|renaming|archiving|re-?filing|categori[sz]ing|sorting",
            r"(?! (?:on|forward|past|ahead|out|by)\b)",
        ),
        rf"{_IT}(?:filed|moved|renamed|archived|re-?filed|categori[sz]ed)\b",
        rf"(?:{_PAST}|{_OPEN})(?:deleted|removed|put|saved|stored|added|placed)\b[^,.]{{0,30}}\b{_PIC}\b",
        rf"{_WILL}(?:delete|remove|put|save|place)\b[^,.]{{0,30}}\b{_PIC}\b",
        rf"\b{_PIC}(?:['’]s| is| are) now (?:in|under)\b",
        rf"\b{_PIC}(?:['’]s| is| are| has| have)(?: now| been| all)* (?:deleted|removed|moved|filed|put|"
        rf"renamed)\b",
        kept_by=frozenset({Deed.KEPT, Deed.UNDONE}),
    ),
    _form(
        Deed.UNDONE,
        *_verbs(
            "undone|undid|reverted|restored|rolled (?:(?:it|that|this|them) )?back|reversed|"
            "put (?:it|that|them|everything) back|taken (?:it|that) back|"
            "moved (?:it|that|them) back|brought (?:it|that) back",
            "undo|revert|restore|roll back|put (?:it|that) back|take (?:it|that) back",
            "undoing|reverting|restoring|rolling back",
        ),
        rf"{_IT}(?:undone|reverted|restored|rolled back|back (?:to (?:what|where|how|the way) it was|"
        rf"as it was))\b",
    ),
    _form(
        Deed.SCHEDULED,
        rf"{_WILL}(?:remind|ping|nudge|alert|notify|wake|text|message) you\b",
        r"\byou(?:['’]ll| will) (?:get|receive) a (?:reminder|notification|ping)\b",
        rf"{_WILL}send you a (?:reminder|notification|message|note)\b",
        rf"(?:{_PAST}|{_WILL}|{_DOING}|{_OPEN})(?:set|scheduled|schedule|scheduling|created|create|"
        rf"creating|setting|added|add|adding|put|booked|arranged)"
        r"(?: up)?\b[^.]{0,40}\b(?:reminders?|alarms?|calendar|timers?|event|to-?do|task list|"
        r"appointments?)\b",
        rf"(?:{_PAST}|{_OPEN})scheduled\b",
        r"\b(?:reminder|alarm|timer|event|appointment|task)s?(?:['’]s| is| are| has been|"
        r" have been)?(?: now| all)* (?:set|scheduled|created|added|in place|on your calendar)\b",
    ),
    _form(
        Deed.SENT,
        rf"{_PAST}(?:sent|emailed|e-mailed|messaged|forwarded|texted|replied to|posted|notified|"
        rf"delivered)\b(?! you (?:a|the) (?:list|summary|answer))",
        rf"{_WILL}(?:send|email|e-mail|message|forward|text|post|notify)\b (?!you\b)",
        rf"(?:{_PAST}|{_WILL})let (?!you\b|me\b|it\b|us\b)[\w ]{{1,20}}? know\b",
        rf"{_DOING}(?:sending|emailing|messaging|forwarding|texting|posting)\b",
        rf"{_OPEN}(?:sent|emailed|forwarded|posted|sending (?:it|that|the|this))\b",
        r"\b(?:your|the|that|this) (?:e-?mail|message|text|note|reply|invite|invitation|letter)s?(?:['’]s|"
        r" is| has| was| have| are)"
        r"(?: now| been| just)* (?:sent|delivered|on its way|out)\b",
    ),
    _form(
        Deed.BROWSED,
        rf"(?:{_PAST}|{_WILL}|{_DOING})(?:search(?:ed|ing)?|look(?:ed|ing)?|check(?:ed|ing)?|brows(?:e|ed|"
        rf"ing)|googled?)\b[^.]{{0,30}}"
        r"\b(?:the web|online|the internet|google|their (?:web ?)?site|the (?:official )?(?:web ?)?site|"
        r"wikipedia)\b",
        rf"(?:{_PAST}|{_WILL}|{_DOING})(?:googled?|googling)\b",
    ),
    _form(
        Deed.SEARCHED,
        rf"(?:{_PAST})(?:searched|looked through|looked up|gone through|went through|checked|"
        rf"combed through|dug through|looked in|looked into)\b"
        r"(?![^.]{0,20}\b(?:rules?|instructions)\b)(?= (?:my|your|the|through|for|all|our|in|it|that|up|"
        r"every)\b)",
        r"\bI(?:['’]ve| have)? (?:did|done|ran|run) an? (?:[\w-]+ )?search\b",
        rf"{_WILL}(?:search|look (?:that|it|this|them) up|look (?:through|into|for)|dig through|dig up|"
        rf"check (?:my|your|the)|find (?:it|that|out))\b(?![^.]{{0,12}}\byou (?:can|could)\b)",
        rf"{_DOING}(?:searching|looking (?:through|up|into|for)|digging|checking (?:my|your|"
        rf"the))\b(?! forward)",
        rf"{_OPEN}(?:searching|looking (?:that|it|this) up|checking)\b",
        kept_by=frozenset({Deed.BROWSED}),
    ),
    _form(
        Deed.OUTSIDE,
        rf"(?:{_PAST}|{_OPEN})(?:booked|reserved|ordered|purchased|bought|paid|called|phoned|contacted|"
        rf"submitted|cancel+ed|registered|renewed|signed you up)\b",
        rf"{_WILL}(?:book|reserve|order|purchase|buy|pay|call (?!you (?:by|[A-Z]))|phone|contact|submit|"
        rf"cancel|register|renew|sign you up)\b(?! you\b)",
        rf"{_DOING}(?:booking|ordering|buying|paying|calling|submitting|cancel+ing)\b",
        r"\b(?:your|the) (?:table|flight|hotel|ticket|order|reservation|booking|appointment|room|seat|"
        r"subscription)s?(?:['’]s| is| are| has| have)"
        r"(?: now| been| all)* (?:booked|reserved|ordered|confirmed|placed|paid|cancel+ed)\b",
    ),
    _form(
        Deed.OUTSIDE,
        r"^(?:ok(?:ay)?[,.! ]+|sure[,.! ]+)?(?:all )?(?:done|all set|taken care of|it['’]s done|"
        r"that['’]s done|consider it done)[.! ]*$",
        kept_by=frozenset(Deed),
    ),
)

_ASKS = re.compile(
    r"\?\s*$|\b(?:shall I|should I|do you want|would you like|want me to|can I|may I|could I|I can|"
    r"I could|I might|I may|"
    r"I['’]d (?:be|like|love|need|have|suggest|recommend)|I would|let me know|tell me|just (?:say|"
    r"ask)|happy to|feel free|if you['’]d like)\b"
)
_DOUBTS = re.compile(
    r"\b(?:if|unless|once|whether|suppose|supposing|assuming|as soon as|when(?:ever)? you|until|"
    r"in case|provided|maybe|perhaps|"
    r"probably|might|for example|for instance|e\.g|as if|pretend|imagine|how to|it looks like|"
    r"it seems|apparently|"
    r"I think|I thought|I believe|please|you can|you could|you may|you should|to (?:save|store|move|"
    r"delete|undo|send))\b",
    re.I,
)
_EARLIER = re.compile(
    r"\b(?:earlier|before|last (?:week|time|month|night|year)|yesterday|previously|already|ago|"
    r"back (?:in|then)|at the time|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|this morning|(?:in|on) (?:january|february|march|"
    r"april|may|june|july|august|"
    r"september|october|november|december))\b",
    re.I,
)
_CLAUSES = re.compile(r"\s*[,;:–—]\s+|\s+but\s+|\s+because\s+|\s+so that\s+")
_NOT = re.compile(
    r"\b(?:not|never|nothing|nobody|no|none|cannot|unable|without|failed|couldn|haven|hasn|didn|don|"
    r"doesn|isn|wasn|won|can|wish|"
    r"instead of|rather than|supposed|meant|tried|trying|need|needs|having|hard|how|what|who|which|why)\b",
    re.I,
)
_NOTHING = re.compile(
    r"^\W*(?:\w+['’]?\w* ){1,4}(?:nothing|none|no (?!problem)\w+|neither|what you)\b|^\W*I (?:forget|"
    r"had|remember)\b",
    re.I,
)
_OTHERS = re.compile(
    r"\b(?:you(?!['’]r|r\b)|he|she|they|we|who|someone|somebody|the (?:app|file|system|phone|server|"
    r"article|author|customer|seller|shop|"
    r"store|bank|picture|image|screenshot|page|email|doctor|landlord|company|driver|"
    r"courier)(?! I))\b(?! (?:asked|said|told|wanted|mentioned|sent|gave))",
    re.I,
)
_WORD = re.compile(r"[a-z]+")
_STEMS = tuple(  # how a word begins without which nothing above is found
    _WORD.findall(
        """
        save saving stor note noting record memor rememb commit writ jot log mind file filing refil
        add updat chang set creat put adjust replac correct place force
        from henceforth future next every always only never
        forg eras wip clear delet remov drop discard gone
        move moving renam archiv relocat categor sort tag now
        undo undid undoing revert restor roll revers back took take taken
        remind ping nudg alert notif wake text messag schedul book arrang
        sent send email mail forward repl post deliver know out
        search look check brows googl went comb dug dig find
        order reserv purchas buy bought paid pay call phon contact submit cancel regist renew sign done all
        """
    )
)
_HEADS = frozenset(stem[:3] for stem in _STEMS)


def _may_claim(sentence: str) -> bool:
    """A quick look: most sentences of an answer end here, at a twentieth of what the forms cost."""
    return any(word[:3] in _HEADS and word.startswith(_STEMS) for word in _WORD.findall(sentence.lower()))


def _mine(before: str, said: str) -> bool:
    """Whether the assistant is who did it: not "you saved it", "I have not saved it", "the app has saved it"."""
    if _NOTHING.match(said) or _NOT.search(before):
        return False
    return not _OTHERS.search(before) or bool(re.match(r"I\b", said))


FORMS = Language(_FORMS, _ASKS, _DOUBTS, _EARLIER, _CLAUSES, _mine, _may_claim)
