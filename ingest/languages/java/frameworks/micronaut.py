"""The annotations that Micronaut and Quarkus add to CDI and JAX-RS."""

from __future__ import annotations

from typing import Final

from .conventions import Bases, Framework, names, roles
from .jakarta import HTTP_METHODS

_HTTP: Final = "io.micronaut.http.annotation"
#: The HTTP method of each annotation of a route.
MICRONAUT_METHODS: Final = {f"{_HTTP}.{name.title()}": name for name in (*HTTP_METHODS, "TRACE")}
CONTROLLER: Final = f"{_HTTP}.Controller"
MICRONAUT: Final = Framework(
    "Micronaut",
    {
        **dict.fromkeys(MICRONAUT_METHODS, "route"),
        **roles(_HTTP, component="Controller Filter ServerFilter ClientFilter", handler="Error RequestFilter ResponseFilter"),
        **roles("io.micronaut.context.annotation", component="Factory Prototype Context", dependency="Bean"),
        **roles("io.micronaut.context.annotation", configuration="ConfigurationProperties EachProperty EachBean"),
        **roles("io.micronaut.runtime.event.annotation", handler="EventListener"),
        **roles("io.micronaut.scheduling.annotation", task="Scheduled"),
        **roles("io.micronaut.configuration.kafka.annotation", component="KafkaListener KafkaClient", handler="Topic"),
        **roles("io.micronaut.websocket.annotation", component="ServerWebSocket ClientWebSocket"),
        **roles("io.micronaut.websocket.annotation", handler="OnOpen OnClose OnMessage OnError"),
        **roles("io.micronaut.management.endpoint.annotation", component="Endpoint", route="Read Write Delete"),
        **roles("io.micronaut.data.annotation", component="Repository", model="MappedEntity"),
        **roles("io.micronaut.data.jdbc.annotation", component="JdbcRepository"),
    },
    (
        Bases(
            names(r"io\.micronaut\.context\.event:(?:Application|BeanCreated|BeanInitialized)EventListener"),
            "",
            names("onApplicationEvent|onCreated|onInitialized"),
            "handler",
        ),
    ),
)
QUARKUS: Final = Framework(
    "Quarkus",
    {
        **roles("io.quarkus.scheduler", task="Scheduled"),
        **roles("io.quarkus.runtime", component="Startup Shutdown"),
        **roles("io.quarkus.runtime.annotations", component="QuarkusMain"),
        **roles("io.quarkus.vertx", handler="ConsumeEvent"),
        **roles("io.quarkus.vertx.web", route="Route", handler="RouteFilter"),
        **roles("io.quarkus.grpc", component="GrpcService"),
        **roles("io.quarkus.websockets.next", component="WebSocket WebSocketClient"),
        **roles("io.quarkus.websockets.next", handler="OnOpen OnClose OnError OnTextMessage OnBinaryMessage"),
        **roles("io.smallrye.config", configuration="ConfigMapping"),
        **roles("io.smallrye.reactive.messaging.annotations", handler="Incomings"),
        **roles("org.eclipse.microprofile.reactive.messaging", handler="Incoming", dependency="Outgoing"),
        **roles("org.eclipse.microprofile.health", component="Liveness Readiness Startup Wellness"),
        **roles("org.eclipse.microprofile.config.inject", configuration="ConfigProperties"),
        **roles("org.jboss.resteasy.reactive.server", handler="ServerExceptionMapper ServerRequestFilter ServerResponseFilter"),
        **roles("io.quarkus.test.junit", test="QuarkusTest QuarkusIntegrationTest"),
    },
    (Bases(names(r"io\.quarkus\.runtime:QuarkusApplication"), "", names("run"), "entry point"),),
)
