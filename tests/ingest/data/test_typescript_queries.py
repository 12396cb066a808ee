"""Calls of TypeORM, Drizzle, Knex, Objection, Kysely, MikroORM and Mongoose: which tables and columns functions use."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, tables

CHANGING = ("insert", "update", "delete", "merge")
TYPEORM = """
//- src/user.ts
import { BaseEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
@Entity('users')
export class User extends BaseEntity {
  @PrimaryGeneratedColumn() id: number
  @Column() name: string
  @Column({ name: 'mail' }) email: string
  @OneToMany(() => Post, (post) => post.author) posts: Post[]
}
@Entity()
export class Badge {
  @PrimaryGeneratedColumn() id: number
  @ManyToOne(() => Post, { eager: true, cascade: ['insert'] }) post: Post
}
@Entity()
export class Post {
  @PrimaryGeneratedColumn() id: number
  @Column() title: string
  @ManyToOne(() => User, (user) => user.posts) author: User
}
//- src/source.ts
import { DataSource } from 'typeorm'
import { Post } from './user'
export const source = new DataSource({ type: 'postgres', entities: [Post] })
export const posts = source.getRepository(Post)
//- src/code.ts
import { InjectRepository } from '@nestjs/typeorm'
import { DataSource, EntityManager, Repository } from 'typeorm'
import { posts, source } from './source'
import { Badge, Post, User } from './user'
export class Posts extends Repository<Post> {}
export class Service {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly own: Posts,
    private readonly manager: EntityManager,
    private readonly other: Map<string, User>,
  ) {}
  async find(user: User, name: string) {
    BODY
  }
}
"""
DRIZZLE = """
//- src/schema.ts
import { relations } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
export const users = pgTable('users', { id: integer('id').primaryKey(), fullName: text('full_name') })
export const posts = pgTable('posts', { id: integer('id'), title: text('title'), authorId: integer('author_id') })
export const usersRelations = relations(users, ({ many }) => ({ posts: many(posts) }))
export const postsRelations = relations(posts, ({ one }) => ({
  author: one(users, { fields: [posts.authorId], references: [users.id] }),
}))
//- src/db.ts
import { drizzle } from 'drizzle-orm/node-postgres'
import * as schema from './schema'
export const db = drizzle(process.env.URL, { schema })
type Opened = ReturnType<typeof drizzle<typeof schema>>
export const lazy = new Proxy({} as Opened, { get: (_, name) => Reflect.get(db, name) })
export const map = new Map([[1, db]])
//- src/code.ts
import { and, desc, eq, sql } from 'drizzle-orm'
import { db, lazy, map } from './db'
import * as schema from './schema'
import { posts, users } from './schema'
export class Service {
  async find(name: string, other: any) {
    BODY
  }
}
"""
DRIZZLE_RELATIONS = """
//- src/schema.ts
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
export const users = pgTable('users', { id: integer().primaryKey(), fullName: text('full_name') })
export const posts = pgTable('posts', { id: integer(), title: text(), authorId: integer('author_id') })
//- src/relations.ts
import { defineRelations } from 'drizzle-orm'
import * as schema from './schema'
export const relations = defineRelations(schema, (r) => ({
  users: { posts: r.many.posts() },
  posts: { author: r.one.users({ from: r.posts.authorId, to: r.users.id }) },
}))
//- src/code.ts
import { drizzle } from 'drizzle-orm/node-postgres'
import { relations } from './relations'
const db = drizzle(process.env.URL, { relations })
export class Service {
  async find(name: string) {
    BODY
  }
}
"""
TABLES = """
//- schema.sql
CREATE TABLE users (id int PRIMARY KEY, name text, created_at timestamp);
CREATE TABLE posts (id int PRIMARY KEY, title text, author_id int REFERENCES users (id));
CREATE TABLE user_tags (user_id int, tag_id int);
"""
KNEX = f"""{TABLES}
//- src/db.ts
import knex from 'knex'
export const db = knex({{ client: 'pg' }})
export const TABLES = {{ posts: 'posts' }}
//- src/pet.ts
import {{ Model }} from 'objection'
import {{ Person }} from './person'
export class Pet extends Model {{
  static tableName = 'posts'
  static get allowed() {{ return '[owner.[pets]]' }}
  static relationMappings = {{
    owner: {{ relation: Model.BelongsToOneRelation, modelClass: Person, join: {{ from: 'posts.author_id', to: 'users.id' }} }},
  }}
}}
//- src/person.ts
import {{ Model }} from 'objection'
import {{ Pet }} from './pet'
export class Person extends Model {{
  static get tableName() {{ return 'users' }}
  static get relationMappings() {{
    return {{
      pets: {{ relation: Model.HasManyRelation, modelClass: () => Pet, join: {{ from: 'users.id', to: 'posts.author_id' }} }},
      tags: {{
        relation: Model.ManyToManyRelation, modelClass: Pet,
        join: {{ from: 'users.id', through: {{ from: 'user_tags.user_id', to: 'user_tags.tag_id' }}, to: 'posts.id' }},
      }},
    }}
  }}
}}
//- src/code.ts
import type {{ Knex }} from 'knex'
import {{ db, TABLES }} from './db'
import {{ Person }} from './person'
import {{ Pet }} from './pet'
type Db = Knex | Knex.Transaction
export class Service {{
  private readonly own: Db
  async find(name: string, other: any) {{
    BODY
  }}
}}
"""
KYSELY = """
//- migrations/1-users.ts
import { Kysely, sql } from 'kysely'
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'uuid', (col) => col.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('name', 'varchar', (col) => col.notNull().unique())
    .addColumn('created_at', 'timestamptz')
    .execute()
  await db.schema
    .createTable('posts')
    .addColumn('title', 'text')
    .addColumn('old', 'text')
    .addColumn('author_id', 'uuid', (col) => col.references('users.id').onDelete('cascade'))
    .execute()
  await db.schema.alterTable('posts').dropColumn('old').execute()
  await db.schema.createIndex('posts_author').on('posts').column('author_id').execute()
}
export async function down(db: Kysely<any>): Promise<void> {
  await db.schema.dropTable('posts').execute()
}
//- src/code.ts
import { InjectKysely } from 'nestjs-kysely'
import { Kysely } from 'kysely'
interface Tables { users: { id: string; name: string }; posts: { title: string } }
type Database = Kysely<Tables>
export class Service {
  constructor(@InjectKysely() private readonly db: Database) {}
  async find(name: string, other: any) {
    BODY
  }
}
"""
MIKRO = """
//- src/entities.ts
import { Collection, Entity, ManyToMany, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/core'
@Entity()
export class User {
  @PrimaryKey() id!: number
  @Property() fullName!: string
  @OneToMany(() => Post, (post) => post.author) posts = new Collection<Post>(this)
}
@Entity({ tableName: 'articles' })
export class Post {
  @PrimaryKey() id!: number
  @Property({ fieldName: 'headline', nullable: true }) title?: string
  @ManyToOne(() => User) author!: User
  @ManyToMany(() => Tag) tags = new Collection<Tag>(this)
}
@Entity()
export class Tag {
  @PrimaryKey({ type: 'uuid' }) id!: string
}
//- src/code.ts
import { EntityManager, EntityRepository, wrap } from '@mikro-orm/core'
import { Post, Tag, User } from './entities'
export class Service {
  constructor(private readonly em: EntityManager, private readonly users: EntityRepository<User>) {}
  async find(name: string, other: any) {
    BODY
  }
}
"""
MONGOOSE = """
//- src/models.js
const mongoose = require('mongoose')
const { Schema } = mongoose
const addressSchema = new Schema({ town: String })
const userSchema = new Schema({
  name: { type: String, required: true, index: true },
  tags: [String],
  address: addressSchema,
}, { timestamps: true })
userSchema.virtual('posts', { ref: 'BlogPost', localField: '_id', foreignField: 'author' })
const User = mongoose.model('User', userSchema)
const Post = mongoose.model('BlogPost', new Schema({ title: String, author: { type: Schema.Types.ObjectId, ref: 'User' } }))
module.exports = { User, Post }
//- src/cats.ts
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose'
import { HydratedDocument } from 'mongoose'
export type CatDocument = HydratedDocument<Cat>
@Schema({ collection: 'kittens' })
export class Cat {
  @Prop({ required: true }) name: string
  @Prop() age: number
}
export const CatSchema = SchemaFactory.createForClass(Cat)
//- src/code.ts
import { InjectModel } from '@nestjs/mongoose'
import { Model } from 'mongoose'
import { Cat, CatDocument } from './cats'
import { Post, User } from './models'
export class Service {
  constructor(@InjectModel(Cat.name) private readonly cats: Model<CatDocument>) {}
  async find(name: string, other: any) {
    BODY
  }
}
"""


@pytest.mark.parametrize(
    ("project", "body", "expected"),
    [
        (TYPEORM, "return source.getRepository(Badge).findOneBy({ id: 1 })", ["reads Badge", "reads Badge.id", "reads Post"]),
        (TYPEORM, "await source.getRepository(Badge).save({ id: 1 })", ["modifies Badge merge", "modifies Badge.id merge",
                                                                       "modifies Post merge"]),
        (TYPEORM, "return source.getRepository(Badge).count()", ["reads Badge"]),
        (TYPEORM, "const query = await this.users.createQueryBuilder('user'); return query.getMany()", ["reads User"]),
        (DRIZZLE, "const old = db.$with('old').as(db.select().from(users));"
                  " return db.with(old).select().from(old).innerJoin(posts, eq(posts.authorId, old.id))",
         ["reads posts", "reads posts.authorId", "reads users"]),
        (DRIZZLE, "return db.select({ count: sql`(select count(*) from ${posts})` }).from(users)",
         ["reads posts", "reads users"]),
        (DRIZZLE, "const tables = { schema, posts }; return db.select().from(tables.posts)", ["reads posts"]),
        (DRIZZLE, "const run = (tx: Parameters<Parameters<typeof db.transaction>[0]>[0]) => tx.delete(posts); return run",
         ["Service.find.run modifies posts delete"]),
        (TYPEORM, "return this.users.find({ where: { name, posts: { title: 'a' } }, order: { id: 'ASC' }, "
                  "relations: ['posts'] })",
         ["reads Post", "reads Post.title", "reads User", "reads User.id", "reads User.name"]),
        (TYPEORM, "return this.users.findOneBy({ email: name })", ["reads User", "reads User.email"]),
        (TYPEORM, "await this.users.update({ id: 1 }, { name })",
         ["modifies User update", "modifies User.name update", "reads User.id update"]),
        (TYPEORM, "return this.users.createQueryBuilder('u').leftJoinAndSelect('u.posts', 'p').where('p.title = :name', { name })"
                  ".orderBy('u.name').getMany()",
         ["reads Post", "reads Post.title", "reads User", "reads User.name"]),
        (TYPEORM, "const query = this.own.createQueryBuilder('p').innerJoin('p.author', 'a')\n"
                  "    if (name) query.andWhere('a.email = :name')\n    return query.getCount()",
         ["reads Post", "reads User", "reads User.email"]),
        (TYPEORM, "return posts.count({ where: { author: { name } } })",
         ["reads Post", "reads Post.author", "reads User", "reads User.name"]),
        (TYPEORM, "return this.manager.find(Post, { where: { title: name } })", ["reads Post", "reads Post.title"]),
        (TYPEORM, "await this.manager.transaction(async (inner) => { await inner.delete(Post, { title: name }) })",
         ["modifies Post delete", "reads Post.title delete"]),
        (TYPEORM, "await source.createQueryBuilder().update(User).set({ name }).where('id = 1').execute()",
         ["modifies User update", "modifies User.name update"]),
        (TYPEORM, "await user.save(); return User.findOne({ where: { id: 1 } })",
         ["modifies User merge", "reads User", "reads User.id"]),
        (TYPEORM, "return this.other.delete(name)", []),
        (TYPEORM, "const users = source.getRepository(User).extend({ named(n: string) { return this.findOneBy({ name: n }) } });"
                  " return users",
         ["Service.find.named reads User", "Service.find.named reads User.name"]),
        (TYPEORM, "return this.users.createQueryBuilder('u').where((qb) => {"
                  " const inner = qb.subQuery().select('p.id').from(Post, 'p').getQuery(); return inner }).getMany()",
         ["reads Post", "reads User"]),
        (TYPEORM, "await source.createQueryBuilder().relation(User, 'posts').of(user).add(1)", ["modifies Post update"]),
        (TYPEORM, "return source.createQueryBuilder().relation(Post, 'author').of(1).loadOne()", ["reads User"]),
        (TYPEORM, "return this.users.createQueryBuilder('u').loadRelationCountAndMap('u.count', 'u.posts').getMany()",
         ["reads Post", "reads User"]),
        (TYPEORM, "const post = await posts.findOneBy({ id: 1 }); post.author = user; await posts.save(post)",
         ["modifies Post merge", "reads Post", "reads Post.id", "reads User"]),
        (TYPEORM, "const post = posts.create({ title: name }); post.author = user; await post.save()", ["modifies Post merge"]),
        (TYPEORM, "user.name = name; await this.users.save(user)", ["modifies User merge", "reads User"]),
        (TYPEORM, "await this.users.save(user)", ["modifies User merge"]),
        (DRIZZLE, "return db.select({ name: users.fullName }).from(users).leftJoin(posts, eq(posts.authorId, users.id))"
                  ".where(and(eq(posts.title, name))).orderBy(desc(users.id))",
         ["reads posts", "reads posts.authorId", "reads posts.title", "reads users", "reads users.fullName", "reads users.id"]),
        (DRIZZLE, "await db.insert(posts).values({ title: name, authorId: 1 }).returning()",
         ["modifies posts insert", "modifies posts.authorId insert", "modifies posts.title insert"]),
        (DRIZZLE, "await db.update(schema.users).set({ fullName: name }).where(eq(schema.users.id, 1))",
         ["modifies users update", "modifies users.fullName update", "reads users.id update"]),
        (DRIZZLE, "await db.transaction(async (tx) => { await tx.delete(users).where(eq(users.id, 1)) })",
         ["modifies users delete", "reads users.id delete"]),
        (DRIZZLE, "return db.query.users.findMany({ with: { posts: true }, columns: { fullName: true }, "
                  "where: eq(users.id, 1) })",
         ["reads posts", "reads users", "reads users.fullName", "reads users.id"]),
        (DRIZZLE, "return db.query.posts.findFirst({ with: { author: true } })", ["reads posts", "reads users"]),
        (DRIZZLE, "return db.query.users.findMany({ with: { posts: { columns: { title: true, authorId: false }, "
                  "with: { author: { where: { fullName: name } } } } } })",
         ["reads posts", "reads posts.authorId", "reads posts.title", "reads users", "reads users.fullName"]),
        (DRIZZLE_RELATIONS, "return db.query.posts.findMany({ with: { author: { columns: { fullName: true } } } })",
         ["reads posts", "reads posts.authorId", "reads users", "reads users.fullName"]),
        (DRIZZLE_RELATIONS, "return db.query.users.findFirst({ where: { posts: { title: { like: name } } } })",
         ["reads posts", "reads posts.title", "reads users"]),
        (DRIZZLE, "return lazy.select({ name: users.fullName }).from(users)", ["reads users", "reads users.fullName"]),
        (DRIZZLE, "return map.select().from(users)", []),
        (DRIZZLE, "return other.select().from(users)", []),
        (KNEX, "return db('users').where({ id: 1 }).orderBy('name').first('created_at')",
         ["reads users", "reads users.created_at", "reads users.id", "reads users.name"]),
        (KNEX, "return this.own<{ id: number }>('users as u').leftJoin('posts as p', 'p.author_id', 'u.id')"
               ".select('p.title', 'u.name')",
         ["reads posts", "reads posts.author_id", "reads posts.title", "reads users", "reads users.id", "reads users.name"]),
        (KNEX, "return db.select('title').from(TABLES.posts).whereIn('author_id', [1])",
         ["reads posts", "reads posts.author_id", "reads posts.title"]),
        (KNEX, "await this.own.transaction(async (trx) => { await trx(TABLES.posts).insert({ title: name }) })",
         ["modifies posts insert", "modifies posts.title insert"]),
        (KNEX, "const query = db('posts').where('id', 1)\n    return query.update({ title: name })",
         ["modifies posts update", "modifies posts.title update", "reads posts.id update"]),
        (KNEX, "await db('posts').where('title', name).del()", ["modifies posts delete", "reads posts.title delete"]),
        (KNEX, "return Pet.query().where('title', name).orderBy('id')", ["reads posts", "reads posts.id", "reads posts.title"]),
        (KNEX, "await Pet.query().findById(1).patch({ title: name })", ["modifies posts update", "modifies posts.title update"]),
        (KNEX, "return Pet.query().withGraphFetched('owner(named) as o')", ["reads posts", "reads users"]),
        (KNEX, "return Person.query().withGraphFetched('[pets.[owner], tags]')",
         ["reads posts", "reads user_tags", "reads users"]),
        (KNEX, "return Pet.query().allowGraph(Pet.allowed).withGraphFetched(`[${other.join()}]`)",
         ["reads posts", "reads users"]),
        (KNEX, "return Pet.query().allowGraph('[owner]').first()", ["reads posts"]),
        (KNEX, "return Person.query().insertAndFetch({ name })",
         ["modifies users insert", "modifies users.name insert", "reads users"]),
        (KNEX, "const pet = await Pet.query().findById(1); return pet.$relatedQuery('owner').select('name')",
         ["reads posts", "reads users", "reads users.name"]),
        (KNEX, "await Person.relatedQuery('tags').for(1).unrelate()", ["modifies user_tags update"]),
        (KNEX, "return Person.query().leftJoin('posts', function () { this.on('users.id', '=', 'posts.author_id') })",
         ["reads posts", "reads users"]),
        (KNEX, "return db('users').whereExists(function () { this.select('title').from('posts') })",
         ["reads posts", "reads posts.title", "reads users"]),
        (KNEX, "return other('users').where({ id: 1 }).first()", []),
        (KNEX, "return other('users').whereExists(function () { this.from('posts') })", []),
        (KYSELY, "return this.db.selectFrom(['users as u', 'posts']).select(['u.name', 'posts.title']).execute()",
         ["reads up.posts", "reads up.posts.title", "reads up.users", "reads up.users.name"]),
        (KYSELY, "return this.db.selectFrom('users as u').innerJoin('posts', 'posts.authorId', 'u.id')"
                 ".select(['u.name', 'posts.title as t'])"
                 ".where('u.createdAt', '<', 1).execute()",
         ["reads up.posts", "reads up.posts.author_id", "reads up.posts.title", "reads up.users", "reads up.users.created_at",
          "reads up.users.id", "reads up.users.name"]),
        (KYSELY, "await this.db.insertInto('posts').values({ title: name }).execute()",
         ["modifies up.posts insert", "modifies up.posts.title insert"]),
        (KYSELY, "await this.db.transaction().execute(async (trx) => {\n"
                 "      await trx.updateTable('users').set({ name }).where('id', '=', '1').execute()\n    })",
         ["modifies up.users update", "modifies up.users.name update", "reads up.users.id update"]),
        (KYSELY, "await this.db.deleteFrom('posts').where('title', '=', name).execute()",
         ["modifies up.posts delete", "reads up.posts.title delete"]),
        (MIKRO, "return this.em.find(Post, { author: { fullName: name } }, { populate: ['tags'], orderBy: { title: 'asc' } })",
         ["reads Post", "reads Post.author", "reads Post.tags", "reads Post.title", "reads Tag", "reads User",
          "reads User.fullName"]),
        (MIKRO, "const user = await this.users.findOneOrFail({ fullName: name }); await this.em.remove(user).flush()",
         ["modifies User delete", "reads User", "reads User.fullName"]),
        (MIKRO, "const post = await this.em.findOne(Post, 1); post.tags.add(other)", ["modifies Post.tags update", "reads Post"]),
        (MIKRO, "const user = await this.users.findOne(1); user.fullName = name; user.unknown = 1; await this.em.flush()",
         ["modifies User update", "modifies User.fullName update", "reads User"]),
        (MIKRO, "const tag = this.em.create(Tag, {}); tag.id = name; await this.em.flush()", ["modifies Tag insert"]),
        (MIKRO, "const user = await this.users.findOne(1); this.em.assign(user, { fullName: name }); await this.em.flush()",
         ["modifies User update", "modifies User.fullName update", "reads User"]),
        (MIKRO, "const user = await this.users.findOne(1); wrap(user).assign({ fullName: name }); await wrap(user.posts).init()",
         ["modifies User update", "modifies User.fullName update", "reads Post", "reads User"]),
        (MIKRO, "await this.em.nativeUpdate(Post, { id: 1 }, { title: name })",
         ["modifies Post update", "modifies Post.title update", "reads Post.id update"]),
        (MONGOOSE, "return User.find({ name, $or: [{ tags: 'a' }] }).sort({ name: 1 }).populate('posts')",
         ["reads Post", "reads User", "reads userSchema.name", "reads userSchema.tags"]),
        (MONGOOSE, "const user = await User.findOne({ 'address.town': name }); user.name = 'b'; await user.save()",
         ["modifies User merge", "reads User", "reads userSchema.address"]),
        (MONGOOSE, "return Post.findByIdAndUpdate(1, { $set: { title: name } })",
         ["modifies Post update", "modifies Post.title update", "reads Post"]),
        (MONGOOSE, "await Post.create({ title: name }); await Post.deleteMany({ author: 1 })",
         ["modifies Post delete", "modifies Post insert", "modifies Post.title insert", "reads Post.author delete"]),
        (MONGOOSE, "const cat = new this.cats({ name }); await cat.save(); return this.cats.countDocuments({ age: 1 })",
         ["modifies Cat merge", "reads Cat", "reads Cat.age"]),
        (MONGOOSE, "return Post.aggregate([{ $match: { title: name } }, { $lookup: { from: 'users', localField: 'author',"
                   " pipeline: [{ $unionWith: 'kittens' }], as: 'a' } }])",
         ["reads Cat", "reads Post", "reads User"]),
        (MONGOOSE, "return Post.find().populate({ path: 'author', select: 'name', populate: { path: 'posts' } })",
         ["reads Post", "reads User"]),
        (MONGOOSE, "return other.find({ name })", []),
    ],
)  # fmt: skip
def test_uses(tmp_path: Path, project: str, body: str, expected: list[str]) -> None:
    content = analysed(tmp_path, project.replace("BODY", body))
    found = [each.removeprefix("Service.find ") for each in uses_of(content, "src/code.ts")]
    assert found == [each if each.split()[-1] in CHANGING else f"{each} select" for each in expected]


def _files(project: str) -> dict[str, str]:
    blocks = project.strip().removeprefix("//- ").split("\n//- ")
    return {block.partition("\n")[0]: block.partition("\n")[2] for block in blocks}


def test_entities_of_mikro_orm() -> None:
    found = tables(_files(MIKRO), "mikro-orm")
    assert {name: columns(table) for name, table in found.items()} == {
        "user": {"id": ("int", False), "full_name": ("varchar(255)", False)},
        "articles": {"id": ("int", False), "headline": ("varchar(255)", True), "author_id": ("int", False)},
        "tag": {"id": ("uuid", False)},
        "articles_tags": {"articles_id": ("int", False), "tag_id": ("uuid", False)},
    }
    assert foreign_keys(found["articles"]) == {"author_id": ("user", "id", "")}


CIRCLES = """
//- src/code.ts
import mongoose from 'mongoose'

export const User = mongoose.model('User', new mongoose.Schema({ name: String }))
export const Model: Model<any> = make()
export interface Model<T> { find(): T[] }
declare function make(): any

export class Service {
  model: Model<string>
  find() { Model.find(); return this.model.find() }
}
"""


def test_a_value_and_a_type_of_one_name(tmp_path: Path) -> None:
    assert uses_of(analysed(tmp_path, CIRCLES), "src/code.ts") == []


def test_collections_of_mongoose() -> None:
    found = tables(_files(MONGOOSE), "mongoose")
    assert {name: columns(table) for name, table in found.items()} == {
        "users": {
            "_id": ("objectId", False), "name": ("string", False), "tags": ("string[]", True), "address": ("object", True),
            "createdAt": ("date", True), "updatedAt": ("date", True),
        },
        "blogposts": {"_id": ("objectId", False), "title": ("string", True), "author": ("objectId", True)},
        "kittens": {"_id": ("objectId", False), "name": ("string", False), "age": ("number", True)},
    }  # fmt: skip
    assert foreign_keys(found["blogposts"]) == {"author": ("users", "_id", "")}


USES = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) WHERE a.name = 'find' RETURN t.name, r.lines ORDER BY t.name"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("project", "path", "body", "old", "new", "tables_read"),
    [
        (TYPEORM, "src/user.ts", "return this.users.find({ where: { town: name } })", "name: string", "town: string", ["User"]),
        (DRIZZLE, "src/schema.ts", "return db.query.users.findMany({ columns: { town: true } })", "fullName", "town", ["users"]),
        (KNEX, "schema.sql", "return db('users').select('town')", "name text", "town text", ["users"]),
        (KYSELY, "migrations/1-users.ts", "return this.db.selectFrom('users').select('town').execute()",
         "'name'", "'town'", ["users"]),
        (MIKRO, "src/entities.ts", "return this.em.find(User, { town: name })", "fullName", "town", ["User"]),
        (MONGOOSE, "src/models.js", "return User.find({ town: name })", "name: {", "town: {", ["User"]),
    ],
    ids=["typeorm", "drizzle", "knex", "kysely", "mikro-orm", "mongoose"],
)  # fmt: skip
def test_updates_equal_a_new_index(
    tmp_path: Path, project: str, path: str, body: str, old: str, new: str, tables_read: list[str]
) -> None:
    whole = project.replace("BODY", body)
    kept = "//- src/more.ts\n" + "\n".join(f"export function f{number}() {{}}" for number in range(30))
    line = _files(whole)["src/code.ts"].split("\n").index(f"    {body}") + 1
    changed = f"//- {path}\n{_files(whole)[path].replace(old, new)}\n"
    before = [(name, [line]) for name in tables_read]
    after = sorted([*before, ("town", [line])])
    check_changes(tmp_path, f"{whole}{kept}", [changed], {USES: before}, {USES: after})


SCHEMA_FUNCTIONS = """
//- src/pets.js
const mongoose = require('mongoose')
const petSchema = new mongoose.Schema({ name: String, age: Number })
petSchema.statics.isTaken = async function (name) {
  const named = await this.findOne({ name })
  return !!named
}
petSchema.static('older', function (age) {
  return [1].map(() => this.find({ age }))
})
petSchema.methods.rename = function (name) {
  const pet = this
  return pet.updateOne({ name })
}
petSchema.pre('save', async function () {
  await this.deleteOne()
})
petSchema.pre('aggregate', function () {
  this.deleteOne()
})
other.statics.isTaken = function (name) {
  return this.findOne({ name })
}
const Pet = mongoose.model('Pet', petSchema)
module.exports = Pet
"""


def test_this_in_functions_of_a_schema(tmp_path: Path) -> None:
    """`this` is the model in statics, and a row in methods and hooks of rows."""
    content = analysed(tmp_path, SCHEMA_FUNCTIONS)
    lines = {line for use in content.data_uses for line in use.lines}
    verbs = sorted({each.partition(" ")[2] for each in uses_of(content, "src/pets.js")})
    assert verbs == [
        "modifies Pet delete",
        "modifies Pet update",
        "modifies petSchema.name update",
        "reads Pet select",
        "reads petSchema.age select",
        "reads petSchema.name select",
    ]
    assert lines == {4, 8, 12, 15}


CHOSEN_SCHEMA = """
//- db/sqlite.ts
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
export const readers = sqliteTable('readers', { id: text().primaryKey(), card: text() })
//- db/mapping.ts
type Input = Record<'sqlite' | 'mysql', () => unknown>
export const createMapping = <TInput extends Input>(input: TInput) => {
  return input[process.env.DRIVER ?? 'sqlite']() as ReturnType<TInput['sqlite']>
}
//- db/schema.ts
import * as sqliteSchema from './sqlite'
import { createMapping } from './mapping'
export const schema = createMapping({ sqlite: () => sqliteSchema, mysql: () => ({}) })
export const { readers } = schema
//- db/index.ts
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { schema } from './schema'
export const db = drizzle('x', { schema })
//- src/code.ts
import { eq } from 'drizzle-orm'
import { db } from '../db'
import { readers, schema } from '../db/schema'
export const named = () => db.select().from(readers).where(eq(readers.card, 'a'))
export const dotted = () => db.delete(schema.readers)
"""


def test_tables_of_a_module_that_a_function_returns(tmp_path: Path) -> None:
    """The tables of a schema that code chooses are those of the module that TypeScript sees."""
    assert uses_of(analysed(tmp_path, CHOSEN_SCHEMA), "src/code.ts") == [
        "dotted modifies readers delete",
        "named reads readers select",
        "named reads readers.card select",
    ]


GENERIC_BASES = """
//- src/entities.ts
import { BaseEntity, Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
@Entity('users')
export class User extends BaseEntity { @PrimaryGeneratedColumn() id: number
  @Column() name: string }
@Entity()
export class Post extends BaseEntity { @PrimaryGeneratedColumn() id: number }
//- src/base.ts
import { Repository } from 'typeorm'
export class Base<T> extends Repository<T> {
  async get(id: number): Promise<T> { return this.findOne({ where: { id } }) }
}
export class Deep<K, T> extends Base<T> {}
export abstract class Crud<K, T extends { id: number }> {
  constructor(protected readonly repo: Repository<T>) {}
  async rename(name: K) { const row = await this.repo.findOneBy({ id: 1 }); return this.repo.save(row) }
}
//- src/users.ts
import { Base, Crud } from './base'
import { User } from './entities'
export class Users extends Base<User> { byName(name: string) { return this.findOneBy({ name }) } }
export class UserService extends Crud<string, User> {
  constructor(private readonly users: Users, repo: any) { super(repo) }
  async find() { await this.repo.count(); const user = await this.users.get(1); await user.save() }
}
//- src/posts.ts
import { Deep } from './base'
import { Post } from './entities'
export class Posts extends Deep<string, Post> { drop() { return this.delete({ id: 1 }) } }
"""


def test_models_of_generic_bases(tmp_path: Path) -> None:
    """A method of a generic class uses the tables of all models that classes give to it."""
    content = analysed(tmp_path, GENERIC_BASES)
    assert uses_of(content, "src/base.ts") == [
        "Base.get reads Post select", "Base.get reads Post.id select",
        "Base.get reads User select", "Base.get reads User.id select",
        "Crud.rename modifies User merge", "Crud.rename reads User select", "Crud.rename reads User.id select",
    ]  # fmt: skip
    assert uses_of(content, "src/users.ts") == [
        "UserService.find modifies User merge", "UserService.find reads User select",
        "Users.byName reads User select", "Users.byName reads User.name select",
    ]  # fmt: skip
    assert uses_of(content, "src/posts.ts") == ["Posts.drop modifies Post delete", "Posts.drop reads Post.id delete"]


OF_BASE = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) WHERE a.name = 'get' RETURN t.name ORDER BY t.name"


def test_another_class_gives_a_model_to_a_generic_base(tmp_path: Path) -> None:
    changed = f"//- src/posts.ts\n{_files(GENERIC_BASES)['src/posts.ts'].replace('Post>', 'string>')}\n"
    kept = "//- src/more.ts\n" + "\n".join(f"export function f{number}() {{}}" for number in range(30))
    before, after = [("Post",), ("User",), ("id",), ("id",)], [("User",), ("id",)]
    check_changes(tmp_path, f"{GENERIC_BASES}{kept}", [changed], {OF_BASE: before}, {OF_BASE: after})


GIVEN_VALUES = """
//- src/models.js
const { Sequelize, DataTypes } = require('sequelize')
const sequelize = new Sequelize('sqlite::memory:')
const User = sequelize.define('User', { name: DataTypes.STRING }, { tableName: 'users' })
const Post = sequelize.define('Post', { title: DataTypes.STRING }, { tableName: 'posts' })
module.exports = { sequelize, User, Post }
//- src/store.js
class Store {
  constructor(model) { this.model = model }
  all() { return this.model.findAll() }
}
class Fixed {
  constructor(model) { this.model = require('./models').Post }
  count() { return this.model.count() }
}
async function publish(row, other) { await row.update({ title: 'a' }); other.update() }
async function unknown(row) { await row.update({ title: 'a' }) }
/** @param {Object} model */
const drop = (model) => { return [1].map(() => model.destroy()) }
module.exports = { Store, Fixed, publish, unknown, drop }
//- src/code.js
const { sequelize, User, Post } = require('./models')
const { Store, Fixed, publish, unknown, drop } = require('./store')
class UserStore extends Store { constructor() { super(User) } }
async function run() {
  const post = await Post.findOne()
  await publish(post, new Map())
  unknown({})
  await drop(sequelize.model('User'))
  return new Store(Post).all()
}
"""


def test_values_that_callers_give(tmp_path: Path) -> None:
    """A parameter without a type, or a field with its value, holds the models and rows that callers give to it."""
    assert uses_of(analysed(tmp_path, GIVEN_VALUES), "src/store.js") == [
        "Fixed.count reads Post select",
        "Store.all reads Post select",
        "Store.all reads User select",
        "drop modifies User delete",
        "publish modifies Post update",
        "publish modifies Post.title update",
    ]
