"""Turn sentences of doc comments into questions: "Validates the token" becomes "where is the token validated"."""

from __future__ import annotations

import random
import re

_DESCRIBING_VERB = re.compile(
    r"^(?!This|Is|Has|Was|Does|Its|As|Class|Process|Access|Address|Canvas|Alias|Props|Options)([A-Z][a-z]{2,}s)\s+(.+)$"
)
_IMPERATIVES = re.compile(
    r"(Add|Append|Apply|Assert|Attach|Bind|Build|Calculate|Call|Cancel|Check|Clear|Clone|Close|Collect|Compare|"
    r"Compute|Connect|Convert|Copy|Create|Decode|Define|Delete|Destroy|Detach|Determine|Disable|Dispatch|Draw|Emit|"
    r"Enable|Encode|Ensure|Execute|Extract|Fetch|Fill|Filter|Find|Flush|Format|Generate|Get|Handle|Initialize|Insert|"
    r"Invoke|Join|List|Load|Log|Make|Map|Mark|Merge|Move|Normalize|Open|Parse|Perform|Prepare|Process|Push|Read|"
    r"Register|Remove|Render|Replace|Reset|Resolve|Restore|Retrieve|Return|Run|Save|Send|Serialize|Set|Sort|Split|"
    r"Start|Stop|Store|Toggle|Transform|Translate|Update|Validate|Verify|Wait|Wrap|Write)"
)
_SUBORDINATE = re.compile(r"\s*(?:,|\(|\bwhich\b|\bthat\b|\bwhen\b|\bif\b|\bso that\b|\bfor use\b).*$")
_ARTICLES = re.compile(r"\b(?:the|a|an|this|given|specified|current|new)\s+", re.IGNORECASE)
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnpt]$")
_IRREGULAR = {
    "get": "got", "set": "set", "find": "found", "read": "read", "write": "written", "send": "sent", "make": "made",
    "build": "built", "run": "run", "draw": "drawn", "split": "split", "bind": "bound", "put": "put", "take": "taken",
    "give": "given", "keep": "kept", "hold": "held", "tell": "told", "throw": "thrown", "catch": "caught", "begin": "begun",
    "do": "done", "show": "shown",
}  # fmt: skip

_VERB_FORMS = (
    "how do we {base} {rest}",
    "where do we {base} {rest}",
    "where is {rest} {participle}",
    "how is {rest} {participle}",
    "how to {base} {rest}",
    "code that {third} {rest}",
    "{gerund} {rest}",
    "which function {third} {rest}",
    "where does it {base} {rest}",
)
_OTHER_FORMS = (
    "where is {rest} defined",
    "what is {rest}",
    "how does {rest} work",
    "where do we handle {rest}",
    "{rest}",
    "find {rest}",
)


def base_form(third_person: str) -> str:
    """ "applies" -> "apply", "matches" -> "match", "creates" -> "create"."""
    if third_person.endswith("ies") and len(third_person) > 4:
        return third_person[:-3] + "y"
    if re.search(r"(ss|sh|ch|x|zz)es$", third_person):
        return third_person[:-2]
    return third_person[:-1]


def participle(base: str) -> str:
    """ "apply" -> "applied", "stop" -> "stopped", "find" -> "found"."""
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base.endswith("e"):
        return base + "d"
    if re.search(r"[^aeiou]y$", base):
        return base[:-1] + "ied"
    return (base + base[-1] if _DOUBLED.search(base) and len(base) < 6 else base) + "ed"


def gerund(base: str) -> str:
    """ "create" -> "creating", "stop" -> "stopping"."""
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return (base + base[-1] if _DOUBLED.search(base) and len(base) < 6 else base) + "ing"


def question(sentence: str, chance: random.Random) -> str:
    """Return a random question that the code below the sentence answers."""
    found = _DESCRIBING_VERB.match(sentence)
    first, _, tail = sentence.partition(" ")
    if found:
        third, rest = found[1].lower(), found[2]
        base = base_form(third)
    elif _IMPERATIVES.fullmatch(first):
        base, rest = first.lower(), tail
        third = base + "s"
    else:
        return chance.choice(_OTHER_FORMS).format(rest=_shortened(sentence, chance))
    forms = {"base": base, "third": third, "participle": participle(base), "gerund": gerund(base)}
    return chance.choice(_VERB_FORMS).format(rest=_shortened(rest, chance), **forms)


def _shortened(phrase: str, chance: random.Random) -> str:
    """Drop subordinate clauses often and articles sometimes, because questions have fewer words than doc comments."""
    main = _SUBORDINATE.sub("", phrase)
    if len(main.split()) >= 3 and chance.random() < 0.6:
        phrase = main
    return _ARTICLES.sub("", phrase) if chance.random() < 0.3 else phrase
