"""Statements of jOOQ: which tables and columns the methods around them use."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- src/main/resources/db/migration/V1__start.sql
CREATE TABLE users (id bigint PRIMARY KEY, name text, age int);
CREATE TABLE user_roles (user_id bigint, role text);
//- src/main/java/shop/Users.java
package shop;

import static shop.jooq.Tables.USERS;
import static shop.jooq.Tables.USER_ROLES;

import org.jooq.DSLContext;
import shop.jooq.Tables;

class Users {
  private final DSLContext dsl;

  Users(DSLContext dsl) { this.dsl = dsl; }

  Object named(String name) {
    return dsl.select(USERS.ID, USER_ROLES.ROLE).from(USERS).leftJoin(USER_ROLES).on(USER_ROLES.USER_ID.eq(USERS.ID))
        .where(USERS.NAME.eq(name)).fetch();
  }

  void add(String name) { dsl.insertInto(USERS, USERS.NAME).values(name).execute(); }

  void grow(long id) { dsl.update(Tables.USERS).set(Tables.USERS.AGE, 3).where(USERS.ID.eq(id)).execute(); }

  void drop() { dsl.deleteFrom(USER_ROLES).where(USER_ROLES.ROLE.isNull()).execute(); }
}
//- src/main/java/shop/Roles.java
package shop;

import static org.jooq.impl.DSL.*;
import static shop.jooq.Tables.*;

import java.util.List;
import org.jooq.DSLContext;
import shop.jooq.tables.daos.UserRolesDao;
import shop.jooq.tables.records.UserRolesRecord;
import shop.jooq.tables.records.UsersRecord;

class Roles {
  private final DSLContext dsl;
  private final UserRolesDao dao;

  Roles(DSLContext dsl, UserRolesDao dao) { this.dsl = dsl; this.dao = dao; }

  void grant() { UserRolesRecord made = dsl.newRecord(USER_ROLES); made.setRole("admin"); made.store(); }

  void rename(long id) { var user = dsl.fetchOne(USERS, USERS.ID.eq(id)); user.setName("b"); user.update(); }

  void drop() { dsl.fetchOptional(USER_ROLES).ifPresent(UserRolesRecord::delete); }

  void insert(List<UsersRecord> all) { dsl.batchInsert(all).execute(); }

  Object joined() { var u = USERS.as("u"); return dsl.select().from(u.join(USER_ROLES).on(USER_ROLES.USER_ID.eq(u.ID))).fetch(); }

  boolean any() { return dsl.fetchExists(selectFrom(USERS)); }

  Object named() { return dsl.select(field("role")).from(table("user_roles")).fetch(); }

  Object counted() {
    var totals = name("totals").as(select(count()).from(USERS));
    return dsl.with(totals).select().from(totals).fetch();
  }

  void save(Object role) { dao.insert(null); dao.fetchByRole("admin"); }
}
//- src/main/java/shop/Plain.java
package shop;

class Plain {
  static final String USERS = "users";

  void go(java.util.Map<String, String> map) { map.from(USERS); }
}
//- src/main/kotlin/shop/Ledger.kt
package shop

import org.jooq.DSLContext
import org.jooq.impl.DSL
import org.jooq.impl.DSL.field
import org.jooq.impl.DSL.table
import shop.jooq.Tables.USERS
import shop.jooq.Tables.USER_ROLES

class Ledger(private val dsl: DSLContext) {
    private val roles = DSL.table("user_roles")

    fun old(limit: Int) = dsl.select(field("id"))
        .from(table("users"))
        .where(field("age").gt(limit))
        .fetch(field("id"), Long::class.java)

    fun both() = dsl.select().from(USERS.`as`("u")).leftJoin(roles).on(field("user_id").eq(field("id"))).where(field("age").gt(3))

    fun grow(id: Long) {
        // dsl.deleteFrom(table("user_roles"))
        dsl.update(USERS).set(USERS.AGE, 3).where(USERS.ID.eq(id)).execute()
    }

    fun fill(name: String) {
        dsl.insertInto(table("users"), field("name"), field("age")).values(name, 1).execute()
        dsl.insertInto(roles).columns(field("role")).values("a").execute()
    }

    fun drop(names: List<String>) {
        dsl.delete(roles).where(field("user_id").`in`(DSL.select(field("age")).from(table("users")))).execute()
        names.update(names)
        log.insert(table("the users are gone"))
    }
}
"""


def test_uses(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "src/main/java/shop/Users.java") == [
        "Users.add modifies users insert",
        "Users.add modifies users.name insert",
        "Users.drop modifies user_roles delete",
        "Users.drop reads user_roles.role delete",
        "Users.grow modifies users update",
        "Users.grow modifies users.age update",
        "Users.grow reads users.id update",
        "Users.named reads user_roles select",
        "Users.named reads user_roles.role select",
        "Users.named reads user_roles.user_id select",
        "Users.named reads users select",
        "Users.named reads users.id select",
        "Users.named reads users.name select",
    ]
    assert uses_of(content, "src/main/java/shop/Roles.java") == [
        "Roles.any reads users select",
        "Roles.counted reads users select",
        "Roles.drop modifies user_roles delete",
        "Roles.drop reads user_roles select",
        "Roles.grant modifies user_roles merge",
        "Roles.insert modifies users insert",
        "Roles.joined reads user_roles select",
        "Roles.joined reads user_roles.user_id select",
        "Roles.joined reads users select",
        "Roles.joined reads users.id select",
        "Roles.named reads user_roles select",
        "Roles.rename modifies users update",
        "Roles.rename reads users select",
        "Roles.rename reads users.id select",
        "Roles.save modifies user_roles insert",
        "Roles.save reads user_roles select",
    ]
    assert uses_of(content, "src/main/java/shop/Plain.java") == []
    assert [each.removeprefix("Ledger.") for each in uses_of(content, "src/main/kotlin/shop/Ledger.kt")] == [
        "both reads user_roles select",
        "both reads user_roles.user_id select",
        "both reads users select",
        "both reads users.age select",
        "both reads users.id select",
        "drop modifies user_roles delete",
        "drop reads users select",
        "fill modifies user_roles insert",
        "fill modifies user_roles.role insert",
        "fill modifies users insert",
        "fill modifies users.age insert",
        "fill modifies users.name insert",
        "grow modifies users update",
        "grow modifies users.age update",
        "grow reads users.id update",
        "old reads users select",
        "old reads users.age select",
        "old reads users.id select",
    ]
