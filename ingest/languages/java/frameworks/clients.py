"""Declarative clients of HTTP, whose methods send requests: Feign, MicroProfile, Micronaut, Retrofit and Spring's exchanges."""

from __future__ import annotations

from typing import Final

from .conventions import Framework
from .jakarta import HTTP_METHODS

_EXCHANGE: Final = "org.springframework.web.service.annotation"
_RETROFIT: Final = "retrofit2.http"
#: Annotations that make an interface a client. Without them, its methods would be routes.
CLIENT_TYPES: Final = frozenset(
    (
        "org.springframework.cloud.openfeign.FeignClient",
        "org.eclipse.microprofile.rest.client.inject.RegisterRestClient",
        "io.micronaut.http.client.annotation.Client",
    )
)
#: Elements of these annotations with a path. The element `value` may be the name of a service or an address.
CLIENT_PATHS: Final = ("path",)
#: The HTTP method of each annotation of Spring's exchanges; "" if an argument of the annotation is the method.
EXCHANGES: Final = {
    **{f"{_EXCHANGE}.{name.title()}Exchange": name for name in ("GET", "POST", "PUT", "DELETE", "PATCH")},
    f"{_EXCHANGE}.HttpExchange": "",
}
RETROFIT_METHODS: Final = {f"{_RETROFIT}.{name}": name for name in HTTP_METHODS}
#: Annotation of Feign with the HTTP method and the path in one text.
REQUEST_LINE: Final = "feign.RequestLine"
EXCHANGE: Final = Framework("Spring", dict.fromkeys(EXCHANGES, "client"))
RETROFIT: Final = Framework("Retrofit", dict.fromkeys(RETROFIT_METHODS, "client"))
FEIGN: Final = Framework("Feign", {REQUEST_LINE: "client"})
REST_CLIENTS: Final = Framework("REST client", dict.fromkeys(CLIENT_TYPES, "component"))
