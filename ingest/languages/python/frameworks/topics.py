"""Listeners in Python: Celery, FastStream, kombu, pika, aiokafka, kafka-python, Confluent's client and NATS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.api import ApiFacts, Service
from ....facts.model import DeclKind
from ....facts.operations import Op
from ...api_calls.expressions import Expressions, Handler
from ...api_calls.topics import listeners

_BROKER: Final = re.compile(r"(?:faststream|propan)(?:\.\w+)*:\w*(?:Broker|Router)\(\)(?:\.broker)?")
#: Arguments of `@broker.subscriber` that name a topic.
_OF_BROKER: Final = ("queue", "subject", "channel", "stream", "list", "topic")
_CELERY: Final = re.compile(r"celery(?:\.\w+)*:(?:shared_task|Celery\(\)\.task|app\.task)")
#: Arguments of a task of Celery that name the task or its queue.
_OF_TASK: Final = ("name", "queue")
#: Classes whose objects take messages of the topics in their positional arguments, and the method that adds topics to others.
_CONSUMER: Final = re.compile(
    r"(?P<package>aiokafka|kafka|confluent_kafka)(?:\.\w+)*:(?:AIOKafkaConsumer|KafkaConsumer|Consumer)"
)
_NATS: Final = re.compile(r"nats(?:\.\w+)*:(?:connect|NATS|Client)\(\)(?:\.jetstream\(\))?")
_FRAMEWORKS: Final = {"aiokafka": "aiokafka", "kafka": "kafka-python", "confluent_kafka": "Confluent", "nats": "NATS"}
#: Packages whose channels have the method `basic_consume` or queues with the method `consume`.
_AMQP: Final = ("pika", "aio_pika", "aiormq", "amqp")


def find_listeners(at: Expressions, api: ApiFacts) -> None:
    """Add the topics whose messages functions of a file take."""
    packages = {each.specifier.partition(".")[0] for each in at.facts.imports}
    if packages & {"faststream", "propan", "celery"}:
        api.services += _decorated(at)
    if packages & {"kombu", "nats", *_AMQP, *_FRAMEWORKS}:
        for call in at.facts.calls:
            api.services += _called(at, call, packages)


def _decorated(at: Expressions) -> Iterator[Service]:
    """Yield the functions below `@broker.subscriber("orders")`, and tasks: `@app.task(name="orders.add")`."""
    for decl in at.facts.decls:
        if decl.kind not in (DeclKind.FUNCTION, DeclKind.CLASS) or decl.symbol < 0 or decl.b < 0:
            continue
        for node in at.items(decl.b):
            if at.code[node] != Op.CALL or at.code[node + 1] < 0:
                continue
            callee, handler = at.code[node + 1], Handler(decl.symbol, None)
            if _CELERY.fullmatch(at.origin(callee)) is not None:
                topics = [each for name in _OF_TASK if (each := _keyword(at, node, name)) >= 0]
                yield from listeners(at, node, topics, handler, "Celery", "decorator")
            elif at.name(callee) == "subscriber" and _is_broker(at, callee):
                named = [each for name in _OF_BROKER if (each := _keyword(at, node, name)) >= 0]
                topics = [_name_of_queue(at, each) for each in (*_positional(at, node), *named)]
                yield from listeners(at, node, topics, handler, "FastStream", "decorator")


def _is_broker(at: Expressions, member: int) -> bool:
    """Return whether a member belongs to a broker or a router of FastStream."""
    return at.code[member] == Op.MEMBER and _BROKER.fullmatch(at.origin(at.code[member + 1])) is not None


def _called(at: Expressions, node: int, packages: set[str]) -> Iterator[Service]:
    """Yield the listeners that a call registers, or the function around a call that reads a topic."""
    callee = at.code[node + 1]
    if callee < 0 or at.code[node] != Op.CALL:
        return
    origin, call = at.origin(callee), at.method_call(node)
    consumer = _CONSUMER.fullmatch(origin)
    if consumer is not None:
        yield from _around(at, node, _positional(at, node), _FRAMEWORKS[consumer["package"]])
    elif origin.startswith("kombu") and origin.rpartition(":")[2].rpartition(".")[2] == "Consumer":
        queues = _keyword(at, node, "queues")
        yield from _kombu(at, node, queues if queues >= 0 else next(iter(_positional(at, node)[1:]), -1))
    elif call is None:
        return
    elif call.name == "basic_consume" and packages & set(_AMQP):
        yield from _basic_consume(at, node)
    elif call.name == "subscribe":
        receiver = at.origin(call.receiver)
        consumer = _CONSUMER.fullmatch(receiver.removesuffix("()"))
        if consumer is not None:
            topics = [each for given in _positional(at, node)[:1] for each in at.elements(given)]
            yield from _around(at, node, topics, _FRAMEWORKS[consumer["package"]])
        elif _NATS.fullmatch(receiver) is not None:
            callback = _keyword(at, node, "cb")
            handler = at.handler(callback) if callback >= 0 else None
            if handler is not None:
                yield from listeners(at, node, _positional(at, node)[:1], handler, "NATS", "registration")


def _basic_consume(at: Expressions, node: int) -> Iterator[Service]:
    """Yield the callback of `channel.basic_consume(queue="orders", on_message_callback=add)`."""
    given = _positional(at, node)
    queue, callback = _keyword(at, node, "queue"), _keyword(at, node, "on_message_callback")
    queue = queue if queue >= 0 else next((each for each in given if at.text(each) is not None), -1)
    callback = callback if callback >= 0 else next((each for each in reversed(given) if each != queue), -1)
    handler = at.handler(callback) if callback >= 0 else None
    if queue >= 0 and handler is not None:
        yield from listeners(at, node, [queue], handler, "pika", "registration")


def _kombu(at: Expressions, node: int, queues: int) -> Iterator[Service]:
    """Yield the callbacks of `Consumer(queues=[Queue("orders")], callbacks=[add])`."""
    callbacks = _keyword(at, node, "callbacks")
    for each in at.elements(callbacks) if callbacks >= 0 and queues >= 0 else ():
        handler = at.handler(each)
        if handler is not None:
            topics = [_name_of_queue(at, queue) for queue in at.elements(_value(at, queues))]
            yield from listeners(at, node, topics, handler, "kombu", "registration")


def _around(at: Expressions, node: int, topics: Sequence[int], framework: str) -> Iterator[Service]:
    """Yield the function around a call that reads topics. A constructor and a module only prepare the reading."""
    owner = at.owner(node)
    if owner >= 0 and at.facts.symbols[owner].kind in ("function", "method") and at.facts.symbols[owner].name != "__init__":
        yield from listeners(at, node, topics, None, framework, "call")


def _name_of_queue(at: Expressions, node: int) -> int:
    """Return the name in `RabbitQueue("orders")` or `Queue("orders", exchange)`; another node is the name itself."""
    value = _value(at, node)
    if value < 0 or at.code[value] != Op.CALL:
        return node
    name = _keyword(at, value, "name")
    return name if name >= 0 else next(iter(_positional(at, value)), node)


def _value(at: Expressions, node: int) -> int:
    """Return the value of a variable that has only one; another node is its own value."""
    decl = at.declaration(node)
    return decl.b if decl is not None and decl.kind == DeclKind.VARIABLE and decl.b >= 0 else node


def _positional(at: Expressions, node: int) -> list[int]:
    return [each for each in at.items(at.code[node + 2]) if at.code[each] not in (Op.PROP, Op.SPREAD)]


def _keyword(at: Expressions, node: int, name: str) -> int:
    """Return the value of a keyword argument; -1 if there is none."""
    return at.option(at.items(at.code[node + 2]), (name,))
