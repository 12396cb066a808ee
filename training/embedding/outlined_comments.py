"""What a doc comment of an outlined language says of a declaration, without the markup that its language's tools read."""

from __future__ import annotations

import html
import re
from zlib import crc32

from .doc_comments import describes_code, first_sentence, rest_of_comment

#: Roles of reStructuredText.
ROLE = re.compile(r":[\w:+-]+:`~?(?:[^`<]*\.)?([^`<.]+?)(?:\s*<[^`]*>)?`")
#: Links of Rust and Javadoc, marks of Epydoc, and of RDoc.
_LINK = re.compile(r"(?<!\])\[\[?`?([\w:.#]+?)(?:\(\))?`?\]?\](?![(\[])")
_RDOC_CODE = re.compile(r"\+([\w.:#?!]+)\+")
_EPYDOC = re.compile(r"\b[LCBI]\{([^}]*)\}")
#: Tags of Doxygen and Javadoc that mark words, and those that introduce a comment.
_WORD_TAG = re.compile(r"(?<!\{)[\\@](?:c|p|a|e|b|em|ref|code|link|endlink)\b[ \t]+")
_BRIEF = re.compile(r"^\s*[\\@](?:brief|short|details|summary|fn\b[^\n]*|name\b[^\n]*)\s+")
#: Where the description ends: tags, headings, sections, examples, tables.
_SECTION = re.compile(
    r"^[ \t]*(?:[\\]\w+|@(?!code|link)\w+|:\w+[^:\n]*:|(?:Args|Arguments|Parameters?|Params|Attributes|Returns?"
    r"|Raises|Yields|Examples?"
    r"|Notes?|Panics|Errors|Safety|Usage|Throws|Keyword Args|Options|Inputs?|Outputs?|See Also|References"
    r"|Keyword arguments)[ \t]*:?[ \t]*$"
    r"|#+ \w|\.\. \w|>>>|- (?:Parameters?|Returns|Throws)\b|call-seq:|=+[ \t]*$|-{3,}[ \t]*$)"
    r"|<(?:pre|ul|ol|table|example|h\d)\b|```|::[ \t]*$|</?p/?>",
    re.MULTILINE,
)
#: What does not tell: code, examples, frames and tables.
_CODE = re.compile(
    r"```.*?(?:```|\Z)|<pre\b.*?(?:</pre>|\Z)|^[ \t]*>>>.*$|@code\b.*?@endcode|~~~.*?(?:~~~|\Z)",
    re.DOTALL | re.MULTILINE,
)
_EXAMPLES = re.compile(r"^[ \t]*(?:#+ )?(?:Examples?|Usage|References|See Also)[ \t]*:?[ \t]*$.*", re.DOTALL | re.MULTILINE)
_RULERS = re.compile(r"^[ \t]*[-=*~#/+_]{3,}[ \t]*$|^[ \t]*\|.*\|[ \t]*$|^.*(?: \| [^|\n]*){4,}$", re.MULTILINE)
_TAG_SIGNS = re.compile(r"(?:^|(?<=\s))(?:[@\\](?=[a-z])|:(?=(?:param|type|return|returns|rtype|raises)\b))")
#: Sentences that are code that was commented out, words to tools, or empty.
_LIKE_CODE = re.compile(
    r"[;{}=]\s*$|^\s*(?:return|if|for|while|import|#\w+)\b.*[(;=]|\w\(.*\);|:=|==|&&|\|\||->\w|\bconst \w+ \*|, \w+ \*+\w+"
)
_UNTELLING = re.compile(
    r"^Define to|^(?:Version number|Name) of package|clang-format|^Not public API|used by Alembic|^\W*(?:rubocop"
    r"|cppcheck|see )|cppcheck|IntelliJ|^(?:used )?(?:only )?for tests?(?: only)?$|^not (?:yet )?implemented"
    r"|^visible for testing|pylint|noinspection"
    r"|^\W*(?:same as above|for internal use|internal use only|for backwards? compatibility)",
    re.IGNORECASE,
)
#: Comments that say nothing of a declaration.
_UNSAID = re.compile(
    r"copyright \(c\)|copyright \d|spdx-license|licensed under|:nodoc:|all rights reserved|inheritdoc|^\W*obsolete",
    re.IGNORECASE,
)
#: A first line that repeats the signature, as Python modules in C do.
_SIGNATURE = re.compile(r"[\w.:$]+\s*\([^)]*\)\s*(?:(?:->|=>|:).*)?")
#: A first line without a full stop, below which another sentence begins.
_TITLE = re.compile(
    r"(?<![.,:;!?(\-])[ \t]*\n[ \t]*(?=(?:The|This|These|That|It|If|When|Note|Returns?|You|Use|Used|For|Given|By|In"
    r"|Only|There|We|All"
    r"|Can|Should|Must|Will|Throws|Example|Default|Defaults|See|Note that)\b)"
)
#: What is left in sentences: references in braces and brackets, who something is for, frames of comments.
_BRACES = re.compile(r"\{[#@]?(?:link\w*\s+|code\s+)?@?([\w:#.!?<>()]+)(?:\s+([^{}]*))?\}")
_AUDIENCE = re.compile(
    r"^\*+\s+|^(?:Description|Summary|Purpose|Synopsis)\s*:\s*|^(?:Public|Internal|Private|Protected|Note|Method"
    r"|Function):\s+(?=\w)"
)
_REFERENCE = re.compile(r"(?<!\S)\[([^\[\]]{1,60})\][A-Za-z][\w.:]*")
_STARS = re.compile(r"^\*+[ \t]*(?!\w+\*)", re.MULTILINE)
_INNER_RULER = re.compile(r"\s(?:[-=_*~]{4,}|(?:Arguments|Inputs|Parameters)\s*:).*")
#: Verbs by which a sentence says what the name before them does.
_SAYS = r"(?!(?:this|its|as|was|plus|always|also|across|unless|thus)\b)(?:[a-z]+s|will|can|would|may|must|should)\b"
#: Characters that are looked at for licences and the like.
_BEGINNING = 1500


def said_by(doc: str, name: str, language: str) -> tuple[str, str]:
    """The first sentence of a doc comment as plain words, and what else it says; two empty texts where it does not describe."""
    if _UNSAID.search(doc[:_BEGINNING]):
        return "", ""
    if doc.startswith("*") and language in ("c", "cpp"):
        doc = _STARS.sub("", doc)
    text = _RULERS.sub("", html.unescape(doc)).strip()
    text = _WORD_TAG.sub("", _EPYDOC.sub(r"\1", _LINK.sub(r"\1", ROLE.sub(r"\1", _BRIEF.sub("", text)))))
    first, _, below = text.partition("\n")
    if _SIGNATURE.fullmatch(first.strip()):
        text = below.strip()
    described = _SECTION.split(text, maxsplit=1)[0]
    if language == "ruby":
        described = _RDOC_CODE.sub(r"\1", described)
    sentence = _without_name(first_sentence(_TITLE.sub(".\n", described, count=1)), name)
    tidied = _tidy(sentence)
    if not (_describes(sentence) and _describes(tidied)):
        return "", ""
    rest = _TAG_SIGNS.sub("", rest_of_comment(_EXAMPLES.sub("", _CODE.sub("", text)))).strip()
    return tidied, _tidy(rest)


def _tidy(text: str) -> str:
    """A text without what is left of markup."""
    return _INNER_RULER.sub("", _AUDIENCE.sub("", _BRACES.sub(lambda found: found[2] or found[1], _REFERENCE.sub(r"\1", text))))


def _without_name(sentence: str, name: str) -> str:
    """A sentence without the name that it begins with: always where that is a label, else in half of all cases.

    Go begins every comment with the name; those who ask do not know it.
    """
    written = rf"(?:(?:the|an?)\s+)?(?:[\w.:]*[.:#])?{re.escape(name)}\b(?:\(\))?"
    label = re.match(rf"{written}\s*(?:--?|\u2013|\u2014|:)\s+", sentence, re.IGNORECASE)
    if label:
        return sentence[label.end() :]
    said = re.match(rf"{written}\s+(?:(?:is|are)\s+(?=\w)|(?={_SAYS}))", sentence, re.IGNORECASE)
    return sentence[said.end() :] if said and crc32(sentence.encode()) % 2 else sentence


def _describes(sentence: str) -> bool:
    """Whether a sentence says something of the code, and is not code, or a word to tools and maintainers."""
    return describes_code(sentence) and not _LIKE_CODE.search(sentence) and not _UNTELLING.search(sentence)
