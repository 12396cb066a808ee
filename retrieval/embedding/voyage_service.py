"""Requests to Voyage through its own client, with what goes wrong waited out or said in a sentence.

A service that is busy, out of reach or answers with nonsense is asked again after growing pauses, for minutes where an index
is built and for seconds where somebody waits for results. An answer is looked at before anybody takes it: a vector that is
no number would stay in the index.

The client takes most of a second to import, so that is done when the first request goes out.
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

MODEL, DIMENSIONS, RERANK_MODEL = "voyage-code-3", 1024, "rerank-2.5"
KEY_VARIABLE = "VOYAGE_API_KEY"
#: Address of the API where it is not Voyage's own, such as that of a proxy. Like the key it comes from the environment alone: a
#: repository must not be able to send either elsewhere.
URL_VARIABLE = "VOYAGE_BASE_URL"

#: 600,000 tokens are allowed for all documents of one re-ranking.
_DOCUMENT_CHARACTERS = 40_000
#: Attempts where no connection comes about, and where answers cannot be used: waiting longer helps neither.
_UNREACHABLE_ATTEMPTS, _UNUSABLE_ATTEMPTS = 4, 3
#: Refusals for too many requests after which smaller ones are tried.
_REFUSALS_BEFORE_LESS = 3
#: Pauses from this length on are announced, as is the first.
_LONG_PAUSE = 8.0
#: Characters of what the service says that are shown.
_MAX_SHOWN = 200
#: What somebody can do without the service.
_WITHOUT = "Names (`symbol = …`) and `--mode literal` are found without it."

Answer = TypeVar("Answer")


class Patience(NamedTuple):
    """How long a request may take, in seconds."""

    #: Pauses between attempts, each up to half longer by chance, and as long at least as the service's `Retry-After`.
    pauses: tuple[float, ...]
    #: The longest pause that the service may ask for.
    longest: float
    #: For one attempt.
    timeout: float


#: For an index that is built, and for somebody who waits for results.
UNHURRIED = Patience((1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0), 120.0, 120.0)
PROMPT = Patience((0.5, 1.0, 2.0), 5.0, 20.0)


class TooMuchAtOnce(ProviderError):
    """The service takes fewer texts in one request, always or now."""


class _Passing(Exception):
    """A failure that another attempt may not meet."""

    def __init__(self, error: Exception, attempts: int | None = None, busy: bool = False, requested_pause: float = 0.0) -> None:
        """`attempts` is None where the patience alone ends it; `requested_pause` is in seconds."""
        super().__init__(_said(error))
        self.attempts, self.busy, self.requested_pause = attempts, busy, requested_pause
        self.explained = _explained(error)


class VoyageService:
    """What Voyage answers, checked. Safe to use from several threads."""

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        """`tell` takes sentences about pauses; the log does where there is none."""
        self._tell = tell or logging.getLogger("astrolabe").warning

    def embed_documents(self, texts: Sequence[str], *, divisible: bool) -> tuple[Vectors, int]:
        """Unit vectors of shape (len(texts), 1024), and the tokens they cost. Waits for minutes.

        Raises ProviderError, which is TooMuchAtOnce only where the texts are divisible among several requests.
        """
        return self._patiently(lambda voyage, access: _embedded(voyage, texts, "document", access), UNHURRIED, divisible)

    def embed_query(self, text: str) -> Vectors:
        """A unit vector of shape (1024,). Raises ProviderError."""
        vectors, _ = self._patiently(lambda voyage, access: _embedded(voyage, [text], "query", access), PROMPT)
        return np.asarray(vectors[0])

    def rerank(self, query: str, documents: Sequence[str]) -> list[float]:
        """The relevance of each document, 0 to 1. Raises ProviderError."""
        shown = [document[:_DOCUMENT_CHARACTERS] for document in documents]

        def request(voyage: Any, access: dict[str, Any]) -> list[float]:
            answer = voyage.Reranking.create(query=query, documents=shown, model=RERANK_MODEL, truncation=True, **access)
            return _scores(answer.data, len(shown))

        return self._patiently(request, PROMPT)

    def _patiently(self, request: Callable[[Any, dict[str, Any]], Answer], patience: Patience, divisible: bool = False) -> Answer:
        access = {"api_key": _key(), "base_url": os.environ.get(URL_VARIABLE), "request_timeout": patience.timeout}
        voyage = _client()
        refused = 0
        for attempt, usual in enumerate((*patience.pauses, None), start=1):
            try:
                return _attempted(voyage, lambda: request(voyage, access), divisible)
            except _Passing as failure:
                refused = refused + 1 if failure.busy else 0
                if usual is None or attempt == failure.attempts or failure.requested_pause > patience.longest:
                    raise failure.explained from failure
                pause = max(failure.requested_pause, usual * random.uniform(1.0, 1.5))
                if attempt == 1 or pause >= _LONG_PAUSE:
                    self._tell(f"{failure.explained} Trying again in {pause:.0f} s.")
                time.sleep(pause)
                if divisible and refused == _REFUSALS_BEFORE_LESS:
                    raise TooMuchAtOnce(str(failure.explained)) from failure
        raise AssertionError("the last attempt answers or raises")


def _key() -> str:
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key:
        raise ProviderError(f'The embedding provider "voyage" needs a key: set the environment variable {KEY_VARIABLE}.')
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ProviderError(f"The key in {KEY_VARIABLE} holds characters that no key has: copy it anew.")
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
    """The answer to one request. Raises _Passing, TooMuchAtOnce and, where waiting is of no use, ProviderError."""
    errors = voyage.error
    try:
        return request()
    except errors.APIConnectionError as error:
        if isinstance(error.__cause__, ValueError):  # an address that is none
            raise ProviderError(f"The address in {URL_VARIABLE}, or that of a proxy, cannot be used: {_shown(error)}.") from error
        raise _Passing(error, _UNREACHABLE_ATTEMPTS) from error
    except (errors.Timeout, errors.TryAgain) as error:
        raise _Passing(error) from error
    except errors.VoyageError as error:
        status = error.http_status or 0
        if status == 429:
            raise _Passing(error, busy=True, requested_pause=_requested_pause(error.headers)) from error
        if status == 408 or status >= 500:
            raise _Passing(error, requested_pause=_requested_pause(error.headers)) from error
        if 200 <= status < 300:  # cut off on its way
            raise _Passing(error, _UNUSABLE_ATTEMPTS) from error
        if divisible and (status == 413 or (status == 400 and "token" in _said(error).lower())):
            raise TooMuchAtOnce(str(_explained(error))) from error
        raise _explained(error) from error
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        # The client takes an answer apart without looking at it.
        raise _Passing(error, _UNUSABLE_ATTEMPTS) from error


def _embedded(voyage: Any, texts: Sequence[str], input_type: str, access: dict[str, Any]) -> tuple[Vectors, int]:
    answer = voyage.Embedding.create(
        input=list(texts), model=MODEL, input_type=input_type, truncation=True, output_dimension=DIMENSIONS, **access
    )
    return _vectors(answer.data, len(texts)), int(answer.usage.total_tokens)


def _vectors(data: Any, count: int) -> Vectors:
    """Vectors of unit length, in the order of the texts. Raises ValueError where the answer is no such thing."""
    order = _order([one.get("index", place) for place, one in enumerate(data)], count)
    vectors = np.array([data[place]["embedding"] for place in order], np.float32)
    if vectors.shape != (count, DIMENSIONS):
        raise ValueError(f"vectors of shape {vectors.shape} in place of {(count, DIMENSIONS)}")
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise ValueError("a vector that is not made of numbers, or all zero")
    return np.asarray(vectors / lengths, np.float32)


def _scores(data: Any, count: int) -> list[float]:
    order = _order([one["index"] for one in data], count)
    scores = [float(data[place]["relevance_score"]) for place in order]
    if not np.isfinite(scores).all():
        raise ValueError("a relevance that is no number")
    return scores


def _order(indices: list[Any], count: int) -> list[int]:
    """Where the answer has what belongs to each text."""
    if sorted(indices) != list(range(count)):
        raise ValueError(f"{len(indices)} results, numbered otherwise than the {count} texts")
    return sorted(range(count), key=indices.__getitem__)


def _requested_pause(headers: Any) -> float:
    """Seconds that the service wants to be left alone, which it says as a number or as a date; 0 where it says nothing."""
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
        return ProviderError(f"Voyage takes no more requests for now: {_shown(error)}. {_WITHOUT}")
    if type(error).__name__ in ("APIConnectionError", "Timeout"):
        return ProviderError(f"Voyage cannot be reached: {_shown(error)}. {_WITHOUT}")
    if status is None:
        return ProviderError(f"Voyage answered with something that cannot be used: {_shown(error)}. {_WITHOUT}")
    return ProviderError(
        f"Voyage cannot embed or re-rank now ({type(error).__name__}, status {status}): {_shown(error)}. {_WITHOUT}"
    )


def _said(error: Any) -> str:
    """What the service says, which may be any JSON, or what an error says."""
    body = getattr(error, "json_body", None)
    said = body.get("detail") if isinstance(body, dict) else None
    return str(said if said is not None else getattr(error, "user_message", None) or error)


def _shown(error: Exception) -> str:
    """The beginning of what an error says, on one line and without the key."""
    text = one_line(_said(error))
    key = os.environ.get(KEY_VARIABLE, "").strip()
    text = (text.replace(key, "…") if key else text).rstrip(".")
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
