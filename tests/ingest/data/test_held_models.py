"""Models that code holds in variables, containers and results of functions before it uses them."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

PROJECT = """
//- src/container.js
const { Sequelize } = require('sequelize')
module.exports = db = {}
async function start() {
  make = () => new Sequelize('a')
  db.Account = require('./account')(make())
  db.Token = require('./token')(make())
  db.Account.hasMany(db.Token)
  db.Token.belongsTo(db.Account)
}
//- src/account.js
const { DataTypes } = require('sequelize')
module.exports = model
function model(sequelize) { return sequelize.define('account', { name: { type: DataTypes.STRING } }, {}) }
//- src/token.js
const { DataTypes } = require('sequelize')
module.exports = model
function model(sequelize) { return sequelize.define('token', { text: { type: DataTypes.STRING } }, {}) }
//- src/service.js
const db = require('./container')
async function account(id) { const found = await db.Account.findByPk(id); return found }
function token(account) { return new db.Token({ accountId: account.id }) }
exports.all = async () => {
  const found = await account(1)
  await found.save()
  const made = token(found)
  await made.save()
}
exports.other = async () => { const t = await db.Token.findOne({ where: { text: 'a' } }); return t.getAccount() }
//- src/repository.js
const Sequelize = require('sequelize')
let repository
let orderModel
module.exports = class Orders {
  constructor() { repository = new Sequelize('a'); orderModel = repository.define('Order', { mode: { type: Sequelize.STRING } }) }
  async add(details) { return orderModel.create(details) }
}
//- src/country.ts
import { DataTypes, Sequelize } from 'sequelize'
let connection: Sequelize
function getConnection() { return connection }
export function getCountries() { return getConnection().define<any>('Country', { name: { type: DataTypes.STRING } }) }
export const countries = async () => getCountries().findAll({ raw: true })
//- src/stores.ts
import { EntityManager, MikroORM } from '@mikro-orm/core'
import { Book } from './book'
export const DI: any = {}
export const init = async () => { DI.orm = await MikroORM.init({}); DI.em = DI.orm.em; DI.books = DI.orm.em.getRepository(Book) }
//- src/book.ts
import { Entity, PrimaryKey } from '@mikro-orm/core'
@Entity() export class Book { @PrimaryKey() id: number }
//- src/books.ts
import { DI } from './stores'
export const books = () => DI.books.findAll()
"""


def test_models_that_code_assigns(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "src/service.js") == [
        "account reads model.account select",
        "all modifies model.account merge",
        "all modifies model.token merge",
        "other reads model.account select",
        "other reads model.token select",
        "other reads model.token.text select",
    ]
    assert uses_of(content, "src/repository.js") == [
        "Orders.add modifies Orders.constructor.Order insert",
    ]
    assert uses_of(content, "src/country.ts") == ["countries reads getCountries.Country select"]
    assert uses_of(content, "src/books.ts") == ["books reads Book select"]


REPOSITORIES = """
//- src/task.ts
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
@Entity() export class Task { @PrimaryGeneratedColumn() id: number
  @Column() done: boolean }
//- src/repo.ts
import type { Repository } from 'typeorm'
import type { Task } from './task'
export interface TaskRepository extends Repository<Task> {
  this: Repository<Task>
  findDone(): Promise<Task[]>
}
export const methods: Pick<TaskRepository, 'findDone'> = {
  findDone(this: Repository<Task>) { return this.findBy({ done: true }) },
}
//- src/open.ts
import type { TaskRepository } from './repo'
export const one = 1; const two = 2; const three = 3; const four = 4; const five = 5; const six = 6; const seven = 7
export interface OpenTasks extends TaskRepository { isOpen: true }
//- src/service.ts
import { Task } from './task'
import { type OpenTasks } from './open'
import { type TaskRepository } from './repo'
export const open = (tasks: OpenTasks) => tasks.find()
export class Service {
  constructor(private readonly tasks: TaskRepository) {}
  all() { return this.tasks.find() }
  async one(id: number) { const task = await this.tasks.findOneBy({ id }); return this.tasks.save(task) }
  change(task: Task, changes: object) { this.tasks.merge(task, changes); return this.tasks.save(task) }
  keep(task: Task) { return this.tasks.save(task) }
  drop(task: Task) { return this.tasks.remove(task) }
}
//- schema.sql
CREATE TABLE "Articles" (id int, slug text);
//- lib/article.js
const { Model } = require('@hapipal/schwifty')
module.exports = class Article extends Model { static tableName = 'Articles' }
//- lib/service.js
module.exports = class Service {
  async bySlug(slug) {
    const { Article } = this.server.models()
    return Article.query().first().where({ slug })
  }
}
"""


def test_interfaces_of_repositories_and_functions_that_return_models(tmp_path: Path) -> None:
    content = analysed(tmp_path, REPOSITORIES)
    assert uses_of(content, "src/service.ts") == [
        "Service.all reads Task select",
        "Service.change modifies Task merge",
        "Service.change reads Task select",
        "Service.drop modifies Task delete",
        "Service.drop reads Task select",
        "Service.keep modifies Task merge",
        "Service.one modifies Task merge",
        "Service.one reads Task select",
        "Service.one reads Task.id select",
        "open reads Task select",
    ]
    assert uses_of(content, "lib/service.js") == [
        "Service.bySlug reads Articles select",
        "Service.bySlug reads Articles.slug select",
    ]


SCHEMAS = """
//- src/post.js
const EntitySchema = require("typeorm").EntitySchema
module.exports = new EntitySchema({
  name: "Post", columns: { id: { primary: true, type: "int", generated: true }, title: { type: "varchar" } },
})
//- src/tag.js
const { EntitySchema } = require("typeorm")
module.exports = new EntitySchema({ name: "Tag", columns: { id: { primary: true, type: "int", generated: true } } })
//- src/user.ts
import { EntitySchema } from 'typeorm'
export class User { id: number }
export const UserEntity = new EntitySchema<User>({
  name: 'User', target: User, tableName: 'users', columns: { id: { type: Number, primary: true } },
})
//- src/code.ts
import { DataSource } from 'typeorm'
import { User, UserEntity } from './user'
const source = new DataSource({ type: 'postgres', entities: [UserEntity] })
export const byName = () => source.getRepository('Post').find()
export const byEntity = () => source.getRepository(UserEntity).find()
"""


def test_entity_schemas(tmp_path: Path) -> None:
    """Repositories of TypeORM get an entity schema, or its name."""
    assert uses_of(analysed(tmp_path, SCHEMAS), "src/code.ts") == [
        "byEntity reads UserEntity select",
        "byName reads module.exports.Post select",
    ]


STORES = """
//- src/stores.ts
import { MikroORM } from '@mikro-orm/core'
import { Author, Book } from './book'
export const DI: any = {}
export const init = async () => { DI.orm = await MikroORM.init({}); DI.books = DI.orm.em.getRepository(Book) }
//- src/book.ts
import { Entity, PrimaryKey } from '@mikro-orm/core'
@Entity() export class Book { @PrimaryKey() id: number }
@Entity() export class Author { @PrimaryKey() id: number }
//- src/books.ts
import { DI } from './stores'
export const books = () => DI.books.findAll()
"""
READ = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) WHERE a.name = 'books' RETURN t.name"


def test_an_update_assigns_another_repository(tmp_path: Path) -> None:
    changed = "//- src/stores.ts\n" + STORES.partition("//- src/stores.ts\n")[2].partition("//- src/book.ts")[0]
    kept = "//- src/more.ts\n" + "\n".join(f"export function f{number}() {{}}" for number in range(30))
    changes = [changed.replace("getRepository(Book)", "getRepository(Author)")]
    check_changes(tmp_path, f"{STORES}{kept}", changes, {READ: [("Book",)]}, {READ: [("Author",)]})
