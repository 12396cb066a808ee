"""Send requests to Voyage through its own client, with retries and error messages.

If the service is busy, unreachable or returns invalid data, a request is repeated after growing pauses. Attempts end after
minutes while an index is built, and after seconds while a user waits. Each answer is validated, because an invalid vector would
stay in the index.

The client takes most of a second to import, so the first request imports it.
"""

from __future__ import annotations

import logging
import math
import os
import random
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...schema.errors import ProviderError
from ..text.words import one_line
from .embedder import Vectors

#: Name of the embedding model.
MODEL = "voyage-code-3"
#: Length of a vector of the embedding model.
DIMENSIONS = 1024
#: Name of the re-ranking model.
RERANK_MODEL = "rerank-2.5"
#: Environment variable with the key.
KEY_VARIABLE = "VOYAGE_API_KEY"
#: Environment variable with the address of the API or of a proxy. Key and address come only from the environment, so that a
#: repository cannot redirect requests.
URL_VARIABLE = "VOYAGE_BASE_URL"

#: Maximum number of characters of a document in a re-ranking. The service allows 600,000 tokens for all documents of a request.
_MAX_DOCUMENT_CHARACTERS = 40_000
#: Maximum number of attempts without a connection.
_MAX_UNREACHABLE_ATTEMPTS = 4
#: Maximum number of attempts with invalid answers.
_MAX_UNUSABLE_ATTEMPTS = 3
#: Number of consecutive refusals of too many requests after which the caller should send smaller requests.
_REFUSALS_BEFORE_LESS = 3
#: Minimum length in seconds of an announced pause. The first pause is always announced.
_LONG_PAUSE = 8.0
#: Maximum number of shown characters of a message from the service.
_MAX_MESSAGE_CHARACTERS = 200
#: Advice for users who cannot use the service.
_ALTERNATIVES = "Lookups of names (`symbol = …`) and `--mode literal` work without it."

Answer = TypeVar("Answer")


class Patience(NamedTuple):
    """Limits for the duration of a request, in seconds."""

    #: Pauses between attempts. Each pause is extended at random by up to a half, and is at least as long as the service's
    #: `Retry-After`.
    pauses: tuple[float, ...]
    #: The longest pause that the service may request.
    longest: float
    #: Time limit of one attempt.
    timeout: float


#: Limits while an index is built.
UNHURRIED = Patience((1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0), 120.0, 120.0)
#: Limits while a user waits for results.
PROMPT = Patience((0.5, 1.0, 2.0), 5.0, 20.0)


class TooMuchAtOnce(ProviderError):
    """Raised if the service currently accepts only smaller requests."""


class _Retryable(Exception):
    """A failure after which another attempt may succeed."""

    def __init__(self, error: Exception, attempts: int | None = None, busy: bool = False, pause: float = 0.0) -> None:
        """`attempts` is the maximum number of attempts; None if only the patience limits them.

        `pause` is the requested pause in seconds.
        """
        super().__init__(_message(error))
        self.attempts, self.busy, self.pause = attempts, busy, pause
        self.explained = _explained(error)


class VoyageService:
    """A client of Voyage that validates answers. Threads may share a client."""

    def __init__(self, notify: Callable[[str], None] | None = None) -> None:
        """`notify` receives sentences about pauses; by default they go to the log."""
        self._notify = notify or logging.getLogger("astrolabe").warning

    def embed_documents(self, texts: Sequence[str], *, divisible: bool) -> tuple[Vectors, int]:
        """Return unit vectors of shape (len(texts), 1024), and their cost in tokens. May wait for minutes.

        Raises ProviderError, and TooMuchAtOnce if several requests can share the texts.
        """
        return self._with_retries(lambda voyage, access: _embedded(voyage, texts, "document", access), UNHURRIED, divisible)

    def embed_query(self, text: str) -> Vectors:
        """Return a unit vector of shape (1024,). Raises ProviderError."""
        vectors, _ = self._with_retries(lambda voyage, access: _embedded(voyage, [text], "query", access), PROMPT)
        return np.asarray(vectors[0])

    def rerank(self, query: str, documents: Sequence[str]) -> list[float]:
        """Return the relevance of each document, 0 to 1. Raises ProviderError."""
        shown = [document[:_MAX_DOCUMENT_CHARACTERS] for document in documents]

        def request(voyage: Any, access: dict[str, Any]) -> list[float]:
            answer = voyage.Reranking.create(query=query, documents=shown, model=RERANK_MODEL, truncation=True, **access)
            return _scores(answer.data, len(shown))

        return self._with_retries(request, PROMPT)

    def _with_retries(
        self, request: Callable[[Any, dict[str, Any]], Answer], patience: Patience, divisible: bool = False
    ) -> Answer:
        access = {"api_key": _key(), "base_url": os.environ.get(URL_VARIABLE), "request_timeout": patience.timeout}
        voyage = _client()
        refused = 0
        for attempt, usual in enumerate((*patience.pauses, None), start=1):
            try:
                return _attempted(voyage, lambda: request(voyage, access), divisible)
            except _Retryable as failure:
                refused = refused + 1 if failure.busy else 0
                if usual is None or attempt == failure.attempts or failure.pause > patience.longest:
                    raise failure.explained from failure
                pause = max(failure.pause, usual * random.uniform(1.0, 1.5))
                if attempt == 1 or pause >= _LONG_PAUSE:
                    self._notify(f"{failure.explained} Trying again in {pause:.0f} s.")
                time.sleep(pause)
                if divisible and refused == _REFUSALS_BEFORE_LESS:
                    raise TooMuchAtOnce(str(failure.explained)) from failure
        raise AssertionError("the last attempt answers or raises")


def _key() -> str:
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key:
        raise ProviderError(f'The embedding provider "voyage" needs a key: set the environment variable {KEY_VARIABLE}.')
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ProviderError(f"The key in {KEY_VARIABLE} has characters that no key has. Copy it again.")
    return key


def _client() -> Any:
    try:
        import voyageai
        import voyageai.error
    except ImportError as error:
        if error.name == "voyageai":
            need = 'The embedding provider "voyage" needs an extra: pip install "astrolabe-code[voyage]".'
            raise ProviderError(need) from error
        raise ProviderError(f'The client of the embedding provider "voyage" cannot be loaded: {error}.') from error
    return voyageai


def _attempted(voyage: Any, request: Callable[[], Answer], divisible: bool) -> Answer:
    """Return the answer to one request. Raises _Retryable, TooMuchAtOnce, and ProviderError if another attempt would fail,
    too.
    """
    errors = voyage.error
    try:
        return request()
    except errors.APIConnectionError as error:
        if isinstance(error.__cause__, ValueError):  # an invalid address
            raise ProviderError(f"The address in {URL_VARIABLE}, or that of a proxy, cannot be used: {_shown(error)}.") from error
        raise _Retryable(error, _MAX_UNREACHABLE_ATTEMPTS) from error
    except (errors.Timeout, errors.TryAgain) as error:
        raise _Retryable(error) from error
    except errors.VoyageError as error:
        status = error.http_status or 0
        if status == 429:
            raise _Retryable(error, busy=True, pause=_requested_pause(error.headers)) from error
        if status == 408 or status >= 500:
            raise _Retryable(error, pause=_requested_pause(error.headers)) from error
        if 200 <= status < 300:  # a truncated response
            raise _Retryable(error, _MAX_UNUSABLE_ATTEMPTS) from error
        if divisible and (status == 413 or (status == 400 and "token" in _message(error).lower())):
            raise TooMuchAtOnce(str(_explained(error))) from error
        raise _explained(error) from error
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        # The client unpacks answers without validation.
        raise _Retryable(error, _MAX_UNUSABLE_ATTEMPTS) from error


def _embedded(voyage: Any, texts: Sequence[str], input_type: str, access: dict[str, Any]) -> tuple[Vectors, int]:
    answer = voyage.Embedding.create(
        input=list(texts), model=MODEL, input_type=input_type, truncation=True, output_dimension=DIMENSIONS, **access
    )
    return _vectors(answer.data, len(texts)), int(answer.usage.total_tokens)


def _vectors(data: Any, count: int) -> Vectors:
    """Return vectors of unit length, in the order of the texts. Raises ValueError if the answer is invalid."""
    order = _order([one.get("index", place) for place, one in enumerate(data)], count)
    vectors = np.array([data[place]["embedding"] for place in order], np.float32)
    if vectors.shape != (count, DIMENSIONS):
        raise ValueError(f"vectors of shape {vectors.shape} instead of {(count, DIMENSIONS)}")
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise ValueError("a vector that is not finite, or all zero")
    return np.asarray(vectors / lengths, np.float32)


def _scores(data: Any, count: int) -> list[float]:
    order = _order([one["index"] for one in data], count)
    scores = [float(data[place]["relevance_score"]) for place in order]
    if not np.isfinite(scores).all():
        raise ValueError("a relevance that is not finite")
    return scores


def _order(indices: list[Any], count: int) -> list[int]:
    """Return for each text the position of its result in the answer. Raises ValueError if the results are misnumbered."""
    if sorted(indices) != list(range(count)):
        raise ValueError(f"{len(indices)} results, which are not numbered like the {count} texts")
    return sorted(range(count), key=indices.__getitem__)


def _requested_pause(headers: Any) -> float:
    """Return the pause in seconds that the header `Retry-After` requests, as a number or as a date; 0 without the header."""
    value = {str(name).lower(): value for name, value in (headers or {}).items()}.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return 0.0
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _explained(error: Any) -> ProviderError:
    status = getattr(error, "http_status", None)
    if status == 401:
        return ProviderError(f"Voyage does not accept the key in {KEY_VARIABLE}: {_shown(error)}.")
    if status == 429:
        return ProviderError(f"Voyage accepts no more requests for now: {_shown(error)}. {_ALTERNATIVES}")
    if type(error).__name__ in ("APIConnectionError", "Timeout"):
        return ProviderError(f"Voyage cannot be reached: {_shown(error)}. {_ALTERNATIVES}")
    if status is None:
        return ProviderError(f"Voyage sent an answer that cannot be used: {_shown(error)}. {_ALTERNATIVES}")
    return ProviderError(
        f"Voyage cannot embed or re-rank now ({type(error).__name__}, status {status}): {_shown(error)}. {_ALTERNATIVES}"
    )


def _message(error: Any) -> str:
    """Return the message of the service, which may be any JSON, or else the message of the error."""
    body = getattr(error, "json_body", None)
    detail = body.get("detail") if isinstance(body, dict) else None
    return str(detail if detail is not None else getattr(error, "user_message", None) or error)


def _shown(error: Exception) -> str:
    """Return the beginning of the message of an error, on one line and without the key."""
    text = one_line(_message(error))
    key = os.environ.get(KEY_VARIABLE, "").strip()
    text = (text.replace(key, "…") if key else text).rstrip(".")
    return text if len(text) <= _MAX_MESSAGE_CHARACTERS else f"{text[:_MAX_MESSAGE_CHARACTERS]}…"
