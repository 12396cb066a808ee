"""The retrieval agent: the client's model judges a weak answer, and words the question anew.

It works through MCP's sampling, where the user turned it on and the client offers it. Connections of the handshake era are asked
by a request of the server; on newer ones a tool answers that it needs input, and is called again with the reply. Whatever goes
wrong, refusal, failure, nonsense or silence, the answer is what it would have been without.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from pydantic import ValidationError

from ...schema.settings import Settings
from ..api.search_results import SearchResults

Search = Callable[[str], Awaitable[SearchResults]]

#: Under this key goes the one question of a round.
_KEY = "verdict"
#: Tokens of a reply, results in a question, and characters of a query that a reply may give.
_REPLY_TOKENS, _MAX_RESULTS, _MAX_QUERY_LENGTH = 200, 8, 300
#: Queries of which a client never said what its model thinks; more than these are forgotten, the oldest first.
_MAX_UNANSWERED = 100

_SYSTEM = (
    "You judge results of a code search. Reply with one JSON object and nothing else: "
    '{"relevant": true} when some result answers the question; else {"relevant": false, "query": "…"} with other words '
    "that the code itself may use: names, terms, what it does. One short query, without operators."
)
_LOOKUP = re.compile(r"\s*symbol\s*=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the client's model makes of an answer. `query` is "" where it has no better one."""

    relevant: bool
    query: str = ""


def is_weak(results: SearchResults, settings: Settings) -> bool:
    """Whether an answer is worth a second thought: it has no result, or none above the score of the settings."""
    return max((result.score for result in results), default=0.0) < settings.sampling_below


def question_of(query: str, results: SearchResults, tried: Sequence[str]) -> str:
    """What the client's model is asked."""
    found = [f"- {result.kind} {result.breadcrumb} (score {result.score:.2f})" for result in results.results[:_MAX_RESULTS]]
    others = [f"Already tried: {'; '.join(tried)}"] if len(tried) > 1 else []
    return "\n".join([f"Question: {query}", *others, "Results:", *(found or ["none"])])


def read_verdict(reply: str) -> Verdict | None:
    """The verdict in a reply, with or without a fence or words around it; None where there is none."""
    written = re.search(r"\{.*\}", reply, re.DOTALL)
    if written is None:
        return None
    try:
        parts = json.loads(written[0])
    except ValueError:
        return None
    relevant, query = parts.get("relevant"), parts.get("query", "")
    if not isinstance(relevant, bool) or not isinstance(query, str) or len(query) > _MAX_QUERY_LENGTH:
        return None
    # A lookup is exact: no model can guess it, and its failure would hide what the question found.
    return Verdict(relevant, "" if _LOOKUP.match(query) else " ".join(query.split()))


class SearchAgent:
    """Improves weak answers, as far as the settings and the client allow."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        #: Asked on connections where only the next call can carry the reply.
        self._unanswered: dict[str, None] = {}

    async def answer(self, query: str, search: Search, context: Context[Any, Any]) -> SearchResults | InputRequiredResult:
        """The answer to a query, or on a newer connection the question on which it depends."""
        if not self._may_ask(query, context):
            return await search(query)
        tried = self._tried(query, context.request_state)
        found = [await search(words) for words in tried]
        reply = _reply(context)
        while is_weak(best := _best(query, found), self._settings) and len(tried) <= self._settings.sampling_attempts:
            question = question_of(query, found[-1], tried)
            if reply is None and not context.session.can_send_request:
                return self._input_required(query, question, tried) or best
            verdict = read_verdict(reply if reply is not None else await self._ask(question, context))
            reply = None
            if verdict is None or verdict.relevant or not verdict.query or verdict.query in tried:
                break
            tried.append(verdict.query)
            found.append(await search(verdict.query))
        self._unanswered.pop(query, None)
        return best

    def _may_ask(self, query: str, context: Context[Any, Any]) -> bool:
        capabilities = context.client_capabilities
        offered = capabilities is not None and capabilities.sampling is not None
        return self._settings.sampling and offered and not _LOOKUP.match(query)

    def _tried(self, query: str, state: str | None) -> list[str]:
        """The queries so far: what this server told the client to remember, as far as it can be believed."""
        try:
            tried = json.loads(state or "")
        except ValueError:
            return [query]
        is_own = isinstance(tried, list) and all(
            isinstance(words, str) and len(words) <= _MAX_QUERY_LENGTH for words in tried[1:]
        )
        return tried if is_own and tried[:1] == [query] and len(tried) <= self._settings.sampling_attempts else [query]

    def _input_required(self, query: str, question: str, tried: list[str]) -> InputRequiredResult | None:
        """The question as the result of the call; None where a client came back without a reply to an earlier one.

        A client that refuses ends the call on its side; not asked again about the same query, it gets its answer then.
        """
        if len(tried) == 1 and query in self._unanswered:
            return None
        self._unanswered[query] = None
        while len(self._unanswered) > _MAX_UNANSWERED:
            self._unanswered.pop(next(iter(self._unanswered)))
        return InputRequiredResult(input_requests={_KEY: _request(question)}, request_state=json.dumps(tried))

    async def _ask(self, question: str, context: Context[Any, Any]) -> str:
        """The reply of the client's model; "" when it gives none in time."""
        try:
            result = await context.session.send_request(
                _request(question), CreateMessageResult, request_read_timeout_seconds=self._settings.sampling_timeout
            )
        except (MCPError, ValidationError, TimeoutError) as error:
            logging.getLogger("astrolabe").info("The client's model gave no verdict: %s", error)
            return ""
        return _text(result)


def _request(question: str) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=question))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(messages=[message], system_prompt=_SYSTEM, max_tokens=_REPLY_TOKENS, temperature=0.0)
    )


def _reply(context: Context[Any, Any]) -> str | None:
    """What the client brings from its model; None in a first call."""
    result = (context.input_responses or {}).get(_KEY)
    return _text(result) if isinstance(result, CreateMessageResult) else None if result is None else ""


def _text(result: CreateMessageResult) -> str:
    return result.content.text if isinstance(result.content, TextContent) else ""


def _best(query: str, found: Sequence[SearchResults]) -> SearchResults:
    """The answer with the best result, the earliest of equals; where other words found it, it says so."""
    best = max(found, key=lambda results: max((result.score for result in results), default=0.0))
    if best is found[0]:
        return best
    notice = f'Little matches "{query}"; these are the results for other words of the client\'s model.'
    return SearchResults(best.answer, replace(best.index, notices=(*best.index.notices, notice)))
