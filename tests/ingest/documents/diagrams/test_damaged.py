"""Damaged and hostile diagrams: whatever the text, there is an answer, soon."""

from __future__ import annotations

import random
import time

import pytest
from astrolabe.ingest.documents.lowering.diagram_languages import read_diagram

TEXTS = (
    'flowchart LR\n a["A"] -->|x| b{B} & c\n subgraph s [T]\n d@{ shape: cyl }\n end\n',
    "sequenceDiagram\n participant a as A\n a->>+b: hi\n alt x\n b-->>-a: no\n else y\n end\n Note over a,b: n\n",
    "classDiagram\n class A~T~ {\n +x() int\n }\n A <|-- B : is\n namespace n {\n class C\n }\n",
    'stateDiagram-v2\n [*] --> A : x\n state "long" as B {\n C --> D\n --\n E\n }\n note right of A\n n\n end note\n',
    'erDiagram\n A ||--o{ B : "has"\n A {\n int id PK "key"\n }\n',
    "gantt\n section s\n a :crit, b, 2026-01-01, 3d\n",
    "mindmap\n r((R))\n  a[b]\n",
    'gitGraph\n commit id: "a"\n branch b\n commit\n checkout main\n commit\n merge b\n',
    'C4Context\n Boundary(b, "B") {\n Person(a, "A")\n }\n Rel(a, b, "x")\n',
    "requirementDiagram\n requirement r {\n id: 1\n }\n r - copies -> r\n",
    'block-beta\n a["A"] b\n block:g\n c\n end\n a --> b\n',
    "architecture-beta\n service a(db)[A]\n service b(db)[B]\n a:L -- R:b\n",
    'pie\n "a" : 1\n',
    "quadrantChart\n a: [0.1, 0.2]\n",
    "timeline\n section s\n 2002 : a : b\n",
    "journey\n section s\n a: 5: b\n",
)
PIECES = (
    '"',
    "[",
    "{",
    "(",
    "-->",
    "--",
    "`",
    "\n",
    "@{",
    "subgraph ",
    "end",
    "\\",
    "|",
    "~",
    ";",
    ":",
    " ",
    "<",
    ":::",
    "state ",
    "a.",
)


def damaged(text: str, randomness: random.Random) -> str:
    """The text with a few parts left out, doubled or put in."""
    for _ in range(randomness.randint(1, 4)):
        start = randomness.randint(0, len(text))
        end = min(len(text), start + randomness.randint(0, 20))
        text = (
            text[:start] + randomness.choice(PIECES) * randomness.choice((0, 1, 1, 40)) + text[randomness.choice((start, end)) :]
        )
    return text


def test_damaged_diagrams_have_an_answer() -> None:
    randomness = random.Random(7)
    problems = 0
    for _ in range(800):
        diagram = read_diagram("mermaid", damaged(randomness.choice(TEXTS), randomness))
        if diagram.problem is not None:
            problems += 1
            assert 1 <= diagram.problem.line <= diagram.text.count("\n") + 1
            assert diagram.problem.reason
            assert (diagram.nodes, diagram.edges, diagram.messages) == ((), (), ())
    assert 100 < problems < 800


@pytest.mark.parametrize("text", TEXTS, ids=[text.split()[0] for text in TEXTS])
def test_no_repetition_takes_long(text: str) -> None:
    head = text.partition("\n")[0]
    started = time.process_time()
    for piece in PIECES:
        read_diagram("mermaid", f"{head}\n{piece * 3000}!")
        read_diagram("mermaid", f"{text}{piece * 3000}a")
    assert time.process_time() - started < 4
