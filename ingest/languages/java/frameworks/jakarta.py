"""Jakarta EE, including its older package names in `javax`: JAX-RS, JPA, CDI, servlets, WebSockets."""

from __future__ import annotations

from typing import Final

from .conventions import Bases, Framework, either, names

#: Annotations of JAX-RS with the names of methods of HTTP.
HTTP_METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
JAX_RS: Final = Framework(
    "JAX-RS",
    either("ws.rs", route=" ".join(HTTP_METHODS), component="ApplicationPath") | either("ws.rs.ext", component="Provider"),
    (
        Bases(
            names(r"(?:javax|jakarta)\.ws\.rs\.(?:ext|container|client):\w+"),
            "component",
            names("filter|toResponse|readFrom|writeTo|isReadable|isWriteable|getContext|aroundReadFrom|aroundWriteTo"),
        ),
    ),
)
JPA: Final = Framework(
    "JPA",
    either(
        "persistence",
        model="Entity MappedSuperclass Embeddable",
        hook="PrePersist PostPersist PreUpdate PostUpdate PreRemove PostRemove PostLoad",
        component="Converter",
    ),
)
CDI: Final = Framework(
    "CDI",
    either("inject", component="Singleton Named")
    | either("enterprise.context", component="ApplicationScoped RequestScoped SessionScoped Dependent ConversationScoped")
    | either("enterprise.inject", dependency="Produces", hook="Disposes")
    | either("ejb", component="Stateless Stateful Singleton MessageDriven", task="Schedule")
    | either("interceptor", component="Interceptor", hook="AroundInvoke"),
)
SERVLET: Final = Framework(
    "Servlet",
    either("servlet.annotation", component="WebServlet WebFilter WebListener")
    | either("websocket.server", component="ServerEndpoint")
    | either("websocket", handler="OnOpen OnClose OnMessage OnError"),
    (
        Bases(
            names(r"(?:javax|jakarta)\.servlet(?:\.http)?:\w*(?:Servlet|Filter|Listener)"),
            "",
            names("doGet|doPost|doPut|doDelete|doHead|service|doFilter|contextInitialized|contextDestroyed"),
            "handler",
        ),
    ),
)
#: Annotations of a parameter that receives events.
OBSERVED: Final = frozenset(
    f"{package}.enterprise.event.{name}" for package in ("jakarta", "javax") for name in ("Observes", "ObservesAsync")
)
#: Annotations of injected values.
INJECTED: Final = frozenset(
    (
        "jakarta.inject.Inject",
        "javax.inject.Inject",
        "jakarta.annotation.Resource",
        "javax.annotation.Resource",
        "jakarta.ejb.EJB",
        "javax.ejb.EJB",
        "com.google.inject.Inject",
        "org.springframework.beans.factory.annotation.Autowired",
    )
)
#: Names of annotations that contain the path of a JAX-RS route.
PATHS: Final = ("jakarta.ws.rs.Path", "javax.ws.rs.Path")
