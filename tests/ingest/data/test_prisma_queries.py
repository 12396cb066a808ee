"""Calls of the client of Prisma: which tables and columns the functions around them use, and what they do with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- prisma/schema.prisma
datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
model User {
  id    Int    @id
  email String @unique @map("mail")
  posts Post[]
}
model Post {
  id       Int    @id
  title    String
  authorId Int
  author   User   @relation(fields: [authorId], references: [id])
  tags     Tag[]
  @@map("posts")
}
model Tag {
  name  String @id
  posts Post[]
}
//- prisma/sql/postsOf.sql
-- @param {Int} $1:author
SELECT title FROM posts WHERE "authorId" = $1
//- src/db.ts
import { PrismaClient } from '@prisma/client'
export const prisma = new PrismaClient()
//- src/service.ts
import { PrismaClient, Prisma } from '@prisma/client'
import { prisma } from './db'
import { postsOf as load } from '@prisma/client/sql'
import * as typed from '../generated/prisma/sql'
import { PrismaClient as Edge } from '@prisma/client/edge'
import { remember } from 'remembered-values'
export class Client extends PrismaClient {}
const edge = new Edge()
const reloadedPrisma = remember('prisma', () => new Edge())
const cache = remember('cache', () => new Edge())
const other = { user: { findMany(query: object) { return [query] } } }
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "const where = 1; return prisma.user.findMany("
            "{ where: { OR: [{ email: 'a' }], posts: { some: { title: 'b' } } }, orderBy: { id: 'asc' } })",
            ["reads Post", "reads Post.title", "reads User", "reads User.email", "reads User.id"],
        ),
        ("return prisma.$queryRawTyped(load(1))", ["reads Post", "reads Post.authorId", "reads Post.title"]),
        ("return prisma.$queryRawTyped(typed.postsOf(1))", ["reads Post", "reads Post.authorId", "reads Post.title"]),
        ("return prisma.$queryRawTyped(other.postsOf(1))", []),
        (
            "return prisma.post.findFirst({ select: { title: true, id: false, author: { select: { email: true } } } })",
            ["reads Post", "reads Post.authorId", "reads Post.title", "reads User", "reads User.email"],
        ),
        ("return prisma.post.findMany({ include: { tags: true } })", ["reads Post", "reads Post.tags", "reads Tag"]),
        ("return prisma.post.count()", ["reads Post"]),
        (
            "return prisma.post.update({ where: { id: 1 }, data: { title: 'a' } })",
            ["modifies Post update", "modifies Post.title update", "reads Post.id update"],
        ),
        (
            "return prisma.user.create({ data: { email: 'a', posts: { create: [{ title: 'b' }] } } })",
            ["modifies Post insert", "modifies Post.title insert", "modifies User insert", "modifies User.email insert",
             "reads User"],
        ),
        (
            "return prisma.post.update({ where: { id: 1 }, data: { tags: { connect: { name: 'a' } } } })",
            ["modifies Post update", "modifies Post.tags update", "reads Post", "reads Post.id update", "reads Post.tags",
             "reads Tag"],
        ),
        (  # the link is a column of the new row, and the user is read by its mail
            "return prisma.post.create({ data: { title: 'a', author: { connect: { email } } } })",
            ["modifies Post insert", "modifies Post update", "modifies Post.authorId insert", "modifies Post.title insert",
             "reads Post", "reads User"],
        ),
        (
            "return prisma.post.create({ data: { title: 'a', author: { connect: { id: 1 } } } })",
            ["modifies Post insert", "modifies Post update", "modifies Post.authorId insert", "modifies Post.title insert",
             "reads Post"],
        ),
        (
            "return prisma.user.update({ where: { id: 1 }, data: { posts: { deleteMany: { title: 'a' } } } })",
            ["modifies Post delete", "modifies Post.tags delete", "modifies User update", "reads Post", "reads User",
             "reads User.id update"],
        ),
        ("return prisma.user.findUnique({ where: { id: 1 } }).posts()", ["reads Post", "reads User", "reads User.id"]),
        ("return prisma.user.findMany({ select: { _count: { select: { posts: true } } } })", ["reads Post", "reads User"]),
        ("return prisma.$transaction(async (tx) => tx.tag.deleteMany({}))", ["modifies Post.tags delete", "modifies Tag delete"]),
        ("return client.tag.upsert({ where: { name }, create: { name }, update: {} })",
         ["modifies Tag merge", "modifies Tag.name merge", "reads Tag.name merge"]),
        ("return part.tag.findUnique({ where: { name } })", ["reads Tag", "reads Tag.name"]),
        ("return prisma.$extends({}).tag.count()", ["reads Tag"]),
        (  # objects in conditions, and those that a function returns for each item of a list
            "const posts = name ? { create: [name].map((title) => ({ title })) } : {};"
            " return prisma.user.create({ data: { email: 'a', posts } })",
            ["modifies Post insert", "modifies Post.title insert", "modifies User insert", "modifies User.email insert",
             "reads User"],
        ),
        ("return prisma.post.findMany({ where: { ...(name && { title: name }) } })", ["reads Post", "reads Post.title"]),
        ("return (prisma as any)[key].count()", ["reads Post", "reads User"]),
        ("return delegate.findMany()", ["reads Tag"]),
        ("return edge.tag.count()", ["reads Tag"]),
        ("return reloadedPrisma.tag.count()", ["reads Tag"]),
        ("return cache.tag.count()", []),
        ("return other[key].findMany()", []),
        ("return other.user.findMany({ where: { email: 'a' } })", []),
        ("return unknown.user.findMany({ where: { email: 'a' } })", []),
    ],
)  # fmt: skip
def test_uses(tmp_path: Path, body: str, expected: list[str]) -> None:
    parameters = "client: Client, part: Prisma.TransactionClient, name: string, unknown: any"
    parameters += ", key: 'user' | 'post', delegate: Prisma.TagDelegate"
    content = analysed(tmp_path, f"{PROJECT}export function find({parameters}) {{\n  {body}\n}}\n")
    wanted = [each if each.split()[-1] in ("insert", "update", "delete", "merge") else f"{each} select" for each in expected]
    found = [each for each in uses_of(content, "src/service.ts") if each.startswith("find ")]
    assert found == [f"find {each}" for each in wanted]


def test_each_package_has_its_own_schema(tmp_path: Path) -> None:
    """A name of a model that two schemas have is that of the schema in the nearest folder."""
    schema = 'datasource db {\n  provider = "sqlite"\n  url = "file:a"\n}\nmodel User {\n  id Int @id\n  %s String\n}\n'
    code = (
        "import { PrismaClient } from '@prisma/client'\n"
        "export const find = () => new PrismaClient().user.findFirst({ where: { name: 'a' } })\n"
    )
    content = analysed(
        tmp_path,
        f"//- a/schema.prisma\n{schema % 'email'}"
        f"//- b/schema.prisma\n{schema % 'name'}//- a/src/x.ts\n{code}//- b/src/x.ts\n{code}",
    )
    assert uses_of(content, "a/src/x.ts") == ["find reads User select"]
    assert uses_of(content, "b/src/x.ts") == ["find reads User select", "find reads User.name select"]
