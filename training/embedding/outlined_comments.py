"""Read the description in a doc comment of a syntax-only language, without the markup of documentation tools."""

from __future__ import annotations

import html
import re
from zlib import crc32

from .doc_comments import describes_code, first_sentence, rest_of_comment

#: Roles of reStructuredText.
ROLE = re.compile(r":[\w:+-]+:`~?(?:[^`<]*\.)?([^`<.]+?)(?:\s*<[^`]*>)?`")
#: Links of Rust and Javadoc, and below them the markup of RDoc and of Epydoc.
_LINK = re.compile(r"(?<!\])\[\[?`?([\w:.#]+?)(?:\(\))?`?\]?\](?![(\[])")
_RDOC_CODE = re.compile(r"\+([\w.:#?!]+)\+")
_EPYDOC = re.compile(r"\b[LCBI]\{([^}]*)\}")
#: Tags of Doxygen and Javadoc before a word, and tags at the beginning of a comment.
_WORD_TAG = re.compile(r"(?<!\{)[\\@](?:c|p|a|e|b|em|ref|code|link|endlink)\b[ \t]+")
_BRIEF = re.compile(r"^\s*[\\@](?:brief|short|details|summary|fn\b[^\n]*|name\b[^\n]*)\s+")
#: Text that ends the description: tags, headings, sections, examples, tables.
_SECTION = re.compile(
    r"^[ \t]*(?:[\\]\w+|@(?!code|link)\w+|:\w+[^:\n]*:|(?:Args|Arguments|Parameters?|Params|Attributes|Returns?"
    r"|Raises|Yields|Examples?"
    r"|Notes?|Panics|Errors|Safety|Usage|Throws|Keyword Args|Options|Inputs?|Outputs?|See Also|References"
    r"|Keyword arguments)[ \t]*:?[ \t]*$"
    r"|#+ \w|\.\. \w|>>>|- (?:Parameters?|Returns|Throws)\b|call-seq:|=+[ \t]*$|-{3,}[ \t]*$)"
    r"|<(?:pre|ul|ol|table|example|h\d)\b|```|::[ \t]*$|</?p/?>",
    re.MULTILINE,
)
#: Text that is removed because it does not describe the declaration: code, examples, rulers and tables.
_CODE = re.compile(
    r"```.*?(?:```|\Z)|<pre\b.*?(?:</pre>|\Z)|^[ \t]*>>>.*$|@code\b.*?@endcode|~~~.*?(?:~~~|\Z)",
    re.DOTALL | re.MULTILINE,
)
_EXAMPLES = re.compile(r"^[ \t]*(?:#+ )?(?:Examples?|Usage|References|See Also)[ \t]*:?[ \t]*$.*", re.DOTALL | re.MULTILINE)
_RULERS = re.compile(r"^[ \t]*[-=*~#/+_]{3,}[ \t]*$|^[ \t]*\|.*\|[ \t]*$|^.*(?: \| [^|\n]*){4,}$", re.MULTILINE)
_TAG_SIGNS = re.compile(r"(?:^|(?<=\s))(?:[@\\](?=[a-z])|:(?=(?:param|type|return|returns|rtype|raises)\b))")
#: Sentences that are no description: code in comments, directives for tools, and phrases without content.
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
#: Text of comments that do not describe a declaration, such as copyright notices.
_UNSAID = re.compile(
    r"copyright \(c\)|copyright \d|spdx-license|licensed under|:nodoc:|all rights reserved|inheritdoc|^\W*obsolete",
    re.IGNORECASE,
)
#: A first line that repeats the signature, as in docstrings of Python modules written in C.
_SIGNATURE = re.compile(r"[\w.:$]+\s*\([^)]*\)\s*(?:(?:->|=>|:).*)?")
#: The end of a first line without punctuation, if another sentence begins on the next line.
_TITLE = re.compile(
    r"(?<![.,:;!?(\-])[ \t]*\n[ \t]*(?=(?:The|This|These|That|It|If|When|Note|Returns?|You|Use|Used|For|Given|By|In"
    r"|Only|There|We|All"
    r"|Can|Should|Must|Will|Throws|Example|Default|Defaults|See|Note that)\b)"
)
#: Remains of markup in sentences: references in braces or brackets, labels such as "Public:", and rulers.
_BRACES = re.compile(r"\{[#@]?(?:link\w*\s+|code\s+)?@?([\w:#.!?<>()]+)(?:\s+([^{}]*))?\}")
_AUDIENCE = re.compile(
    r"^\*+\s+|^(?:Description|Summary|Purpose|Synopsis)\s*:\s*|^(?:Public|Internal|Private|Protected|Note|Method"
    r"|Function):\s+(?=\w)"
)
_REFERENCE = re.compile(r"(?<!\S)\[([^\[\]]{1,60})\][A-Za-z][\w.:]*")
_STARS = re.compile(r"^\*+[ \t]*(?!\w+\*)", re.MULTILINE)
_INNER_RULER = re.compile(r"\s(?:[-=_*~]{4,}|(?:Arguments|Inputs|Parameters)\s*:).*")
#: Verb after the name of the declaration, as in "Parse returns the tree".
_SAYS = r"(?!(?:this|its|as|was|plus|always|also|across|unless|thus)\b)(?:[a-z]+s|will|can|would|may|must|should)\b"
#: Characters at the start of a comment in which license texts and other `_UNSAID` phrases are searched for.
_BEGINNING = 1500


def said_by(doc: str, name: str, language: str) -> tuple[str, str]:
    """Return the first sentence and the rest of a doc comment without markup; two empty texts if it is no description."""
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
    """Return a text without remains of markup."""
    return _INNER_RULER.sub("", _AUDIENCE.sub("", _BRACES.sub(lambda found: found[2] or found[1], _REFERENCE.sub(r"\1", text))))


def _without_name(sentence: str, name: str) -> str:
    """Return a sentence without the name at its beginning: always if the name is a label, else for half of the sentences.

    Doc comments of Go begin with the name of the declaration, but users who ask a question do not know the name.
    """
    written = rf"(?:(?:the|an?)\s+)?(?:[\w.:]*[.:#])?{re.escape(name)}\b(?:\(\))?"
    label = re.match(rf"{written}\s*(?:--?|\u2013|\u2014|:)\s+", sentence, re.IGNORECASE)
    if label:
        return sentence[label.end() :]
    said = re.match(rf"{written}\s+(?:(?:is|are)\s+(?=\w)|(?={_SAYS}))", sentence, re.IGNORECASE)
    return sentence[said.end() :] if said and crc32(sentence.encode()) % 2 else sentence


def _describes(sentence: str) -> bool:
    """Return whether a sentence describes the code, and is neither code itself nor a note for tools or maintainers."""
    return describes_code(sentence) and not _LIKE_CODE.search(sentence) and not _UNTELLING.search(sentence)
