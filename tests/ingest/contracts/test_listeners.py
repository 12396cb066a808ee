"""Listeners of topics implement the channels of AsyncAPI files, in Python, Go, Java and TypeScript."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_workspace import analysed

CONTRACT = """
//- asyncapi.yaml
asyncapi: 2.6.0
info: {title: Orders}
channels:
  orders.created: {publish: {message: {payload: {type: object}}}}
  orders.cancelled: {publish: {message: {payload: {type: object}}}}
  orders.total: {publish: {message: {payload: {type: object}}}}
  orders.mail: {publish: {message: {payload: {type: object}}}}
  orders.paid: {publish: {message: {payload: {type: object}}}}
  orders.shipped: {publish: {message: {payload: {type: object}}}}
  orders.returned: {publish: {message: {payload: {type: object}}}}
  orders.lost: {publish: {message: {payload: {type: object}}}}
  bills.paid: {publish: {message: {payload: {type: object}}}}
"""
PYTHON = f"""
{CONTRACT}
//- shop/__init__.py
//- shop/topics.py
PAID = "orders.paid"
CANCELLED: str = "orders.cancelled"
//- shop/listeners.py
import pika, nats
from aiokafka import AIOKafkaConsumer
from celery import Celery, shared_task
from confluent_kafka import Consumer
from faststream.rabbit import RabbitBroker, RabbitQueue
from kombu import Consumer as KombuConsumer, Queue
from shop import topics
from shop.topics import PAID

app = Celery("shop")
broker = RabbitBroker("amqp://localhost")
shipped = Queue("orders.shipped")

@broker.subscriber(RabbitQueue("orders.created"))
async def created(order): ...

@broker.subscriber(queue=topics.CANCELLED)
async def cancelled(order): ...

@app.task(name="orders.total")
def total(order): ...

@shared_task(queue="orders.mail")
def mail(order): ...

def start(channel):
    channel.basic_consume(queue=PAID, on_message_callback=paid)

def paid(channel, method, properties, body): ...

def ship(connection):
    with KombuConsumer(connection, queues=[shipped], callbacks=[on_shipped]) as consumer:
        consumer.consume()

def on_shipped(body, message): ...

async def read_returns():
    consumer = AIOKafkaConsumer("orders.returned", group_id="shop")
    async for message in consumer: ...

def read_bills():
    consumer = Consumer({{}})
    consumer.subscribe(["bills.paid"])

async def listen():
    client = await nats.connect("nats://localhost")
    await client.subscribe("orders.lost", cb=lost)

async def lost(message): ...
"""
GO = f"""
{CONTRACT}
//- go.mod
module example.com/shop

go 1.22
//- topics/topics.go
package topics

const Paid = "orders.paid"
//- listeners.go
package shop

import (
	"example.com/shop/topics"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/hibiken/asynq"
	"github.com/nats-io/nats.go"
	amqp "github.com/rabbitmq/amqp091-go"
)

const mail = "orders.mail"

type Server struct{{ client *nats.Conn }}

func (s *Server) start() {{
	s.client.Subscribe("orders.created", s.created)
	mux := asynq.NewServeMux()
	mux.HandleFunc(mail, sendMail)
	client, err := nats.Connect(nats.DefaultURL)
	client.QueueSubscribe(topics.Paid, "workers", paid)
	other.Subscribe("orders.lost", paid)
}}

func (s *Server) created(message *nats.Msg) {{}}
func paid(message *nats.Msg)                {{}}
func sendMail()                             {{}}

func readReturns(channel *amqp.Channel) {{
	messages, err := channel.Consume("orders.returned", "", true, false, false, false, nil)
}}

func route(router *message.Router, from message.Subscriber, to message.Publisher) {{
	router.AddHandler("bill", "bills.paid", from, "bills", to, bill)
}}

func bill(message *message.Message) ([]*message.Message, error) {{ return nil, nil }}
"""
JAVA = f"""
{CONTRACT}
//- src/main/java/shop/Topics.java
package shop;
public final class Topics {{
    public static final String PAID = "orders.paid";
    public static final String LOST = prefix() + "lost";
}}
//- src/main/java/shop/names/Queues.java
package shop.names;
public interface Queues {{
    String SHIPPED = "orders.shipped";
    String LOST = "orders.lost";
}}
//- src/main/java/shop/Orders.java
package shop;
import static shop.names.Queues.LOST;
import shop.names.Queues;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.kafka.annotation.KafkaListener;
class Orders {{
    @RabbitListener(queues = Topics.PAID)
    void paid(Order order) {{}}
    @RabbitListener(queues = Queues.SHIPPED)
    void shipped(Order order) {{}}
    @RabbitListener(queues = LOST)
    void lost(Order order) {{}}
    @KafkaListener(topics = {{"orders.created", Topics.LOST}})
    void created(Order order) {{}}
}}
"""
TYPESCRIPT = f"""
{CONTRACT}
//- src/topics.ts
export const PAID = "orders.paid";
export enum Topics {{ Created = "orders.created" }}
//- src/orders.controller.ts
import {{ Controller }} from "@nestjs/common";
import {{ EventPattern, MessagePattern }} from "@nestjs/microservices";
import {{ PAID, Topics }} from "./topics";
@Controller()
export class OrdersController {{
  @EventPattern(PAID) paid() {{}}
  @MessagePattern(Topics.Created) created() {{}}
}}
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param(
            PYTHON,
            [
                "bills.paid read_bills",
                "orders.cancelled cancelled",
                "orders.created created",
                "orders.lost lost",
                "orders.mail mail",
                "orders.paid paid",
                "orders.returned read_returns",
                "orders.shipped on_shipped",
                "orders.total total",
            ],
            id="python",
        ),
        pytest.param(
            GO,
            [
                "bills.paid bill",
                "orders.created Server.created",
                "orders.mail sendMail",
                "orders.paid paid",
                "orders.returned readReturns",
            ],
            id="go",
        ),
        pytest.param(
            JAVA,
            [
                "orders.created Orders.created",
                "orders.lost Orders.lost",
                "orders.paid Orders.paid",
                "orders.shipped Orders.shipped",
            ],
            id="java",
        ),
        pytest.param(
            TYPESCRIPT,
            ["orders.created OrdersController.created", "orders.paid OrdersController.paid"],
            id="typescript",
        ),
    ],
)
def test_listeners_of_topics(tmp_path: Path, code: str, expected: list[str]) -> None:
    graph = analysed(tmp_path, code)
    symbols = {symbol.id: symbol for symbol in graph.symbols}
    found = [
        f"{symbols[each.from_id].name} {symbols[each.to_id].qualified_name}"
        for each in graph.implementations
        if symbols[each.from_id].kind == "channel"
    ]
    assert sorted(found) == expected


def test_channels_and_operations_of_asyncapi_may_be_in_other_files(tmp_path: Path) -> None:
    text = """
//- docs/asyncapi.yaml
asyncapi: 3.0.0
info: {title: Orders}
channels:
  created:
    $ref: 'channels/created.yaml'
  paid:
    $ref: './channels/all.yaml#/paid'
operations:
  onCreated:
    action: receive
    channel:
      $ref: '#/channels/created'
  onPaid:
    $ref: 'operations/paid.yaml'
  sendPaid:
    $ref: 'operations/sent.yaml'
//- docs/channels/created.yaml
address: orders.created
messages:
  created: {payload: {type: object}}
//- docs/channels/all.yaml
paid:
  address: orders.paid
  messages:
    paid: {payload: {type: object}}
lost:
  address: orders.lost
  messages: {}
//- docs/operations/paid.yaml
action: receive
channel:
  $ref: '../asyncapi.yaml#/channels/paid'
//- docs/operations/sent.yaml
action: send
channel:
  $ref: '../asyncapi.yaml#/channels/paid'
//- shop.py
from faststream.rabbit import RabbitBroker

broker = RabbitBroker("amqp://localhost")

@broker.subscriber("orders.created")
async def created(order): ...

@broker.subscriber("orders.paid")
async def paid(order): ...
"""
    graph = analysed(tmp_path, text)
    symbols = {symbol.id: symbol for symbol in graph.symbols}
    found = {(symbols[each.from_id].name, symbols[each.to_id].name) for each in graph.implementations}
    assert found == {("created", "created"), ("paid", "paid"), ("onCreated", "created"), ("onPaid", "paid")}
