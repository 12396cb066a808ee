"""Modules of Java: what Maven's and Gradle's files say about names, versions and dependencies."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.files.discovery import discover
from astrolabe.ingest.files.workspace_files import WorkspaceFiles
from astrolabe.ingest.languages.import_resolution import ImportResolver
from astrolabe.ingest.languages.import_targets import BuiltinTarget, MissingTarget, PackageTarget, Resolution, SourceTarget
from astrolabe.ingest.languages.java.packaging.maven import Pom, parse_pom
from astrolabe.ingest.languages.java.packaging.module_sources import read_sources
from astrolabe.ingest.languages.java.packaging.xml_tree import read_xml
from astrolabe.ingest.languages.workspace_modules import WorkspaceModules, read_modules
from astrolabe.schema.records import Dependency, ModuleRecord, Problem
from astrolabe.schema.settings import Settings
from written_workspace import write


def modules_of(root: Path, text: str) -> WorkspaceModules:
    write(root, text)
    found = discover(root, Settings())
    return read_modules(WorkspaceFiles(root, [file.relative_path for file in found.files], found.configuration_files))


MAVEN = """
//- pom.xml
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.shop</groupId><artifactId>shop</artifactId><version>${revision}</version><packaging>pom</packaging>
  <modules><module>core</module><module>web</module></modules>
  <properties><revision>2.1</revision><json.version>2.17.0</json.version></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>com.json</groupId><artifactId>json</artifactId><version>${json.version}</version></dependency>
    <dependency><groupId>org.junit</groupId><artifactId>junit</artifactId><version>5.10</version><scope>test</scope></dependency>
    <dependency><groupId>org.shop</groupId><artifactId>bom</artifactId><version>1</version><type>pom</type><scope>import</scope></dependency>
  </dependencies></dependencyManagement>
  <dependencies><dependency><groupId>org.junit</groupId><artifactId>junit</artifactId></dependency></dependencies>
</project>
//- bom/pom.xml
<project><groupId>org.shop</groupId><artifactId>bom</artifactId><version>1</version>
  <properties><log.version>1.4</log.version></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>org.log</groupId><artifactId>log</artifactId><version>${log.version}</version></dependency>
  </dependencies></dependencyManagement>
</project>
//- core/pom.xml
<project>
  <parent><groupId>org.shop</groupId><artifactId>shop</artifactId><version>${revision}</version></parent>
  <artifactId>shop-core</artifactId>
  <properties><json.version>2.18.0</json.version></properties>
  <dependencies>
    <dependency><groupId>com.json</groupId><artifactId>json</artifactId></dependency>
    <dependency><groupId>org.log</groupId><artifactId>log</artifactId><optional>true</optional></dependency>
    <dependency><groupId>jakarta</groupId><artifactId>servlet</artifactId><version>6</version><scope>provided</scope></dependency>
  </dependencies>
</project>
//- core/src/main/java/org/shop/Core.java
package org.shop; class Core { }
//- web/pom.xml
<project>
  <parent><groupId>org.shop</groupId><artifactId>shop</artifactId><version>2.1</version></parent>
  <artifactId>shop-web</artifactId>
  <dependencies>
    <dependency><groupId>${project.groupId}</groupId><artifactId>shop-core</artifactId><version>${project.version}</version></dependency>
    <dependency><groupId>x</groupId><artifactId>y</artifactId><version>${not.known}</version></dependency>
  </dependencies>
</project>
"""


def test_modules_of_maven_inherit_versions_properties_and_dependencies(tmp_path: Path) -> None:
    """A property of the module itself decides about a version that the parent manages."""
    found = modules_of(tmp_path, MAVEN)
    assert found.problems == {}
    assert found.modules == [
        ModuleRecord(".", "org.shop:shop", "maven", "pom.xml", "2.1", None),
        ModuleRecord("bom", "org.shop:bom", "maven", "bom/pom.xml", "1", "."),
        ModuleRecord("core", "org.shop:shop-core", "maven", "core/pom.xml", "2.1", "."),
        ModuleRecord("web", "org.shop:shop-web", "maven", "web/pom.xml", "2.1", "."),
    ]
    assert [each for each in found.dependencies if each.module_id in ("core", "web")] == [
        Dependency("core", "com.json:json", "2.18.0", "dependencies"),
        Dependency("core", "org.log:log", "1.4", "optionalDependencies"),
        Dependency("core", "jakarta:servlet", "6", "peerDependencies"),
        Dependency("core", "org.junit:junit", "5.10", "devDependencies"),
        Dependency("web", "org.shop:shop-core", "2.1", "dependencies"),
        Dependency("web", "x:y", "${not.known}", "dependencies"),
        Dependency("web", "org.junit:junit", "5.10", "devDependencies"),
    ]
    assert found.module_of("core/src/main/java/org/shop/Core.java") == "core"


def test_parents_that_form_a_circle_and_properties_that_do(tmp_path: Path) -> None:
    found = modules_of(
        tmp_path,
        """
//- a/pom.xml
<project><parent><groupId>g</groupId><artifactId>b</artifactId><version>1</version><relativePath>../b</relativePath></parent>
<artifactId>a</artifactId><version>${x}</version><properties><x>${y}</x><y>${x}</y></properties></project>
//- b/pom.xml
<project><parent><groupId>g</groupId><artifactId>a</artifactId><version>1</version><relativePath>../a</relativePath></parent>
<artifactId>b</artifactId></project>
""",
    )
    assert [(each.name, each.version) for each in found.modules] == [("g:a", found.modules[0].version), ("g:b", "1")]
    assert found.modules[0].version.startswith("${")


def test_two_modules_of_one_name_stay_apart(tmp_path: Path) -> None:
    pom = "<project><groupId>g</groupId><artifactId>same</artifactId><version>1</version></project>"
    found = modules_of(tmp_path, f"//- one/pom.xml\n{pom}\n//- two/pom.xml\n{pom}\n")
    assert [(each.id, each.name) for each in found.modules] == [("one", "g:same"), ("two", "g:same")]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"<project>\n<a>\n</project>", 3, "not valid XML: mismatched tag"),
        (b"", 1, "not valid XML: no element found"),
        (b"<html></html>", 1, "the root element is <html> instead of <project>"),
        (b'<?xml version="1.0" encoding="x-none"?><project/>', 1, "not valid XML: unknown encoding"),
        (b'<!DOCTYPE project [\n<!ENTITY a "aaaa">\n]><project>&a;</project>', 2, "declares entities, which are not expanded"),
        (b"<a>" * 100_000, 1, "more than 200 elements inside one another"),
        (b"\xff\xfe\x00", 1, "not valid XML"),
    ],
)
def test_a_broken_file_is_a_problem_with_its_line(content: bytes, line: int, reason: str) -> None:
    found = parse_pom(content)
    assert isinstance(found, Problem)
    assert (found.line, found.reason.startswith(reason)) == (line, True), found


def test_nothing_outside_of_a_document_is_read(tmp_path: Path) -> None:
    """An entity that names a file stands for nothing."""
    (tmp_path / "secret").write_text("secret")
    found = read_xml(f'<!DOCTYPE a SYSTEM "{tmp_path}/secret"><a>text</a>'.encode())
    assert not isinstance(found, Problem)
    assert found.text == "text"
    named = read_xml(f'<!DOCTYPE a [<!ENTITY b SYSTEM "{tmp_path}/secret">]><a>&b;</a>'.encode())
    assert isinstance(named, Problem)


def test_a_broken_module_keeps_its_boundary(tmp_path: Path) -> None:
    found = modules_of(tmp_path, MAVEN + "//- tools/pom.xml\n<project><artifactId>\n")
    assert found.modules[3] == ModuleRecord("tools", "tools", "maven", "tools/pom.xml", "", ".")
    assert found.problems["tools/pom.xml"].reason == "not valid XML: no element found"


def test_modules_of_profiles_are_modules() -> None:
    pom = parse_pom(
        b"<project><modules><module>a</module></modules>"
        b"<profiles><profile><modules><module>b</module></modules></profile></profiles></project>"
    )
    assert isinstance(pom, Pom)
    assert pom.modules == ["a", "b"]


PROFILES = """
//- pom.xml
<project>
  <groupId>org.shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties><cloud.version>1</cloud.version></properties>
  <dependencies><dependency><groupId>com.json</groupId><artifactId>json</artifactId><version>2</version></dependency></dependencies>
  <profiles>
    <profile>
      <id>cloud</id><activation><activeByDefault>true</activeByDefault></activation>
      <properties><cloud.version>4</cloud.version></properties>
      <dependencyManagement><dependencies>
        <dependency><groupId>org.cloud</groupId><artifactId>cloud</artifactId><version>${cloud.version}</version></dependency>
      </dependencies></dependencyManagement>
      <dependencies>
        <dependency><groupId>org.cloud</groupId><artifactId>cloud</artifactId></dependency>
        <dependency><groupId>com.json</groupId><artifactId>json</artifactId><version>3</version></dependency>
      </dependencies>
    </profile>
    <profile>
      <id>local</id><properties><cloud.version>9</cloud.version></properties>
      <dependencies><dependency><groupId>org.h2</groupId><artifactId>h2</artifactId><version>5</version></dependency></dependencies>
    </profile>
  </profiles>
</project>
"""


def test_dependencies_of_profiles_count_and_default_ones_set_properties(tmp_path: Path) -> None:
    assert modules_of(tmp_path, PROFILES).dependencies == [
        Dependency(".", "com.json:json", "2", "dependencies"),
        Dependency(".", "org.cloud:cloud", "4", "dependencies"),
        Dependency(".", "org.h2:h2", "5", "dependencies"),
    ]


GRADLE = """
//- settings.gradle
rootProject.name = 'shop' // the whole
include 'core', ':web:api'
include(
    "tools",
)
project(':tools').projectDir = file('build-tools')
//- gradle.properties
group=org.shop
version=3.0
//- gradle/libs.versions.toml
[versions]
junit = "5.11"
spring = { strictly = "6.1" }
[libraries]
junit-jupiter = { module = "org.junit.jupiter:junit-jupiter", version.ref = "junit" }
spring-core = { group = "org.springframework", name = "spring-core", version.ref = "spring" }
plain = "a.b:c:1"
[bundles]
both = ["spring-core", "plain"]
//- build.gradle
buildscript { dependencies { classpath 'not:a-dependency:1' } }
ext {
    guavaVersion = '33.0'
    deps = [json: "com.json:json:${jsonVersion}", 'log': 'org.log:log:2']
}
def jsonVersion = "2.17"
apply from: "$rootDir/gradle/versions.gradle"
subprojects {
    apply plugin: 'java'
    dependencies { testImplementation libs.junit.jupiter }
}
//- gradle/versions.gradle
ext.shared = [:]
shared += [late: "late:comer:${lateVersion}"]
def lateVersion = '7'
//- core/build.gradle
/* implementation 'commented:out:1' */
dependencies {
    api "com.google.guava:guava:$guavaVersion"
    implementation group: 'org.apache', name: 'commons', version: '1.2'
    implementation libs.bundles.both, 'second:one:2'
    compileOnly('with.block:it:4') { exclude group: 'x' }
    implementation deps.log
    implementation shared.late
    implementation 'joined:up:' + guavaVersion
    implementation files('libs/local.jar')
    runtimeOnly("classified:jar:1:linux@zip")
    constraints { implementation 'only:constraint:1' }
}
sourceSets { integration { java.srcDir 'src/it' } }
//- core/src/main/java/Core.java
class Core { }
//- web/api/build.gradle.kts
version = "9"
val ktor by extra("2.3")
dependencies {
    implementation(project(":core"))
    implementation(project(path = ":tools"))
    implementation(kotlin("stdlib"))
    implementation(platform("org.bom:bom:1"))
    "custom"("io.ktor:ktor:$ktor")
    testImplementation(libs.junit.jupiter)
    annotationProcessor(libs.plain)
}
//- web/api/src/main/java/Api.java
class Api { }
//- build-tools/src/main/java/Tool.java
class Tool { }
"""


def test_projects_of_gradle(tmp_path: Path) -> None:
    """Settings tell projects, also one without a script of its own, and the script of the root configures all."""
    found = modules_of(tmp_path, GRADLE)
    assert found.problems == {}
    assert found.modules == [
        ModuleRecord(".", "org.shop:shop", "gradle", "build.gradle", "3.0", None),
        ModuleRecord("build-tools", "org.shop:tools", "gradle", "settings.gradle", "3.0", "."),
        ModuleRecord("core", "org.shop:core", "gradle", "core/build.gradle", "3.0", "."),
        ModuleRecord("web", "org.shop:web", "gradle", "settings.gradle", "3.0", "."),
        ModuleRecord("web/api", "org.shop:api", "gradle", "web/api/build.gradle.kts", "9", "web"),
    ]
    by_module: dict[str, list[tuple[str, str, str]]] = {}
    for each in found.dependencies:
        by_module.setdefault(each.module_id, []).append((each.package, each.version_range, each.section))
    junit = ("org.junit.jupiter:junit-jupiter", "5.11", "devDependencies")
    assert by_module == {
        "build-tools": [junit],
        "core": [
            junit,
            ("com.google.guava:guava", "33.0", "dependencies"),
            ("org.apache:commons", "1.2", "dependencies"),
            ("org.springframework:spring-core", "6.1", "dependencies"),
            ("a.b:c", "1", "dependencies"),
            ("second:one", "2", "dependencies"),
            ("with.block:it", "4", "peerDependencies"),
            ("org.log:log", "2", "dependencies"),
            ("late:comer", "7", "dependencies"),
            ("joined:up", "33.0", "dependencies"),
            ("classified:jar", "1", "dependencies"),
        ],
        "web": [junit],
        "web/api": [
            junit,
            ("org.shop:core", "3.0", "dependencies"),
            ("org.shop:tools", "3.0", "dependencies"),
            ("org.jetbrains.kotlin:kotlin-stdlib", "", "dependencies"),
            ("io.ktor:ktor", "2.3", "dependencies"),
            ("a.b:c", "1", "devDependencies"),
        ],
    }


def test_a_broken_catalogue_is_a_problem(tmp_path: Path) -> None:
    found = modules_of(tmp_path, "//- settings.gradle\nrootProject.name = 'a'\n//- gradle/libs.versions.toml\n[versions\n")
    assert [each.name for each in found.modules] == ["a"]
    assert found.problems["gradle/libs.versions.toml"].line == 1


@pytest.mark.parametrize(
    "script", ["dependencies {", "}}}}", '"', "'''", "implementation(", "a" * 100_000, "(" * 100_000, "{" * 50_000]
)
def test_a_broken_script_is_still_a_module(tmp_path: Path, script: str) -> None:
    found = modules_of(tmp_path, f"//- build.gradle\n{script}\n")
    assert [(each.id, each.kind) for each in found.modules] == [(".", "gradle")]


def test_a_folder_with_files_of_both_is_one_module_of_maven(tmp_path: Path) -> None:
    pom = "<project><groupId>g</groupId><artifactId>a</artifactId><version>1</version></project>"
    found = modules_of(tmp_path, f"//- pom.xml\n{pom}\n//- build.gradle\ndependencies {{ implementation 'x:y:1' }}\n")
    assert found.modules == [ModuleRecord(".", "g:a", "maven", "pom.xml", "1", None)]
    assert found.dependencies == []


def test_sources_without_a_build_file_have_no_module(tmp_path: Path) -> None:
    assert modules_of(tmp_path, "//- src/A.java\nclass A { }\n").modules == []


SEVERAL = """
//- settings.gradle
include 'app', 'tool', 'old', 'new', 'shared'
//- app/build.gradle
dependencies { implementation project(':new') }
sourceSets {
    main { java { srcDirs = ['code', "$rootDir/shared/java"] } }
    named("it") { java.srcDir 'checks' }
}
//- app/code/app/Main.java
package app; import shop.Cart; class Main { }
//- app/code/app/Own.java
package app; public class Own { }
//- app/drafts/app/Own.java
package app; public class Own { }
//- app/checks/app/Check.java
package app; import app.Own; class Check { }
//- tool/build.gradle.kts
dependencies { implementation(project(":old")) }
sourceSets.main { java.setSrcDirs(listOf("source")) }
sourceSets { getByName("test") { java.srcDir("${projectDir}/trials") } }
//- tool/source/tool/Main.java
package tool; import shop.Cart; class Main { }
//- tool/trials/tool/Trial.java
package tool; class Trial { }
//- old/build.gradle
//- old/src/main/java/shop/Cart.java
package shop; public class Cart { }
//- new/build.gradle
//- new/src/main/java/shop/Cart.java
package shop; public class Cart { }
//- shared/java/shop/Shared.java
package shop; import shop.Cart; class Shared { }
//- maven/pom.xml
<project><groupId>org.shop</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
<properties><generated>gen/java</generated></properties>
<build><testSourceDirectory>${project.basedir}/tests</testSourceDirectory></build></project>
//- maven/web/pom.xml
<project>
  <parent><groupId>org.shop</groupId><artifactId>all</artifactId><version>1</version></parent><artifactId>web</artifactId>
  <dependencies><dependency><groupId>org.shop</groupId><artifactId>second</artifactId></dependency></dependencies>
  <build><plugins><plugin><artifactId>build-helper-maven-plugin</artifactId><executions>
    <execution><goals><goal>add-source</goal></goals>
      <configuration><sources><source>${basedir}/${generated}</source></sources></configuration></execution>
    <execution><goals><goal>add-test-source</goal></goals>
      <configuration><sources><source>it</source></sources></configuration></execution>
  </executions></plugin></plugins></build>
</project>
//- maven/web/src/main/java/web/Page.java
package web; import org.shop.Item; class Page { }
//- maven/first/pom.xml
<project><groupId>org.shop</groupId><artifactId>first</artifactId></project>
//- maven/first/src/main/java/org/shop/Item.java
package org.shop; public class Item { }
//- maven/second/pom.xml
<project><groupId>org.shop</groupId><artifactId>second</artifactId></project>
//- maven/second/src/main/java/org/shop/Item.java
package org.shop; public class Item { }
"""


def test_folders_with_sources_that_builds_name(tmp_path: Path) -> None:
    write(tmp_path, SEVERAL)
    found = discover(tmp_path, Settings())
    files = WorkspaceFiles(tmp_path, [file.relative_path for file in found.files], found.configuration_files)
    modules = {each.folder: each for each in read_sources(files)}
    assert (modules["app"].main, modules["app"].others) == (
        ("app/code", "shared/java"),
        ("app/src/test/java", "app/src/test/kotlin", "app/checks"),
    )
    assert (modules["tool"].main, modules["tool"].others) == (
        ("tool/source",),
        ("tool/src/test/java", "tool/src/test/kotlin", "tool/trials"),
    )
    assert (modules["maven/web"].main, modules["maven/web"].others) == (
        ("maven/web/src/main/java", "maven/web/gen/java"),
        ("maven/web/tests", "maven/web/it"),
    )


@pytest.mark.parametrize(
    ("path", "name", "target"),
    [
        ("app/code/app/Main.java", "shop.Cart", "new/src/main/java/shop/Cart.java"),
        ("tool/source/tool/Main.java", "shop.Cart", "old/src/main/java/shop/Cart.java"),
        ("shared/java/shop/Shared.java", "shop.Cart", "new/src/main/java/shop/Cart.java"),
        ("app/checks/app/Check.java", "app.Own", "app/code/app/Own.java"),
        ("maven/web/src/main/java/web/Page.java", "org.shop.Item", "maven/second/src/main/java/org/shop/Item.java"),
    ],
)
def test_a_type_in_several_files_is_that_of_the_modules_that_a_build_makes_visible(
    tmp_path: Path, path: str, name: str, target: str
) -> None:
    write(tmp_path, SEVERAL)
    found = discover(tmp_path, Settings())
    files = WorkspaceFiles(tmp_path, [file.relative_path for file in found.files], found.configuration_files)
    assert ImportResolver(files).resolve(name, path) == SourceTarget(target)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("java.util.Map.Entry", BuiltinTarget("java.util", "java")),
        ("com.google.inject.Inject", PackageTarget("com.google.inject", "Inject", None)),
        ("org.junit.Assert.assertEquals", PackageTarget("org.junit", "Assert.assertEquals", None)),
        ("org.shop.Generated", MissingTarget("org.shop.Generated")),
        ("org.shop.made.Generated", MissingTarget("org.shop.made.Generated")),
        ("org.shop.Cart.Line.Size", SourceTarget("src/main/java/org/shop/Cart.java")),
        ("org.shop.till.made.Generated", MissingTarget("org.shop.till.made.Generated")),
    ],
)
def test_an_import_leads_to_a_type_or_names_the_package_of_one_outside(name: str, target: Resolution) -> None:
    """A build may generate types of packages of the repository, and a type may be nested in another nested type."""
    files = WorkspaceFiles(Path("/nowhere"), ["src/main/java/org/shop/Cart.java", "src/main/java/org/shop/till/Till.java"], [])
    assert ImportResolver(files).resolve(name, "src/main/java/org/shop/till/Till.java") == target
