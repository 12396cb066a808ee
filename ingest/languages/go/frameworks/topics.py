"""Listeners in Go: NATS, Watermill, AMQP 0.9.1, Sarama, kafka-go, asynq and machinery."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.api import ApiFacts, Service
from ....facts.operations import Op
from ...api_calls.expressions import Expressions
from ...api_calls.topics import listeners

_VERSION: Final = r"(?:[/.]v\d+)?"


class _Subscription(NamedTuple):
    """A method that subscribes to topics."""

    framework: str
    #: The package of the value with the method.
    package: re.Pattern[str]
    #: Positions of the topic and of the handler among the arguments. Without a position, the function around the call handles
    #: the messages.
    topic: int
    handler: int | None


def _package(path: str) -> re.Pattern[str]:
    return re.compile(rf"{path}{_VERSION}(?:/\w+)*:.*")


_NATS: Final = _package(r"github\.com/nats-io/(?:nats\.go|go-nats)")
_WATERMILL: Final = _package(r"github\.com/ThreeDotsLabs/watermill")
_AMQP: Final = _package(r"github\.com/(?:rabbitmq/amqp091-go|streadway/amqp)")
_SARAMA: Final = _package(r"github\.com/(?:IBM|Shopify)/sarama")
_METHODS: Final = {
    "Subscribe": (_Subscription("NATS", _NATS, 0, 1),),
    "QueueSubscribe": (_Subscription("NATS", _NATS, 0, 2),),
    "AddHandler": (_Subscription("Watermill", _WATERMILL, 1, 5),),
    "AddNoPublisherHandler": (_Subscription("Watermill", _WATERMILL, 1, 3),),
    "AddConsumerHandler": (_Subscription("Watermill", _WATERMILL, 1, 3),),
    "Consume": (_Subscription("AMQP", _AMQP, 0, None), _Subscription("Sarama", _SARAMA, 1, 2)),
    "ConsumePartition": (_Subscription("Sarama", _SARAMA, 0, None),),
    "HandleFunc": (_Subscription("asynq", _package(r"github\.com/hibiken/asynq"), 0, 1),),
    "RegisterTask": (_Subscription("machinery", _package(r"github\.com/RichardKnop/machinery"), 0, 1),),
}
_IMPORTS: Final = re.compile(r"nats-io/|ThreeDotsLabs/watermill|/amqp|/sarama|hibiken/asynq|RichardKnop/machinery")


def find_listeners(at: Expressions, api: ApiFacts) -> None:
    """Add the topics whose messages functions of a file take."""
    if not any(_IMPORTS.search(each.specifier) is not None for each in at.facts.imports):
        return
    for call in at.method_calls:
        for each in _METHODS.get(call.name, ()):
            if each.package.fullmatch(at.origin(call.receiver)) is not None:
                api.services += _subscribed(at, call.node, each)


def _subscribed(at: Expressions, node: int, found: _Subscription) -> Iterator[Service]:
    arguments: Sequence[int] = at.items(at.code[node + 2])
    if len(arguments) <= max(found.topic, found.handler or 0):
        return
    topics = at.elements(arguments[found.topic])
    if found.handler is None:
        owner = at.owner(node)
        if owner >= 0 and at.facts.symbols[owner].kind in ("function", "method"):
            yield from listeners(at, node, topics, None, found.framework, "call")
        return
    given = arguments[found.handler]
    handler = at.handler(given)
    if handler is not None and at.code[given] != Op.STRING:
        yield from listeners(at, node, topics, handler, found.framework, "registration")
