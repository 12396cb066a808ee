"""The languages of blocks of code, by their names, or else by lines that no other language has.

In reStructuredText, a block after `::` is code in Python for Sphinx, unless the document says otherwise. In Markdown, many fences
have no name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

#: Extension of the files of a language, by the name after the fence of a block.
_EXTENSIONS: Final = {
    **dict.fromkeys(("python", "py", "python3", "pycon", "ipython", "doctest"), ".py"),
    **dict.fromkeys(("ts", "typescript", "js", "javascript", "jsx", "tsx", "mjs", "vue", "svelte"), ".ts"),
    **dict.fromkeys(("go", "golang"), ".go"),
    **dict.fromkeys(("java",), ".java"),
    # The imports and calls of Groovy have the form of those of Kotlin.
    **dict.fromkeys(("kotlin", "kt", "kts", "groovy", "gradle"), ".kt"),
    **dict.fromkeys(("rust", "rs"), ".rs"),
    **dict.fromkeys(("csharp", "cs", "c#"), ".cs"),
    **dict.fromkeys(("cpp", "c++", "cxx", "cc", "hpp", "c", "h"), ".cpp"),
    **dict.fromkeys(("php",), ".php"),
    **dict.fromkeys(("ruby", "rb"), ".rb"),
    **dict.fromkeys(("scala",), ".scala"),
    **dict.fromkeys(("swift",), ".swift"),
}
#: A prompt of Python, or of IPython: `In [1]: `.
_PROMPTED: Final = re.compile(r"[ \t]*(?:(?:>>>|\.\.\.)(?: |$)|In \[\d+\]:|\.\.\.+:)")
_PROMPT: Final = re.compile(r"[ \t]*(?:In \[\d+\]: ?|\.\.\.+: ?|>>> ?|\.\.\. ?)")
#: A line of Python that is no text: an assignment, an import or a call.
_STATEMENT: Final = re.compile(r"[ \t]*(?:[A-Za-z_][\w.]*[ \t]*(?:=[^=]|\()|(?:from|import|class|def|@)[ \t]*\w)")
#: Maximum number of characters of a block of code that are read.
_MAX_CODE: Final = 100_000
#: Maximum number of characters of a block that are read to guess its language.
_MAX_READ: Final = 4_000
_PYTHON: Final = re.compile(
    r"^[ \t]*(?:>>> |In \[\d+\]: |from[ \t]+\.*[A-Za-z_][\w.]*[ \t]+import[ \t]+[\w(*]"
    r"|import[ \t]+[A-Za-z_][\w.]*(?:[ \t]+as[ \t]+\w+)?[ \t]*$"
    r"|(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+(?:\([^()\n]{0,200}\))?:[ \t]*(?:#.*)?$"
    r"|(?:async[ \t]+)?(?:with|for)[ \t]+[^\n{]{1,200}:[ \t]*(?:#.*)?$"
    r"|(?:[A-Za-z_]\w*(?:,[ \t]*[A-Za-z_]\w*)*[ \t]=[ \t])?(?:await[ \t]+)?[A-Za-z_][\w.]*"
    r"\((?:[^;{\n]{0,200}(?:\)[ \t]*(?:#.*)?|[(,]))?$)",
    re.MULTILINE,
)
_SCRIPT: Final = re.compile(
    r"^[ \t]*(?:import\b[^;\n]{1,300}\bfrom[ \t]+['\"]|(?:const|let|var)[ \t]+[\w$ {},:]{1,300}=[ \t]*require\([ \t]*['\"])",
    re.MULTILINE,
)
_GO: Final = re.compile(
    r"^[ \t]*(?:package[ \t]+\w+[ \t]*$|func[ \t]+(?:\([^()\n]{0,100}\)[ \t]*)?\w+\([^\n]{0,300}\{[ \t]*$)", re.MULTILINE
)
_JAVA: Final = re.compile(
    r"^[ \t]*(?:import[ \t]+(?:static[ \t]+)?[a-z]\w*(?:\.\w+)+(?:\.\*)?;[ \t]*$"
    r"|(?:final[ \t]+)?(?P<type>[A-Z]\w*)(?:<[\w<>, ?]{0,80}>)?[ \t]+[a-z]\w*[ \t]*=[ \t]*new[ \t]+[A-Z])",
    re.MULTILINE,
)
#: A function, or a value that is not changed. Such values of Scala and Swift have no property of Kotlin and no `fun` beside them.
_KOTLIN: Final = re.compile(
    r"^[ \t]*(?:(?:public|private|internal|override|suspend|inline|operator|abstract|open|actual|expect)[ \t]+){0,4}"
    r"(?:fun[ \t]+(?:<[\w<>, :?]{1,80}>[ \t]*)?[\w.]+[ \t]*\("
    r"|val[ \t]+\w+[ \t]*(?::[ \t]*[\w<>,. ?]{1,80})?[ \t]*(?:by\b|=[ \t]))",
    re.MULTILINE,
)
#: A declaration that Kotlin does not have.
_NO_KOTLIN: Final = re.compile(r"^[ \t]*(?:def|let|implicit|object\b.*\bextends|func)[ \t]", re.MULTILINE)
#: A call of a method of C#, whose names begin with a capital.
_CSHARP: Final = re.compile(r"\.[A-Z]\w*\(|\bvar[ \t]+\w+[ \t]*=|^[ \t]*(?:using|namespace)[ \t]", re.MULTILINE)
#: A line that Python does not have: a prompt, or the end of a statement or a block of another language.
_NO_PYTHON: Final = re.compile(r"^[ \t]*(?:[$%>][ \t]|#!|[}\]]*\};?[ \t]*$)|[;{][ \t]*$", re.MULTILINE)
#: Number of blocks whose languages are kept, for the next reader of the same document.
_KEPT_BLOCKS: Final = 128
_LANGUAGES: Final = (("ts", _SCRIPT), ("java", _JAVA), ("go", _GO))


def extension_of(language: str, text: str) -> str:
    """Return the extension of the files in the language of a block; "" for a language whose blocks are not read."""
    return _EXTENSIONS.get(language.lower() or guessed_language(text), "")


@lru_cache(_KEPT_BLOCKS)
def guessed_language(text: str) -> str:
    """Return the name of the language of a block; "" for a block that is not certainly code of one."""
    text = text[:_MAX_READ]
    for language, pattern in _LANGUAGES:
        found = pattern.search(text)
        if found is not None and (pattern is not _JAVA or found["type"] is None or _CSHARP.search(text) is None):
            return language
    if _KOTLIN.search(text) is not None and _NO_KOTLIN.search(text) is None:
        return "kotlin"
    return "python" if _PYTHON.search(text) is not None and _NO_PYTHON.search(text) is None else ""


def code_of(text: str) -> str:
    """Return the code of a Python block without prompts. Lines of output become blank.

    If the block begins with code without a prompt, signs of a prompt only mark what the code prints, so all lines are code.
    """
    text = text[:_MAX_CODE]
    if ">>>" not in text and "In [" not in text:
        return text
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    if _PROMPTED.match(first) is None and _STATEMENT.match(first) is not None:
        return "\n".join(_PROMPT.sub("", line, count=1) for line in lines)
    return "\n".join(_PROMPT.sub("", line, count=1) if _PROMPTED.match(line) is not None else "" for line in lines)
