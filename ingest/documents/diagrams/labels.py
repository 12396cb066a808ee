"""Labels of diagrams as plain text: entities decoded, line breaks as newlines."""

from __future__ import annotations

import html
import re

#: Signs around the name of an entity (`#quot;`, `#9829;`) while a diagram is read, because `#` and `;` have other meanings.
_OPEN, _CLOSE = "\ue000", "\ue001"
_ENTITY = re.compile(r"#([A-Za-z0-9_]{1,32});")
_HIDDEN = re.compile(f"{_OPEN}([A-Za-z0-9_]+){_CLOSE}")
_BREAK = re.compile(r"<br[ \t]{0,8}/?>", re.IGNORECASE)


def hide_entities(text: str) -> str:
    """Replace the signs around mermaid's entities, so that no grammar misreads the signs. `plain_label` decodes the entities."""
    return _ENTITY.sub(f"{_OPEN}\\1{_CLOSE}", text)


def _shown(match: re.Match[str]) -> str:
    name = match[1]
    entity = f"&#{name};" if name.isdigit() else f"&{name};"
    shown = html.unescape(entity)
    return shown if shown != entity else f"#{name};"


def plain_label(label: str) -> str:
    """Return a label as a reader sees it, without surrounding space."""
    text = _HIDDEN.sub(_shown, label)
    if "<" in text:
        text = _BREAK.sub("\n", text)
    if "&" in text:
        text = html.unescape(text)
    return text.strip()
