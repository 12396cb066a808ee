"""Entities of MikroORM that calls of `defineEntity` define: their tables, and the calls that use them."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, tables

BASE = """
import { defineEntity, p } from '@mikro-orm/core'
export const BaseSchema = defineEntity({ name: 'Base', abstract: true, properties: { id: p.integer().primary() } })
"""
ENTITIES = """
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { BaseSchema } from './base.js'
const TownSchema = defineEntity({ name: 'Town', embeddable: true, properties: { street: p.string().nullable() } })
export const AuthorSchema = defineEntity({
  name: 'Author',
  extends: BaseSchema,
  properties: {
    fullName: p.string().length(40),
    mail: p.string().fieldName('email').unique(),
    age: p.integer().default(1).nullable(),
    secret: p.string().persist(false),
    town: () => p.embedded(TownSchema),
    links: () => p.embedded(TownSchema).object().nullable(),
    books: () => p.oneToMany(BookSchema).mappedBy('author'),
  },
})
export class Author extends AuthorSchema.class {
  greet() { return this.fullName }
}
export const BookSchema = defineEntity({
  name: 'Book',
  tableName: 'volumes',
  extends: BaseSchema,
  properties: (p) => ({
    title: p.text(),
    author: () => p.manyToOne(Author).ref().deleteRule('cascade'),
    tags: () => p.manyToMany(TagSchema),
  }),
})
export const TagSchema = defineEntity({ name: 'Tag', properties: { name: p.string().primary() } })
export type ITag = InferEntity<typeof TagSchema>
"""
CODE = """
import { EntityManager, EntityRepository } from '@mikro-orm/core'
import { Author, AuthorSchema, BookSchema, type ITag } from './entities.js'
export class AuthorStore extends EntityRepository<Author> {
  byMail(mail: string) { return this.findOne({ mail }, { populate: ['books.tags'] }) }
}
export class Service {
  constructor(private readonly em: EntityManager, private readonly tags: EntityRepository<ITag>) {}
  books(title: string) { return this.em.find(BookSchema, { title }) }
  count() { return this.em.getRepository(AuthorSchema).count({ fullName: 'a' }) }
  named(name: string) { return this.tags.findOne({ name }) }
  async rename(author: Author) { author.fullName = 'a'; await this.em.persist(author).flush() }
}
"""
FILES = {"src/base.ts": BASE, "src/entities.ts": ENTITIES, "src/code.ts": CODE}


def test_tables() -> None:
    found = tables(FILES, "mikro-orm")
    assert {name: columns(table) for name, table in found.items()} == {
        "author": {
            "id": ("int", False), "full_name": ("varchar(40)", False), "email": ("varchar(255)", False),
            "age": ("int", True), "town_street": ("varchar(255)", True), "links": ("jsonb", True),
        },
        "volumes": {"id": ("int", False), "title": ("text", False), "author_id": ("int", False)},
        "tag": {"name": ("varchar(255)", False)},
        "volumes_tags": {"volumes_id": ("int", False), "tag_name": ("varchar(255)", False)},
    }  # fmt: skip
    assert foreign_keys(found["volumes"]) == {"author_id": ("author", "id", "CASCADE")}


def test_uses(tmp_path: Path) -> None:
    project = "\n".join(f"//- {path}{text}" for path, text in FILES.items())
    assert uses_of(analysed(tmp_path, f"\n{project}"), "src/code.ts") == [
        "AuthorStore.byMail reads AuthorSchema select", "AuthorStore.byMail reads AuthorSchema.mail select",
        "AuthorStore.byMail reads BookSchema select", "AuthorStore.byMail reads BookSchema.properties.tags select",
        "AuthorStore.byMail reads TagSchema select",
        "Service.books reads BookSchema select", "Service.books reads BookSchema.title select",
        "Service.count reads AuthorSchema select", "Service.count reads AuthorSchema.fullName select",
        "Service.named reads TagSchema select", "Service.named reads TagSchema.name select",
        "Service.rename modifies AuthorSchema merge",
    ]  # fmt: skip
