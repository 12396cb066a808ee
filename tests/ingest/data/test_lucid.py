"""Lucid of AdonisJS: the tables of its migrations, the columns of its models, and the tables that calls use."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- database/migrations/1700000001_create_users.ts
import { BaseSchema } from '@adonisjs/lucid/schema'
export default class extends BaseSchema {
  protected tableName = 'users'
  async up() {
    this.schema.createTable(this.tableName, (table) => {
      table.increments('id')
      table.string('full_name').notNullable()
      table.string('mail').unique()
      table.integer('club_id').references('id').inTable('clubs')
    })
  }
  async down() { this.schema.dropTable(this.tableName) }
}
//- database/migrations/1700000002_create_clubs.ts
import { BaseSchema } from '@adonisjs/lucid/schema'
export default class extends BaseSchema {
  async up() {
    this.schema.createTable('clubs', (table) => { table.increments('id'); table.string('title') })
    this.schema.createTable('link_metadata', (table) => { table.string('url') })
    this.schema.createTable('boats', (table) => { table.increments('id'); table.string('name'); table.integer('user_id') })
    this.schema.createTable('skill_user', (table) => { table.integer('skill_id'); table.integer('user_id') })
    this.schema.createTable('abilities', (table) => { table.increments('id'); table.string('label') })
    this.schema.alterTable('boats', (table) => { table.dropColumn('name') })
    await this.db.rawQuery('ALTER TABLE boats ADD COLUMN sail text')
  }
}
//- app/models/user.ts
import { compose } from '@adonisjs/core/helpers'
import { BaseModel, belongsTo, column, hasMany, manyToMany } from '@adonisjs/lucid/orm'
import { withAuthFinder } from '@adonisjs/auth/mixins/lucid'
import type { BelongsTo, HasMany, ManyToMany } from '@adonisjs/lucid/types/relations'
import Boat from '#models/boat'
import { Club, Skill } from './club.js'
const AuthFinder = withAuthFinder(() => 1)
export default class User extends compose(BaseModel, AuthFinder) {
  @column({ isPrimary: true })
  declare id: number
  @column()
  declare fullName: string
  @column({ columnName: 'mail' })
  declare email: string
  @column()
  declare clubId: number
  @belongsTo(() => Club)
  declare club: BelongsTo<typeof Club>
  @hasMany(() => Boat)
  declare boats: HasMany<typeof Boat>
  @manyToMany(() => Skill)
  declare skills: ManyToMany<typeof Skill>
}
//- app/models/boat.ts
import { BaseModel, belongsTo, column } from '@adonisjs/lucid/orm'
import User from '#models/user'
export default class Boat extends BaseModel {
  @column.dateTime({ isPrimary: true })
  declare id: number
  @column()
  declare sail: string
  @belongsTo(() => User)
  declare user: any
}
//- app/models/club.ts
import { BaseModel, column } from '@adonisjs/lucid/orm'
export class Club extends BaseModel {
  @column()
  declare title: string
}
export class LinkMetadata extends BaseModel {
  @column()
  declare url: string
}
export class Skill extends BaseModel {
  static table = 'abilities'
  @column()
  declare label: string
}
//- app/services/users.ts
import db from '@adonisjs/lucid/services/db'
import { Club, LinkMetadata } from '../models/club.js'
import User from '../models/user.js'
import Boat from '../models/boat.js'
export class Users {
  list(mail: string) { return User.query().where('email', mail).whereHas('club', (club) => club.where('title', 'a')).paginate(1) }
  nested() { return Boat.query().preload('user', (user) => { user.preload('skills') }) }
  async rename(id: number) { const user = await User.findOrFail(id); user.fullName = 'a'; await user.save() }
  async add(user: User) { await user.related('boats').create({ sail: 'a' }) }
  async learn(user: User) { await user.related('skills').attach([1]) }
  async boats(user: User) { return user.related('boats').query().where('sail', 'a').delete() }
  async loaded(user: User) { await user.load('club') }
  links() { return LinkMetadata.all() }
  once() { return Club.firstOrCreate({ title: 'a' }) }
  count() { return db.from('clubs').where('title', 'a').count('* as total') }
  insert() { return db.transaction(async (trx) => { await trx.table('boats').insert({ sail: 'a' }) }) }
  remove() { return db.from('boats').where('user_id', 1).delete() }
}
"""
#: What each method of the service does with the tables and columns, which have the path of their migration before them.
USES = [
    "Users.add modifies boats insert", "Users.add modifies sail insert",
    "Users.boats modifies boats delete", "Users.boats reads sail delete",
    "Users.count reads clubs select", "Users.count reads clubs.title select",
    "Users.insert modifies boats insert", "Users.insert modifies sail insert",
    "Users.learn modifies skill_user update",
    "Users.links reads link_metadata select", "Users.list reads clubs select", "Users.list reads users select",
    "Users.list reads users.mail select",
    "Users.loaded reads clubs select", "Users.loaded reads users select",
    "Users.nested reads abilities select", "Users.nested reads boats select",
    "Users.nested reads skill_user select", "Users.nested reads users select",
    "Users.once modifies clubs insert", "Users.once modifies clubs.title insert", "Users.once reads clubs select",
    "Users.remove modifies boats delete", "Users.remove reads boats.user_id delete",
    "Users.rename modifies users merge", "Users.rename reads users select",
]  # fmt: skip


def test_tables_and_uses(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert [use.replace("default.up.", "") for use in uses_of(content, "app/services/users.ts")] == USES
    boats = next(each for each in content.symbols if each.kind == "table" and each.name == "boats")
    assert [each.name for each in content.symbols if each.kind == "column" and each.parent_id == boats.id] == [
        "id", "name", "user_id",
    ]  # fmt: skip
