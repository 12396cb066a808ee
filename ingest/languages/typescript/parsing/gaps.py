"""Known gaps of tree-sitter-javascript 0.25 and tree-sitter-typescript 0.23: valid syntax that they reject or misread.

A gap has the dialects in which it occurs, and the finder of edits that repair it. Patterns search the mask, which has only code,
with underscores inside strings and templates. Patterns may match too much: edits are tried near errors first, and kept only if
they reduce the errors of the tree.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .edits import Finder, blanks, names_beginning_with_in, renames, replaces, within
from .flow import FLOW_FINDERS
from .markup import ampersands_in_attributes, ampersands_in_text, escapes_in_templates, nul_bytes
from .separators import ends_of_arrows, fields_before_generators, unseparated_call_signatures
from .type_arguments import (
    decorator_expressions,
    default_function_signatures,
    generic_function_arguments,
    import_types,
    optional_calls,
    tagged_templates,
    variance_annotations,
)


class Gap(NamedTuple):
    """A gap: its name, its dialects, a text without which it cannot occur, and the finder of its edits."""

    name: str
    dialects: frozenset[str]
    required_text: bytes
    find: Finder


#: "flow" is JavaScript with annotations, read by the TSX grammar.
TYPED: Final = frozenset({"typescript", "tsx", "flow"})
MARKUP: Final = frozenset({"tsx", "flow", "javascript"})
ALL: Final = TYPED | MARKUP

_RESERVED: Final = (
    rb"(?:break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import"
    rb"|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|let|static|yield|await)"
)
_MODIFIER: Final = rb"(?:public|private|protected|static|abstract|override|readonly|declare|async|accessor)"
_PREDEFINED: Final = rb"(?:any|unknown|never|string|number|boolean|symbol|object|undefined|void|bigint)"
_NAME: Final = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
_SPECIFIERS: Final = rb"(?:export|import)(?:\s+type)?(?:\s+[\w$]+\s*,)?\s*\{[^{}()=;]*\}"

#: Two modifiers that the grammars accept only in reverse order.
_EARLY_MODIFIER: Final = (
    rb"(?<![\w$.])(?:(abstract|readonly|static|override|declare|async)(?=\s+(?:public|private|protected)(?![\w$]))"
    rb"|(readonly)(?=\s+(?:static|override|abstract|readonly)\s)|(abstract)(?=\s+(?:static|async)\s))"
)
_MAPPED_WITHOUT_VALUE: Final = rb"(?:([+-])readonly\s*)?\[\s*([\w$]+\s+in)\s[^\[\]]*\]\s*([+-]?\??)(?=\s*[;,}])"
#: A target in a destructuring pattern: a name or member in parentheses, perhaps with an assertion.
_TARGET_IN_PARENTHESES: Final = (
    rb"[{\[,:.]\s*(\(+)\s*[\w$.]+(?:\[[^\[\]]*\])?(\s+(?:as|satisfies)\s+[\w$.]+(?:<[\w$., ]*>)?(?:\[\])*)?\s*(\)+)"
    rb"(?=\s*[,}\]=])"
)

#: Gaps whose patterns hardly match any other code. All are tried at once.
UNAMBIGUOUS: Final = (
    Gap("call signature without separator", TYPED, b"", unseparated_call_signatures),
    # The grammars read the beginning of such a name as the operator `in`, and do not end the statement before it.
    Gap("name that begins with in", ALL, b"in", names_beginning_with_in(rb"[\d_$\x80-\xff]|\s*(?:<|\??:)")),
    Gap("bracket after the body of an arrow function", ALL, b"=>", ends_of_arrows),
    Gap("export type *", TYPED, b"type", blanks(rb"export\s+(type)\s*\*")),
    Gap("variance annotation", TYPED, b"", variance_annotations),
    Gap("type arguments of a tagged template", TYPED, b"`", tagged_templates),
    Gap("type arguments before an optional call", TYPED, b">?.(", optional_calls),
    Gap("NUL byte", ALL, b"", nul_bytes),
    Gap("default function without a body", TYPED, b"default", default_function_signatures),
    Gap("import type with arguments", TYPED, b"import(", import_types),
    Gap("generic function as type argument", TYPED, b"<<", generic_function_arguments),
    Gap(
        "using as a name",
        ALL,
        b"using",
        renames(rb"(using)(?<![\w$]using)(?![\w$]|[ \t]+(?!(?:in|instanceof|of)(?![\w$]))[A-Za-z_$\[{])"),
    ),
    Gap("abstract override", TYPED, b"override", blanks(rb"abstract\s+(override)(?=\s)")),
    Gap("override abstract", TYPED, b"override", blanks(rb"(override)\s+abstract(?=\s)")),
    Gap("keyof readonly", TYPED, b"keyof", blanks(rb"keyof\s+(readonly)(?![\w$])")),
    Gap(
        "declare after another modifier",
        TYPED,
        b"declare",
        blanks(rb"(?:static|override|readonly)[ \t]+(declare)(?=[ \t]+[\w$#\[])"),
    ),
    Gap("attributes of a re-export", ALL, b"from", blanks(rb"from\s*[\"']_*[\"']\s*((?:with|assert)\s*\{[^{}]*\})")),
    Gap(
        "exported import with require",
        TYPED,
        b"require",
        blanks(rb"(export)\s+import\s+(?:type\s+)?" + _NAME + rb"\s*=\s*require\s*\("),
    ),
    Gap("import alias of a type", TYPED, b"type", blanks(rb"import\s+(type)\s+" + _NAME + rb"\s*=\s*(?!require\s*\()[A-Za-z_$]")),
    Gap("async of at the head of a loop", ALL, b"async", renames(rb"for\s*\(\s*async\s+(of)(?=\s*=>)")),
    Gap("import named type", TYPED, b"type", renames(rb"import\s+(type)(?=\s*=)")),
    Gap("dynamic import phase", ALL, b"import", blanks(rb"import\s*(\.\s*(?:defer|source))(?=\s*\()")),
    Gap("global inside a module", TYPED, b"global", blanks(rb"(global)(?<![\w$.]global)(?<!declare global)(?=\s*\{)")),
    Gap(
        "using in a loop header",
        ALL,
        b"using",
        replaces(rb"for\s*(?:await\s*)?\(\s*((?:await\s+)?using)(?=\s+" + _NAME + rb"\s+of(?![\w$]))", b"const"),
    ),
    Gap("default abstract class", TYPED, b"abstract", blanks(rb"export\s+default\s+(abstract)\s+class(?![\w$])")),
    Gap("import phase", ALL, b"import", blanks(rb"import\s+(defer|source)\s+(?:\*|(?!from\b)" + _NAME + rb"\s+from)")),
)

#: Gaps that are also tried all at once, but only in JavaScript that the JavaScript grammar rejects.
FLOW: Final = tuple(Gap(name, frozenset({"flow"}), b"", find) for name, find in FLOW_FINDERS)

#: Gaps whose patterns also match other code. They are tried one by one, and only near errors.
PLAUSIBLE: Final = (
    Gap("escape in a template literal type", TYPED, b"`", escapes_in_templates),
    Gap("type of a name that reads as", TYPED, b"type", within(_SPECIFIERS, rb"[{,]\s*type\s+(as)(?=\s*[,}])")),
    Gap(
        "specifier named by a keyword",
        ALL,
        b"{",
        within(_SPECIFIERS, rb"[{,]\s*(" + _RESERVED + rb"|type|typeof)(?=\s*(?:[,}]|as\b))"),
    ),
    Gap("attribute named by a reserved word", MARKUP, b"=", renames(rb"(?<=[\s\"'}])(" + _RESERVED + rb")(?=\s*=(?![=>]))")),
    Gap("parameter named like a type", TYPED, b"", renames(rb"[(,\[]\s*(" + _PREDEFINED + rb")(?=\s*(?:[,)]|\??:))")),
    Gap("ampersand in an attribute", MARKUP, b"=", ampersands_in_attributes),
    Gap("asserts as a name", TYPED, b"asserts", renames(rb"(?::|=>)\s*(asserts)(?=\s*[;={)\n,])")),
    Gap("decorator expression", ALL, b"@(", decorator_expressions),
    Gap("accessor field", ALL, b"accessor", blanks(rb"(accessor)(?=\s+[\w$#\[\"'])")),
    Gap("as as a name", TYPED, b"as", renames(rb"(?:[=(,?:{;!&|]|let|const|var|return)\s*(?<![\w$])(as)(?![\w$])")),
    Gap("member named by a modifier", ALL, b"", renames(rb"(?<=[\s{;,])(" + _MODIFIER + rb")(?=\s*[?(:;=<,}])")),
    Gap("modifiers in another order", TYPED, b"", blanks(_EARLY_MODIFIER)),
    Gap("mapped type over namespace", TYPED, b"namespace", renames(rb"\[\s*(namespace)(?=\s+in\b)")),
    Gap("optional tuple element", TYPED, b"?", blanks(rb"(\?)(?=\s*[,\]])")),
    Gap("field before a generator method", ALL, b"*", fields_before_generators),
    Gap("method named in", ALL, b"in", names_beginning_with_in(rb"\s*\(")),
    Gap("ampersand in text", MARKUP, b"&", ampersands_in_text),
    Gap("namespace named like a type", TYPED, b"", renames(rb"(?<![\w$.])(" + _PREDEFINED + rb"|type)(?=\.\w)")),
    Gap("static index signature", TYPED, b"[", blanks(rb"((?:static|declare)(?:\s+readonly)?)\s*\[")),
    Gap("constrained infer", TYPED, b"infer", blanks(rb"[(\[]\s*(infer)\s+" + _NAME + rb"\s+extends\s[^?:;()]{0,2000}\?")),
    Gap("mapped type without a value", TYPED, b"in", blanks(_MAPPED_WITHOUT_VALUE)),
    Gap(
        "yield or await as a name",
        ALL,
        b"",
        renames(rb"(?:[(,\[{:=]|\.\.\.|new|return|^)\s*(yield|await)(?=\s*(?:[,)\]}(]|=(?!=)))"),
    ),
    Gap("parentheses around a target", ALL, b"(", blanks(_TARGET_IN_PARENTHESES)),
    Gap("assertion before a target", TYPED, b"<", blanks(rb"[({\[,:]\s*(<[\w$.]+>)(?=\s*[\w$.]+\s*(?:[,}\]=]|of(?![\w$])))")),
    Gap("optional parameter with a default", TYPED, b"?", blanks(rb"[\w$]\s*(\?)(?=\s*=(?![=>]))")),
    Gap("assertion in a pattern", TYPED, b"", blanks(rb"(?<=[\s)])((?:as|satisfies)\s+[\w$.]+)(?=\s*[\])]\s*=(?![=>]))")),
)
