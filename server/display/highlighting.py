"""Source code with highlighting: as HTML in the colors of the notebook's theme, and as pieces of text with their colors."""

from __future__ import annotations

from collections.abc import Sequence

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.token import STANDARD_TYPES
from pygments.util import ClassNotFound

#: Number of lines before and after the shown lines that the lexer also reads. A string or comment may begin or end there.
LEAD = 500
#: Prefix of the CSS classes of tokens.
_PREFIX = "astrolabe-"
#: Short names of Pygments' token classes -> the color of JupyterLab's theme, and a color for pages without that theme.
_COLORS = (
    (("k", "kc", "kd", "kn", "kp", "kr", "kt", "ow"), "keyword", "#8250df"),
    (("s", "s1", "s2", "sa", "sb", "sc", "sd", "se", "sh", "si", "sr", "ss", "dl"), "string", "#0a6640"),
    (("c", "c1", "ch", "cm", "cp", "cpf", "cs"), "comment", "#59636e"),
    (("m", "mb", "mf", "mh", "mi", "mo", "il"), "number", "#0550ae"),
    (("nf", "fm", "nc", "nd", "nt"), "def", "#0550ae"),
    (("nb", "bp", "na"), "builtin", "#953800"),
)
_COLOR_NAMES = {name: color for names, color, _ in _COLORS for name in names}
_RULES = "".join(
    f"{', '.join(f'.astrolabe-code .{_PREFIX}{name}' for name in names)} "
    f"{{ color: var(--jp-mirror-editor-{variable}-color, {color}); }}\n"
    for names, variable, color in _COLORS
)
#: Rules for all blocks that `code_html` returns. A page needs the rules once.
STYLE = f"<style>\n.astrolabe-code {{ overflow-x: auto; }}\n{_RULES}</style>"


def code_html(text: str, path: str) -> str:
    """Return source code as an escaped block of HTML. The file name determines the language; the default is plain text."""
    formatter = HtmlFormatter(nowrap=True, classprefix=_PREFIX)
    return f'<pre class="astrolabe-code">{highlight(text, _lexer(path), formatter)}</pre>'


def code_lines(text_lines: Sequence[str], path: str, first: int, last: int) -> list[list[tuple[str, str]]]:
    """Return lines of source code from index `first` up to `last`, each as pieces: the name of a color or "", and the text."""
    begin = _beginning(text_lines, first)
    lines: list[list[tuple[str, str]]] = [[]]
    for token, value in _lexer(path).get_tokens("\n".join(text_lines[begin : last + LEAD])):
        color = _COLOR_NAMES.get(STANDARD_TYPES.get(token, ""), "")
        for number, piece in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if piece:
                lines[-1].append((color, piece))
        if len(lines) > last - begin:
            break
    return lines[first - begin : last - begin]


def _beginning(text_lines: Sequence[str], first: int) -> int:
    """Return the index of the line from which the lexer reads: in a long file, the beginning of a declaration shortly before
    `first`.

    The lexer reads about a megabyte per second, and a declaration behind an empty line is rarely inside a string or a comment.
    """
    for place in range(first - LEAD, 0, -1):
        if text_lines[place][:1].isalpha() and not text_lines[place - 1].strip():
            return place
    return 0


def _lexer(path: str) -> Lexer:
    try:
        return get_lexer_for_filename(path, stripnl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False)
