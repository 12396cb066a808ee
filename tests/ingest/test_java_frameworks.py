"""What frameworks of Java run and inject: WIRED edges, and references by annotations."""

from __future__ import annotations

from collections import Counter

import pytest
from java_programs import java_edges

#: Source and target by their names, framework, role, evidence and text. The source is "" where the declaration says so.
Edge = tuple[str, str, str, str, str, str]


def wired(source: str, path: str = "shop/Shop.java") -> set[Edge]:
    units, edges = java_edges({path: source})
    found = edges.of_constructs(units[path]).wirings
    return {
        (
            "" if each.from_id == path else _name(each.from_id),
            _name(each.to_id),
            each.framework,
            each.role,
            each.evidence,
            each.text,
        )
        for each in found
    }


def _name(identity: str) -> str:
    return identity.partition(":")[0]


CONTROLLER = """package shop;
import org.springframework.beans.factory.annotation.*;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.*;
import java.util.List;

interface Orders extends JpaRepository<String, Long> { }
interface Prices { }
class Clock { }

@RestController
@RequestMapping(path = "/orders")
class OrderController {
    private final Orders orders;
    OrderController(Orders orders, @Qualifier("net") List<Prices> prices) { this.orders = orders; }
    @GetMapping("/{id}") String one(@PathVariable long id) { return ""; }
    @PostMapping String add() { return ""; }
    @RequestMapping(value = {"/all", "/every"}, method = RequestMethod.DELETE) void clear() { }
    @ExceptionHandler(IllegalStateException.class) void broken() { }
    void helper() { }
}
@Configuration
class Setup {
    @Bean Clock clock(Prices prices) { return new Clock(); }
}
@Service
class Two {
    @Autowired private Clock clock;
    Two() { }
    Two(Orders orders) { }
    @Autowired void take(Prices prices) { }
}
class Plain { Plain(Orders orders) { } }
"""


def test_spring_runs_routes_and_injects_by_constructor_field_method_and_bean() -> None:
    """A component with one constructor gets its parameters; with several, an annotation must say which."""
    assert wired(CONTROLLER) == {
        ("", "Orders", "Spring", "component", "base", "JpaRepository"),
        ("", "OrderController", "Spring", "component", "annotation", "@RestController"),
        ("", "one", "Spring", "route", "annotation", "GET /orders/{id}"),
        ("", "add", "Spring", "route", "annotation", "POST /orders"),
        ("", "clear", "Spring", "route", "annotation", "DELETE /orders/all"),
        ("", "broken", "Spring", "handler", "annotation", "@ExceptionHandler"),
        ("", "Setup", "Spring", "configuration", "annotation", "@Configuration"),
        ("", "clock", "Spring", "dependency", "annotation", "@Bean"),
        ("", "Two", "Spring", "component", "annotation", "@Service"),
        ("", "OrderController", "Spring", "hook", "annotation", "@RestController"),
        ("", "take", "Spring", "hook", "annotation", "@Autowired"),
        ("OrderController", "Orders", "Spring", "dependency", "parameter", "orders"),
        ("OrderController", "Prices", "Spring", "dependency", "parameter", '@Qualifier("net")'),
        ("clock", "Clock", "Spring", "provider", "annotation", "clock"),
        ("clock", "Prices", "Spring", "dependency", "parameter", "prices"),
        ("clock", "Clock", "Spring", "dependency", "parameter", "@Autowired clock"),
        ("take", "Prices", "Spring", "dependency", "parameter", "prices"),
    }


PROVIDERS = """package shop;
import jakarta.inject.*;
import com.google.inject.AbstractModule;
import com.google.inject.name.Names;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.*;
import org.springframework.stereotype.Service;

interface Prices { }
abstract class Base implements Prices { }
@jakarta.inject.Qualifier @interface Cheap { int value() default 1; }
@Service("net") @Primary class NetPrices extends Base { }
@Service @Profile("test") @Cheap class TestPrices implements Prices { }
@Configuration class Setup {
    @Bean("gross") @Conditional(Object.class) Prices made() { return null; }
    @Bean @Named("own") Prices named() { return null; }
}
class Till {
    @Inject @Named("gross") Prices field;
    @Autowired @Cheap Prices cheap;
    @Inject Till(@Named("net") Prices prices, @Cheap Provider<Prices> later) { }
}
class Binding extends AbstractModule {
    @Override protected void configure() {
        bind(Prices.class).annotatedWith(Names.named("x")).to(NetPrices.class);
        other().to(1);
    }
}
"""


def test_providers_tell_names_and_conditions_as_what_is_injected_tells_its_qualifier() -> None:
    found = {edge for edge in wired(PROVIDERS) if edge[3] in ("provider", "dependency") and edge[0]}
    assert found == {
        ("NetPrices", "Base", "Spring", "provider", "annotation", "net @Primary"),
        ("NetPrices", "Prices", "Spring", "provider", "annotation", "net @Primary"),
        ("TestPrices", "Prices", "Spring", "provider", "annotation", 'testPrices @Profile("test") @Cheap'),
        ("made", "Prices", "Spring", "provider", "annotation", "gross @Conditional"),
        ("named", "Prices", "Spring", "provider", "annotation", "own"),
        ("field", "Prices", "CDI", "dependency", "parameter", '@Named("gross")'),
        ("cheap", "Prices", "Spring", "dependency", "parameter", "@Cheap"),
        ("Till", "Prices", "CDI", "dependency", "parameter", '@Named("net")'),
        ("Till", "Prices", "CDI", "dependency", "parameter", "@Cheap"),
        ("configure", "NetPrices", "Guice", "provider", "call", "bind(Prices).to(NetPrices)"),
    }


def test_services_of_modules_and_of_loaders() -> None:
    """`provides ... with` runs the providers; `uses` and `ServiceLoader.load` tell who wants a service."""
    sources = {
        "shop/Codec.java": "package shop;\n\npublic interface Codec { }\n",
        "shop/impl/Fast.java": "package shop.impl;\n\npublic class Fast implements shop.Codec { }\n",
        "shop/impl/Slow.java": "package shop.impl;\n\npublic class Slow implements shop.Codec { }\n",
        "module-info.java": "import shop.impl.Slow;\n\nopen module shop {\n    requires java.base;\n    uses shop.Codec;\n"
        "    provides shop.Codec with shop.impl.Fast, Slow;\n}\n",
        "shop/Main.java": "package shop;\n\nimport java.util.ServiceLoader;\n\nclass Main {\n"
        "    Object all() { return ServiceLoader.load(Codec.class); }\n"
        "    Object other() { return Other.load(Codec.class); }\n}\n",
    }
    units, edges = java_edges(sources)
    found = [edge for unit in units.values() for edge in edges.of_constructs(unit).wirings]
    assert {(_name(each.from_id), _name(each.to_id), each.role, each.evidence, each.text, each.line) for each in found} == {
        ("module-info.java", "Codec", "dependency", "directive", "uses Codec", 5),
        ("module-info.java", "Fast", "component", "directive", "provides Codec", 6),
        ("module-info.java", "Slow", "component", "directive", "provides Codec", 6),
        ("all", "Codec", "dependency", "call", "ServiceLoader.load(Codec)", 6),
    }


CLIENTS = """package shop;
import io.micronaut.http.annotation.*;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.service.annotation.PostExchange;
import retrofit2.http.PUT;

@FeignClient(name = "stock", path = "/stock") interface Stock { @GetMapping("/items/{id}") String item(long id); }
@RegisterRestClient @jakarta.ws.rs.Path("/heroes") interface Heroes { @jakarta.ws.rs.GET String all(); }
interface Orders {
    @PostExchange("/orders") void add();
    @PUT("orders/{id}") void set();
    @feign.RequestLine("DELETE /orders") void clear();
}
@Controller("/tills") class Tills {
    static final String ID = "/{id}";
    @Get(ID + "/name") String name(long id) { return ""; }
    @Head(Paths.ALL) void none() { }
    void started(@Observes Object event) { }
}
@Component @interface Part { }
@Part class Wheel { }
"""


def test_declarative_clients_composed_annotations_and_constants() -> None:
    """A method of a client sends a request and serves no route. An annotation passes its own annotations on."""
    assert {each[1:4] + each[5:] for each in wired(CLIENTS)} >= {
        ("Stock", "Spring", "component", '@FeignClient("stock")'),
        ("Heroes", "REST client", "component", "@RegisterRestClient"),
        ("item", "Spring", "client", "GET /stock/items/{id}"),
        ("all", "JAX-RS", "client", "GET /heroes"),
        ("add", "Spring", "client", "POST /orders"),
        ("set", "Retrofit", "client", "PUT /orders/{id}"),
        ("clear", "Feign", "client", "DELETE /orders"),
        ("name", "Micronaut", "route", "GET /tills/{id}/name"),
        ("none", "Micronaut", "route", "HEAD /tills/{ALL}"),
        ("started", "CDI", "handler", "@Observes"),
        ("Wheel", "Spring", "component", "@Part"),
    }


SOURCES = """package shop;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
class Base { static Object prices() { return null; } }
class TillTest extends Base {
    @ParameterizedTest @MethodSource("prices") void sells(int price) { }
    @ParameterizedTest @MethodSource void opens(int price) { }
    private static Object opens() { return null; }
    @ParameterizedTest @MethodSource
    void opensWithAPriceThatIsNamedSoLongThatTheIndexShortensTheNameOfTheMethodWithMoreThanEighty(int price) { }
    static Object opensWithAPriceThatIsNamedSoLongThatTheIndexShortensTheNameOfTheMethodWithMoreThanEighty() { return null; }
    @ParameterizedTest @MethodSource({"shop.Rows#all", "gone"}) @EnabledIf("isOpen") void counts(int row) { }
    boolean isOpen() { return true; }
}
class Rows { static Object all() { return null; } }
"""


def test_annotations_name_the_methods_that_give_arguments_to_tests() -> None:
    """Without a name, the method has the name of the test."""
    found = {each for each in wired(SOURCES) if each[3] == "fixture"}
    assert {each for each in found if len(each[0]) < 50} == {
        ("sells", "prices", "JUnit", "fixture", "annotation", '@MethodSource("prices")'),
        ("opens", "opens", "JUnit", "fixture", "annotation", "@MethodSource"),
        ("counts", "all", "JUnit", "fixture", "annotation", '@MethodSource("shop.Rows#all")'),
        ("counts", "isOpen", "JUnit", "fixture", "annotation", '@EnabledIf("isOpen")'),
    }
    assert len(found) == 5


def test_files_in_meta_inf_name_the_implementations_of_a_service() -> None:
    """A file is named after its service. It may name nested types, and types outside of the repository."""
    services = "app/src/main/resources/META-INF/services"
    spring = "app/src/main/resources/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports"
    sources = {
        "app/src/main/java/shop/Codec.java": "package shop;\n\npublic interface Codec { }\n",
        "app/src/main/java/shop/Codecs.java": "package shop;\n\npublic class Codecs {\n"
        "    public static class Fast implements Codec { }\n    public static class Slow implements Codec { }\n}\n",
        "app/src/main/java/shop/Setup.java": "package shop;\n\npublic class Setup { }\n",
        f"{services}/shop.Codec": "# codecs of the shop\nshop.Codecs$Fast # the default\n\n  shop.Codecs$Slow\n",
        f"{services}/java.sql.Driver": "shop.Setup\norg.other.Driver\n",
        spring: "shop.Setup\n",
    }
    units, edges = java_edges(sources)
    found = [edge for unit in units.values() for edge in edges.of_constructs(unit).wirings]
    assert {(each.from_id, _name(each.to_id), each.framework, each.role, each.text, each.line) for each in found} == {
        (f"{services}/shop.Codec", "Codec", "ServiceLoader", "dependency", "uses Codec", 1),
        (f"{services}/shop.Codec", "Fast", "ServiceLoader", "component", "provides Codec", 2),
        (f"{services}/shop.Codec", "Slow", "ServiceLoader", "component", "provides Codec", 4),
        (f"{services}/java.sql.Driver", "Setup", "ServiceLoader", "component", "provides Driver", 1),
        (spring, "Setup", "Spring", "component", "provides AutoConfiguration", 1),
    }
    assert all(not unit.facts.problems for unit in units.values())


def test_lombok_gives_a_component_the_constructor_that_is_injected() -> None:
    source = """package shop;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Component;
class Clock { }
@Component @RequiredArgsConstructor
class Task { private final Clock clock; private Clock other; private final int set = 1; }
"""
    assert [edge for edge in wired(source) if edge[3] == "dependency"] == [
        ("Task", "Clock", "Spring", "dependency", "parameter", "clock")
    ]


@pytest.mark.parametrize("package", ["jakarta", "javax"])
def test_routes_of_jax_rs(package: str) -> None:
    source = f"""package shop;
import {package}.inject.Inject;
import {package}.ws.rs.*;
class Clock {{ }}
@Path("/users") class Users {{
    @Inject Clock clock;
    @Inject Users(Clock clock) {{ }}
    @GET @Path("{{name}}") String one() {{ return ""; }}
    @POST void add() {{ }}
}}
"""
    assert wired(source) == {
        ("", "Users", "JAX-RS", "component", "annotation", '@Path("/users")'),
        ("", "one", "JAX-RS", "route", "annotation", "GET /users/{name}"),
        ("", "add", "JAX-RS", "route", "annotation", "POST /users"),
        ("", "Users", "CDI", "hook", "annotation", "@Inject"),
        ("clock", "Clock", "CDI", "dependency", "parameter", "@Inject clock"),
        ("Users", "Clock", "CDI", "dependency", "parameter", "clock"),
    }


@pytest.mark.parametrize(
    ("declaration", "edge"),
    [
        ("import org.junit.Test; class T { @Test public void t() { } }", ("t", "JUnit", "test", "annotation", "@Test")),
        (
            "import org.junit.jupiter.api.*; class T { @BeforeEach void t() { } }",
            ("t", "JUnit", "fixture", "annotation", "@BeforeEach"),
        ),
        ("class T { @org.junit.jupiter.api.Test void t() { } }", ("t", "JUnit", "test", "annotation", "@Test")),
        (
            "import junit.framework.TestCase; class T extends TestCase { public void testIt() { } void other() { } }",
            ("testIt", "JUnit", "test", "base", "TestCase.testIt"),
        ),
        ("import org.testng.annotations.Test; class T { @Test void t() { } }", ("t", "TestNG", "test", "annotation", "@Test")),
        (
            "import org.testng.annotations.DataProvider; class T { @DataProvider Object[][] t() { return null; } }",
            ("t", "TestNG", "fixture", "annotation", "@DataProvider"),
        ),
        (
            "import org.testng.ITestListener; class T implements ITestListener { public void onTestStart(Object it) { } }",
            ("onTestStart", "TestNG", "hook", "base", "ITestListener.onTestStart"),
        ),
        (
            "import com.google.auto.service.AutoService; @AutoService(Runnable.class) class T { }",
            ("T", "AutoService", "component", "annotation", "@AutoService"),
        ),
        ("import jakarta.persistence.Entity; @Entity class T { }", ("T", "JPA", "model", "annotation", "@Entity")),
        ("import javax.persistence.*; class T { @PrePersist void t() { } }", ("t", "JPA", "hook", "annotation", "@PrePersist")),
        (
            "import org.springframework.scheduling.annotation.Scheduled; class T { @Scheduled(fixedRate = 1) void t() { } }",
            ("t", "Spring", "task", "annotation", "@Scheduled"),
        ),
        (
            "import org.springframework.context.event.EventListener; class T { @EventListener void t(String e) { } }",
            ("t", "Spring", "handler", "annotation", "@EventListener"),
        ),
        (
            "import org.springframework.boot.*; class T implements org.springframework.boot.CommandLineRunner "
            "{ public void run(String... a) { } }",
            ("run", "Spring", "entry point", "base", "CommandLineRunner.run"),
        ),
        (
            "import com.google.inject.Provides; class T { @Provides T t() { return this; } }",
            ("t", "Guice", "dependency", "annotation", "@Provides"),
        ),
        (
            "import com.google.inject.AbstractModule; class T extends AbstractModule { protected void configure() { } }",
            ("configure", "Guice", "configuration", "base", "AbstractModule.configure"),
        ),
        ("class T { public static void main(String[] a) { } }", ("main", "Java", "entry point", "name", "main")),
        ("class T { public static void main(String... a) { } }", ("main", "Java", "entry point", "name", "main")),
    ],
)
def test_what_frameworks_run(declaration: str, edge: tuple[str, str, str, str, str]) -> None:
    expected = edge if edge[2] != "configuration" else (*edge[:2], "hook", *edge[3:])
    assert ("", *expected) in wired(f"package shop; {declaration}")


@pytest.mark.parametrize(
    "declaration",
    [
        "@interface Test { } class T { @Test void t() { } }",
        "import other.Test; class T { @Test void t() { } }",
        "class T { @Test void t() { } }",
        "class T { void main(String[] a) { } static void main(int a) { } }",
        "class T { @Override public String toString() { return null; } }",
    ],
)
def test_other_annotations_and_methods_are_not_run(declaration: str) -> None:
    """A name alone says nothing: the annotation must be imported from the framework."""
    assert wired(f"package shop; {declaration}") == set()


def test_annotations_refer_to_their_types_and_constants() -> None:
    """Also to what their arguments name, and on every kind of declaration."""
    source = """package shop;
@interface Mark { String value() default ""; Class<?>[] types() default {}; Mark[] inner() default {}; }
class Names { static final String MAIN = "main"; }
@Mark(types = {Names.class}, inner = @Mark(Names.MAIN))
class Marked {
    @Mark int field;
    @Mark Marked(@Mark int argument) { }
    @shop.Mark(value = Names.MAIN) void method() { }
}
"""
    units, edges = java_edges({"shop/Marked.java": source})
    found = edges.of_calls(units["shop/Marked.java"]).references
    uses: Counter[tuple[str, str]] = Counter()
    for each in found:
        uses[_name(each.from_id), _name(each.to_id)] += len(each.lines)
    assert uses["Marked", "Mark"] == 4  # two of the class, one of its constructor and one of a parameter
    assert uses["Marked", "Names"] == 2
    assert uses["Marked", "MAIN"] == uses["field", "Mark"] == uses["method", "Mark"] == uses["method", "MAIN"] == 1


FUNCTIONAL = """package shop;
import static org.springframework.web.reactive.function.server.RequestPredicates.*;
import static org.springframework.web.reactive.function.server.RouterFunctions.*;
import org.springframework.web.reactive.function.server.*;

class Handler {
    ServerResponse list(ServerRequest request) { return null; }
    ServerResponse add(ServerRequest request) { return null; }
    ServerResponse put(ServerRequest request) { return null; }
    ServerResponse unused(ServerRequest request) { return null; }
}
class Routes {
    RouterFunction<ServerResponse> one(Handler handler) {
        return route(GET("/users").and(accept(JSON)), handler::list)
            .andRoute(POST("/users"), handler::add)
            .andNest(path("/admin"), route(method(HttpMethod.PUT), handler::put));
    }
    RouterFunction<ServerResponse> two(Handler handler) {
        return RouterFunctions.route()
            .GET("/items", handler::list)
            .path("/items", inner -> inner
                .POST("/{id}", accept(JSON), handler::add)
                .nest(accept(JSON), b -> b.PUT("/all", this::own)))
            .build();
    }
    ServerResponse own(ServerRequest request) { return null; }
    String other(Store store) { store.GET("/none", Handler::new); return store.route("/no", this::own); }
}
"""


def test_routes_that_functions_of_spring_declare() -> None:
    """Predicates and builders give the method and the path, below the paths of the calls around them."""
    found = {(source, target, text) for source, target, _, role, _, text in wired(FUNCTIONAL) if role == "route"}
    assert found == {
        ("one", "list", "GET /users"),
        ("one", "add", "POST /users"),
        ("one", "put", "PUT /admin"),
        ("two", "list", "GET /items"),
        ("two", "add", "POST /items/{id}"),
        ("two", "own", "PUT /items/all"),
    }


MAPPER = """package shop;
import org.mapstruct.Mapper;

class Prices { String shown(long cents) { return ""; } private void own() { } static class Inner { void other() { } } }
class Cart { void total() { } }
@Mapper(uses = Prices.class)
abstract class CartMapper {
    abstract CartView view(Cart cart);
    String name(StringBuilder text) { return text.toString(); }
}
"""


def test_generated_mappers_run_the_methods_of_mappers_and_of_the_types_that_they_use() -> None:
    found = {(target, role) for _, target, framework, role, _, _ in wired(MAPPER) if framework == "MapStruct"}
    assert found == {("CartMapper", "component"), ("view", "handler"), ("name", "handler"), ("shown", "handler")}
