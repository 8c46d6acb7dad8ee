"""What a text demands of the file: to forget something, to take it back, or to change it by its name.

Without a word about the file, `delete my email` may be about a letter, `forget my keys` about a table; so a demand is
about a known subject, or says `that`, or it is none.
"""

import re
from collections.abc import Collection

from apps.policy.extracting import extract
from apps.policy.intents import Intent, Routed, as_known, exactly, meant, named
from apps.policy.owning import PEOPLE, of_the_file
from apps.policy.shapes import FLAGS, plain, spelled

_MOST_VALUE = 12  # words of a value that is named in so many words

# Who asks for it, and how. Of a weak one (`you can forget that`) only what is named counts.
_ASKED = re.compile(
    r"(?:(?:can|could|would|will) (?:you|u) (?:please|pls)"
    r"|(?P<weak>(?:can|could|would|will) (?:you|u)(?: kindly)?|you (?:can|may|should)(?: now)?)"
    r"|i(?:'d like| would like| want| need) you to|go ahead and|let's"
    r"|(?:the )?(?P<user>user)(?: (?:wants|would like|told|asked|asks)(?: you| me| us)? to)) (?P<rest>.+)",
    FLAGS,
)
_MIND = re.compile(r"would you(?: please)? mind (?P<verb>forgett|delet|eras|remov)ing (?P<rest>.+)", FLAGS)
_MINDED = {"forgett": "forget", "delet": "delete", "eras": "erase", "remov": "remove"}
_WANTS_FORGOTTEN = re.compile(
    r"(?:the )?user wants (?:their|his|her) (?P<what>.+?) (?:forgotten|deleted|erased)", FLAGS
)
_PLEASE = re.compile(r"(?:,? please)\Z", FLAGS)

_FROM_FILE = r"(?: from (?:(?:my|your|the) )?(?:memory|memories|file|vault|records?))"
_VERB = r"(?:forget|delete|erase|remove|wipe|clear|strike|drop)"
_SAID = r"i (?:just |ever |have )?(?:said|told you|mentioned|wrote)"
_HELD = r"you (?:have |'ve )?(?:know|stored|saved|remember|remembered|kept|keep|have|hold|got)"
_THAT = r"(?:that|this|it)"
_ERASE = re.compile(
    rf"forget (?:that|this)|erase (?:that|this)|{_VERB} {_THAT}{_FROM_FILE}"
    rf"|{_VERB} (?:that|this|the last) (?:memory|fact|entry)"
    rf"|forget what {_SAID}(?: (?:before|earlier|yesterday|today|just now))?"
    rf"|forget (?:that )?{_SAID} {_THAT}|forget the last thing {_SAID}"
    r"|(?:forget|erase) all (?:of )?(?:this|that)",
    FLAGS,
)
_ERASE_ALL = re.compile(
    rf"forget (?:everything|all)(?: (?:that )?(?:you know|{_SAID}))?(?: about me)?"
    rf"|{_VERB} (?:everything|all)(?: that)? {_HELD} (?:about|on) me|{_VERB} everything{_FROM_FILE}",
    FLAGS,
)
_ABOUT = (
    rf"(?:(?:what|everything|anything|all)(?: that)? (?:{_SAID}|{_HELD})|everything|all|the thing|the part|anything)"
)
_KEEP = r"(?:know|remember|keep|store|save)"
_ERASE_NAMED = re.compile(
    rf"forget (?:(?:all )?about )?my (?P<what>.+?){_FROM_FILE}?"
    rf"|{_VERB} {_ABOUT} (?:about|on|of) my (?P<about>.+?){_FROM_FILE}?"
    rf"|{_VERB} (?:the|that|any|all) (?:memory|memories|entry|entries|fact|facts|note|notes|record|records)"
    r" (?:about|of|on) my (?P<noted>.+)"
    r"|forget (?:that )?i (?:ever )?(?:mentioned|told you)(?: about)? my (?P<told>.+)"
    rf"|(?:do not|do?n'?t) {_KEEP} my (?P<unkept>.+?)(?: any ?more)?"
    r"|stop (?:remembering|keeping|storing|saving) my (?P<stopped>.+)"
    r"|(?:(?:there's |there is )?no need|you (?:do not|do?n'?t) (?:need|have))"
    rf" to {_KEEP} my (?P<needless>.+?)(?: any ?more)?"
    rf"|i (?:no longer want|do not want|do?n'?t want) you to {_KEEP} my (?P<unwanted>.+?)(?: any ?more)?"
    r"|get rid of my (?P<rid>.+)"
    rf"|{_VERB} (?:my|the) (?P<held>.+?)(?: that)? {_HELD} (?:for|of|about|on) me"
    rf"|{_VERB} my (?P<kept>.+?){_FROM_FILE}|{_VERB} my (?P<long>\S+ .+)",
    FLAGS,
)
_OF_THE_FILE = frozenset({"about", "noted", "unwanted", "held", "kept"})  # what can be about nothing but the file
_FORMER = re.compile(r"(?:old|previous|former|earlier) (?P<what>.+)", FLAGS)
_ERASE_SAID = re.compile(r"forget (?:that )?(?P<said>i.+|my .+)", FLAGS)

_OLD = r"(?:previous|old|former|earlier)"
_AS_IT_WAS = rf"(?:(?:the|my) {_OLD} (?:one|value|version)|(?:the one|the value|what it was) before|what it was)"
_RIGHT = r"(?:right|correct|the right one|the correct one)"
_REVERT = re.compile(
    r"(?:go|change|switch|roll|put|set|turn)(?: it| that| this)? back"
    rf"(?: to {_AS_IT_WAS}| (?:to )?(?:the way|as|how) it was)?"
    rf"|(?:undo|revert)(?: to {_AS_IT_WAS})?"
    r"|(?:undo|revert) (?:(?:that|this|it)|(?:the last|the|that|this|my last) (?:change|correction))"
    rf"|the (?:(?:{_OLD}|first|last) (?:one|value|version)|(?:one|value|version) before) was {_RIGHT}",
    FLAGS,
)
_REVERT_NAMED = re.compile(
    rf"(?:go back to|restore|use|bring back) the {_OLD} (?:version|value|one) (?:of|for) my (?P<of>.+)"
    rf"|(?:(?:go|switch|change) back to|restore|bring back|use|reuse) (?:my|the) {_OLD} (?P<what>.+?)(?: again)?"
    rf"|(?:undo|revert) (?:the|that|this|my)(?: last)? (?:change|correction|update|edit) (?:to|of) my (?P<changed>.+)"
    rf"|(?:revert|reset|restore|undo|roll back) my (?P<whole>.+?)(?: to {_AS_IT_WAS})?"
    rf"|i(?: want|'d like| need) my {_OLD} (?P<wanted>.+) back"
    rf"|(?:put|change|set|turn|switch|roll) my (?:{_OLD} )?(?P<put>.+?) back(?: to {_AS_IT_WAS})?",
    FLAGS,
)
_FORMERLY = frozenset({"what", "wanted", "right"})  # `old` before these may be a part of the name
_ITS_VALUE = frozenset({"of", "what", "changed"})
_USES = re.compile(r"(?:re)?use ", FLAGS)  # a thing may be used, too
_TWO = "Not keyed: two that were shown could be meant."
_NONE = "Not keyed: nothing that was shown goes by this name."
_WAS_RIGHT = re.compile(rf"(?:my|the) {_OLD} (?P<right>.+?) was {_RIGHT}", FLAGS)
_CHANGE = re.compile(
    r"(?:change|update|correct|set|replace|switch|fix|edit) my (?P<what>.+?)(?: back)?(?: to| with|:) (?P<value>.+)",
    FLAGS,
)


def demand(statement: str, known: Collection[str], *, asks: bool = False) -> Routed | None:
    """What a statement demands, by whichever courtesy; None where it demands nothing. Of a question (`asks`) only one
    that asks for it to be done.
    """
    typed = _PLEASE.sub("", spelled(statement))
    forgotten = _WANTS_FORGOTTEN.fullmatch(typed)
    minded = _MIND.fullmatch(typed)
    asked = _ASKED.fullmatch(typed)
    if forgotten is not None:
        return _plainly(f"forget my {forgotten['what']}", known)
    if minded is not None:
        return _plainly(f"{_MINDED[minded['verb'].lower()]} {minded['rest']}", known)
    if asked is None:
        return None if asks else _plainly(statement[: len(typed)], known)
    rest = statement[slice(*asked.span("rest"))]
    if asked["user"]:
        rest = re.sub(r"\b(?:their|his|her)\b", "my", rest, count=1, flags=FLAGS)
    wanted = _plainly(rest, known)
    return None if wanted is not None and asked["weak"] and wanted.subject is None else wanted


def _plainly(statement: str, known: Collection[str]) -> Routed | None:
    typed = spelled(statement)
    if _ERASE.fullmatch(typed):
        return Routed(Intent.ERASE, None, None, None, "Not keyed: it does not say what is to be forgotten.")
    if _ERASE_ALL.fullmatch(typed):
        everything = "Not keyed: it means everything, and a proposal is about one thing."
        return Routed(Intent.ERASE, None, None, None, everything)
    if _REVERT.fullmatch(typed):
        return Routed(Intent.REVERT, None, None, None, "Not keyed: it does not say what is to be as it was.")
    return _erased(statement, typed, known) or _reverted(typed, known) or _changed(statement, typed, known)


def _erased(statement: str, typed: str, known: Collection[str]) -> Routed | None:
    asked = "It asks for this subject to be forgotten."
    found = _ERASE_NAMED.fullmatch(typed)
    phrase = found[found.lastgroup or 0] if found is not None else ""
    subject = named(phrase, known) if phrase else None
    if subject is not None:
        return Routed(Intent.ERASE, subject, None, None, asked)
    former = _FORMER.fullmatch(phrase)
    if former is not None and named(former["what"], known) is not None:
        only = "Not keyed: it means a former value, and what is forgotten is all that a subject ever said."
        return Routed(Intent.ERASE, None, None, None, only)
    if phrase and meant(phrase, known):
        return Routed(Intent.ERASE, None, None, None, _TWO)
    if found is not None and (found.lastgroup in _OF_THE_FILE or (found.lastgroup == "what" and of_the_file(phrase))):
        return Routed(Intent.ERASE, None, None, None, _NONE)
    said = _ERASE_SAID.fullmatch(typed)
    stated = as_known(extract(statement[slice(*said.span("said"))]), known) if said is not None else None
    if stated is not None and stated.subject in known:
        return Routed(Intent.ERASE, stated.subject, None, None, asked, more=(stated.value, stated.old or ""))
    return None


def _reverted(typed: str, known: Collection[str]) -> Routed | None:
    found = _REVERT_NAMED.fullmatch(typed) or _was_right(typed)
    if found is None or found.lastgroup is None:
        return None
    phrase, before = found[found.lastgroup], typed[: found.start(found.lastgroup)].split()
    subject = named(phrase, known)
    called_former = exactly(f"{before[-1]} {phrase}", known) if found.lastgroup in _FORMERLY else []
    if called_former not in ([], [subject]) or (subject is None and meant(phrase, known)):
        return Routed(Intent.REVERT, None, None, None, _TWO)
    if subject is not None:
        return Routed(Intent.REVERT, subject, None, None, "It asks for this subject to be as it was.")
    of_a_value = found.lastgroup in _ITS_VALUE and of_the_file(phrase) and not _USES.match(typed)
    return Routed(Intent.REVERT, None, None, None, _NONE) if of_a_value else None


def _was_right(typed: str) -> re.Match[str] | None:
    found = _WAS_RIGHT.fullmatch(typed)  # as a person may be, too
    return found if found is not None and found["right"].split()[-1].casefold() not in PEOPLE else None


def _changed(statement: str, typed: str, known: Collection[str]) -> Routed | None:
    found = _CHANGE.fullmatch(typed)
    subject = named(found["what"], known) if found is not None else None
    if found is None or subject is None:
        return None
    value = statement[slice(*found.span("value"))]
    if not plain(value, _MOST_VALUE):
        return None
    return Routed(Intent.CORRECT, subject, value, None, "It puts this subject right.")
