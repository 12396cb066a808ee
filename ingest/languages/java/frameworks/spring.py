"""Spring: components, beans, controllers, listeners, scheduled methods, repositories."""

from __future__ import annotations

from typing import Final

from .conventions import Bases, Framework, either, names, roles

_WEB: Final = "org.springframework.web.bind.annotation"
_BOOT: Final = "org.springframework.boot"
SPRING: Final = Framework(
    "Spring",
    {
        **roles("org.springframework.stereotype", component="Component Service Repository Controller"),
        **roles(
            _WEB,
            component="RestController ControllerAdvice RestControllerAdvice",
            route="RequestMapping GetMapping PostMapping PutMapping DeleteMapping PatchMapping",
            handler="ExceptionHandler",
            hook="InitBinder ModelAttribute",
        ),
        **roles("org.springframework.context.annotation", configuration="Configuration", dependency="Bean"),
        **roles("org.springframework.context.event", handler="EventListener"),
        **roles("org.springframework.transaction.event", handler="TransactionalEventListener"),
        **roles("org.springframework.scheduling.annotation", task="Scheduled Schedules Async"),
        **roles("org.springframework.messaging.handler.annotation", handler="MessageMapping SubscribeMapping"),
        **roles("org.springframework.kafka.annotation", handler="KafkaListener KafkaHandler"),
        **roles("org.springframework.amqp.rabbit.annotation", handler="RabbitListener RabbitHandler"),
        **roles("org.springframework.jms.annotation", handler="JmsListener"),
        **roles(
            "org.springframework.graphql.data.method.annotation",
            handler="QueryMapping MutationMapping SchemaMapping BatchMapping",
        ),
        **roles("org.springframework.test.context.bean.override.mockito", hook="MockitoBean MockitoSpyBean"),
        **roles("org.springframework.test.context", hook="DynamicPropertySource"),
        **roles("org.springframework.batch.core.annotation", hook="BeforeStep AfterStep BeforeJob AfterJob"),
        **roles("org.springframework.cloud.openfeign", component="FeignClient"),
        **roles("org.springframework.aot.hint.annotation", hook="RegisterReflectionForBinding"),
        **roles(
            "org.aspectj.lang.annotation", component="Aspect", hook="Before After Around AfterReturning AfterThrowing Pointcut"
        ),
        **roles(f"{_BOOT}.autoconfigure", configuration="SpringBootApplication EnableAutoConfiguration AutoConfiguration"),
        **roles(f"{_BOOT}.context.properties", configuration="ConfigurationProperties"),
        **roles(f"{_BOOT}.test.context", configuration="TestConfiguration TestComponent", test="SpringBootTest"),
        **roles(
            f"{_BOOT}.actuate.endpoint.annotation", component="Endpoint", route="ReadOperation WriteOperation DeleteOperation"
        ),
        **either("annotation", hook="PostConstruct PreDestroy"),
    },
    (
        Bases(names(r"org\.springframework\.data\.[\w.]+:\w*Repository"), "component"),
        Bases(names(r"org\.springframework\.boot:(?:CommandLineRunner|ApplicationRunner)"), "", names("run"), "entry point"),
        Bases(names(r"org\.springframework\.context:ApplicationListener"), "", names("onApplicationEvent"), "handler"),
        Bases(names(r"org\.springframework\.beans\.factory:InitializingBean"), "", names("afterPropertiesSet")),
        Bases(names(r"org\.springframework\.beans\.factory:DisposableBean"), "", names("destroy")),
    ),
)
#: Annotations of types for which Spring injects the arguments of the only constructor.
COMPONENTS: Final = frozenset(name for name, role in SPRING.annotations.items() if role in ("component", "configuration"))
#: The HTTP method of each route annotation; "" if an argument of the annotation is the method.
METHODS: Final = {
    **{f"{_WEB}.{name.title()}Mapping": name for name in ("GET", "POST", "PUT", "DELETE", "PATCH")},
    f"{_WEB}.RequestMapping": "",
}
REQUEST_MAPPING: Final = f"{_WEB}.RequestMapping"
