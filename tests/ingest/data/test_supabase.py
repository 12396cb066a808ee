"""Calls of Supabase: which tables and columns functions use."""

from __future__ import annotations

from pathlib import Path

from astrolabe.ingest.languages.typescript.queries.selections import Selected, selected
from data_uses import uses_of
from written_workspace import analysed

PROJECT = """
//- supabase/migrations/1_init.sql
create table users (id uuid primary key, name text);
create table posts (id int primary key, title text, author_id uuid references users (id));
create function rename_user(old text, new text) returns void language sql as $$ update users set name = old $$;
//- supabase/migrations/2_fix.sql
create or replace function rename_user(old text, new text) returns void language sql as
$$ update users set name = new where name = old $$;
//- src/client.ts
import { createServerClient } from '@supabase/ssr'
export async function createClient() { return createServerClient('a', 'b', {}) }
//- src/code.ts
import { createClient as make, SupabaseClient } from '@supabase/supabase-js'
import { createClient } from './client'
const admin = make('a', 'b')
export const listed = async () => {
  const supabase = await createClient()
  const { data } = await supabase.from('posts').select('id, author:users!author_id(name)').eq('title', 'a').single()
  return data
}
export const add = (client: SupabaseClient) => client.from('posts').insert([{ title: 'a' }]).select()
export const change = () => admin.from('users').update({ name: 'b' }).eq('id', 1)
export const drop = ({ locals: { supabase } }) => supabase.from('posts').delete().match({ title: 'a' })
export const rename = (client: SupabaseClient) => client.rpc('rename_user', { old: 'a', new: 'b' }).throwOnError()
export const renamed = ({ supabase }) => supabase.rpc('rename_user')
export const other = (client: SupabaseClient) => client.rpc('unknown')
export const array = () => Array.from('users')
//- functions/index.ts
import { createClient } from 'https://esm.sh/@supabase/supabase-js@2'
export const put = () => createClient('a', 'b').from('users').upsert({ name: 'a' })
"""


def test_uses(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "src/code.ts") == [
        "add modifies posts insert",
        "add modifies posts.title insert",
        "change modifies users update",
        "change modifies users.name update",
        "change reads users.id update",
        "drop modifies posts delete",
        "drop reads posts.title delete",
        "listed reads posts select",
        "listed reads posts.id select",
        "listed reads posts.title select",
        "listed reads users select",
        "listed reads users.name select",
        "rename reads rename_user call",
        "renamed reads rename_user call",
    ]
    called = {use.to_id for use in content.data_uses if use.statement == "call"}
    assert [each.relative_path for each in content.symbols if each.id in called] == ["supabase/migrations/2_fix.sql"]
    assert uses_of(content, "functions/index.ts") == ["put modifies users merge", "put modifies users.name merge"]


def test_selections() -> None:
    assert list(selected("*, full:name::text, posts!inner(title, ...tags(label)), data->items")) == [
        Selected("", "name", "full", False),
        Selected("", "posts", "posts", True),
        Selected("posts", "title", "title", False),
        Selected("posts", "tags", "tags", True),
        Selected("tags", "label", "label", False),
        Selected("", "data", "data", False),
    ]
    assert list(selected("a)b((,")) == [Selected("", "a", "a", False), Selected("", "b", "b", True)]
