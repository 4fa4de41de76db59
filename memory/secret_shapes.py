"""Secrets, known by their shape: what is never written, whoever asks.

Words alone prove nothing ("there is no API key in the build" is fine); the value that follows them does.
"""

from __future__ import annotations

import re
import unicodedata

from memory.words import bag

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
    ("key", re.compile(r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]{1,11}[-_]){0,8}[A-Za-z0-9]{12,}")),
    ("key", re.compile(r"\bAIza[A-Za-z0-9_-]{20,}")),
    ("key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("key", re.compile(r"\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|SG\.)[A-Za-z0-9_.-]{16,}")),
    ("token", re.compile(r"\beyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]+){0,2}")),
    ("token", re.compile(r"\bbearer\s+(?=\S*[\d.])[A-Za-z0-9._~+/-]{12,}=*", re.I)),
    ("token", re.compile(r"\b\d{8,10}:[A-Za-z0-9_-]{30,}\b")),  # a Telegram bot's
    (
        "key",
        re.compile(r"(?<![A-Za-z0-9/+_.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{40,}(?![A-Za-z0-9])"),
    ),
    ("password", re.compile(r"\b[a-z][a-z0-9+.-]{0,31}://[^\s/:@]+:[^\s/@]{3,}@", re.I)),
)
# Letters, a digit and a sign in one word is a password, unless it is an address, a link or a price. The sign is looked
# for first, and the rest not far: in a book without a space each character would else be held against all after it.
_MIXED = re.compile(
    r"(?<![\w@#./:$-])(?=[A-Za-z0-9]{2,}[!@#$%^&*])(?=\S{0,128}[A-Za-z])(?=\S{0,128}\d)[A-Za-z0-9]{2,}[!@#$%^&*](?=\d*[A-Za-z!@#$%^&*])[A-Za-z0-9!@#$%^&*]{3,}(?![\w.@/-])",
    re.A,
)
_KEYWORD = re.compile(
    r"(?P<code>验证码|校验码|动态码|取件码|verification code|one[- ]time (?:code|password)|\botp\b|2fa code)"
    r"|(?P<word>密码|口令|暗号|密钥|秘钥|\bpass(?:word|wd|code|phrase)s?\b|\bpwd?\b|\bpw\b|\bpin(?: code| number)?\b"
    r"|\b(?:api|secret|access|private)[ _-]?keys?\b|\bsecret\b|\bcvv2?\b"
    r"|\b(?:alarm|door|gate|safe|lock|locker|padlock|vault|garage|entry|building|house|gym|keypad|security) "
    r"(?:code|combination)\b"
    r"|\baccess token\b|(?:门|锁|报警|保险箱|保险柜)[^，。,.]{0,4}码)",
    re.I | re.A,  # ASCII: a word border also lies between Han and Latin letters
)
# Between the word and its value: "是", ":", "=", "is", "for the shop is" …
_VALUE = re.compile(
    r"^(?P<link>[^\n，。；,;!?！？]{0,24}?(?:是|为|[:：=]|\bis\b|\bare\b|->|→)|[\s「“\"'`(（]*)"
    r"[\s:：=「“\"'`(（]*(?P<value>[!-~]{4,})"
)
_NOT_A_VALUE = bag(
    "required important needed wrong expired stored kept missing never always about with what which when "
    "where still also only just there their they this that these those none null lost safe secret changed "
    "hard easy weak strong long short very going being used using written correct incorrect invalid reset "
    "resets"
)
_DIGITS = re.compile(r"(?<![\d.])\d(?:[ -]?\d){11,22}(?![\d.])")
_IDENTITY = re.compile(r"(?<![0-9A-Za-z])\d{17}[\dXx](?![0-9A-Za-z])")
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def secret_in(text: str) -> str | None:
    """What kind of secret the text holds (a key of `wording`), or None."""
    text = unicodedata.normalize("NFKC", text)
    for kind, shape in _SHAPES:
        if shape.search(text):
            return kind
    if any(len(found) >= 8 for found in _MIXED.findall(text)):
        return "password"
    for found in _KEYWORD.finditer(text):
        value = _VALUE.match(text[found.end() : found.end() + 80])
        if value and (_looks_secret(value["value"], code=bool(found["code"])) or _assigned(found, value)):
            return "code" if found["code"] else "password"
    for number in _IDENTITY.findall(text):
        if _identity(number):
            return "identity"
    for run in _DIGITS.findall(text):
        digits = re.sub(r"\D", "", run)
        if 13 <= len(digits) <= 19 and _luhn(digits):
            return "card"
    return None


def _looks_secret(value: str, *, code: bool) -> bool:
    """A value, not a word: it has a digit or a sign inside, or mixes cases."""
    value = value.rstrip(".,;:!?'\")]}")
    if code:
        return re.fullmatch(r"[A-Za-z]?-?\d[\d -]{2,9}", value) is not None
    if len(value) < 4 or re.fullmatch(r"\d{4}-\d{2}(-\d{2})?|https?://\S+", value):
        return False
    has_digit = any(c.isdigit() for c in value)
    mixed = value != value.lower() and value != value.upper() and value[1:] != value[1:].lower()
    return has_digit or mixed or any(c in "!@#$%^&*+=~" for c in value)


def _assigned(keyword: re.Match[str], value: re.Match[str]) -> bool:
    """A plain word can be a password too, where it is given as one ("密码是swordfish", "password: swordfish")."""
    if keyword["code"] or value["link"].rstrip()[-1:] not in (":", "=", "是", "为", "s"):
        return False
    return (
        re.fullmatch(r"[A-Za-z][A-Za-z-]+[.!]?", value["value"]) is not None
        and value["value"].rstrip(".!").lower() not in _NOT_A_VALUE
    )


def _luhn(digits: str) -> bool:
    total = 0
    for i, digit in enumerate(reversed(digits)):
        n = int(digit) * (1 + i % 2)
        total += n - 9 if n > 9 else n
    return total % 10 == 0 and len(set(digits)) > 1


def _identity(number: str) -> bool:
    check = "10X98765432"[sum(int(d) * w for d, w in zip(number, _WEIGHTS, strict=False)) % 11]
    return check == number[-1].upper()
