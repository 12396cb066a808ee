"""Rows of JPA that code uses without a call of an entity manager, and rows that are deleted with other rows."""

from __future__ import annotations

import pytest
from astrolabe.schema.graph_content import GraphContent
from data_uses import uses_of
from written_workspace import analysed

FOLDER = "src/main/java/library"
PROJECT = """
//- src/main/java/library/Shelf.java
package library;
import jakarta.persistence.*;
import java.util.*;
@Entity
public class Shelf {
  @Id Long id;
  String room;
  @Embedded Label label;
  @OneToMany(mappedBy = "shelf", cascade = CascadeType.ALL, orphanRemoval = true) private List<Book> books = new ArrayList<>();
  @ManyToMany Set<Topic> topics = new HashSet<>();
  @OneToMany(mappedBy = "shelf") Set<Visit> visits;
  @ManyToMany(fetch = FetchType.EAGER) @JoinTable(name = "hidden") Set<Topic> hidden;
  Shelf(Topic topic) { topics.add(topic); }
  public List<Book> getBooks() { return books; }
  void moveTo(String room) { this.room = room; }
  void rename(String text) { label.write(text); }
  void put(Book book) { books.add(book); }
  void classify(Topic topic) { topics.add(topic); book().retitle("b"); }
  private Book book() { return books.get(0); }
  void hide(Topic topic) { hidden.remove(topic); }
  void visited(Visit visit) { visits.add(visit); }
}
//- src/main/java/library/Label.java
package library;
import jakarta.persistence.Embeddable;
@Embeddable
class Label { String text; void write(String text) { this.text = text; } }
//- src/main/java/library/Book.java
package library;
import jakarta.persistence.*;
@Entity
class Book {
  @Id Long id; String title; @ManyToOne(fetch = FetchType.LAZY) Shelf shelf;
  void retitle(String title) { this.title = title; }
}
//- src/main/java/library/Topic.java
package library;
import jakarta.persistence.*;
@Entity
class Topic { @Id Long id; @ManyToMany(mappedBy = "topics") Set<Shelf> shelves; }
//- src/main/java/library/Visit.java
package library;
import jakarta.persistence.*;
@Entity
class Visit { @Id Long id; @ManyToOne Shelf shelf; @ManyToOne Topic about; }
//- src/main/java/library/Shelves.java
package library;
import org.springframework.data.repository.CrudRepository;
interface Shelves extends CrudRepository<Shelf, Long> { }
//- src/main/java/library/Librarian.java
package library;
import java.util.Optional;
import org.springframework.transaction.annotation.Transactional;
class Librarian {
  private final Shelves shelves;
  Librarian(Shelves shelves) { this.shelves = shelves; }
  @Transactional
  public void move(long id) { Shelf shelf = shelves.findById(id).get(); shelf.moveTo("north"); }
  @Transactional
  public void rename(Optional<Shelf> found) { found.map(shelf -> shelf).ifPresent(shelf -> shelf.rename("new")); }
  @Transactional
  public void classify(Optional<Shelf> shelf, Topic topic) { shelf.ifPresent(each -> each.classify(topic)); }
  @Transactional
  public Shelf made(Topic topic) { Shelf shelf = new Shelf(topic); shelf.moveTo("south"); return shelf; }
  @Transactional(readOnly = true)
  public void onlyRead(Shelf shelf) { shelf.moveTo("east"); }
  public void outside(Shelf shelf) { shelf.moveTo("west"); }
  public long count(Shelf shelf) { return shelf.getBooks().stream().count(); }
  public void list(Shelf shelf) { for (Book book : shelf.getBooks()) { System.out.println(book); } }
  public void close(Shelf shelf) { shelves.delete(shelf); }
}
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> GraphContent:
    return analysed(tmp_path_factory.mktemp("library"), PROJECT)


def test_collections_of_a_row(content: GraphContent) -> None:
    """A list is not read when a row is added. The other side of a relation without cascade writes nothing.

    The rows of a collection are read with their relations, except the relation that leads back to the row with the collection.
    """
    assert [each for each in uses_of(content, f"{FOLDER}/Shelf.java") if "Shelf." in each.split()[0]] == [
        "Shelf.book reads Book select",
        "Shelf.classify modifies Shelf.topics insert",
        "Shelf.classify reads Shelf.topics select",
        "Shelf.classify reads Topic select",
        "Shelf.hide modifies Shelf.hidden delete",
        "Shelf.put modifies Book insert",
        "Shelf.visited reads Topic select",
        "Shelf.visited reads Visit select",
    ]


def test_rows_that_a_transaction_changes(content: GraphContent) -> None:
    """At its end, a transaction writes what methods of entities have changed, but not new rows."""
    uses = uses_of(content, f"{FOLDER}/Librarian.java")
    changes = [each for each in uses if " modifies " in each and "close" not in each]
    assert changes == [
        "Librarian.classify modifies Book update",
        "Librarian.classify modifies Book.title update",
        "Librarian.classify modifies Shelf.topics update",
        "Librarian.move modifies Shelf update",
        "Librarian.move modifies Shelf.room update",
        "Librarian.rename modifies Shelf update",
    ]
    assert [each for each in uses if each.startswith(("Librarian.count", "Librarian.list"))] == [
        "Librarian.count reads Book select",
        "Librarian.list reads Book select",
    ]


def test_rows_that_are_deleted_with_a_row(content: GraphContent) -> None:
    """JPA deletes the rows of relations with a cascade, and the links that the row owns."""
    assert [each for each in uses_of(content, f"{FOLDER}/Librarian.java") if "close" in each] == [
        "Librarian.close modifies Book delete",
        "Librarian.close modifies Shelf delete",
        "Librarian.close modifies Shelf.hidden delete",
        "Librarian.close modifies Shelf.topics delete",
        "Librarian.close reads Book delete",
        "Librarian.close reads Shelf delete",
        "Librarian.close reads Shelf.hidden delete",
        "Librarian.close reads Topic delete",
    ]
