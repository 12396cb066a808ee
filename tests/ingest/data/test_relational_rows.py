"""Rows, repositories and templates of Spring Data JDBC and R2DBC."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- src/main/java/mail/Parcel.java
package mail;
import java.util.Set;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.relational.core.mapping.*;
@Table("parcels")
class Parcel {
  @Id Integer id;
  @Column("goes_to") String target;
  @Transient String note;
  @MappedCollection(idColumn = "parcel") Set<ScanEvent> events;
}
//- src/main/java/mail/ScanEvent.java
package mail;
import org.springframework.data.relational.core.mapping.Table;
@Table
record ScanEvent(String placeName) {}
//- src/main/java/mail/Letter.java
package mail;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
@Document
class Letter { @Id String id; }
//- src/main/java/mail/Parcels.java
package mail;
import org.springframework.data.repository.CrudRepository;
interface Parcels extends CrudRepository<Parcel, Integer> { Parcel findByTarget(String target); }
//- src/main/java/mail/Office.java
package mail;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.query.*;
class Office {
  private final Parcels parcels; private final R2dbcEntityTemplate template; private final JdbcAggregateTemplate aggregates;
  private final Shelf shelf;
  Office(Parcels parcels, R2dbcEntityTemplate template, JdbcAggregateTemplate aggregates, Shelf shelf) {
    this.parcels = parcels; this.template = template; this.aggregates = aggregates; this.shelf = shelf;
  }
  void send(Parcel parcel) { parcels.save(parcel); }
  void lose(int id) { parcels.deleteById(id); }
  Object find() { return template.select(ScanEvent.class).matching(Query.empty()).all(); }
  Object redirect() { return template.update(ScanEvent.class).apply(Update.update("place_name", "a")); }
  Object scan(ScanEvent event) { return template.insert(event); }
  void drop(Parcel parcel) { aggregates.delete(parcel); }
  void keep(ScanEvent event) { shelf.insert(event); }
}
class Shelf { void insert(Object value) {} }
"""


def test_uses(tmp_path: Path) -> None:
    """A repository and a template use the table of a row, and the tables of the rows that belong to it."""
    content = analysed(tmp_path, PROJECT)
    folder = "src/main/java/mail"
    assert uses_of(content, f"{folder}/Parcels.java") == [
        "Parcels.findByTarget reads Parcel select",
        "Parcels.findByTarget reads Parcel.target select",
        "Parcels.findByTarget reads ScanEvent select",
    ]
    assert uses_of(content, f"{folder}/Office.java") == [
        "Office.drop modifies Parcel delete",
        "Office.drop modifies ScanEvent delete",
        "Office.find reads ScanEvent select",
        "Office.lose modifies Parcel delete",
        "Office.lose modifies ScanEvent delete",
        "Office.lose reads Parcel delete",
        "Office.lose reads ScanEvent delete",
        "Office.redirect modifies ScanEvent update",
        "Office.scan modifies ScanEvent insert",
        "Office.send modifies Parcel merge",
        "Office.send modifies ScanEvent merge",
    ]
