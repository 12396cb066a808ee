"""Decide whether a line of code declares a term of a document: a name, flag, setting, script or endpoint."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ...ingest.resolution.named_declarations import example_in
from ...retrieval.lint.model.term_history import ENDPOINT, FLAG, LONE_SETTING, SCRIPT, SETTING, SYMBOL, WORD, Term
from ...schema.languages import language_of

#: Declarations that begin with a word of their language, among them extensions of Kotlin and class methods of Ruby.
_KEYWORDS: Final = (
    r"\b(?:def|class|function\*?|func(?:\s*\([^()]*\))?|fn|let|var|val|type|interface|struct|enum|trait|module|object|record"
    r"|protocol|typealias|namespace|macro_rules!|\#[ \t]*define|def[ \t]+self\."
    r"|fun(?:[ \t]*<[^<>]*>)?(?:[ \t]+[\w<>?, ]{1,80}\.)?)"
    r"[ \t]*\b{name}\b"
    # After a modifier, the first of two names is a type: `private final Clock clock;`.
    r"|\b(?:const|static|public|private|protected|export|async|get|set|abstract)[ \t]+(?:[\w<>\[\], ?]+[ \t]+)?"
    r"{name}[ \t]*(?:<[^<>()]*>[ \t]*)?(?:[(=;:{,)]|$)"
    # A method or an attribute of Ruby: `attr_reader :total`.
    r"|\b(?:attr_\w+|[mc]attr_\w+|alias_method|define_method|delegate|scope)\b.*:{name}\b"
    # An attribute or an export of JavaScript and Python: `exports.total = …`, `self.total = …`.
    r"|\b(?:prototype|exports|self|this)\.{name}[ \t]*=(?!=)"
)
#: Declarations that consist of the name: a key, a constant, or a method in a class of TypeScript and JavaScript.
_NAMES: Final = (
    # A key of a configuration: `settings.get("max_items")`. Names between backticks are those of prose, as in docstrings.
    r"|(?P<quote>[\"']){name}(?P=quote)"
    r"|^[ \t]*(?:pub(?:\([\w:]+\))?[ \t]+)?{name}[ \t]*\??[ \t]*(?:[:=](?![:=])|\([^()]*\)[ \t]*(?::[^{}]*)?\{|,$)"
)
#: A field of Go or a function of C: a name beside a type.
_BESIDE_TYPES: Final = {
    "go": r"|^\t+{name}(?:[ \t]+[\w.*\[\]{}]+(?:[ \t]+`.*)?$|$)",
    "c": r"|^(?![ \t]*(?:return|new|else|throw|case|delete|await)\b)[ \t]*[\w:<>,*& \t]*[\w>*&][ \t*&]+(?:\w+::)?{name}[ \t]*\(",
}
_BESIDE_TYPES["cpp"] = _BESIDE_TYPES["java"] = _BESIDE_TYPES["csharp"] = _BESIDE_TYPES["c"]
#: The beginning of a comment line, such as `* the console function level`, which declares nothing.
_COMMENT: Final = re.compile(r"\s*(?:\*|//|/\*|#(?!\w)|--|;|<!--)")
#: Folders with documents and the code of their site.
_DOCUMENTATION: Final = re.compile(r"(?:^|/)(?:docs?|documentation|website)/", re.IGNORECASE)


def declares(line: str, term: Term, path: str) -> bool:
    """Return whether a line of a file declares a term, or uses a setting."""
    if not _may_declare(term, path) or _COMMENT.match(line) is not None:
        return False
    return _pattern(term, language_of(path) or "").search(line) is not None


def _may_declare(term: Term, path: str) -> bool:
    """Return whether a file may declare a term.

    Commands in scripts and builds use the flags of other programs. Names of examples and of code among documents are no names of
    the repository.
    """
    if term.kind == SCRIPT:
        return path.endswith("package.json")
    if term.kind in (SYMBOL, WORD) and (example_in(path) or _DOCUMENTATION.search(path) is not None):
        return False
    return term.kind not in (SYMBOL, WORD, FLAG, LONE_SETTING) or language_of(path) not in (None, "bash")


@lru_cache(maxsize=4096)
def _pattern(term: Term, language: str) -> re.Pattern[str]:
    """Return the pattern of a line that declares a term in a language."""
    name = re.escape(term.name)
    if term.kind in (SYMBOL, WORD):
        every = _KEYWORDS + (_NAMES if term.kind == SYMBOL else "") + _BESIDE_TYPES.get(language, "")
        return re.compile(every.replace("{name}", name))
    return re.compile(
        {
            # The name of most flags of one word is a common word, so only its dashes show that it is a flag.
            FLAG: rf"[\"'](?:-\w, ?)?-{{{0 if '-' in term.name else 2},2}}{name}(?![\w-])",
            SCRIPT: rf"^\s*\"{name}\"\s*:\s*\"",
            ENDPOINT: rf"[\"'`]{name}/?[\"'`]",
            SETTING: rf"(?<![\w]){name}(?![\w])",
            LONE_SETTING: rf"[\"']{name}[\"']|\benv(?:iron)?\.{name}\b",
        }[term.kind]
    )
