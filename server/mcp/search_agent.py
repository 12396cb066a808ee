"""The retrieval agent: the client's model judges a weak answer and rewords the question.

The agent uses MCP sampling, if the settings enable it and the client supports it. With older versions of the protocol, the server
sends a request. With newer versions, the tool returns a question, and the client calls the tool again with the reply. If the
client refuses, fails, or sends no valid reply, the answer is the same as without the agent.
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
from ..api.requests.search_results import SearchResults

Search = Callable[[str], Awaitable[SearchResults]]

#: Key of the question in the list of requested inputs.
_KEY = "verdict"
#: Maximum number of tokens of a reply.
_REPLY_TOKENS = 200
#: Maximum number of results in a question.
_MAX_RESULTS = 8
#: Maximum number of characters of a query in a reply.
_MAX_QUERY_LENGTH = 300
#: Maximum number of recorded queries without a reply. The oldest query is removed first.
_MAX_UNANSWERED = 100

_SYSTEM = (
    "You judge results of a code search. Reply with one JSON object and nothing else: "
    '{"relevant": true} when some result answers the question; else {"relevant": false, "query": "…"} with other words '
    "that the code itself may use: names, terms, what it does. One short query, without operators."
)
_LOOKUP = re.compile(r"\s*symbol\s*=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgment of the client's model. `query` is "" without a better query."""

    relevant: bool
    query: str = ""


def is_weak(results: SearchResults, settings: Settings) -> bool:
    """Return whether an answer has no result with at least the score of the settings."""
    return max((result.score for result in results), default=0.0) < settings.sampling_below


def question_of(query: str, results: SearchResults, tried: Sequence[str]) -> str:
    """Return the question for the client's model."""
    found = [f"- {result.kind} {result.breadcrumb} (score {result.score:.2f})" for result in results.results[:_MAX_RESULTS]]
    others = [f"Already tried: {'; '.join(tried)}"] if len(tried) > 1 else []
    return "\n".join([f"Question: {query}", *others, "Results:", *(found or ["none"])])


def read_verdict(reply: str) -> Verdict | None:
    """Return the verdict in a reply, which may have text around the verdict; None if there is no verdict."""
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
    # Lookups by exact name are ignored: a model cannot guess names, and a failed lookup would hide the results of the
    # question.
    return Verdict(relevant, "" if _LOOKUP.match(query) else " ".join(query.split()))


class SearchAgent:
    """Improves weak answers if the settings and the client allow it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        #: Queries whose question was sent as a result. The next call may contain the reply.
        self._unanswered: dict[str, None] = {}

    async def answer(self, query: str, search: Search, context: Context[Any, Any]) -> SearchResults | InputRequiredResult:
        """Return the answer to a query or, on a newer connection, the question for the client's model."""
        if not self._may_ask(query, context):
            return await search(query)
        tried = self._earlier_queries(query, context.request_state)
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

    def _earlier_queries(self, query: str, state: str | None) -> list[str]:
        """Return the earlier queries from the state that the client returns; only `query` if the state is invalid."""
        try:
            tried = json.loads(state or "")
        except ValueError:
            return [query]
        is_own = isinstance(tried, list) and all(
            isinstance(words, str) and len(words) <= _MAX_QUERY_LENGTH for words in tried[1:]
        )
        return tried if is_own and tried[:1] == [query] and len(tried) <= self._settings.sampling_attempts else [query]

    def _input_required(self, query: str, question: str, tried: list[str]) -> InputRequiredResult | None:
        """Return the question as the result of the call; None if the client gave no reply to an earlier question.

        A client that refuses ends the call. The question about a query is sent only once, so the next call has an answer.
        """
        if len(tried) == 1 and query in self._unanswered:
            return None
        self._unanswered[query] = None
        while len(self._unanswered) > _MAX_UNANSWERED:
            self._unanswered.pop(next(iter(self._unanswered)))
        return InputRequiredResult(input_requests={_KEY: _request(question)}, request_state=json.dumps(tried))

    async def _ask(self, question: str, context: Context[Any, Any]) -> str:
        """Return the reply of the client's model; "" without a reply in time."""
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
    """Return the reply of the client's model; None in a first call."""
    result = (context.input_responses or {}).get(_KEY)
    return _text(result) if isinstance(result, CreateMessageResult) else None if result is None else ""


def _text(result: CreateMessageResult) -> str:
    return result.content.text if isinstance(result.content, TextContent) else ""


def _best(query: str, found: Sequence[SearchResults]) -> SearchResults:
    """Return the answer with the best result, or the earliest of equal answers. If a reworded query found it, a notice says
    so."""
    best = max(found, key=lambda results: max((result.score for result in results), default=0.0))
    if best is found[0]:
        return best
    notice = f'Little matches "{query}"; these are the results for other words of the client\'s model.'
    return SearchResults(best.answer, replace(best.index, notices=(*best.index.notices, notice)))
