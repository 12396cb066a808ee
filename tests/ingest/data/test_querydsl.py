"""Querydsl, criteria and named queries of JPA: which tables and columns the functions with them use."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- src/main/java/shop/Member.java
package shop;
import jakarta.persistence.*;
@Entity
@NamedQuery(name = "Member.byName", query = "select m from Member m where m.name = :name")
class Member { @Id Long id; String name; int age; @ManyToOne Team team; }
//- src/main/java/shop/Team.java
package shop;
import jakarta.persistence.*;
@Entity
class Team { @Id Long id; String name; }
//- src/main/java/shop/Members.java
package shop;
import static shop.QMember.member;
import com.querydsl.jpa.impl.JPAQueryFactory;
class Members {
  private final JPAQueryFactory queryFactory;
  private final QTeam teams = QTeam.team;
  Object adults() {
    return queryFactory.selectFrom(member).join(member.team, QTeam.team).where(member.age.gt(18)).fetch();
  }
  void rename(Long id) { queryFactory.update(member).set(member.name, "a").where(member.id.eq(id)).execute(); }
  Object teams() { QTeam t = new QTeam("t"); return queryFactory.select(t.name).from(t).fetch(); }
  long drop() { return queryFactory.delete(teams).execute(); }
}
//- src/main/java/shop/Criteria.java
package shop;
import jakarta.persistence.*;
import jakarta.persistence.criteria.*;
class Criteria {
  EntityManager em;
  Object all() { 
    CriteriaQuery<Member> q = em.getCriteriaBuilder().createQuery(Member.class);
    Root<Member> root = q.from(Member.class);
    return em.createQuery(q).getResultList();
  }
  void drop(CriteriaDelete<Team> q) { q.from(Team.class); }
  Object named() { return em.createNamedQuery("Member.byName", Member.class).getResultList(); }
  Object untyped() { return em.createNamedQuery("Team.all").getResultList(); }
}
"""


def test_uses(tmp_path: Path) -> None:
    """Constants and values of generated classes name entities; builders of criteria and named queries name their classes."""
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "src/main/java/shop/Members.java") == [
        "Members.adults reads Member select",
        "Members.adults reads Member.age select",
        "Members.adults reads Member.team select",
        "Members.adults reads Team select",
        "Members.drop modifies Team delete",
        "Members.rename modifies Member update",
        "Members.rename modifies Member.name update",
        "Members.rename reads Member.id update",
        "Members.teams reads Team select",
        "Members.teams reads Team.name select",
    ]
    assert uses_of(content, "src/main/java/shop/Criteria.java") == [
        "Criteria.all reads Member select",
        "Criteria.drop modifies Team delete",
        "Criteria.named reads Member select",
        "Criteria.named reads Member.name select",
        "Criteria.named reads Team select",
        "Criteria.untyped reads Team select",
    ]
