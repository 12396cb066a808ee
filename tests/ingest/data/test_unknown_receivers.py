"""Statements whose receivers have no types: containers with all models, and connections in contexts of requests."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- src/models/user.js
module.exports = (sequelize, DataTypes) => sequelize.define('User', { name: DataTypes.STRING }, { tableName: 'users' })
//- src/models/post.js
module.exports = (sequelize, DataTypes) => {
  const Post = sequelize.define('Post', {
    title: DataTypes.STRING,
  }, { tableName: 'posts' })
  return Post
}
//- src/repo.ts
export class Repo {
  private models: any
  constructor(models: any) { this.models = models }
  async find(name: string) {
    const UserModel = this.models.User
    const user = await UserModel.findOne({ where: { name } })
    await user.update({ name: 'b' })
    return user
  }
  add() { return this.models.Post.create({ title: 'a' }) }
  none(other) { other.Post.create({ title: 'a' }); this.models.Other.create({}); return this.models.Post.unheard() }
}
//- src/models/tag.js
module.exports = (sequelize, DataTypes) => sequelize.define('tag', { label: DataTypes.STRING }, { tableName: 'tags' })
//- src/tags.js
exports.found = (models) => models.tag.findAll({ where: { label: 'a' } })
exports.counted = (models) => models.Tag.findAndCountAll()
exports.own = (models) => models.tag.create({ label: 'a' })
//- src/container.js
module.exports = db = {}
async function start() { db.User = require('./models/user')(make()) }
//- src/service.js
const db = require('./container')
const { models } = require('uninstalled')
exports.all = () => db.User.scope('all').findAll()
exports.installed = () => models.User.count()
exports.destructured = async () => { const { Post } = globalThis.app.models; return Post.destroy({ where: { title: 'a' } }) }
//- src/page.js
const Model = require('objection').Model
module.exports = class Page extends Model { static get tableName() { return 'pages' } }
//- src/pages.js
exports.pages = (title) => WIKI.models.pages.query().findOne({ title })
//- src/tables.ts
import { integer, pgTable } from 'drizzle-orm/pg-core'
export const comments = pgTable('comments', { id: integer('id') })
//- src/router.ts
import { comments } from './tables'
import { PrismaClient } from '../generated/client'
const prisma = new PrismaClient()
declare function procedure(): any
export const kysely = procedure().query(async ({ ctx }) => ctx.db.selectFrom('pages').select('title').execute())
export const drizzle = procedure().query(async ({ ctx }) => ctx.db.delete(comments))
export const cached = procedure().query(async ({ ctx }) => ctx.cache.delete(comments))
export const knex = (app) => app.knex('pages').insert({ title: 'a' })
export const relational = procedure().query(({ ctx }) => ctx.db.query.comments.findMany())
export const generated = (client: PrismaClient) => prisma.badge.findMany({ where: { label: 'a' } })
export const request = procedure().query(({ ctx }) => ctx.db.badge.create({ data: { label: 'a' } }))
export const other = (app) => app.cache.insertInto('pages')
//- prisma/schema.prisma
generator client {
  provider = "prisma-client"
  output   = "../src/generated"
}
datasource db {
  provider = "postgresql"
}
model Badge {
  id    Int    @id
  label String
}
//- api/models/Club.js
module.exports = {
  tableName: 'clubs',
  attributes: {
    title: { type: 'string', required: true },
    members: { collection: 'member', via: 'club' },
  },
}
//- api/models/Member.js
module.exports = {
  attributes: { mail: { type: 'string', columnName: 'mail_address' }, club: { model: 'Club' } },
  customToJSON() { return this },
}
//- api/helpers/members.js
exports.list = () => Member.find({ mail: 'a' }).populate('club').sort('id ASC')
exports.rename = (id) => Club.updateOne({ id }).set({ title: 'b' })
exports.add = () => Member.create({ mail: 'a' }).fetch()
exports.none = (Club) => { Club.find({ title: 'a' }); return Other.find({ title: 'a' }) }
//- schema.sql
CREATE TABLE pages (id int, title text);
"""


def test_receivers_without_types(tmp_path: Path) -> None:
    """The name of a model, or of a table with the method of one library, tells what a value without a type holds."""
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "src/repo.ts") == [
        "Repo.add modifies module.exports.Post insert",
        "Repo.add modifies module.exports.Post.title insert",
        "Repo.find modifies module.exports.User update",
        "Repo.find modifies module.exports.User.name update",
        "Repo.find reads module.exports.User select",
        "Repo.find reads module.exports.User.name select",
    ]
    assert uses_of(content, "src/service.js") == [
        "all reads module.exports.User select",
        "destructured modifies module.exports.Post delete",
        "destructured reads module.exports.Post.title delete",
        "installed reads module.exports.User select",
    ]
    assert uses_of(content, "src/tags.js") == [
        "counted reads module.exports.tag select",
        "found reads module.exports.tag select",
        "found reads module.exports.tag.label select",
    ]
    assert uses_of(content, "src/pages.js") == ["pages reads pages select", "pages reads pages.title select"]
    assert uses_of(content, "src/router.ts") == [
        "drizzle modifies comments delete",
        "generated reads Badge select",
        "generated reads Badge.label select",
        "knex modifies pages insert",
        "knex modifies pages.title insert",
        "kysely reads pages select",
        "kysely reads pages.title select",
        "relational reads comments select",
        "request modifies Badge insert",
        "request modifies Badge.label insert",
    ]
    assert uses_of(content, "api/helpers/members.js") == [
        "add modifies module.exports insert",
        "add modifies module.exports.mail insert",
        "list reads module.exports select",
        "list reads module.exports.clubs select",
        "list reads module.exports.mail select",
        "rename modifies module.exports.clubs update",
        "rename modifies module.exports.clubs.title update",
    ]
    assert {use.evidence for use in content.data_uses} == {"declared"}


def test_a_model_made_in_a_function_is_a_table(tmp_path: Path) -> None:
    """The symbol of such a model has the name of the model and the lines of its columns."""
    found = {each.name: each for each in analysed(tmp_path, PROJECT).symbols if each.relative_path == "src/models/post.js"}
    assert (found["Post"].kind, found["Post"].start_line, found["Post"].end_line) == ("table", 2, 3)
    assert found["title"].parent_id == found["Post"].id
