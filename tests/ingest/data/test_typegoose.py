"""Classes of Typegoose as collections, and repositories in the properties of an object type."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, tables

FILES = {
    "src/user.model.ts": """
import { prop, getModelForClass, modelOptions, Ref } from '@typegoose/typegoose'
import { Post } from './post.model'
@modelOptions({ schemaOptions: { collection: 'people', timestamps: true } })
export class User {
  @prop({ type: String, required: true, unique: true }) public email: string
  @prop() public age?: number
  @prop({ ref: () => Post }) public posts?: Ref<Post>[]
  public createdAt?: Date
}
export const UserModel = getModelForClass(User)
""",
    "src/post.model.ts": """
import { prop, getModelForClass } from '@typegoose/typegoose'
export class Post { @prop({ required: true }) title!: string }
export class Part { @prop() label!: string }
export default getModelForClass(Post)
""",
    "src/code.ts": """
import { UserModel } from './user.model'
import PostModel from './post.model'
export const all = async () => UserModel.find({ email: 'a' }).populate('posts')
export const add = async () => { const post = new PostModel({ title: 'a' }); await post.save() }
""",
}


def test_collections() -> None:
    found = tables(FILES, "mongoose")
    assert {name: columns(table) for name, table in found.items()} == {
        "people": {
            "_id": ("objectId", False), "email": ("string", False), "age": ("number", True), "posts": ("object[]", True),
            "createdAt": ("date", True), "updatedAt": ("date", True),
        },
        "posts": {"_id": ("objectId", False), "title": ("string", False)},
    }  # fmt: skip
    assert foreign_keys(found["people"]) == {"posts": ("posts", "_id", "")}


def test_uses(tmp_path: Path) -> None:
    content = analysed(tmp_path, "".join(f"//- {path}{text}" for path, text in FILES.items()))
    assert uses_of(content, "src/code.ts") == [
        "add modifies Post merge",
        "all reads Post select",
        "all reads User select",
        "all reads User.email select",
    ]


SERVICES = """
//- src/services.ts
import { EntityManager, EntityRepository } from '@mikro-orm/core'
import { Book } from './book'
export const services = {} as { em: EntityManager; books: EntityRepository<Book> }
//- src/book.ts
import { Entity, PrimaryKey, Property } from '@mikro-orm/core'
@Entity() export class Book { @PrimaryKey() id: number
  @Property() name: string }
//- src/code.ts
import { services } from './services'
import { Book } from './book'
export const list = () => services.books.findAll()
export const make = async () => { services.em.create(Book, { name: 'a' }); await services.em.flush() }
"""


def test_repositories_in_an_object_type(tmp_path: Path) -> None:
    assert uses_of(analysed(tmp_path, SERVICES), "src/code.ts") == [
        "list reads Book select",
        "make modifies Book insert",
        "make modifies Book.name insert",
    ]
