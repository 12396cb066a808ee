"""Names of code outside of spans of code: words such as `load_cart` in a sentence, and the names in an expression.

Only a word whose spelling no other word has counts: of several words, with its owner, or with the brackets of a call.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import Final

from ...schema.languages import language_of
from .block_languages import extension_of
from .command_lines import flags_of
from .names import CodeName, read_name
from .sections import CodeBlock, Document, Reference

#: Form of a mention that is a word of a sentence, or a part of an expression in a span of code.
WORD: Final = "word"
#: Parts of a line that are no sentence: spans of code, targets of links, markup, URLs, attributes. Each alternative begins with
#: a letter or a sign, by which the places are found fast.
_NO_SENTENCE: Final = re.compile(
    r"`(?<!``)`*[^`\n]+`+|\]\([^()\s]*\)|\]\[[^\[\]\n]*\]|<[^<>\n]*>|h(?<!\wh)ttps?://\S+|w(?<!\ww)ww\.\S+|\{[^{}\n]*\}"
)
#: The definition of the target of a link: `[shop]: https://shop.example`.
_DEFINITION: Final = re.compile(r"[ \t]*\[[^\[\]]+\]:")
_NAME: Final = r"[A-Za-z_]\w*(?:(?:\.|::|#|\\(?=[A-Z]))[A-Za-z_]\w*)*"
_IN_SENTENCE: Final = re.compile(
    rf"(?<![\w/.@#$:%&=+~\\-])(?P<name>{_NAME})(?P<call>\([^()\n]{{0,60}}\))?(?![\w/@=\\-]|\.\w|:/)", re.ASCII
)
#: A sign of a name that counts in a sentence: a sign between or inside of words, a call, or letters as no word has them.
_SIGN: Final = re.compile(
    r"[_:.#\\(A-Z0-9](?:(?<=_)|(?<=::)|(?<=\w[.#])(?=[A-Za-z_])|(?<=\\)(?=[A-Z])|(?<=\w\()|(?<=[a-z0-9][A-Z])|(?<=[a-z][0-9])"
    r"|(?<=[A-Z][A-Z])(?=[a-z0-9]))",
    re.ASCII,
)
_IN_EXPRESSION: Final = re.compile(rf"(?<![\w/.@#$:%~-])(?P<name>{_NAME})(?P<call>\()?", re.ASCII)
_STRING: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
#: An abbreviation in the plural, such as `URLs`.
_PLURAL: Final = re.compile(r"[A-Z]+s")
#: Names of products and languages that are written like types.
_PRODUCTS_WORDS: Final = (
    "activerecord rspec junit testng applescript bigquery bitbucket centos chatgpt clickhouse cloudflare coffeescript "
    "commonjs deepl devops devtools dockerhub dotnet duckdb dynamodb ecmascript elasticsearch fastapi firefox freebsd "
    "github gitlab graphql grpc iam icloud intellij ios ipad iphone ipv4 ipv6 javascript jetbrains jquery json5 jsonp "
    "kubernetes latex libreoffice linkedin macos mariadb mongodb mssql mysql netbsd nodejs nosql npm nuget numpy oauth "
    "oauth2 openai openapi openbsd openid openssl opentelemetry opentracing paypal php phpstorm playstation postgres "
    "postgresql powershell pypi pytorch rabbitmq readme readthedocs restructuredtext rubygems scikit sharepoint sqlalchemy "
    "sqlite stackoverflow sveltekit swagger tensorflow typescript unicode webassembly webkit websocket websockets webstorm "
    "wordpress xcode youtube"
)
_PRODUCTS: Final = frozenset(_PRODUCTS_WORDS.split())
#: Names after the fence of a block that is what a program prints, or a plain text.
_OUTPUT: Final = frozenset(("", "text", "txt", "plain", "plaintext", "console", "output", "log", "none"))
#: Names of languages of templates, in which a sign may be before a name: `@cart.Total(3)`.
_TEMPLATES_WORDS: Final = (
    "templ jinja jinja2 html+jinja django htmldjango erb html+erb eruby haml slim blade twig liquid handlebars hbs razor cshtml"
)
_TEMPLATES: Final = frozenset(_TEMPLATES_WORDS.split())
_MAX_BLOCK: Final = 20_000
#: A comment up to the end of its line. Signs without a space around them may be a part of a text.
_COMMENT: Final = re.compile(r"(?:^|[ \t])(?://+|#|\*)[ \t]+(?P<text>[^\n]+)")
#: The word behind a name that says that the name is one of a method.
_METHOD: Final = re.compile(r"[ ]methods?\b")
#: Maximum number of characters of a line and of a span of code that are read.
_MAX_LINE: Final = 4_000
_MAX_SPAN: Final = 300


def plain_references(document: Document, lines: Sequence[str], signatures: Container[int] = ()) -> list[Reference]:
    """Return the names in the sentences of a document and in the expressions of its spans of code.

    `signatures` are the lines of titles that are names or signatures as a whole.
    """
    spans = (each for each in document.references if each.form == "code" and each.line not in signatures)
    found = [each for span in spans for each in _of_expression(span)]
    found += [each for block in document.code for each in (*_of_output(block), *_of_comments(block))]
    for number, line in _sentences(document, lines):
        if number not in signatures:
            found += _of_sentence(line, number)
    return found


def _sentences(document: Document, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a document, with their numbers, outside of blocks of code and front matter."""
    code: set[int] = set()
    for block in document.code:
        code.update(range(block.line, block.line + block.text.count("\n") + 1))
    first = 0
    if lines and lines[0].rstrip() == "---":
        first = next((place + 1 for place in range(1, len(lines)) if lines[place].rstrip() == "---"), 0)
    for number, line in enumerate(lines[first:], first + 1):
        if number not in code and line and not line.lstrip().startswith(("```", "~~~", "::")):
            yield number, line[:_MAX_LINE]


def _of_sentence(line: str, number: int) -> Iterator[Reference]:
    if _SIGN.search(line) is None or _DEFINITION.match(line) is not None:
        return
    text = _NO_SENTENCE.sub(lambda found: " " * len(found[0]), line)
    if _SIGN.search(text) is None:
        return
    for found in _IN_SENTENCE.finditer(text):
        if found["call"] is None and _is_plain(found["name"]):
            continue
        written = found["name"] + ("()" if found["call"] is not None else "")
        name = read_name(written)
        if name is None:
            continue
        is_plural = found["call"] in ("(s)", "(es)")
        if _is_file(found["name"]) or (not is_plural and _is_name(name, found["call"] or "")):
            is_method = _METHOD.match(line, found.end()) is not None
            yield Reference(WORD, written, number, found.start() + 1, ("method",) if is_method else ())


def _of_expression(span: Reference) -> Iterator[Reference]:
    """Yield the names in a span of code that is no name as a whole: `new Cart(load_items())`."""
    text = span.text
    if len(text) > _MAX_SPAN or flags_of(text) or "://" in text:
        return
    if read_name(text) is not None:
        # The types of the arguments of a call: `.limit(CartLimit)`.
        for found in _IN_EXPRESSION.finditer(text, text.find("(") + 1 or len(text)):
            name = read_name(found["name"])
            if name is not None and found["call"] is None and _is_type(name):
                yield Reference(WORD, found["name"], span.line, span.column + found.start())
        return
    for found in _IN_EXPRESSION.finditer(_STRING.sub(lambda string: " " * len(string[0]), text)):
        if found["call"] is None and _is_plain(found["name"]):
            continue
        name = read_name(found["name"] + ("()" if found["call"] is not None else ""))
        # `*cart.Item` is a type of a package.
        is_type = name is not None and _is_of_package(name)
        if name is not None and (is_type or _is_name(name, found["call"] or "")):
            yield Reference(WORD, found["name"] + ("()" if name.is_call else ""), span.line, span.column + found.start())


def _of_output(block: CodeBlock) -> Iterator[Reference]:
    """Yield the names in what a program prints, in a plain text, or in a template: names behind a package, types and called
    functions of several words.
    """
    is_template = block.language.lower() in _TEMPLATES
    if not is_template and (block.language.lower() not in _OUTPUT or extension_of(block.language, block.text)):
        return
    text = block.text[:_MAX_BLOCK].replace("@", " ") if is_template else block.text[:_MAX_BLOCK]
    for place, line in enumerate(text.split("\n")):
        if _SIGN.search(line) is None:
            continue
        for found in _IN_SENTENCE.finditer(line[:_MAX_LINE]):
            name = read_name(found["name"])
            is_called = found["call"] is not None and name is not None and len(name.parts) == 1 and name.has_compound_end
            if name is not None and (is_called or _is_of_package(name) or _is_type(name)):
                written = found["name"] + ("()" if is_called else "")
                yield Reference(WORD, written, block.line + place, found.start() + 1)


def _of_comments(block: CodeBlock) -> Iterator[Reference]:
    """Yield the names in the comments of a block of code: `// Call cart.close() at the end.`"""
    if not extension_of(block.language, block.text):
        return
    for place, line in enumerate(block.text[:_MAX_BLOCK].split("\n")):
        found = _COMMENT.search(line[:_MAX_LINE])
        if found is not None:
            for each in _of_sentence(found["text"], block.line + place):
                yield each._replace(column=each.column + found.start("text"))


def _is_of_package(name: CodeName) -> bool:
    """Return whether a name is that of a type or an exported function of Go behind its package: `cart.Item`."""
    last = name.parts[-1]
    return len(name.parts) > 1 and last[:1].isupper() and not last.isupper()


def _is_type(name: CodeName) -> bool:
    """Return whether a name is spelled like a type of several words: `CartService`."""
    [last, *others] = name.parts
    is_type = last[:1].isupper() and not last.isupper() and "_" not in last
    return not others and is_type and _is_name(name, "")


def _is_plain(word: str) -> bool:
    """Return whether a word is spelled like nearly all words of a sentence, so that it is no name."""
    return word.isalnum() and (word[1:].islower() or word.isupper() or len(word) == 1)


def _is_file(written: str) -> bool:
    """Return whether a word is the name of a source file: `cart.py`."""
    return "." in written and language_of(written) is not None


def _is_name(name: CodeName, call: str) -> bool:
    """Return whether a word cannot be a word of the language in which the document is written."""
    last = name.parts[-1]
    if name.is_call and call in ("()", "(") and len(last) > 2:
        return True
    if len(name.parts) > 1:
        return any(part[:1].isupper() for part in name.parts[:-1]) or name.has_compound_end
    return name.has_compound_end and last.lower() not in _PRODUCTS and _PLURAL.fullmatch(last) is None
