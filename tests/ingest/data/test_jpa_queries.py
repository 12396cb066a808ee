"""Repositories of Spring Data and entity managers of JPA: which tables and columns their methods and callers use."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.java.queries.jpql import read_jpql
from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

PROJECT = '''
//- src/main/java/shop/Owner.java
package shop;
import jakarta.persistence.*;
import java.util.*;
@Entity
@Table(name = "owners")
public class Owner {
  @Id Long id;
  @Column(name = "last") String lastName;
  int age;
  @OneToMany(mappedBy = "owner") List<Pet> pets;
  @ManyToMany Set<Tag> tags;
}
//- src/main/java/shop/Pet.java
package shop;
import jakarta.persistence.*;
@Entity
public class Pet { @Id Long id; String name; @ManyToOne Owner owner; }
//- src/main/java/shop/Tag.java
package shop;
import jakarta.persistence.*;
@Entity
public class Tag { @Id Long id; String word; }
//- src/main/java/shop/Owners.java
package shop;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import java.util.List;
public interface Owners extends JpaRepository<Owner, Long> {
  List<Owner> findByLastNameStartingWithAndAgeGreaterThanEqualOrderByAgeDesc(String n, int age);
  List<Owner> findByTagsWordIn(List<String> words);
  boolean existsByLastName(String name);
  void deleteByAge(int age);
  @Query("select o from Owner o left join fetch o.pets p where p.name = :name "
      + "and o.age > 3")
  List<Owner> owning(String name);
  @Query("update Owner o set o.age = o.age + 1 where o.lastName = ?1")
  int grow(String name);
  @Query(value = "SELECT last FROM owners WHERE age > ?1", nativeQuery = true)
  List<String> names(int age);
  @Query("""
    select count(p) from Pet p where p.owner.lastName = :name
    """)
  long count(String name);
  default Owner first() { return findAll().get(0); }
}
//- src/main/java/shop/BaseRepo.java
package shop;
import org.springframework.data.repository.CrudRepository;
public interface BaseRepo<T> extends CrudRepository<T, Long> { }
//- src/main/java/shop/Pets.java
package shop;
public interface Pets extends BaseRepo<Pet> { Pet findByOwner(Owner owner); }
//- src/main/java/shop/Service.java
package shop;
import jakarta.persistence.EntityManager;
import java.util.List;
class Service {
  private final Owners owners; private Pets pets; EntityManager em;
  Service(Owners owners) { this.owners = owners; }
  void go(Owner owner) {
    owners.save(owner);
    this.owners.findByLastName("a");
    pets.deleteById(3L);
  }
  void manage(Owner owner) {
    em.persist(owner);
    em.find(Pet.class, 1L);
    List<Owner> all = em.createQuery("select o from Owner o where o.lastName = 1", Owner.class).getResultList();
  }
}
'''
FOLDER = "src/main/java/shop"


def test_methods_of_repositories(tmp_path: Path) -> None:
    """The name of a method or its annotation tells the statement. A statement in SQL is found in its string."""
    content = analysed(tmp_path, PROJECT)
    assert list(dict.fromkeys(uses_of(content, f"{FOLDER}/Owners.java"))) == [
        "Owners.count reads Owner select",
        "Owners.count reads Owner.lastName select",
        "Owners.count reads Pet select",
        "Owners.count reads Pet.owner select",
        "Owners.deleteByAge modifies Owner delete",
        "Owners.deleteByAge modifies Owner.tags delete",
        "Owners.deleteByAge reads Owner delete",
        "Owners.deleteByAge reads Owner.age delete",
        "Owners.existsByLastName reads Owner select",
        "Owners.existsByLastName reads Owner.lastName select",
        "Owners.findByLastNameStartingWithAndAgeGreaterThanEqualOrderByAgeDesc reads Owner select",
        "Owners.findByLastNameStartingWithAndAgeGreaterThanEqualOrderByAgeDesc reads Owner.age select",
        "Owners.findByLastNameStartingWithAndAgeGreaterThanEqualOrderByAgeDesc reads Owner.lastName select",
        "Owners.findByTagsWordIn reads Owner select",
        "Owners.findByTagsWordIn reads Owner.tags select",
        "Owners.findByTagsWordIn reads Tag select",
        "Owners.findByTagsWordIn reads Tag.word select",
        "Owners.grow modifies Owner update",
        "Owners.grow modifies Owner.age update",
        "Owners.grow reads Owner.age update",
        "Owners.grow reads Owner.lastName update",
        "Owners.names reads Owner select",
        "Owners.names reads Owner.age select",
        "Owners.names reads Owner.lastName select",
        "Owners.owning reads Owner select",
        "Owners.owning reads Owner.age select",
        "Owners.owning reads Pet select",
        "Owners.owning reads Pet.name select",
    ]
    assert uses_of(content, f"{FOLDER}/Pets.java") == [
        "Pets.findByOwner reads Owner select",
        "Pets.findByOwner reads Pet select",
        "Pets.findByOwner reads Pet.owner select",
    ]
    (line,) = {each.lines for each in content.data_uses if each.statement == "update" and each.modifies}
    assert line == (13,)


def test_calls(tmp_path: Path) -> None:
    """Code that calls an inherited method uses the table of the entity; other methods use it themselves."""
    assert list(dict.fromkeys(uses_of(analysed(tmp_path, PROJECT), f"{FOLDER}/Service.java"))) == [
        "Service.go modifies Owner merge",
        "Service.go modifies Pet delete",
        "Service.go reads Owner delete",
        "Service.go reads Pet delete",
        "Service.manage modifies Owner insert",
        "Service.manage reads Owner select",
        "Service.manage reads Owner.lastName select",
        "Service.manage reads Pet select",
    ]


@pytest.mark.parametrize(
    ("text", "statement", "uses"),
    [
        ("from Book b where b.author.name = 'from Other o'", "select", [("jpa:Book", (), False, (("author", "name"),))]),
        ("delete from Book b where b.price < :p", "delete", [("jpa:Book", (), True, ()), ("jpa:Book", (), False, (("price",),))]),
        ("update Book set price = 3", "update", [("jpa:Book", (), True, (("price",),))]),
        (
            "select b from Book b, Author a join b.tags t where t.word = a.name",
            "select",
            [
                ("jpa:Book", (), False, ()),
                ("jpa:Author", (), False, (("name",),)),
                ("jpa:Book", ("tags",), False, (("word",),)),
            ],
        ),
        ("select new x.y.Row(b.title) from x.y.Book as b", "select", [("jpa:Book", (), False, (("title",),))]),
    ],
)
def test_statements(text: str, statement: str, uses: list[tuple[object, ...]]) -> None:
    found = read_jpql(text)
    assert found is not None
    assert found.statement == statement
    assert [(each.model, each.path, each.modifies, each.fields) for each in found.uses] == uses


def test_texts_that_are_no_statements() -> None:
    assert read_jpql("choose a book") is None
    assert read_jpql("select from where") is None
    assert read_jpql("") is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("select b from Book b join b.tags t", [()]),
        ("select distinct b from Book b left join fetch b.tags t", [(), ("tags",)]),
        ("from Book", [()]),
        ("select count(b) from Book b", []),
        ("select b.title, b.author from Book b", [("title",), ("author",)]),
        ("select new Row(b.title) from Book b", []),
        ("delete from Book b", []),
    ],
)
def test_rows_that_are_results(text: str, whole: list[tuple[str, ...]]) -> None:
    found = read_jpql(text)
    assert found is not None
    assert [each.path for each in found.uses if each.is_whole] == whole


LOADED = """
//- src/main/java/zoo/Keeper.java
package zoo;
import jakarta.persistence.*;
@Entity
public class Keeper { @Id Long id; @ManyToMany(fetch = FetchType.EAGER) java.util.Set<Skill> skills; }
//- src/main/java/zoo/Skill.java
package zoo;
import jakarta.persistence.*;
@Entity
public class Skill { @Id Long id; @ManyToOne(fetch = FetchType.LAZY) Keeper teacher; }
//- src/main/java/zoo/Animal.java
package zoo;
import jakarta.persistence.*;
@Entity
public class Animal {
  @Id Long id; String name;
  @ManyToOne Keeper keeper;
  @OneToMany(mappedBy = "animal", cascade = CascadeType.ALL) java.util.List<Meal> meals;
}
//- src/main/java/zoo/Meal.java
package zoo;
import jakarta.persistence.*;
@Entity
public class Meal { @Id Long id; @ManyToOne(fetch = FetchType.LAZY) Animal animal; }
//- src/main/java/zoo/Animals.java
package zoo;
public interface Animals {
  Animal findByName(String name);
  void save(Animal animal);
  default String title() { return "zoo"; }
}
//- src/main/java/zoo/JpaAnimals.java
package zoo;
import org.springframework.data.jpa.repository.*;
public interface JpaAnimals extends Animals, JpaRepository<Animal, Long> { }
//- src/main/java/zoo/Meals.java
package zoo;
import org.springframework.data.jpa.repository.*;
public interface Meals extends JpaRepository<Meal, Long> {
  @EntityGraph(attributePaths = "animal")
  java.util.List<Meal> findByIdGreaterThan(long id);
  boolean existsById(long id);
}
//- src/main/java/zoo/Feeding.java
package zoo;
import jakarta.persistence.*;
class Feeding {
  EntityManager em;
  Meal meal(long id) { return em.find(Meal.class, id); }
  Animal animal(long id) { return em.find(Animal.class, id); }
  long count() { return em.createQuery("select count(a) from Animal a", Long.class).getSingleResult(); }
  void feed(Animal animal) { em.merge(animal); }
}
"""


def test_relations_that_are_loaded_with_a_row(tmp_path: Path) -> None:
    content = analysed(tmp_path, LOADED)
    assert list(dict.fromkeys(uses_of(content, "src/main/java/zoo/Feeding.java"))) == [
        *(f"Feeding.animal reads {name} select" for name in ("Animal", "Keeper", "Keeper.skills", "Skill")),
        "Feeding.count reads Animal select",
        "Feeding.feed modifies Animal merge",
        "Feeding.feed modifies Meal merge",
        *(f"Feeding.feed reads {name} merge" for name in ("Animal", "Keeper", "Keeper.skills", "Skill")),
        "Feeding.meal reads Meal select",
    ]
    assert uses_of(content, "src/main/java/zoo/Meals.java") == [
        "Meals.existsById reads Meal select",
        *(f"Meals.findByIdGreaterThan reads {name} select" for name in ("Animal", "Keeper", "Keeper.skills", "Meal", "Meal.id")),
        "Meals.findByIdGreaterThan reads Skill select",
    ]


INSERTS = """
//- schema.sql
CREATE TABLE visits (id int PRIMARY KEY, day date, pet int);
//- src/main/java/clinic/Visits.java
package clinic;
import org.springframework.jdbc.core.simple.SimpleJdbcInsert;
class Visits {
  private final SimpleJdbcInsert insert;
  private final SimpleJdbcInsert other = null;
  Visits(javax.sql.DataSource source) {
    this.insert = new SimpleJdbcInsert(source).withTableName("visits").usingGeneratedKeyColumns("id");
  }
  void save(java.util.Map<String, Object> row) { Number key = this.insert.executeAndReturnKey(row); }
  void once(javax.sql.DataSource source, java.util.Map<String, Object> row) {
    new SimpleJdbcInsert(source).withTableName("visits").usingColumns("day", "pet").execute(row);
  }
  void local(javax.sql.DataSource source, java.util.Map<String, Object> row) {
    SimpleJdbcInsert made = new SimpleJdbcInsert(source).withTableName("visits");
    made.executeBatch(row);
  }
  void none(java.util.Map<String, Object> row) { other.execute(row); }
}
"""


def test_inserts_without_sql(tmp_path: Path) -> None:
    assert uses_of(analysed(tmp_path, INSERTS), "src/main/java/clinic/Visits.java") == [
        "Visits.local modifies visits insert",
        *(f"Visits.once modifies visits{name} insert" for name in ("", ".day", ".pet")),
        "Visits.save modifies visits insert",
    ]


def test_a_plain_interface_of_a_repository(tmp_path: Path) -> None:
    """Spring Data also implements the methods of the plain interfaces that a repository extends."""
    assert uses_of(analysed(tmp_path, LOADED), "src/main/java/zoo/JpaAnimals.java") == [
        "JpaAnimals modifies Animal merge",
        "JpaAnimals modifies Meal merge",
        *(f"JpaAnimals reads {name} select" for name in ("Animal", "Animal.name", "Keeper", "Keeper.skills", "Skill")),
    ]


USES = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) WHERE a.name = 'existsByLastName' RETURN t.qualifiedName ORDER BY t.qualifiedName"


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    kept = "".join(f"//- kept/file{each}.py\ndef run{each}(): ...\n" for each in range(30))
    owner = PROJECT.partition(f"//- {FOLDER}/Owner.java\n")[2].partition("//- ")[0]
    changes = [f"//- {FOLDER}/Owner.java\n{owner.replace('String lastName', 'String surname')}"]
    before = [("Owner",), ("Owner.lastName",)]
    check_changes(tmp_path, PROJECT + kept, changes, {USES: before}, {USES: [("Owner",)]})


PANACHE = """
//- src/main/java/shop/Person.java
package shop;
import io.quarkus.hibernate.orm.panache.PanacheEntity;
import jakarta.persistence.*;
@Entity
public class Person extends PanacheEntity {
  String name;
  @ManyToOne Town town;
  static Person byName(String name) { return find("name", name).firstResult(); }
  static boolean exists(String name) { return count("name = ?1", name) > 0; }
  static long movedTo(Town town) { return update("town = ?1 where name = 'a'", town); }
}
//- src/main/java/shop/Town.java
package shop;
import jakarta.persistence.*;
@Entity
public class Town { @Id Long id; String label; }
//- src/main/java/shop/BaseTowns.java
package shop;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
public class BaseTowns<E, K> implements PanacheRepositoryBase<E, K> {
  protected Person person(long id) { return getEntityManager().find(Person.class, id); }
}
//- src/main/java/shop/Towns.java
package shop;
public class Towns extends BaseTowns<Town, Long> {
  Town labelled(String label) { return find("upper(label)", label).firstResult(); }
  java.util.List<Town> sorted() { return list("order by label"); }
  void add(Town town) { persist(town); }
  void clear() { delete("from Town t where t.label is null"); }
}
//- src/main/java/shop/Holder.java
package shop;
import jakarta.persistence.EntityManager;
public class Holder { protected static EntityManager manager; }
//- src/main/java/shop/Held.java
package shop;
public class Held extends Holder { Person held() { return manager.find(Person.class, 1L); } }
//- src/main/java/shop/Service.java
package shop;
public class Service {
  Towns towns;
  Plain plain;
  void run(Person person, Town town) {
    towns.findById(1L);
    person.persist();
    Person.listAll();
    plain.persist(town);
  }
  static class Plain { void persist(Town town) {} Town find(String text) { return null; } }
}
"""


def test_panache(tmp_path: Path) -> None:
    content = analysed(tmp_path, PANACHE)
    paths = [f"src/main/java/shop/{name}.java" for name in ("Person", "BaseTowns", "Towns", "Service", "Held")]
    assert list(dict.fromkeys(each for path in paths for each in uses_of(content, path))) == [
        "Person.byName reads Person select",
        "Person.byName reads Person.name select",
        "Person.byName reads Town select",
        "Person.exists reads Person select",
        "Person.exists reads Person.name select",
        "Person.movedTo modifies Person update",
        "Person.movedTo modifies Person.town update",
        "Person.movedTo reads Person.name update",
        "BaseTowns.person reads Person select",
        "BaseTowns.person reads Town select",
        "Towns.add modifies Town insert",
        "Towns.clear modifies Town delete",
        "Towns.clear reads Town.label delete",
        "Towns.labelled reads Town select",
        "Towns.labelled reads Town.label select",
        "Towns.sorted reads Town select",
        "Towns.sorted reads Town.label select",
        "Service.run modifies Person insert",
        "Service.run reads Person select",
        "Service.run reads Town select",
        "Held.held reads Person select",
        "Held.held reads Town select",
    ]
