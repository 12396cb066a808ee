"""JUnit 3, 4 and 5, TestNG, and their extensions."""

from __future__ import annotations

from typing import Final

from .conventions import Bases, Framework, names, roles

JUNIT: Final = Framework(
    "JUnit",
    {
        **roles("org.junit", test="Test Theory", fixture="Before After BeforeClass AfterClass Rule ClassRule"),
        **roles("org.junit.experimental.theories", test="Theory", fixture="DataPoint DataPoints"),
        **roles("org.junit.runners", fixture="Parameterized.Parameters"),
        **roles("org.junit.runners.Parameterized", fixture="Parameters Parameter"),
        **roles(
            "org.junit.jupiter.api",
            test="Test RepeatedTest TestFactory TestTemplate",
            fixture="BeforeEach AfterEach BeforeAll AfterAll",
        ),
        **roles("org.junit.jupiter.params", test="ParameterizedTest"),
        **roles("org.junit.jupiter.api.extension", fixture="RegisterExtension"),
        **roles("com.tngtech.archunit.junit", test="ArchTest"),
        **roles("net.jqwik.api", test="Property Example", fixture="Provide"),
        **roles("org.openjdk.jmh.annotations", test="Benchmark", fixture="Setup TearDown State"),
    },
    (Bases(names(r"(?:junit\.framework|org\.junit):TestCase"), "", names(r"test\w*"), "test"),),
)
JUNIT_FIXTURES: Final = Framework(
    "JUnit", {}, (Bases(names(r"(?:junit\.framework|org\.junit):TestCase"), "", names("setUp|tearDown|suite"), "fixture"),)
)
TESTNG: Final = Framework(
    "TestNG",
    roles(
        "org.testng.annotations",
        test="Test",
        fixture="BeforeMethod AfterMethod BeforeClass AfterClass BeforeTest AfterTest BeforeSuite AfterSuite BeforeGroups "
        "AfterGroups DataProvider Factory Parameters Listeners ObjectFactory",
    ),
    (
        Bases(
            names(
                r"org\.testng(?:\.\w+)*:I\w+(?:Listener\w*|Transformer\w*|Interceptor|Reporter|RetryAnalyzer|Hookable|Configurable)"
            ),
            "",
            names(r"on\w+|before\w+|after\w+|transform|intercept|generateReport|retry|run|alter"),
        ),
    ),
)
