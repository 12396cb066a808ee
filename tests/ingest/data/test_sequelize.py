"""Models of Sequelize: their tables, and the statements that calls of models and rows make."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.typescript.models.plurals import collection_name, plural, singular
from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, tables

MODELS = {
    "db.ts": "import { Sequelize } from 'sequelize'\nexport const sequelize = new Sequelize('sqlite::memory:')\n",
    "models/user.ts": """
import { DataTypes, Model } from 'sequelize'
import { sequelize } from '../db'
export class User extends Model {}
User.init({
  id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
  firstName: DataTypes.STRING,
  role: { type: DataTypes.ENUM('admin', 'guest'), allowNull: false, unique: true },
  label: DataTypes.VIRTUAL,
}, { sequelize, modelName: 'user', underscored: true, paranoid: true })
""",
    "models/post.js": """
const { DataTypes } = require('sequelize')
const { sequelize } = require('../db')
const { User } = require('./user')
const Post = sequelize.define('Post', { title: { type: DataTypes.TEXT, allowNull: false } })
Post.belongsTo(User, { as: 'author' })
User.hasMany(Post, { as: 'posts', foreignKey: 'authorId', onDelete: 'CASCADE' })
const Tag = sequelize.define('Tag', { name: DataTypes.STRING(30) }, { timestamps: false, tableName: 'labels' })
Post.belongsToMany(Tag, { through: 'PostTags' })
module.exports = { Post, Tag }
""",
    "models/note.js": """
module.exports = function (sequelize, DataTypes) {
  var Note = sequelize.define('Note', { text: DataTypes.TEXT }, { freezeTableName: true, createdAt: 'made', updatedAt: false })
  Note.associate = function (models) {
    Note.belongsTo(models.User, { foreignKey: 'ownerId', as: 'owner', constraints: false })
  }
  return Note
}
""",
    "models/index.js": """
const fs = require('fs')
const path = require('path')
const Sequelize = require('sequelize')
const sequelize = new Sequelize('sqlite::memory:')
const db = {}
fs.readdirSync(__dirname).forEach((file) => {
  const model = require(path.join(__dirname, file))(sequelize, Sequelize.DataTypes)
  db[model.name] = model
})
db.sequelize = sequelize
module.exports = db
""",
    "models/team.ts": """
import { AllowNull, BelongsTo, Column, DataType, ForeignKey, HasMany, Model, PrimaryKey, Table } from 'sequelize-typescript'
@Table({ tableName: 'teams', underscored: true })
export class Team extends Model<Team> {
  @PrimaryKey @Column(DataType.UUID) id: string
  @AllowNull(false) @Column displayName: string
  @HasMany(() => Member) members: Member[]
}
@Table
export class Member extends Model {
  @ForeignKey(() => Team) @Column(DataType.UUID) teamId: string
  @BelongsTo(() => Team) team: Team
  @Column(DataType.JSONB) settings: object
}
""",
}
TIME = "timestamp with time zone"
CODE = """
import { Op } from 'sequelize'
import { sequelize } from './db'
import { User } from './models/user'
import { Post, Tag } from './models/post'
import { Team, Member } from './models/team'
import models from './models'
const found = async () => { return Team.findOne() }
const other = { findAll(query: object) { return [query] } }
"""
PROJECT = "".join(f"//- {path}\n{text}" for path, text in MODELS.items())
CHANGING = ("insert", "update", "delete", "merge")


def test_tables() -> None:
    found = tables(MODELS, "sequelize")
    assert {name: columns(table) for name, table in found.items()} == {
        "users": {
            "id": ("integer", False), "first_name": ("varchar(255)", True), "role": ('"enum_users_role"', False),
            "created_at": (TIME, False), "updated_at": (TIME, False), "deleted_at": (TIME, True),
        },
        "Posts": {
            "id": ("integer", False), "title": ("text", False), "createdAt": (TIME, False), "updatedAt": (TIME, False),
            "authorId": ("integer", True),
        },
        "labels": {"id": ("integer", False), "name": ("varchar(30)", True)},
        "PostTags": {
            "createdAt": (TIME, False), "updatedAt": (TIME, False), "PostId": ("integer", False), "TagId": ("integer", False),
        },
        "Note": {"id": ("integer", False), "text": ("text", True), "made": (TIME, False), "ownerId": ("integer", True)},
        "teams": {
            "id": ("uuid", False), "display_name": ("varchar(255)", False), "created_at": (TIME, False),
            "updated_at": (TIME, False),
        },
        "Members": {
            "id": ("integer", False), "teamId": ("uuid", True), "settings": ("jsonb", True), "createdAt": (TIME, False),
            "updatedAt": (TIME, False),
        },
    }  # fmt: skip
    assert {name: keys for name, table in found.items() if (keys := foreign_keys(table))} == {
        "Posts": {"authorId": ("users", "id", "SET NULL")},
        "PostTags": {"PostId": ("posts", "id", "CASCADE"), "TagId": ("labels", "id", "CASCADE")},
        "Members": {"teamId": ("teams", "id", "CASCADE")},  # a column that does not say whether it may be null
    }


LIBRARY = {
    "models/book.js": """
const { DataTypes, Model } = require('sequelize')
const dated = { opened: DataTypes.DATE(6) }
class Book extends Model {
  static init(sequelize) {
    super.init(Object.assign({
      id: { type: DataTypes.UUID, primaryKey: true },
      title: { type: DataTypes.STRING, unique: 'title_of_shelf' },
      shelf: { type: DataTypes.INTEGER, unique: 'title_of_shelf' },
    }, dated), {
      sequelize, modelName: 'book', timestamps: false,
      indexes: [
        { fields: ['title', { name: 'opened', order: 'DESC' }] },
        { name: 'by_shelf', unique: true, fields: ['shelf'] },
        { name: 'by_lower_title', fields: [sequelize.fn('lower', sequelize.col('title'))] },
      ],
    })
  }
}
module.exports = Book
""",
    "models/author.js": """
const { DataTypes, Model } = require('sequelize')
class Author extends Model {
  static init(sequelize) {
    super.init({ name: DataTypes.STRING }, { sequelize, modelName: 'author', timestamps: false })
    const { book } = sequelize.models
    this.hasMany(book, { as: 'works', foreignKey: { name: 'writer', allowNull: false } })
  }
}
module.exports = Author
""",
    "models/written.js": """
const { DataTypes, Model } = require('sequelize')
class Written extends Model {
  static init(sequelize) {
    super.init({ place: DataTypes.INTEGER }, { sequelize, modelName: 'written', timestamps: false })
    const { book, author } = sequelize.models
    book.belongsToMany(author, { through: Written })
    author.belongsToMany(book, { through: Written })
  }
}
module.exports = Written
""",
    "models/lent.js": """
module.exports = (sequelize, DataTypes) => {
  const Lent = sequelize.define('Lent', {
    number: { type: DataTypes.INTEGER, primaryKey: true },
    bookId: { type: DataTypes.UUID, references: { model: 'shelves', key: 'id' } },
  }, { tableName: 'lent', timestamps: false })
  Lent.associate = (models) => {
    models.Book.belongsToMany(models.Author, { through: Lent, foreignKey: 'bookId' })
    models.Author.belongsToMany(models.Book, { through: Lent, foreignKey: 'reader' })
  }
  return Lent
}
""",
}


def test_tables_of_static_methods() -> None:
    found = tables(LIBRARY, "sequelize")
    assert columns(found["books"]) == {
        "id": ("uuid", False), "title": ("varchar(255)", True), "shelf": ("integer", True), "opened": (TIME, True),
        "writer": ("integer", False),
    }  # fmt: skip
    indexes = {index.name: (index.columns, index.is_unique) for index in found["books"].indexes.values()}
    assert indexes == {
        "books_title_opened": (["title", "opened"], False),
        "by_shelf": (["shelf"], True),
        "by_lower_title": ([], False),
    }
    assert foreign_keys(found["books"]) == {"writer": ("authors", "id", "CASCADE")}
    keys = {name: [(key.kind, tuple(key.columns)) for key in table.constraints.values()] for name, table in found.items()}
    assert keys["books"][:2] == [("primary key", ("id",)), ("unique", ("title", "shelf"))]


def test_models_between_two_models() -> None:
    """A joining model has both keys as its primary key, or as a unique key if it declares a primary key."""
    found = tables(LIBRARY, "sequelize")
    assert columns(found["writtens"]) == {
        "place": ("integer", True), "bookId": ("uuid", False), "authorId": ("integer", False),
    }  # fmt: skip
    assert foreign_keys(found["writtens"]) == {"bookId": ("books", "id", "CASCADE"), "authorId": ("authors", "id", "CASCADE")}
    assert foreign_keys(found["lent"]) == {"bookId": ("books", "id", "CASCADE"), "reader": ("authors", "id", "CASCADE")}
    keys = {
        name: [tuple(key.columns) for key in found[name].constraints.values() if key.kind != "foreign key"]
        for name in ("writtens", "lent")
    }
    assert keys == {"writtens": [("bookId", "authorId")], "lent": [("number",), ("bookId", "reader")]}


@pytest.mark.parametrize(
    ("word", "many", "collection"),
    [
        ("User", "Users", "users"),
        ("userAddress", "userAddresses", "useraddresses"),
        ("Category", "Categories", "categories"),
        ("Person", "People", "people"),
        ("child", "children", "children"),
        ("status", "statuses", "status"),
        ("day", "days", "days"),
        ("Move2", "Move2s", "move2"),
    ],
)
def test_plurals(word: str, many: str, collection: str) -> None:
    assert (plural(word), collection_name(word)) == (many, collection)
    assert singular(many) == word


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return User.findAll({ where: { firstName: name, [Op.or]: [{ role: 'a' }] }, order: [['id', 'ASC']] })",
         ["reads User", "reads User.firstName", "reads User.id", "reads User.role"]),
        ("return User.findOne({ include: [{ model: Post, as: 'posts', where: { title: 'a' } }], attributes: ['firstName'] })",
         ["reads Post", "reads Post.title", "reads User", "reads User.firstName"]),
        ("return Team.unscoped().findAll({ include: ['members'] })", ["reads Member", "reads Team"]),
        ("return Post.findAndCountAll({ where: { '$author.firstName$': 'a' } })",
         ["reads Post", "reads Post.belongsTo(User, { as: 'author' })", "reads User", "reads User.firstName"]),
        ("const user = await User.create({ firstName: 'a' }); await user.update({ role: 'b' }); await user.save()",
         ["modifies User insert", "modifies User merge", "modifies User update", "modifies User.firstName insert",
          "modifies User.role update"]),
        ("await Post.update({ title: 'a' }, { where: { id: 1 } })", ["modifies Post update", "modifies Post.title update"]),
        ("for (const team of await Team.findAll()) await team.destroy()", ["modifies Team delete", "reads Team"]),
        ("const all = await Team.findAll(); all.forEach((each) => each.increment('displayName'))",
         ["modifies Team update", "modifies Team.displayName update", "reads Team"]),
        ("const [tag] = await Tag.findOrCreate({ where: { name }, defaults: { name } }); return tag.destroy()",
         ["modifies Tag delete", "modifies Tag insert", "modifies Tag.name insert", "reads Tag", "reads Tag.name"]),
        ("const post = await Post.findByPk(1); return post.addTag(tag)",
         ["modifies Post.belongsToMany(Tag, { through: 'PostTags' }) update", "reads Post"]),
        ("const [member] = await team.$get('members'); await member.destroy()", ["modifies Member delete", "reads Member"]),
        ("const note = await models.Note.findOne({ where: { text: name } }).then((found) => found); return note.destroy()",
         ["modifies module.exports.Note delete", "reads module.exports.Note", "reads module.exports.Note.text"]),
        ("const team = await found(); await team.update({ displayName: name })",
         ["modifies Team update", "modifies Team.displayName update"]),
        ("await User.create({ firstName: 'a', posts: [{ title: 'b' }] }, { include: ['posts'] })",
         ["modifies Post insert", "modifies User insert", "modifies User.firstName insert"]),
        ("const user: any = await User.findByPk(1); return user.getPosts()", ["reads Post", "reads User"]),
        ("const listed = { teams: Team, tags: Tag }; return listed.tags.findAll()", ["reads Tag"]),
        ("return sequelize.models.Note.count({ where: { ownerId: 1 } })",
         ["reads module.exports.Note", "reads module.exports.associate"]),
        ("const { models: every } = sequelize; return every.Note.count()", ["reads module.exports.Note"]),
        ("const { models: every } = unknown; return every.Note.count()", []),
        ("return other.findAll({ where: { firstName: 'a' } })", []),
        ("return unknown.findAll({ where: { firstName: 'a' } })", []),
    ],
)  # fmt: skip
def test_uses(tmp_path: Path, body: str, expected: list[str]) -> None:
    head = "export async function find(name: string, team: Team, tag: Tag, unknown: any)"
    content = analysed(tmp_path, f"{PROJECT}//- src.ts\n{CODE}{head} {{\n  {body}\n}}\n")
    found = [each.removeprefix("find ") for each in uses_of(content, "src.ts") if each.startswith("find ")]
    assert found == [each if each.split()[-1] in CHANGING else f"{each} select" for each in expected]


USES = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) WHERE a.name = 'find' RETURN t.qualifiedName, r.lines ORDER BY t.qualifiedName"


@pytest.mark.long
def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    code = f"//- src.ts\n{CODE}export const find = () => User.findAll({{ where: {{ town: 'a', role: 'b' }} }})\n"
    kept = "//- more.ts\n" + "\n".join(f"export function f{number}() {{}}" for number in range(30))
    changed = f"//- models/user.ts\n{MODELS['models/user.ts'].replace('firstName', 'town')}"
    before = [("User", [10]), ("User.role", [10])]
    after = [*before, ("User.town", [10])]
    check_changes(tmp_path, f"{PROJECT}{code}{kept}", [changed], {USES: before}, {USES: after})


ADDED_MODELS = """
//- models/user.model.js
module.exports = (sequelize, Sequelize) => {
  const User = sequelize.define('users', { email: { type: Sequelize.STRING } })
  return User
}
//- models/role.model.js
module.exports = (sequelize, Sequelize) => {
  const Role = sequelize.define('roles', { name: { type: Sequelize.STRING } })
  return Role
}
//- models/index.js
const Sequelize = require('sequelize')
const sequelize = new Sequelize('a', 'b', 'c')
const db = {}
db.sequelize = sequelize
db.user = require('./user.model.js')(sequelize, Sequelize)
db.role = require('../models/role.model')(sequelize, Sequelize)
db.user.belongsToMany(db.role, { through: 'user_roles' })
module.exports = db
//- src/code.js
const db = require('../models')
const User = db.user
exports.find = () => User.findOne({ where: { email: 'a' } }).then((user) => user.getRoles())
exports.add = () => db.role.create({ name: 'a' }).then((role) => User.findByPk(1).then((user) => user.setRoles([role])))
exports.none = () => db.other.findAll()
"""


def test_models_that_code_adds_to_an_object(tmp_path: Path) -> None:
    """A model may be the result of a module that code assigns to a member: `db.user = require("./user.model")(sequelize)`."""
    content = analysed(tmp_path, ADDED_MODELS)
    paths = {symbol.id: symbol.relative_path.removeprefix("models/") for symbol in content.symbols}
    names = {symbol.id: symbol.name for symbol in content.symbols}
    found = {
        (names[each.from_id], each.modifies, paths[each.to_id])
        for each in content.data_uses
        if names[each.to_id] not in ("email", "name")
    }
    assert found == {
        ("find", False, "user.model.js"), ("find", False, "role.model.js"), ("find", False, "index.js"),
        ("add", True, "role.model.js"), ("add", False, "user.model.js"), ("add", True, "index.js"), ("add", False, "index.js"),
    }  # fmt: skip
