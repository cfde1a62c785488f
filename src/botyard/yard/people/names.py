"""Names of people and bots: which are taken, which look like another one, and which are not given at all.

A name is kept in its compatible form (NFKC), so that wide letters and ligatures become plain ones. Two names are the
same if their keys are: without regard to case, and with letters of other alphabets that look like Latin ones read as
those. Whatever cannot be seen, turns the writing round or mixes alphabets is no part of a name.
"""

from __future__ import annotations

import unicodedata

from botyard.kernel.errors import quoted
from botyard.kernel.plain import clean
from botyard.yard.refusals import Refusal

LONGEST = 32
JOINERS = "-_."  # besides letters, digits and single spaces
UNSEEN = frozenset("\u180b\u180c\u180d\u180f")  # marks that select a form of a letter and show nothing by themselves
ALIKE = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")  # alphabets with equal shapes
TWINS = str.maketrans(
    "аеорсухіјѕһԁԛԝкмтвнгαορνικτυχεϲϳıɑɡ",
    "aeopcyxijshdqwkmtbhraopviktuxecjiag",
)  # letters of other alphabets, in lower case, and the Latin ones that they look like
RESERVED = frozenset(
    {"admin", "administrator", "botyard", "deleted", "house", "moderator", "nobody", "steward", "system"}
)  # names that sound like an office; an admin may have one


class BadName(Refusal):
    """A name that is not given."""


def check_name(typed: str, what: str = "name") -> str:
    """Returns a name as it is kept; refuses what could not be read, told apart or typed again."""
    name = " ".join(unicodedata.normalize("NFKC", typed).split(" ")).strip(" ")
    if not name:
        raise BadName(f"the {what} is empty", hint=f"choose one of at most {LONGEST} characters")
    if len(name) > LONGEST:
        raise BadName(f"the {what} has {len(name)} characters", hint=f"at most {LONGEST} fit")
    if "  " in name:
        raise BadName(f"the {what} has two spaces in a row", hint="leave one out")
    for sign in name:
        if not (is_letter(sign) or sign in JOINERS or sign == " "):
            raise BadName(f"the {what} has {shown(sign)} in it", hint="use letters, digits, spaces and - _ .")
    if not name[0].isalnum():
        raise BadName(f"the {what} begins with {shown(name[0])}", hint="begin with a letter or a digit")
    if clean(name) != name:
        raise BadName(f"the {what} has letters that cannot be seen, or too many marks on one", hint="type it anew")
    if len(mixed := alphabets(name)) > 1:
        told = " and ".join(sorted(word.capitalize() for word in mixed))
        raise BadName(f"the {what} mixes {told} letters", hint="some of them look alike; use one alphabet")
    return name


def name_key(name: str) -> str:
    """Returns what is equal for names that people would take for the same one."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.replace("i\u0307", "i").translate(TWINS).split())


def key_of(typed: str) -> str:
    """Returns the key of what somebody typed where a name is looked for; of what is no name, a key nobody has."""
    try:
        return name_key(check_name(typed))
    except BadName:
        return ""


def is_letter(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return sign not in UNSEEN and (kind[0] in "LM" or kind == "Nd")


def shown(sign: str) -> str:
    """Returns a character as an error names it: itself if it can be seen, else what Unicode calls it."""
    return quoted(sign) if sign.isprintable() else unicodedata.name(sign, f"the character U+{ord(sign):04X}")


def alphabets(name: str) -> set[str]:
    """Returns which of the alphabets that share shapes a name uses."""
    words = {unicodedata.name(sign, "").partition(" ")[0] for sign in name if sign.isalpha()}
    return words & set(ALIKE)
