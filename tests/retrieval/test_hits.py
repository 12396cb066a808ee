"""What stands for what was found: one result for a function and its callbacks, none for statements that only pass on names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from astrolabe.retrieval.query.search_request import SearchRequest

FETCH = "src/fetch.ts"
CALLS = "src/calls.ts"

SOURCE = """
import { Observable } from './observable';
import { innerFrom } from './innerFrom';
import { noop } from './noop';

interface FetchInit {
  selector?: string;
}

const UNUSED = noop();

export function fromFetch(url: string, init: FetchInit) {
  return new Observable((subscriber) => {
    const handleAbort = () => {
      subscriber.abort(init.selector);
    };
    innerFrom(url).subscribe(handleAbort);
  });
}

export function other(): void {
  fromFetch('/', {});
}
"""


@pytest.fixture(scope="module")
def stores(new_project: Any, store: Callable[[Any], Any]) -> Any:
    project = new_project()
    project.file(
        FETCH,
        SOURCE,
        ("interface", "FetchInit"),
        ("property", "FetchInit.selector"),
        ("const", "UNUSED"),
        ("function", "fromFetch"),
        ("function", "fromFetch.Observable callback", "return new Observable("),
        ("function", "fromFetch.Observable callback.handleAbort"),
        ("function", "other"),
    )
    at = f"{FETCH}#"
    project.use_import(at + "fromFetch", "./observable", "Observable")
    project.use_import(at + "fromFetch.Observable callback", "./innerFrom", "innerFrom")
    project.use_import(at + "UNUSED", "./noop", "noop")
    project.flow(at + "fromFetch", at + "FetchInit", "param", "init", 1)
    project.refer(at + "fromFetch.Observable callback.handleAbort", at + "FetchInit.selector")
    project.call(at + "other", at + "fromFetch")
    for number, language in enumerate(("de", "en", "fr", "it", "pl", "sv")):
        text = f"export const messages = () => {{\n  return ['greeting', 'farewell', {number}];\n}};"
        project.file(f"src/locales/{language}.ts", text, ("function", "messages"))
    return store(project)


def names(answer: Any) -> list[str]:
    return [result.name for result in answer.results]


@pytest.mark.parametrize("query", ["abort the subscriber", "observable callback subscribe", "where does handleAbort abort"])
def test_a_function_is_the_result_for_its_callbacks_once(stores: Any, query: str) -> None:
    answer = stores.engine(minimum_relevance_threshold=0.2).search(SearchRequest(query, paths=[FETCH]))
    assert names(answer).count("fromFetch") == 1
    assert not {"Observable callback", "handleAbort"} & set(names(answer))
    assert answer.results[0].start_line == 11


def test_a_ranking_without_a_budget_keeps_parts_beside_what_holds_them(stores: Any) -> None:
    ranked = names(stores.engine().search(SearchRequest("handleAbort abort the subscriber", paths=[FETCH], limit=9)))
    assert {"handleAbort", "fromFetch"} <= set(ranked)


def test_what_a_callback_uses_comes_with_the_function_that_holds_it(stores: Any) -> None:
    for query in ("abort the subscriber", f"symbol = {FETCH} > fromFetch > Observable callback"):
        # Nothing but that function: what other results use would come along.
        text = stores.engine(minimum_relevance_threshold=0.9).search(SearchRequest(query, paths=[FETCH])).texts[1].text
        assert "import { Observable } from './observable';\nimport { innerFrom } from './innerFrom';\n" in text
        assert "noop" not in text
        assert text.count("export function fromFetch") == 1


def test_import_statements_are_results_only_when_they_are_asked_for(stores: Any) -> None:
    engine = stores.engine(minimum_relevance_threshold=0.0)
    assert "import" not in {result.kind for result in engine.search(SearchRequest("innerFrom observable", budget=8000)).results}
    assert "import" in {
        result.kind for result in engine.search(SearchRequest("where is innerFrom imported", budget=8000)).results
    }


def test_variants_of_one_declaration_are_shown_by_a_few(stores: Any) -> None:
    engine = stores.engine(minimum_relevance_threshold=0.0)
    answer = engine.search(SearchRequest("greeting and farewell messages", paths=["src/locales"]))
    assert names(answer) == ["messages"] * 3
    assert "Alike: messages in 3 further files of src/locales: " in answer.texts[0].text
    # Whoever asks for the name, or for the ranking, gets all.
    assert len(engine.search(SearchRequest("symbol = messages")).results) == 6
    assert len(engine.search(SearchRequest("greeting and farewell messages", paths=["src/locales"], limit=9)).results) == 6


def test_a_large_result_does_not_push_out_the_small_ones_below_it(new_project: Any, store: Callable[[Any], Any]) -> None:
    project = new_project()
    body = "\n".join(f"  walk(tree, {n}); // walks the tree, the tree of trees" for n in range(180))
    project.file("src/first.ts", "export function walkTree() {\n  return tree;\n}", ("function", "walkTree"))
    project.file("src/large.ts", f"export function walkTreeOfTrees() {{\n{body}\n}}", ("function", "walkTreeOfTrees"))
    for n in range(8):
        project.file(f"src/small{n}.ts", f"export function walk{n}() {{\n  return walkTree({n});\n}}", ("function", f"walk{n}"))
    answer = store(project).engine(minimum_relevance_threshold=0.0).search(SearchRequest("walkTree", budget=1500))
    assert len(answer.results) == 9
    assert "Beyond the budget: symbol = src/large.ts > walkTreeOfTrees (" in answer.texts[0].text
    assert answer.tokens <= 1500


def test_members_behind_their_class_are_told_by_it(new_project: Any, store: Callable[[Any], Any]) -> None:
    project = new_project()
    text = "/** Keeps sessions. */\nexport class SessionKeeper {\n  put(session: Session) {\n    return session;\n  }\n}"
    project.file("src/keeper.ts", text, ("class", "SessionKeeper"), ("method", "SessionKeeper.put"))
    project.file("src/other.ts", "export function unrelated() {\n  return 1;\n}", ("function", "unrelated"))
    engine = store(project).engine(minimum_relevance_threshold=0.0)
    assert names(engine.search(SearchRequest("SessionKeeper", budget=4000)))[:1] == ["SessionKeeper"]
    assert "put" not in names(engine.search(SearchRequest("SessionKeeper", budget=4000)))
    # A member that is the better answer stays beside its class.
    assert "put" in names(engine.search(SearchRequest("put", budget=4000)))
