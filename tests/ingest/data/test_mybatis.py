"""Mappers of MyBatis: what their statements, the methods that run them, and their maps of results do with tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from data_uses import uses_of
from incremental_steps import check_files
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

PROJECT = """
//- db/schema.sql
CREATE TABLE posts (id int PRIMARY KEY, title varchar(80), author_id int, state int, tag varchar(20), views int);
CREATE TABLE authors (id int PRIMARY KEY, nick varchar(20));
//- src/main/resources/PostMapper.xml
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mapper PUBLIC "-//mybatis.org//DTD Mapper 3.0//EN" "https://mybatis.org/dtd/mybatis-3-mapper.dtd">
<mapper namespace="org.acme.PostMapper">
  <resultMap id="post" type="Post">
    <id property="id" column="id"/>
    <result property="title" column="title"/>
    <association property="author" javaType="Author" columnPrefix="">
      <result property="nick" column="nick"/>
    </association>
  </resultMap>

  <sql id="shown">p.id, p.title</sql>

  <!-- All posts that fit. -->
  <select id="find" resultMap="post">
    SELECT <include refid="shown"/> FROM posts p
    <where>
      <if test="tag != null">AND p.tag = #{tag}</if>
      <if test="least &gt; 0">AND p.views &gt;= #{least}</if>
    </where>
    ORDER BY <choose><when test="byTitle">p.title</when><otherwise>p.state</otherwise></choose>
  </select>

  <select id="every" resultMap="post">
    SELECT * FROM posts JOIN authors ON authors.id = posts.author_id WHERE posts.state = 1 ${scope}
  </select>

  <insert id="add">
    <selectKey keyProperty="id" order="BEFORE">SELECT MAX(id) FROM authors</selectKey>
    INSERT INTO posts (id, title) VALUES
    <foreach collection="list" item="each" separator=",">(#{each.id}, #{each.title})</foreach>
  </insert>

  <update id="change">
    UPDATE posts
    <set><if test="title != null">title = #{title},</if><if test="tag != null">tag = #{tag},</if></set>
    WHERE id = #{id}
  </update>

  <delete id="remove"><![CDATA[ DELETE FROM posts WHERE views < #{least} ]]></delete>

  <select id="either">
    SELECT title FROM posts WHERE
    <if test="a">id = 1</if>
    <if test="!a">state = 2</if>
  </select>
</mapper>
//- src/main/java/org/acme/PostMapper.java
package org.acme;

import org.apache.ibatis.annotations.Select;

public interface PostMapper {
    java.util.List<Post> find(String tag, int least);

    void change(Post post);

    @Select({"<script>", "SELECT nick FROM authors", "<where><if test='id != null'>AND id = #{id}</if></where>", "</script>"})
    String nick(Integer id);
}
//- src/main/java/org/acme/Posts.java
package org.acme;

import org.apache.ibatis.session.SqlSession;

public class Posts {
    void clean(SqlSession session) {
        session.delete("org.acme.PostMapper.remove", 3);
    }
}
//- src/main/resources/beans.xml
<beans><bean id="mapper" class="org.acme.PostMapper"/></beans>
"""


def test_statements(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "src/main/resources/PostMapper.xml") == [
        "add modifies posts insert",
        "add modifies posts.id insert",
        "add modifies posts.title insert",
        "add reads authors select",
        "add reads authors.id select",
        "change modifies posts update",
        "change modifies posts.tag update",
        "change modifies posts.title update",
        "change reads posts.id update",
        "either reads posts select",
        "either reads posts.id select",
        "either reads posts.state select",
        "either reads posts.title select",
        "every reads authors select",
        "every reads authors.id select",
        "every reads authors.nick select",
        "every reads posts select",
        "every reads posts.author_id select",
        "every reads posts.state select",
        "every reads posts.title select",
        "find reads posts select",
        "find reads posts.id select",
        "find reads posts.state select",
        "find reads posts.tag select",
        "find reads posts.title select",
        "find reads posts.views select",
        "remove modifies posts delete",
        "remove reads posts.views delete",
    ]
    assert [file.relative_path for file in content.files if file.language == "mybatis"] == ["src/main/resources/PostMapper.xml"]


def test_methods_and_sessions(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert list(dict.fromkeys(uses_of(content, "src/main/java/org/acme/PostMapper.java"))) == [
        "PostMapper.change modifies posts update",
        "PostMapper.change modifies posts.tag update",
        "PostMapper.change modifies posts.title update",
        "PostMapper.change reads posts.id update",
        "PostMapper.find reads posts select",
        "PostMapper.find reads posts.id select",
        "PostMapper.find reads posts.state select",
        "PostMapper.find reads posts.tag select",
        "PostMapper.find reads posts.title select",
        "PostMapper.find reads posts.views select",
        "PostMapper.nick reads authors select",
        "PostMapper.nick reads authors.id select",
        "PostMapper.nick reads authors.nick select",
    ]
    assert uses_of(content, "src/main/java/org/acme/Posts.java") == [
        "Posts.clean modifies posts delete",
        "Posts.clean reads posts.views delete",
    ]


def test_results(tmp_path: Path) -> None:
    """A column that several tables of a statement have leads nowhere: both tables have an id, but one statement has one table."""
    content = analysed(tmp_path, PROJECT)
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    found = sorted(f"{names[each.from_id]} {names[each.to_id]}" for each in content.data_mappings)
    assert found == ["post.id posts.id", "post.nick authors.nick", "post.title posts.title"]


def test_problems() -> None:
    facts = extract_facts(b'<mapper namespace="a.B">\n<select id="c">\nSELECT 1 FROM d\n</mapper>', "mybatis")
    assert [(each.line, each.reason) for each in facts.problems] == [(2, "the element select is not closed")]
    assert [each.name for each in facts.symbols if each.kind == "query"] == ["c"]


@pytest.mark.parametrize(
    "part", ["<if>", "<a b='", "<!-- ", "<![CDATA[", "</if>", "<include refid='s'/>", "<choose><when>a</when></choose>", "&lt;"]
)
def test_hostile_files_take_linear_time(part: str) -> None:
    head = '<mapper namespace="a"><sql id="s"><include refid="s"/></sql><select id="b">SELECT 1 FROM t '
    tail = "</select></mapper>"

    def seconds(count: int) -> float:
        return processor_seconds(lambda: extract_facts((head + part * count + tail).encode(), "mybatis"))

    assert is_linear(seconds, 15_000 // len(part), times=4)


def test_maps_that_contain_each_other_many_times_are_read_in_bounded_time() -> None:
    inside = "".join(f'<association property="a{place}" resultMap="{{}}"/>' for place in range(40))
    maps = "".join(f'<resultMap id="{own}" type="T">{inside.replace("{}", other)}</resultMap>' for own, other in ("ab", "ba"))
    text = f'<mapper namespace="m">{maps}<select id="all" resultMap="a">SELECT id FROM posts</select></mapper>'
    assert processor_seconds(lambda: extract_facts(text.encode(), "mybatis")) < 2


def test_fragments_that_include_each_other_many_times_are_read_in_bounded_time() -> None:
    inside = '<if test="c"><include refid="{}"/></if>' * 40
    fragments = "".join(f'<sql id="{own}">{inside.replace("{}", other)}</sql>' for own, other in ("ab", "ba"))
    text = f'<mapper namespace="m">{fragments}<select id="all">SELECT id FROM posts <include refid="a"/></select></mapper>'
    assert processor_seconds(lambda: extract_facts(text.encode(), "mybatis")) < 5


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    """A changed fragment, a renamed method, a column of another name and a changelog, and all of them back again."""
    files = dict(zip(*[iter(re.split(r"^//- (.*)\n", PROJECT, flags=re.MULTILINE)[1:])] * 2, strict=True))
    kept = "".join(f"//- kept/file{each}.py\ndef run{each}(): ...\n" for each in range(30))
    files["db/changes.yaml"] = (
        "databaseChangeLog:\n- changeSet:\n    changes:\n    - addColumn: {tableName: posts, columns: [{column: {name: pin}}]}\n"
        "    - createTable: {tableName: tags, columns: [{column: {name: word, type: text}}]}\n"
    )
    kept += f"//- db/changes.yaml\n{files['db/changes.yaml']}"
    changes = [
        ("src/main/resources/PostMapper.xml", "p.id, p.title", "p.id"),
        ("src/main/java/org/acme/PostMapper.java", "find(", "seek("),
        ("db/schema.sql", "views int", "shown int"),
        ("db/changes.yaml", "word", "name"),
    ]
    check_files(tmp_path, PROJECT + kept, "PostMapper.find", {path: files[path].replace(old, new) for path, old, new in changes})
